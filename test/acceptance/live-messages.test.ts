/** The messages that wait for the operator of a live project. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parseId } from '#domain/identifiers.ts';
import { listProjects } from '#features/projects/index.ts';
import { listMarketMessages } from '#features/subscriptions/index.ts';
import { sql, type Sql } from '#platform/database/sql.ts';
import type { Json } from '../support/builders.ts';
import { openLive, runCommand, type Live, type Run } from '../support/live.ts';
import { eventually } from '../support/process.ts';
import { vacuumWhole } from '../support/rows.ts';
import { meterOnly, must } from '../support/sandbox.ts';
import { forceRows, startService, type TestService } from '../support/service.ts';

let service: TestService;
let live: Live;

before(async () => {
  service = await startService();
  live = await openLive(service);
});
after(() => service.stop());

const cli = (...argv: string[]): Promise<Run> => runCommand(service, ...argv);

describe('messages', () => {
  test('that nobody needs any more are not listed, and cannot be transmitted', async () => {
    const { id } = await live.signUp({ meter: meterOnly() });
    const search = await live.waiting(id);
    must(await live.call('POST', `/subscriptions/${id}/terminate`, { reason: 'withdrawal' }), 200);
    assert.deepEqual((await live.market('messages', '--subscription', id)).items, []);
    const [code, reason] = await live.refused('transmitted', search.id);
    assert.deepEqual([code, reason], [1, 'obsolete']);
  });

  test('that wait when the subscription has ended are listed, and can still be transmitted', async () => {
    const { id } = await live.signUp({ previous_supplier: live.supplierId });
    await live.market('transmitted', (await live.waiting(id)).id);
    must(await live.call('POST', `/subscriptions/${id}/terminate`, { reason: 'withdrawal' }), 200);
    assert.equal((await live.read(id)).status, 'ended');
    const reversal = await live.waiting(id);
    assert.deepEqual([reversal.identifier, reversal.partner], ['55022', 'other_supplier']);
    const { message, subscription } = await live.market('transmitted', reversal.id);
    assert.deepEqual([message.state, subscription.status], ['transmitted', 'ended']);
    assert.deepEqual((await live.market('messages', '--subscription', id)).items, []);
    const late = await live.market('answer', reversal.id, 'reversal_confirmation');
    assert.deepEqual(
      [late.ignored, late.message.contents],
      ['late_or_unknown_reference', { reverses: reversal.contents.reverses }],
    );
    const gone = await live.signUp();
    const registration = await live.waiting(gone.id);
    must(await live.call('POST', `/subscriptions/${gone.id}/terminate`, { reason: 'withdrawal' }), 200);
    const [code, reason] = await live.refused('transmitted', registration.id);
    assert.deepEqual([code, reason], [1, 'obsolete']);
  });

  test('that were handed over before a withdrawal dropped them are taken back, where they are answered', async () => {
    const { id } = await live.signUp();
    const asked = await live.waiting(id);
    must(await live.call('POST', `/subscriptions/${id}/terminate`, { reason: 'withdrawal' }), 200);
    assert.equal((await live.read(id)).status, 'ended');
    const { ignored, sent } = await live.market('answer', asked.id, 'acknowledgement');
    assert.deepEqual([ignored, sent.map((message: Json) => message['identifier'])], [null, ['55022']]);
    const reversal = await live.waiting(id);
    assert.deepEqual(
      [reversal.id, reversal.contents.reverses, reversal.partner],
      [sent[0].id, asked.process_number, 'grid_operator'],
    );
    await live.market('transmitted', reversal.id);
    await live.market('answer', reversal.id, 'reversal_rejection');
    const { start } = asked.contents;
    const confirmed = await live.market('answer', asked.id, 'registration_confirmation', '--start', start);
    assert.deepEqual(
      [confirmed.sent[0].identifier, confirmed.sent[0].contents.reason, confirmed.subscription.status],
      ['55004', 'ZH2', 'ended'],
    );
    const { items } = await live.market('messages', '--subscription', id, '--state', 'transmitted');
    assert.deepEqual(
      items.map((item: Json) => item['id']),
      [asked.id, reversal.id],
    );
  });

  test('that were replaced because nobody had said that they were handed over were, where they are answered', async () => {
    const { id } = await live.signUp();
    const first = await live.waiting(id);
    const { start } = first.contents;
    // As if it had been written on an earlier day, for a start that can no longer be asked for.
    const tomorrow = Temporal.Now.plainDateISO('Europe/Berlin').add({ days: 1 }).toString();
    await service.database.query(sql`
      update market_processes
      set memory = replace(memory::text, ${start}, ${tomorrow})::json, due_at = now() - interval '1 minute'
      where subscription_id = ${parseId('sub', id)}`);
    const messages = async (state: string): Promise<string[]> =>
      (await live.market('messages', '--subscription', id, '--state', state)).items.map((item: Json) => item['id']);
    await eventually(async () => (await messages('obsolete'))[0] === first.id, 'another one takes its place');
    const second = await live.waiting(id);
    const answer = [first.id, 'registration_confirmation', '--start', tomorrow];
    const { ignored, subscription } = await live.market('answer', ...answer);
    assert.deepEqual([ignored, subscription.stage], [null, 'confirmed']);
    assert.deepEqual([await messages('transmitted'), await messages('obsolete')], [[first.id], [second.id]]);
    assert.equal((await live.market('answer', ...answer)).recorded, false);
  });

  test('that two say they have handed over at once were handed over for both', async () => {
    const { id } = await live.signUp();
    const { id: message } = await live.waiting(id);
    const saying: Promise<Json>[] = [];
    await service.database.transaction(async (transaction) => {
      await transaction.query(sql`
        select from market_processes where subscription_id = ${parseId('sub', id)} for update`);
      for (let count = 0; count < 2; count += 1) saying.push(live.market('transmitted', message));
      const waiting = sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%market_processes%'`;
      await eventually(async () => (await service.database.query(waiting)).length === 2, 'both wait');
    });
    const said = await Promise.all(saying);
    assert.equal(said.filter(({ changed }) => changed).length, 1);
    assert.deepEqual(new Set(said.map(({ message }) => message.state)), new Set(['transmitted']));
  });

  test('and what is done with them is read by people in words', async () => {
    const { id } = await live.signUp({ previous_supplier: live.supplierId });
    const { id: message } = await live.waiting(id);
    const listed = await cli('market', 'messages', '--project', live.id, '--subscription', id);
    assert.match(
      listed.stdout,
      /^msg_\w+ {2}waiting since \S+Z\n {2}55016 Kündigung \(cancellation\) to other_supplier\n/,
    );
    assert.match(listed.stdout, /supplier: Stadtwerke Alt \(9900000000123\)/);
    const marked = await cli('market', 'transmitted', '--project', live.id, message);
    assert.match(marked.stdout, /^msg_\w+ is transmitted\.\nsub_\w+ is pending, cancelling\. It waits for nobody\.\n$/);
    const again = await cli('market', 'transmitted', '--project', live.id, message);
    assert.match(again.stdout, /was transmitted already/);
    const answer = ['market', 'answer', '--project', live.id, message, 'cancellation_rejection', '--code', 'A04'];
    assert.match((await cli(...answer)).stdout, /^Recorded as msg_\w+\.\n.*\n\nWe say to that:\n\nmsg_\w+ {2}waiting/);
    assert.match((await cli(...answer)).stdout, /^It was recorded already; nothing has changed\.\n/);
    assert.match((await cli('market', 'answer', '--help')).stdout, /registration_rejection +--code --supplier-code/);
  });

  test('are listed in pages, each behind the last message of the one before', async () => {
    const mine = await openLive(service);
    for (let count = 0; count < 3; count += 1) await mine.waiting((await mine.signUp()).id);
    const all = (await mine.market('messages')).items as Json[];
    const behind = async (after: string): Promise<Json[]> => (await mine.market('messages', '--after', after)).items;
    assert.equal(all.length, 3);
    assert.deepEqual(await behind(all[0].id), all.slice(1));
    assert.deepEqual(await behind(all[2].id), []);
    assert.match((await mine.refused('messages', '--after', 'msg_x'))[2], /there is no message msg_x/);
    await forceRows(
      service,
      sql`
      insert into market_messages (project_id, id, subscription_id, revision, direction, kind, identifier, partner,
        document_number, process_number, contents, state, occurred_at)
      select project_id, gen_random_uuid(), subscription_id, revision, direction, kind, identifier, partner, document_number || n,
        process_number, contents, state, occurred_at
      from market_messages, generate_series(1, 70) as n
      where project_id = ${parseId('prj', mine.id)}`,
    );
    const seen: string[] = [];
    for (
      let page = await mine.market('messages');
      ;
      page = await mine.market('messages', '--after', seen.at(-1) ?? '')
    ) {
      seen.push(...page.items.map(({ id }: Json) => id));
      if (page.has_more !== true) break;
    }
    assert.equal(new Set(seen).size, 213);
  });

  test('that wait are found by an index, however much was exchanged', async () => {
    const indexed = await startService();
    try {
      const { projectId, database } = indexed;
      await forceRows(
        indexed,
        sql`
        insert into market_messages (project_id, id, subscription_id, revision, direction, kind, identifier, partner,
          document_number, process_number, contents, state, occurred_at, transmitted_at)
        select ${projectId}::uuid, gen_random_uuid(), ('00000000-0000-0000-0000-' || lpad((n % 2000)::text, 12, '0'))::uuid,
          1, 'out', 'registration', '55001', 'grid_operator', n::text, n::text, '{}',
          case n when 1 then 'waiting' else 'transmitted' end, now(), case n when 1 then null else now() end
        from generate_series(1, 20000) as n`,
      );
      await vacuumWhole(database, sql`market_messages`);
      const asked: Sql[] = [];
      const spy = {
        ...database,
        query: <Row>(statement: Sql): Promise<Row[]> => {
          asked.push(statement);
          return database.query<Row>(statement);
        },
      };
      const project = (await listProjects(indexed))[0]?.id ?? '';
      const list = await listMarketMessages(
        { database: spy },
        { project, subscription: null, state: 'waiting', after: null },
      );
      assert.equal(list.kind === 'listed' && list.messages.length, 1);
      const plan = await database.query<{ 'QUERY PLAN': string }>(sql`explain ${asked.at(-1) ?? sql``}`);
      assert.match(plan.map((row) => row['QUERY PLAN']).join('\n'), /Index Scan using market_messages_waiting/);
    } finally {
      await indexed.stop();
    }
  });
});
