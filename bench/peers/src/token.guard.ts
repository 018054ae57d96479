import { createHash } from 'node:crypto';
import { CanActivate, ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

export interface Caller {
  readonly projectId: string;
  readonly credentialId: string;
}

/** A request as far as both adapters agree. */
export interface CallerRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  caller?: Caller;
}

const TRUSTED_MS = 1000;
const MAX_TOKENS = 10_000;

/** Lets through whoever has a token; what was read of one is trusted for a second. */
@Injectable()
export class TokenGuard implements CanActivate {
  private readonly known = new Map<string, { readonly caller: Caller; readonly until: number }>();

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<CallerRequest>();
    const [, token] = /^Bearer (\S+)$/.exec(request.headers['authorization'] ?? '') ?? [];
    if (token === undefined) throw new UnauthorizedException();
    request.caller = await this.find(createHash('sha256').update(token).digest());
    return true;
  }

  private async find(hash: Buffer): Promise<Caller> {
    const key = hash.toString('base64');
    const known = this.known.get(key);
    if (known !== undefined && known.until > Date.now()) return known.caller;
    const [row] = await this.dataSource.query<Caller[]>(
      `select t.project_id as "projectId", t.credential_id as "credentialId"
       from tokens t join credentials c on c.project_id = t.project_id and c.id = t.credential_id
       where t.hash = $1 and t.kind = 'access' and t.revoked_at is null and c.revoked_at is null
         and now() < least(t.expires_at, c.expires_at)`,
      [hash],
    );
    if (row === undefined) throw new UnauthorizedException();
    if (this.known.size >= MAX_TOKENS) this.known.clear();
    this.known.set(key, { caller: row, until: Date.now() + TRUSTED_MS });
    return row;
  }
}
