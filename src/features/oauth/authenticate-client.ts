import { equalDigests, sha256 } from '#platform/crypto.ts';
import { CLIENT_ID } from '../projects/index.ts';
import {
  refuse,
  refuseClient,
  refuseHaste,
  UNKNOWN_CLIENT,
  type OauthDependencies,
  type OauthRefusal,
} from './outcome.ts';
import { decodeFormText, type OauthRequest, type Parameters } from './parse-parameters.ts';
import { selectClient, type ClientRow } from './store.ts';
import type { Throttle } from './throttle.ts';

/** What a client says about itself. */
interface Claim {
  readonly ok: true;
  readonly clientId: string;
  /** Every reading of the secret; one must be right. */
  readonly secrets: readonly string[];
}

/** Compared with when there is no such client, so that it takes as long; no secret has this digest. */
const NOBODY = Buffer.alloc(32);

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Finds the client behind `client_secret_basic` or `client_secret_post` (RFC 6749 §2.3.1). Unknown, wrong, revoked and
 * expired are answered alike.
 */
export async function authenticateClient(
  { database, clock }: Pick<OauthDependencies, 'database' | 'clock'>,
  throttle: Throttle,
  request: Pick<OauthRequest, 'authorization' | 'address'>,
  parameters: Parameters,
): Promise<{ readonly ok: true; readonly client: ClientRow } | OauthRefusal> {
  const claim = readClaim(request.authorization, parameters);
  if (!claim.ok) return claim;
  const { clientId, secrets } = claim;
  const { address } = request;
  // Before anything of it is asked for or kept: it may be of any length.
  if (!CLIENT_ID.test(clientId)) return refuseClient(UNKNOWN_CLIENT);
  const waitSeconds = throttle.waitSeconds(clientId, address);
  if (waitSeconds > 0) return refuseHaste(waitSeconds);
  const client = await selectClient(database, clientId, clock.now().toString());
  // Asked again: of many attempts sent at once, those that come after the tenth wrong one learn nothing.
  const waitNow = throttle.waitSeconds(clientId, address);
  if (waitNow > 0) return refuseHaste(waitNow);
  const isRight = secrets
    .map((secret) => equalDigests(sha256(secret), client?.secret_hash ?? NOBODY))
    .some((equal) => equal);
  if (client === undefined || !isRight || !client.usable) {
    throttle.failed(clientId, address);
    return refuseClient(UNKNOWN_CLIENT);
  }
  throttle.succeeded(clientId, address);
  return { ok: true, client };
}

function readClaim(authorization: string | undefined, parameters: Parameters): Claim | OauthRefusal {
  const clientId = parameters.get('client_id');
  const clientSecret = parameters.get('client_secret');
  if (authorization === undefined) {
    if (clientId === undefined || clientSecret === undefined) {
      return refuseClient('The request carries no client id and secret.');
    }
    return { ok: true, clientId, secrets: [clientSecret] };
  }
  if (clientSecret !== undefined) {
    return refuse('invalid_request', 'Send the client secret in the Authorization header or in the body, not in both.');
  }
  const claim = readBasic(authorization);
  if (claim === null) return refuseClient('The Authorization header is not Basic with a client id and secret.');
  if (clientId !== undefined && clientId !== claim.clientId) {
    return refuse('invalid_request', 'The body names another client_id than the Authorization header.');
  }
  return claim;
}

/**
 * Reads `Basic base64(id:secret)`. The standard wants id and secret form-encoded first; many clients (curl among them)
 * send them raw. Ids never hold `%` or `+`, so decoding one that came raw changes nothing; of the secret both readings
 * are tried.
 */
function readBasic(authorization: string): Claim | null {
  const encoded = /^basic +([A-Za-z0-9+/_-]+=*) *$/i.exec(authorization)?.[1];
  if (encoded === undefined) return null;
  let text: string;
  try {
    text = UTF8.decode(Buffer.from(encoded, 'base64'));
  } catch {
    return null;
  }
  const colon = text.indexOf(':');
  if (colon < 1) return null;
  const rawId = text.slice(0, colon);
  const rawSecret = text.slice(colon + 1);
  const decodedSecret = tryDecode(rawSecret);
  const secrets = decodedSecret === null || decodedSecret === rawSecret ? [rawSecret] : [rawSecret, decodedSecret];
  return { ok: true, clientId: tryDecode(rawId) ?? rawId, secrets };
}

function tryDecode(text: string): string | null {
  try {
    return decodeFormText(text);
  } catch {
    return null;
  }
}
