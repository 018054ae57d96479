import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { berlinDay } from '../calendar.ts';
import { advance, askFor, beginLife, give, newest, sentOf, supplierNamed } from '#test/support/market-life.ts';
import { supplyFacts } from '#test/support/market-life.ts';
import type { Life } from '#test/support/market-life.ts';
import type { InboundMessage, MessageKind, OutboundMessage } from './messages.ts';
import { MESSAGE_TYPES } from './messages.ts';
import { ACTION_CODES, ACTIONS } from './next-action.ts';
import { visibleAction, type SupplyFacts } from './state.ts';
import { beginSupply, decide, type Decision } from './supply.ts';

const PREVIOUS = supplierNamed('Previous Supplier');
const instant = (text: string): Temporal.Instant => Temporal.Instant.from(text);

/** A life whose market says nothing but what the test says. */
function quiet(facts: Partial<SupplyFacts> = {}): Life {
  const life = beginLife(facts);
  life.deliveries = [];
  return life;
}

type Content = Record<string, unknown> & { kind: MessageKind };
let received = 0;

/** Answers the newest message of ours, or sends one of the partner's own accord. */
function hear(life: Life, content: Content, answered: OutboundMessage | null | undefined = life.sent.at(-1)): Decision {
  received += 1;
  const number = `in-${received}`;
  const head = { documentNumber: number, processNumber: number, answers: answered?.processNumber ?? null };
  const decision = give(life, { type: 'received', message: { ...head, ...content } as unknown as InboundMessage });
  life.deliveries = [];
  return decision;
}

/** A life in supply since 2026-11-24, at noon of a later day. */
function supplied(facts: Partial<SupplyFacts> = {}, now = '2026-12-01T11:00:00Z'): Life {
  const life = beginLife(facts);
  advance(life, instant(now));
  assert.equal(life.last.state.stage, 'supplying');
  return life;
}

const outcome = (life: Life): string => {
  const { state } = life.last;
  return [state.stage, visibleAction(state)?.code ?? '', life.sent.at(-1)?.kind].join(' ');
};

test('each answer to a registration leads where §1.4 and §1.5 say', () => {
  const rejected = { kind: 'registration_rejection' } as const;
  const table: [Content, string][] = [
    [{ ...rejected, code: 'A07' }, 'registering  registration'],
    [{ ...rejected, code: 'A02' }, 'registering market_location_shut_down registration'],
    [{ ...rejected, code: 'A04' }, 'registering new_connection registration'],
    [{ ...rejected, code: 'A05' }, 'registering balancing_group_authority_missing registration'],
    [{ ...rejected, code: 'A06', acceptedFrom: '2026-12-01' }, 'registering concurrent_registration registration'],
    [{ ...rejected, code: 'A08' }, 'registering registration_refused registration'],
    [{ ...rejected, code: 'A50', supplierCode: 'A35' }, 'registering previous_supplier_objects registration'],
    [{ ...rejected, code: 'A50', supplierCode: 'A32' }, 'registering not_a_move_in registration'],
    [{ ...rejected, code: 'A50', supplierCode: 'A33' }, 'registering not_a_move_in registration'],
    [{ ...rejected, code: 'A50', supplierCode: 'A43' }, 'registering  registration'],
    [{ ...rejected, code: 'A99' }, 'registering registration_refused registration'],
    [{ ...rejected, code: 'Z99' }, 'registering registration_refused registration'],
    [{ kind: 'processing_error', code: 'Z14' }, 'identifying  identification_request'],
    [{ kind: 'processing_error', code: 'Z16', gridOperator: '9900000000002' }, 'identifying  identification_request'],
    [{ kind: 'processing_error', code: 'Z29' }, 'registering registration_refused registration'],
    [{ kind: 'registration_confirmation', code: 'A51', start: '2026-11-24' }, 'confirmed  registration'],
    [
      { kind: 'registration_confirmation', code: 'A51', start: '2026-11-21' },
      'registering confirmed_too_late registration',
    ],
  ];
  for (const [content, expected] of table) {
    const life = quiet();
    hear(life, content);
    assert.equal(outcome(life), expected, JSON.stringify(content));
  }
});

