import { formatId } from '#domain/identifiers.ts';
import { preciseInstant, type Clock } from '#platform/clock.ts';
import type { Database, Transaction } from '#platform/database/pool.ts';
import type { Logger } from '#platform/log.ts';
import type { MintUuid } from '#platform/uuid.ts';
import { recordEvents } from '../../events/index.ts';
import { presentOf, readProjectTime } from '../../projects/index.ts';
import { presentWebhookEndpoint, statusOf } from '../present.ts';
import { countBacklogs, readWebhookEndpoint } from '../store.ts';
import { updateEndpoints, type DisabledRow, type EndpointNews } from './results-store.ts';

/** What keeping an endpoint's status needs. */
export interface NoteDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly mintUuid: MintUuid;
  readonly log: Logger;
  /** Told of the types of events, once they are committed. */
  readonly countEvents: (types: readonly string[]) => void;
}

/** How long an endpoint must have done nothing but fail before it is disabled. */
const FAILING_HOURS = 5 * 24;

/** Keeps the status of endpoints. */
export interface EndpointNotes {
  /** Notes what attempts say of their endpoints; one that is disabled by it is told of in the same commit. */
  note(news: readonly EndpointNews[]): Promise<void>;
  /**
   * Notes in the commit of its attempt that an endpoint works which did nothing but fail: lost on the way to another one,
   * it would count as failing from long ago.
   */
  noteRecovery(transaction: Transaction, news: readonly EndpointNews[]): Promise<void>;
}

/** Whether an attempt shows that an endpoint works which did nothing but fail. */
export function isRecovery(news: EndpointNews): boolean {
  return news.wasFailing && isSuccess(news);
}

/** Notes of one process. */
export function createEndpointNotes(dependencies: NoteDependencies): EndpointNotes {
  // Another success in the same second changes nothing that is shown, and need not be asked about, unless another process has
  // noted a failure meanwhile.
  const succeeded = { second: 0, targets: new Set<string>() };
  return {
    async note(news) {
      const second = Math.floor(dependencies.clock.now().epochMilliseconds / 1000);
      if (second !== succeeded.second) succeeded.targets.clear();
      succeeded.second = second;
      const isKnown = (each: EndpointNews): boolean => !each.wasFailing && succeeded.targets.has(targetOf(each));
      const fresh = news.filter((each) => !isSuccess(each) || !isKnown(each));
      if (fresh.length === 0) return;
      await noteEndpoints(dependencies, fresh);
      for (const each of fresh) {
        if (isSuccess(each)) succeeded.targets.add(targetOf(each));
        else succeeded.targets.delete(targetOf(each));
      }
    },
    async noteRecovery(transaction, news) {
      await updateStatus(dependencies, transaction, news);
    },
  };
}

function targetOf({ endpointId, url }: EndpointNews): string {
  return `${endpointId} ${url}`;
}

function isSuccess({ hasSucceeded, isGone }: EndpointNews): boolean {
  return hasSucceeded && !isGone;
}

async function noteEndpoints(dependencies: NoteDependencies, news: readonly EndpointNews[]): Promise<void> {
  const { database, log, countEvents } = dependencies;
  if (news.every(isSuccess)) {
    await updateStatus(dependencies, database, news);
    return;
  }
  const disabled = await database.transaction(async (transaction) => {
    const rows = await updateStatus(dependencies, transaction, news);
    for (const row of rows) await tell(dependencies, transaction, row);
    return rows;
  });
  for (const { id, disabled_reason: reason } of disabled) {
    log.warn({ endpoint: formatId('whe', id), reason }, 'a webhook endpoint was disabled');
  }
  countEvents(disabled.map(() => 'webhook_endpoint.disabled'));
}

/** @returns those that are disabled by it */
function updateStatus(
  { clock }: Pick<NoteDependencies, 'clock'>,
  queryable: Pick<Transaction, 'query'>,
  news: readonly EndpointNews[],
): Promise<DisabledRow[]> {
  const now = clock.now();
  const failingBefore = preciseInstant(now.subtract({ hours: FAILING_HOURS }));
  return updateEndpoints(queryable, news, preciseInstant(now), failingBefore);
}

/** Writes the event of an endpoint that has just been disabled. */
async function tell(
  { clock, mintUuid }: NoteDependencies,
  transaction: Transaction,
  { project_id: projectId, id }: DisabledRow,
): Promise<void> {
  const row = await readWebhookEndpoint(transaction, projectId, id);
  const project = await readProjectTime(transaction, projectId);
  if (row === undefined || project === undefined) return;
  const backlog = (await countBacklogs(transaction, projectId, [id])).get(id) ?? 0;
  const shown = presentWebhookEndpoint(row, { backlog, now: clock.now() });
  const previous = JSON.stringify({ enabled: true, status: statusOf({ ...row, disabled_reason: null }, backlog) });
  await recordEvents(transaction, mintUuid, [
    {
      projectId,
      resourceId: id,
      type: 'webhook_endpoint.disabled',
      at: presentOf(project, clock),
      requestId: null,
      causedBy: 'time',
      credentialId: null,
      data: `{"webhook_endpoint":${shown},"previous_attributes":${previous}}`,
    },
  ]);
}
