import { formatId } from '#domain/identifiers.ts';
import { formatInstant } from '#platform/clock.ts';
import type { Answer, Request } from '#platform/http/contract.ts';
import { onceOutside } from '#platform/http/idempotency.ts';
import { named } from '#platform/http/named.ts';
import { Problem, problems } from '#platform/http/problems.ts';
import { checkUrl } from '../targets.ts';
import type { Outcome } from './client.ts';
import { postOf } from './deliver.ts';
import type { DeliveryDependencies } from './dependencies.ts';
import { requireEndpointMatch } from './replay.ts';
import { readTarget, type TargetRow } from './replay-store.ts';

/** An attempt has ended before. */
const TEST_LIMIT_MS = 18_000;
const STOPPED = 'The service stops, and has given up the test.';
const RETRY = { 'retry-after': '1' };
/** Tests on their way at once in one process. */
const MAX_TESTS = 64;
/** Of one project: a server that takes its time is not to be asked by hundreds, nor to keep the others from testing. */
export const PROJECT_TESTS = 8;

/** `POST /webhook-endpoints/{id}/test`, within bounds of its own. */
export function createTestHandler(dependencies: DeliveryDependencies): (request: Request) => Promise<Answer> {
  const { database } = dependencies;
  /** The projects of those on their way, one entry for each. */
  const underWay: string[] = [];

  /** @throws Problem rate_limited */
  async function bounded<Result>(projectId: string, send: () => Promise<Result>): Promise<Result> {
    const own = underWay.filter((each) => each === projectId).length;
    if (own >= PROJECT_TESTS) throw tooMany(`${own} tests of this project`);
    if (underWay.length >= MAX_TESTS) throw tooMany(`${underWay.length} tests of endpoints`);
    underWay.push(projectId);
    try {
      return await send();
    } finally {
      underWay.splice(underWay.indexOf(projectId), 1);
    }
  }

  return (request) =>
    onceOutside(dependencies, request, async () => {
      const { projectId } = request.caller;
      const target = await named(request, 'whe', (id) => readTarget(database, projectId, id));
      await requireEndpointMatch(database, request, target);
      // A foreign server may take its time.
      const send = (): Promise<Outcome> => request.waitAside(sendTest(dependencies, target, request.id));
      const { status, latencyMs, error } = await bounded(projectId, send);
      const body = JSON.stringify({
        object: 'webhook_test',
        endpoint: formatId('whe', target.endpoint_id),
        succeeded: error === null,
        status_code: status,
        latency_ms: latencyMs,
        error,
      });
      return { status: 200, body };
    });
}

function tooMany(those: string): Problem {
  return new Problem(problems.rate_limited, `${those} are on their way already.`, [], { 'retry-after': '1' });
}

/** @throws Problem service_unavailable when it is given up because the service stops */
async function sendTest(
  { clock, mintUuid, keys, client, webhooks, stopped }: DeliveryDependencies,
  target: TargetRow,
  requestId: string,
): Promise<Outcome> {
  const now = clock.now();
  const eventId = formatId('evt', mintUuid(now));
  const body = JSON.stringify({
    object: 'event',
    id: eventId,
    type: 'webhook_endpoint.test',
    timestamp: formatInstant(now),
    sequence: null,
    request_id: requestId,
    data: { webhook_endpoint: { id: formatId('whe', target.endpoint_id) } },
  });
  const refused = { status: null, latencyMs: 0, retryAfter: undefined } as const;
  if (checkUrl(target.url, { mode: target.mode, ...webhooks }) !== null)
    return { ...refused, error: 'forbidden_target' };
  const giveUp = AbortSignal.any([AbortSignal.timeout(TEST_LIMIT_MS), stopped]);
  const outcome = await client.post(postOf(keys, target, eventId, body, now), giveUp);
  // What it would have come to nobody knows; the next process can be asked for another.
  if (outcome === null && stopped.aborted) throw new Problem(problems.service_unavailable, STOPPED, [], RETRY);
  return outcome ?? { ...refused, error: 'timeout' };
}