test('each answer to a cancellation leads where §1.3 and §1.5 say', () => {
  const rejected = { kind: 'cancellation_rejection' } as const;
  const table: [Content, string][] = [
    [{ ...rejected, code: 'A01' }, 'cancelling  cancellation'],
    [{ ...rejected, code: 'A04' }, 'registering  registration'],
    [{ ...rejected, code: 'A05', nextPossibleEnd: '2027-03-01' }, 'cancelling previous_contract_bound cancellation'],
    [{ ...rejected, code: 'A06', nextPossibleEnd: '2027-03-01' }, 'cancelling previous_contract_bound cancellation'],
    [{ ...rejected, code: 'A06', nextPossibleEnd: '2026-11-26' }, 'cancelling  cancellation'],
    [{ ...rejected, code: 'A08' }, 'cancelling power_of_attorney_doubted cancellation'],
    [{ ...rejected, code: 'A99' }, 'cancelling cancellation_refused cancellation'],
    [{ kind: 'processing_error', code: 'Z14' }, 'cancelling previous_supplier_unaware cancellation'],
    [{ kind: 'cancellation_confirmation', code: 'A03', end: '2026-12-01' }, 'registering  registration'],
  ];
  for (const [content, expected] of table) {
    const life = quiet({ previousSupplier: PREVIOUS });
    hear(life, content);
    assert.equal(outcome(life), expected, JSON.stringify(content));
  }
});

test('an objection without a cancellation leads to one, and asks for the supplier when he is not known', () => {
  const life = quiet();
  hear(life, { kind: 'registration_rejection', code: 'A50', supplierCode: 'A35' });
  give(life, { type: 'corrected', changes: { previousSupplier: PREVIOUS } });
  assert.equal(outcome(life), 'cancelling  cancellation');
});

test('exactly the intended day is asked for, and it moves only with a reason', () => {
  const exact = quiet({ nextPossibleStart: false, intendedStartDate: '2027-01-15' });
  assert.ok(exact.sent.some((message) => message.kind === 'registration' && message.start === '2027-01-15'));
  assert.deepEqual(exact.last.events, [], 'the sign-up showed it already');
  assert.deepEqual([exact.last.state.requestedStart, exact.last.state.moveReason], ['2027-01-15', null]);
  const early = quiet({ nextPossibleStart: false, intendedStartDate: '2026-11-22' });
  assert.deepEqual([early.last.state.requestedStart, early.last.state.moveReason], ['2026-11-24', 'lead_time']);
  hear(early, { kind: 'registration_confirmation', code: 'A51', start: '2026-11-25' });
  assert.deepEqual(early.last.events, [{ type: 'subscription.confirmed', reason: 'grid_operator' }]);
  assert.deepEqual([early.last.state.requestedStart, early.last.state.moveReason], ['2026-11-25', 'grid_operator']);
});

test('with the next possible start a given day is ignored, unless it was chosen when a later one was proposed', () => {
  const ignored = beginLife({ intendedStartDate: '2027-06-01', previousSupplier: PREVIOUS });
  advance(ignored, instant('2026-11-25T00:00:00Z'));
  assert.equal(ignored.last.state.startAt, '2026-11-24T23:00:00Z');
  const chosen = beginLife({ previousSupplier: supplierNamed('Sandbox Supplier – bound') });
  advance(chosen, instant('2026-11-25T00:00:00Z'));
  give(chosen, { type: 'corrected', changes: { intendedStartDate: '2027-06-01' } });
  advance(chosen, instant('2026-12-05T00:00:00Z'));
  assert.equal(chosen.last.state.startAt, '2027-05-31T22:00:00Z');
});

/** What became of a termination: the refusal with the day that it names, or the stage with the end. */
function endOrRefusal({ outcome, state }: Decision): string {
  if (outcome.kind === 'refused') return `${outcome.code} ${outcome.earliest}`;
  return `${state.stage} ${state.endAt ?? ''}`;
}

