import type { Database } from '#platform/database/pool.ts';
import type { Answer, Request } from '#platform/http/contract.ts';
import { named } from '#platform/http/named.ts';
import { listBody, type Pager } from '#platform/http/paging.ts';
import { leadTag, presentLead, type PresentLeadDependencies } from './present.ts';
import { listLeads, readLead } from './store.ts';

/** What reading leads needs. */
export interface ReadLeadDependencies extends PresentLeadDependencies {
  readonly database: Database;
  readonly pager: Pager;
}

/** `GET /leads/{id}` */
export async function handleReadLead(dependencies: ReadLeadDependencies, request: Request): Promise<Answer> {
  const { projectId } = request.caller;
  const row = await named(request, 'lead', (id) => readLead(dependencies.database, projectId, id));
  const body = presentLead(dependencies, projectId, row);
  return { status: 200, body, headers: { etag: leadTag(row, body) } };
}

/** `GET /leads` */
export async function handleListLeads(dependencies: ReadLeadDependencies, { caller, query }: Request): Promise<Answer> {
  const { database, pager } = dependencies;
  const { projectId } = caller;
  const after = pager.position(caller, 'leads', query);
  const rows = await listLeads(database, projectId, query.filters, after, query.limit + 1);
  const page = pager.page(caller, 'leads', query, rows, ({ id }) => id);
  const items = page.rows.map((row) => presentLead(dependencies, projectId, row));
  return { status: 200, body: listBody(items, page.next) };
}
