import type { Queryable } from '#platform/database/pool.ts';
import { asProject, sql, type Sql } from '#platform/database/sql.ts';
import type { MessageRow, MessageState } from '../supply/traces.ts';

/** Of `market_messages as m`, whose it is where its kind does not say: the partner of what it answers, or reverses. */
export const partnerOfMessage = sql`
  case m.partner
    when 'either' then coalesce(
      (
        select about.partner from market_messages as about
        where about.project_id = m.project_id and about.subscription_id = m.subscription_id
          and about.process_number in (m.answers, m.contents ->> 'reverses') and about.partner <> 'either'
        limit 1
      ),
      m.partner
    )
    else m.partner
  end`;

const columns = sql`
  id, subscription_id, revision, direction, kind, identifier, ${partnerOfMessage} as partner, document_number,
  process_number, answers, contents, state, occurred_at, transmitted_at`;

/** Which messages of a project are listed; ids are uuids. */
interface MessageListing {
  /** Null: of all. */
  readonly subscriptionId: string | null;
  readonly state: MessageState;
  /** Only those behind this one; null: from the oldest on. */
  readonly after: string | null;
}

/** Written out, since the indexes of those that are rare are partial: a plan for any state could not use them. */
const IN_STATE: Readonly<Record<MessageState, Sql>> = {
  waiting: sql`state = 'waiting'`,
  transmitted: sql`state = 'transmitted'`,
  obsolete: sql`state = 'obsolete'`,
  received: sql`state = 'received'`,
  ignored: sql`state = 'ignored'`,
};

/** Messages of a project, oldest first. */
export function listMessages(
  queryable: Queryable,
  projectId: string,
  { subscriptionId, state, after }: MessageListing,
  limit: number,
): Promise<MessageRow[]> {
  const ofOne = subscriptionId === null ? sql`` : sql` and subscription_id = ${subscriptionId}`;
  const position = after === null ? sql`` : sql` and id > ${after}`;
  return queryable.query<MessageRow>(sql`
    select ${columns} from market_messages as m
    where project_id = ${asProject(projectId)} and ${IN_STATE[state]}${ofOne}${position}
    order by id
    limit ${limit}`);
}

/** The messages of these ids, oldest first. */
export function readMessages(queryable: Queryable, projectId: string, ids: readonly string[]): Promise<MessageRow[]> {
  return queryable.query<MessageRow>(sql`
    select ${columns} from market_messages as m
    where project_id = ${asProject(projectId)} and id = any(${ids}::uuid[])
    order by id`);
}

/** The message that was received for a subscription under a number, or `undefined`. */
export async function findReceived(
  queryable: Queryable,
  projectId: string,
  subscriptionId: string,
  documentNumber: string,
): Promise<MessageRow | undefined> {
  const [row] = await queryable.query<MessageRow>(sql`
    select ${columns} from market_messages as m
    where project_id = ${asProject(projectId)} and subscription_id = ${subscriptionId} and direction = 'in'
      and document_number = ${documentNumber}`);
  return row;
}