test('a termination keeps notice and lead time, and a refusal names the earliest day or the last', () => {
  const table = [
    ['ordinary', null, 'P1M', 'ending 2027-01-01T23:00:00Z'],
    ['ordinary', '2027-01-01', 'P1M', 'end_date_too_early 2027-01-02'],
    ['ordinary', '2037-01-02', 'P1M', 'ending 2037-01-01T23:00:00Z'],
    ['ordinary', '2037-01-03', 'P1M', 'end_date_too_late 2037-01-02'],
    ['ordinary', null, 'P0D', 'ending 2026-12-02T23:00:00Z'],
    ['ordinary', '2026-12-02', 'P0D', 'end_date_too_early 2026-12-03'],
    ['move_out', null, 'P3M', 'end_date_required 2027-01-13'],
    ['move_out', '2027-01-12', 'P3M', 'end_date_too_early 2027-01-13'],
    ['move_out', '2027-01-13', 'P3M', 'ending 2027-01-12T23:00:00Z'],
    ['withdrawal', null, 'P1M', 'ending 2026-12-02T23:00:00Z'],
  ] as const;
  for (const [reason, endDay, cancellationPeriod, expected] of table) {
    const life = supplied({ cancellationPeriod });
    const terminated = endOrRefusal(give(life, { type: 'termination_asked', request: { reason, endDay } }));
    assert.equal(terminated, expected, `${reason} ${endDay ?? ''} ${cancellationPeriod}`);
  }
  const late = supplied({}, '2026-12-08T11:00:00Z');
  const asked = give(late, { type: 'termination_asked', request: { reason: 'withdrawal', endDay: null } });
  assert.deepEqual(asked.outcome, { kind: 'refused', code: 'withdrawal_period_over', earliest: null });
});

test('notice counts from the day it was given: a withdrawal by when it was sent, a termination by when it came', () => {
  // Concluded on Saturday, 2026-11-21; fourteen days later is a Saturday too, so that Monday, 2026-12-07, is the last day.
  const table = [
    ['withdrawal', '2026-12-07', 'P1M', 'ending 2026-12-14T23:00:00Z'],
    ['withdrawal', '2026-12-08', 'P1M', 'withdrawal_period_over null'],
    ['withdrawal', '2026-11-21', 'P1M', 'ending 2026-12-14T23:00:00Z'],
    ['withdrawal', '2026-11-20', 'P1M', 'notice_before_conclusion 2026-11-21'],
    ['withdrawal', '2026-12-12', 'P1M', 'notice_in_future 2026-12-11'],
    ['ordinary', '2026-12-01', 'P1M', 'ending 2027-01-01T23:00:00Z'],
    ['ordinary', '2026-12-11', 'P1M', 'ending 2027-01-11T23:00:00Z'],
    // What notice permits may be out of reach by now.
    ['ordinary', '2026-12-01', 'P1W', 'ending 2026-12-14T23:00:00Z'],
    ['ordinary', '2026-11-20', 'P1M', 'notice_before_conclusion 2026-11-21'],
    ['ordinary', '2026-12-12', 'P1M', 'notice_in_future 2026-12-11'],
  ] as const;
  for (const [reason, noticeDay, cancellationPeriod, expected] of table) {
    const life = supplied({ cancellationPeriod }, '2026-12-11T11:00:00Z');
    const request = { reason, endDay: null, noticeDay };
    const terminated = endOrRefusal(give(life, { type: 'termination_asked', request }));
    assert.equal(terminated, expected, `${reason} ${noticeDay} ${cancellationPeriod}`);
  }
  const life = supplied({ cancellationPeriod: 'P6M' }, '2026-12-11T11:00:00Z');
  const request = { reason: 'move_out', endDay: '2027-01-13', noticeDay: '2026-12-01' } as const;
  assert.equal(give(life, { type: 'termination_asked', request }).state.endAt, '2027-01-12T23:00:00Z');
});

test('a life ends on its last day once the grid operator has confirmed, for the reason it was terminated', () => {
  for (const [reason, expected] of [
    ['ordinary', 'terminated'],
    ['move_out', 'moved_out'],
  ] as const) {
    const life = supplied();
    give(life, { type: 'termination_asked', request: { reason, endDay: '2027-02-01' } });
    advance(life, instant('2027-01-31T22:59:59Z'));
    assert.equal(life.last.state.stage, 'ending');
    advance(life, instant('2027-01-31T23:00:00Z'));
    assert.deepEqual([life.last.state.stage, life.last.state.endReason], ['ended', expected]);
    assert.equal(life.last.state.endAt, '2027-01-31T23:00:00Z');
  }
});

test('a termination is taken back at once on the same day, by a reversal after it, and not once confirmed', () => {
  const ask = { type: 'termination_asked', request: { reason: 'ordinary', endDay: null } } as const;
  const sameDay = supplied();
  give(sameDay, ask);
  const messages = sameDay.sent.length;
  const undone = give(sameDay, { type: 'termination_undone' });
  assert.deepEqual([undone.state.stage, undone.state.endAt, undone.state.terminatedAt], ['supplying', null, null]);
  assert.equal(sameDay.sent.length, messages);
  const nextDay = supplied();
  give(nextDay, ask);
  advance(nextDay, instant('2026-12-02T01:00:00Z'));
  assert.equal(give(nextDay, { type: 'termination_undone' }).state.stage, 'ending');
  advance(nextDay, instant('2026-12-02T03:00:00Z'));
  assert.deepEqual([nextDay.last.state.stage, nextDay.last.state.endAt], ['supplying', null]);
  advance(nextDay, instant('2027-03-01T00:00:00Z'));
  assert.equal(nextDay.last.state.stage, 'supplying');
  const tooLate = supplied();
  give(tooLate, ask);
  advance(tooLate, instant('2026-12-04T09:00:00Z'));
  const refused = give(tooLate, { type: 'termination_undone' }).outcome;
  assert.deepEqual(refused, { kind: 'refused', code: 'already_confirmed', earliest: null });
});

test('a withdrawal reverses whatever is under way', () => {
  const table = [
    [{ marketLocation: null }, '2026-11-21T09:01:00Z', 'identification_request'],
    [{ previousSupplier: PREVIOUS }, '2026-11-21T10:00:00Z', 'reversal'],
    [{}, '2026-11-21T10:00:00Z', 'reversal'],
    [{ nextPossibleStart: false, intendedStartDate: '2026-12-15' }, '2026-11-24T10:00:00Z', 'deregistration'],
    [{}, '2026-11-23T10:00:00Z', 'deregistration'],
  ] as const;
  for (const [facts, at, kind] of table) {
    const life = beginLife(facts);
    advance(life, instant(at));
    give(life, { type: 'termination_asked', request: { reason: 'withdrawal', endDay: null } });
    assert.equal(life.sent.at(-1)?.kind, kind);
    advance(life, instant('2027-01-01T00:00:00Z'));
    const { stage, endReason, startAt } = life.last.state;
    assert.deepEqual([stage, endReason], ['ended', 'withdrawn']);
    // Only where the lead time had passed did supply begin.
    assert.equal(startAt !== null, at === '2026-11-23T10:00:00Z', at);
  }
});

test('as the outgoing supplier we answer at once, by E_0614, E_0624 and E_0609', () => {
  const marketLocation = '51238696781';
  const cancellation = { kind: 'cancellation', marketLocation, supplier: null } as const;
  const inquiry = {
    kind: 'end_inquiry',
    marketLocation,
    end: '2026-12-03',
    registeredOn: '2026-12-01',
    customerName: 'Max',
  } as const;
  const table: [Content, string, string][] = [
    [{ ...cancellation, end: '2026-12-01' }, 'cancellation_rejection A01', 'supplying'],
    [{ ...cancellation, end: '2026-12-20' }, 'cancellation_rejection A06', 'supplying'],
    [{ ...cancellation, end: '2027-02-01' }, 'cancellation_confirmation A09', 'ending'],
    [{ ...cancellation, end: null }, 'cancellation_confirmation A09', 'ending'],
    [{ ...inquiry, reason: 'E03' }, 'end_inquiry_refusal A35', 'supplying'],
    [{ ...inquiry, reason: 'E01' }, 'end_inquiry_refusal A33', 'supplying'],
    [{ ...inquiry, reason: 'E01', customerName: 'erika  MUSTERMANN' }, 'end_inquiry_refusal A32', 'supplying'],
    [{ ...inquiry, reason: 'E03', registeredOn: '2026-11-27' }, 'end_inquiry_refusal A43', 'supplying'],
    [{ ...cancellation, marketLocation: '41373559241', end: null }, 'processing_error Z18', 'supplying'],
    [{ ...inquiry, marketLocation: '41373559241', reason: 'E03' }, 'processing_error Z18', 'supplying'],
    [{ kind: 'grid_operator_end', marketLocation, end: '2026-12-02' }, 'grid_operator_end_refusal A03', 'supplying'],
    [{ kind: 'grid_operator_end', marketLocation, end: '2026-12-10' }, 'grid_operator_end_consent A10', 'ending'],
  ];
  for (const [content, expected, stage] of table) {
    const life = supplied();
    const { messages, state } = hear(life, content, null);
    const [answer] = messages;
    assert.equal(`${answer?.kind} ${answer !== undefined && 'code' in answer ? answer.code : ''}`, expected);
    assert.equal(answer?.answers, `in-${received}`);
    assert.equal(state.stage, stage);
    const isAccepted = expected === 'cancellation_confirmation A09';
    assert.equal(
      messages.some((each) => each.kind === 'deregistration' && each.reason === 'ZT5'),
      isAccepted,
    );
  }
});

test('another supplier may take the location before the start and during supply', () => {
  const early = quiet();
  hear(early, { kind: 'start_revocation', marketLocation: '51238696781', start: '2026-11-24' }, null);
  hear(early, { kind: 'registration_confirmation', code: 'A51', start: '2026-11-24' }, early.sent[0]);
  assert.deepEqual([early.last.state.stage, early.last.state.endReason], ['ended', 'superseded']);
  assert.deepEqual(early.last.stageEvent, { from: 'registering', event: 'superseded', to: 'ended' });
  assert.deepEqual(
    [early.last.state.startAt, early.last.events.map(({ type }) => type)],
    [null, ['subscription.ended']],
  );
  const later = supplied();
  hear(later, { kind: 'end_notice', marketLocation: '51238696781', end: '2026-12-10' }, null);
  assert.equal(later.last.state.endAt, '2026-12-09T23:00:00Z');
  advance(later, instant('2026-12-09T23:00:00Z'));
  assert.deepEqual([later.last.state.stage, later.last.state.endReason], ['ended', 'superseded']);
});

test('a live project waits for its operator, and a day that can no longer be reached is replaced', () => {
  const life = quiet({ transport: 'manual' });
  const action = visibleAction(life.last.state);
  assert.deepEqual(
    [action?.code, action?.actor, action?.due_at],
    ['transmit_message', 'operator', '2026-11-22T23:00:00Z'],
  );
  advance(life, instant('2026-11-22T23:00:00Z'));
  const [first, second] = life.sent;
  assert.equal(second?.replaces, first?.documentNumber);
  assert.ok(second?.kind === 'registration' && second.start === '2026-11-25');
  give(life, { type: 'transmitted', documentNumber: second.documentNumber });
  assert.deepEqual([visibleAction(life.last.state), life.last.dueAt], [null, '2026-11-24T10:00:00Z']);
});

test('a registration that was replaced unsent, and is confirmed, was transmitted after all: it counts, and no other is sent', () => {
  const confirmation = { kind: 'registration_confirmation', code: 'A51', start: '2026-11-24' } as const;
  for (const isTransmitted of [false, true]) {
    const life = quiet({ transport: 'manual' });
    advance(life, instant('2026-11-23T09:30:00Z'));
    const [first, second] = life.sent;
    if (isTransmitted) give(life, { type: 'transmitted', documentNumber: second?.documentNumber ?? '' });
    assert.deepEqual(hear(life, confirmation, first).outcome, { kind: 'done' });
    const { stage, startAt, untransmitted } = life.last.state;
    assert.deepEqual([stage, startAt], ['confirmed', '2026-11-23T23:00:00Z']);
    const waiting = isTransmitted ? [newest(life, 'reversal').documentNumber] : [];
    assert.deepEqual([sentOf(life, 'registration'), untransmitted], [2, waiting]);
    const late = hear(life, confirmation, second);
    assert.deepEqual(late.outcome, { kind: 'ignored', reason: 'late_or_unknown_reference' });
  }
});

test('a registration that was replaced unsent and confirmed promises no start elsewhere, nor one that has come: elsewhere it is taken back', () => {
  const confirmation = { kind: 'registration_confirmation', code: 'A51', start: '2026-11-24' } as const;
  const moved = quiet({ transport: 'manual' });
  advance(moved, instant('2026-11-23T09:30:00Z'));
  give(moved, { type: 'corrected', changes: { marketLocation: '41373559241' } });
  assert.deepEqual(hear(moved, confirmation, moved.sent[0]).outcome.kind, 'done');
  assert.equal(moved.last.state.startAt, null);
  const told = newest(moved, 'deregistration') as OutboundMessage<'deregistration'>;
  assert.deepEqual([told.marketLocation, told.reason, told.end], ['51238696781', 'ZT5', '2026-11-25']);
  const late = quiet({ transport: 'manual' });
  advance(late, instant('2026-11-25T09:30:00Z'));
  hear(late, confirmation, late.sent[0]);
  assert.equal(late.last.state.action?.code, 'confirmed_too_late');
});

describe('an end that was replaced because nobody had said that it was handed over', () => {
  const confirmation = { kind: 'deregistration_confirmation', code: 'A11', end: '2027-02-01' } as const;
  const told = (life: Life): OutboundMessage[] => life.sent.filter(({ kind }) => kind === 'deregistration');

  /** In supply, terminated for Monday, 2027-02-01, which is out of reach by Friday. */
  function replaced(): Life {
    const life = quiet({ transport: 'manual' });
    give(life, { type: 'transmitted', documentNumber: newest(life, 'registration').documentNumber });
    hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2026-11-24' });
    advance(life, instant('2026-12-01T11:00:00Z'));
    give(life, askFor('ordinary', '2027-02-01'));
    advance(life, instant('2027-01-29T08:00:00Z'));
    assert.deepEqual([told(life).length, life.last.state.end?.day], [2, '2027-02-02']);
    return life;
  }

  test('stands where it is confirmed: supply ends then, and nothing else is told', () => {
    for (const isTransmitted of [false, true]) {
      const life = replaced();
      const { documentNumber } = newest(life, 'deregistration');
      if (isTransmitted) give(life, { type: 'transmitted', documentNumber });
      assert.deepEqual(hear(life, confirmation, told(life)[0]).outcome, { kind: 'done' });
      const { endAt, end, untransmitted, action } = life.last.state;
      assert.deepEqual([endAt, end?.confirmed, untransmitted, action], ['2027-01-31T23:00:00Z', true, [], null]);
      advance(life, instant('2027-01-31T23:00:00Z'));
      assert.equal(life.last.state.stage, 'ended');
    }
  });

  test('stands though the termination is taken back meanwhile, as nobody supplies there any more, also beside another one', () => {
    for (const isAnother of [false, true]) {
      const undone = replaced();
      give(undone, { type: 'termination_undone' });
      if (isAnother) give(undone, askFor('ordinary', '2027-06-01'));
      assert.equal(hear(undone, confirmation, told(undone)[0]).outcome.kind, 'done');
      const { stage, end } = undone.last.state;
      assert.deepEqual([stage, end?.day, end?.confirmed], ['ending', '2027-02-01', true]);
    }
  });

  test('is the last day at most once the customer withdraws', () => {
    const withdrawn = replaced();
    const request = { reason: 'withdrawal', endDay: null, noticeDay: '2026-12-04' } as const;
    give(withdrawn, { type: 'termination_asked', request });
    assert.deepEqual(hear(withdrawn, confirmation, told(withdrawn)[0]).outcome, { kind: 'done' });
    const { end, endReason } = withdrawn.last.state;
    assert.deepEqual([end?.day, end?.confirmed, end?.endReason, endReason], ['2027-02-01', true, 'withdrawn', null]);
  });
});

test('a message heard twice changes nothing, and an answer to nothing is ignored', () => {
  const life = quiet();
  const head = { documentNumber: 'twice', processNumber: 'twice', answers: life.sent[0]?.processNumber ?? '' };
  const message = { kind: 'registration_confirmation', ...head, code: 'A51', start: '2026-11-24' } as const;
  const { state } = give(life, { type: 'received', message });
  const again = give(life, { type: 'received', message });
  assert.deepEqual([again.outcome, again.state], [{ kind: 'ignored', reason: 'duplicate' }, state]);
  const late = give(life, { type: 'received', message: { ...message, documentNumber: 'late' } });
  assert.deepEqual(late.outcome, { kind: 'ignored', reason: 'late_or_unknown_reference' });
});

test('docs/market.md lists every next_action with its actor and its fields', () => {
  const page = readFileSync(new URL('../../../docs/market.md', import.meta.url), 'utf8');
  for (const code of ACTION_CODES) {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${code}\``)) ?? '';
    const [, , actor, fields] = row.split('|').map((cell) => cell.trim());
    assert.equal(actor, `\`${ACTIONS[code].actor}\``, code);
    assert.equal(fields, ACTIONS[code].fields.map((field) => `\`${field}\``).join(' ') || '–', code);
  }
});

test('every action says who acts and how, and every message has its number', () => {
  for (const code of ACTION_CODES) assert.ok(ACTIONS[code].message.length > 40);
  const numbers = Object.values(MESSAGE_TYPES).map(({ identifier }) => identifier);
  assert.equal(new Set(numbers).size, numbers.length);
  assert.ok(`${supplyFacts().reference}-999/9`.length <= 35);
});

test('a sign-up shows the request that its first step then makes, on any day and whatever is asked for', () => {
  const day = fc.integer({ min: 0, max: 800 });
  const wish = fc.option(fc.integer({ min: 1, max: 30 }), { nil: null });
  const property = fc.property(
    day,
    wish,
    fc.boolean(),
    fc.boolean(),
    fc.boolean(),
    (offset, ahead, next, known, bound) => {
      const concludedAt = instant('2026-11-21T12:00:00Z')
        .add({ hours: 24 * offset })
        .toString();
      const intended = berlinDay(Temporal.Instant.from(concludedAt))
        .add({ days: ahead ?? 1 })
        .toString();
      const facts = supplyFacts({
        concludedAt,
        nextPossibleStart: next,
        intendedStartDate: next && ahead === null ? null : intended,
        marketLocation: known ? '51238696781' : null,
        previousSupplier: bound ? supplierNamed('Previous Supplier') : null,
      });
      const begun = beginSupply(facts);
      const started = decide(begun, { type: 'started' }, Temporal.Instant.from(concludedAt));
      const shown = ({ requestedStart, moveReason }: typeof begun): unknown => [requestedStart, moveReason];
      assert.deepEqual(shown(started.state), shown(begun));
      assert.deepEqual(started.events, []);
      const blank = decide(
        { ...begun, requestedStart: null, moveReason: null },
        { type: 'started' },
        Temporal.Instant.from(concludedAt),
      );
      assert.deepEqual(shown(blank.state), shown(begun), 'the first step alone comes to the same');
    },
  );
  fc.assert(property, { numRuns: 2_000, seed: 20261121 });
});
