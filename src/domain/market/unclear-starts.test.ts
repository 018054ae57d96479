/** Starts that the grid operator has confirmed and we promise nobody, beside whatever else is open. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  advance,
  askFor,
  give,
  hear,
  instant,
  MALO,
  newest,
  OTHER_MALO,
  quiet,
  sentOf,
  shown,
  supplierNamed,
  type Life,
} from '#test/support/market-life.ts';
import { mustSayReceipt } from './duties.ts';
import { heldLocations } from './state.ts';
import type { MessageContents, OutboundMessage } from './messages.ts';

const confirmedFor = (start: string) => ({ kind: 'registration_confirmation', code: 'A51', start }) as const;
const REFUSED = { kind: 'registration_rejection', code: 'A99' } as const;
const registered = (life: Life): OutboundMessage<'registration'> =>
  newest(life, 'registration') as OutboundMessage<'registration'>;

/** Registered for 2026-11-27, not answered, and registered anew. */
function registeredTwice(): Life {
  const life = quiet({ nextPossibleStart: false, intendedStartDate: '2026-11-27' });
  advance(life, instant('2026-11-27T10:00:00Z'));
  give(life, { type: 'operator_retry' });
  life.deliveries = [];
  assert.equal(sentOf(life, 'registration'), 2);
  return life;
}

/** The same; then the first was confirmed too late. */
function twice(): { readonly life: Life; readonly second: OutboundMessage<'registration'> } {
  const life = registeredTwice();
  const first = life.sent.find(({ kind }) => kind === 'registration');
  assert.ok(first !== undefined);
  const second = registered(life);
  hear(life, confirmedFor('2026-11-27'), first);
  assert.equal(shown(life)[0], 'confirmed_too_late');
  return { life, second };
}

test('of two registrations the second is promised when it is confirmed in time, though the first was too late', () => {
  const { life, second } = twice();
  const { state } = hear(life, confirmedFor(second.start), second);
  assert.deepEqual([state.stage, shown(life)[0], heldLocations(state)], ['confirmed', undefined, []]);
  assert.equal(state.unclearLocation, null);
});

test('a start that was confirmed too late stays the operator’s task when the second registration is refused', () => {
  const { life, second } = twice();
  hear(life, REFUSED, second);
  assert.deepEqual([life.last.state.stage, shown(life)[0]], ['registering', 'confirmed_too_late']);
  assert.equal(give(life, { type: 'given_up' }).outcome.kind, 'refused');
});

test('who has cleared up a start that was too late asks nobody again while the second registration is open', () => {
  const { life, second } = twice();
  give(life, { type: 'operator_retry' });
  assert.deepEqual([sentOf(life, 'registration'), shown(life)[0]], [2, undefined]);
  hear(life, confirmedFor(second.start), second);
  assert.equal(life.last.state.stage, 'confirmed');
});

test('a withdrawal waits for the operator, and then for the grid operator to forget the second registration', () => {
  const { life, second } = twice();
  give(life, askFor('withdrawal'));
  assert.deepEqual([life.last.state.stage, shown(life)[0]], ['registering', 'confirmed_too_late']);
  give(life, { type: 'operator_retry' });
  assert.deepEqual([life.last.state.stage, sentOf(life, 'reversal')], ['registering', 1]);
  hear(life, { kind: 'reversal_confirmation', reverses: second.processNumber }, newest(life, 'reversal'));
  assert.deepEqual([life.last.state.stage, life.last.state.endReason], ['ended', 'withdrawn']);
});

/** The same, withdrawn before the first was confirmed: the second is to be forgotten, too. */
function withdrawnTwice(): { readonly life: Life; readonly forget: () => void } {
  const life = registeredTwice();
  const [first, second] = life.sent.filter(({ kind }) => kind === 'registration');
  give(life, askFor('withdrawal'));
  const reversal = life.sent.find((sent) => sent.kind === 'reversal' && sent.reverses === second?.processNumber);
  assert.ok(first !== undefined && reversal?.kind === 'reversal');
  hear(life, confirmedFor('2026-11-27'), first);
  return {
    life,
    forget: () => void hear(life, { kind: 'reversal_confirmation', reverses: reversal.reverses }, reversal),
  };
}

test('a withdrawal does not end what the grid operator has confirmed too late when he forgets the second registration', () => {
  const { life, forget } = withdrawnTwice();
  forget();
  assert.deepEqual([life.last.state.stage, shown(life)[0]], ['registering', 'confirmed_too_late']);
  give(life, { type: 'operator_retry' });
  assert.deepEqual([life.last.state.stage, life.last.state.endReason], ['ended', 'withdrawn']);
});

test('a retry leaves a reversal alone that may still be answered: the answer ends what was withdrawn', () => {
  const { life, forget } = withdrawnTwice();
  assert.deepEqual(give(life, { type: 'operator_retry' }).messages, []);
  forget();
  assert.deepEqual([life.last.state.stage, life.last.state.endReason], ['ended', 'withdrawn']);
});

/** The supplier was removed and the start put off to 2027-01-10, before he confirmed the end on 2026-12-10. */
function cancelledTooEarly(): Life {
  const X = supplierNamed('X');
  const life = quiet({ nextPossibleStart: false, intendedStartDate: '2026-12-10', previousSupplier: X });
  const cancellation = newest(life, 'cancellation');
  give(life, { type: 'corrected', changes: { previousSupplier: null, intendedStartDate: '2027-01-10' } });
  hear(life, { kind: 'cancellation_confirmation', code: 'A09', end: '2026-12-10' }, cancellation);
  assert.equal(shown(life)[0], 'cancelled_too_early');
  return life;
}

test('days without a supplier stay the operator’s task when the later start is confirmed, until he has cleared them up', () => {
  const life = cancelledTooEarly();
  const { events, state } = hear(life, confirmedFor('2027-01-10'), registered(life));
  assert.deepEqual([state.stage, ...shown(life)], ['confirmed', 'cancelled_too_early', 'operator', null]);
  assert.deepEqual([state.action?.fields, state.action?.resolve?.method], [[], 'POST']);
  assert.deepEqual(
    events.map(({ type }) => type),
    ['subscription.confirmed', 'subscription.action_required'],
  );
  const { messages } = give(life, { type: 'operator_retry' });
  assert.deepEqual([messages, shown(life)[0], life.last.state.stage], [[], undefined, 'confirmed']);
});

test('days without a supplier are nobody’s task any more once supply has started', () => {
  const life = cancelledTooEarly();
  hear(life, confirmedFor('2027-01-10'), registered(life));
  advance(life, instant('2027-01-10T10:00:00Z'));
  assert.deepEqual([life.last.state.stage, shown(life)[0]], ['supplying', undefined]);
});

test('an old contract’s end that becomes known after the later start was confirmed is an operator’s task', () => {
  const X = supplierNamed('X');
  const life = quiet({ nextPossibleStart: false, intendedStartDate: '2026-12-10', previousSupplier: X });
  const cancellation = newest(life, 'cancellation');
  give(life, { type: 'corrected', changes: { previousSupplier: null, intendedStartDate: '2027-01-10' } });
  hear(life, confirmedFor('2027-01-10'), registered(life));
  hear(life, { kind: 'cancellation_confirmation', code: 'A09', end: '2026-12-10' }, cancellation);
  assert.deepEqual([life.last.state.stage, shown(life)[0]], ['confirmed', 'cancelled_too_early']);
  assert.deepEqual(life.last.state.action?.fields, []);
});

/** Registered for 2026-12-10, of which the grid operator has confirmed what we have not heard yet. */
const overtaken = (given = {}): Life => quiet({ nextPossibleStart: false, intendedStartDate: '2026-12-10', ...given });
function inquiry(end: string, reason: 'E01' | 'E03' = 'E03'): MessageContents['end_inquiry'] & { kind: 'end_inquiry' } {
  const [registeredOn, customerName] = ['2026-11-21', 'Somebody Else'];
  return { kind: 'end_inquiry', marketLocation: MALO, end, reason, registeredOn, customerName };
}
const answeredWith = (life: Life, message: ReturnType<typeof inquiry>): unknown[] =>
  hear(life, message).messages.map((sent) => [sent.kind, 'code' in sent ? sent.code : null]);

test('an inquiry about an end after our start that overtakes its confirmation is answered as in supply', () => {
  assert.deepEqual(answeredWith(overtaken(), inquiry('2027-01-10')), [['end_inquiry_refusal', 'A35']]);
  assert.deepEqual(answeredWith(overtaken(), inquiry('2027-01-10', 'E01')), [['end_inquiry_refusal', 'A33']]);
  const late = { ...inquiry('2027-01-10'), registeredOn: '2026-11-10' };
  assert.deepEqual(answeredWith(overtaken(), late), [['end_inquiry_refusal', 'A43']]);
  const withdrawn = overtaken();
  give(withdrawn, askFor('withdrawal'));
  assert.deepEqual(answeredWith(withdrawn, inquiry('2027-01-10')), [['end_inquiry_consent', 'A36']]);
  const unclear = overtaken();
  hear(unclear, confirmedFor('2026-12-08'), newest(unclear, 'registration'));
  assert.deepEqual(answeredWith(unclear, inquiry('2027-01-10')), [['end_inquiry_refusal', 'A35']]);
});

test('an inquiry about an end before our start, or elsewhere, is none of ours', () => {
  assert.deepEqual(answeredWith(overtaken(), inquiry('2026-12-10')), [['processing_error', 'Z18']]);
  const elsewhere = { ...inquiry('2027-01-10'), marketLocation: OTHER_MALO };
  assert.deepEqual(answeredWith(overtaken(), elsewhere), [['processing_error', 'Z18']]);
});

test('an operator is asked when an inquiry that overtakes our confirmation was received', () => {
  const life = overtaken({ transport: 'manual' });
  const message = { documentNumber: 'D', processNumber: 'P', answers: null, ...inquiry('2027-01-10') };
  life.now = instant('2026-11-24T12:00:00Z');
  assert.ok(mustSayReceipt(life.last.state, message, life.now));
});

const ACCEPTED = { type: 'start_accepted' } as const;

test('a start that the grid operator has confirmed too late is ours once an operator says that it stands', () => {
  const { life, second } = twice();
  const { events, messages, state } = give(life, ACCEPTED);
  assert.deepEqual([state.stage, state.startAt, shown(life)[0]], ['confirmed', '2026-11-26T23:00:00Z', undefined]);
  assert.deepEqual(
    events.map(({ type }) => type),
    ['subscription.action_resolved', 'subscription.confirmed'],
  );
  // What was asked anew is taken back, and nobody waits for that.
  assert.deepEqual(
    messages.map((message) => message.kind === 'reversal' && message.reverses),
    [second.processNumber],
  );
  assert.deepEqual([heldLocations(state), state.questions], [[], []]);
  give(life, { type: 'due' });
  assert.equal(life.last.state.stage, 'supplying');
  assert.equal(give(life, ACCEPTED).outcome.kind, 'refused');
});

test('a start can be accepted after a retry that the grid operator has refused, because the customer is ours already', () => {
  const { life, second } = twice();
  give(life, { type: 'operator_retry' });
  hear(life, REFUSED, second);
  assert.equal(shown(life)[0], 'registration_refused');
  give(life, ACCEPTED);
  assert.deepEqual([life.last.state.stage, life.last.state.requestedStart], ['confirmed', '2026-11-27']);
  assert.equal(shown(life)[0], undefined);
});

test('a withdrawal is carried out when the start that it waited for is accepted', () => {
  const { life } = twice();
  give(life, askFor('withdrawal'));
  give(life, ACCEPTED);
  const asked = newest(life, 'deregistration');
  assert.ok(asked.kind === 'deregistration' && asked.reason === 'ZT5' && asked.end > '2026-11-27');
  while (life.last.state.stage !== 'ending') give(life, { type: 'due' });
  hear(life, { kind: 'deregistration_confirmation', code: 'A11', end: asked.end }, newest(life, 'deregistration'));
  advance(life, instant(`${asked.end}T09:00:00Z`));
  assert.deepEqual([life.last.state.stage, life.last.state.endReason], ['ended', 'withdrawn']);
});

test('an end told while a start is unclear ends the supply once that start is accepted, also after a retry in vain', () => {
  const notice = { kind: 'end_notice', marketLocation: MALO, end: '2026-12-20' } as const;
  const [before, after, later] = [registeredTwice(), twice().life, twice().life];
  const first = before.sent.find(({ kind }) => kind === 'registration');
  hear(before, notice);
  hear(before, confirmedFor('2026-11-27'), first);
  hear(after, notice);
  for (const life of [before, after, later]) {
    give(life, { type: 'operator_retry' });
    hear(life, REFUSED, registered(life));
  }
  hear(later, notice);
  for (const life of [before, after, later]) {
    give(life, ACCEPTED);
    advance(life, instant('2026-12-01T09:00:00Z'));
    assert.deepEqual([life.last.state.stage, life.last.state.endAt], ['ending', '2026-12-19T23:00:00Z']);
    advance(life, instant('2026-12-20T09:00:00Z'));
    assert.deepEqual([life.last.state.stage, life.last.state.endReason], ['ended', 'superseded']);
  }
});

test('an end told of a start that was unclear is none of another one that is registered after it was taken back', () => {
  const life = quiet({ nextPossibleStart: false, intendedStartDate: '2026-11-27' });
  advance(life, instant('2026-11-27T10:00:00Z'));
  hear(life, confirmedFor('2026-11-27'), registered(life));
  hear(life, { kind: 'end_notice', marketLocation: MALO, end: '2026-12-20' });
  give(life, { type: 'operator_retry' });
  hear(life, confirmedFor(registered(life).start), registered(life));
  advance(life, instant('2026-12-21T09:00:00Z'));
  assert.deepEqual([life.last.state.stage, life.last.state.endAt], ['supplying', null]);
});

test('a start that was unclear and is revoked by another supplier is not supplied from when it is accepted', () => {
  const life = overtaken();
  hear(life, confirmedFor('2026-12-08'), registered(life));
  hear(life, { kind: 'start_revocation', marketLocation: MALO, start: '2026-12-08' });
  give(life, ACCEPTED);
  assert.deepEqual([life.last.state.stage, life.last.state.endReason], ['ended', 'superseded']);
});

test('no start is accepted that was not confirmed, or for another place than the one that is signed up now', () => {
  const refused = { kind: 'refused', code: 'not_in_this_stage', earliest: null };
  assert.deepEqual(give(quiet(), ACCEPTED).outcome, refused);
  const { life, second } = twice();
  give(life, { type: 'operator_retry' });
  hear(life, REFUSED, second);
  give(life, { type: 'corrected', changes: { marketLocation: OTHER_MALO } });
  assert.deepEqual(give(life, ACCEPTED).outcome, refused);
});

test('days without a supplier are nobody’s task after a withdrawal, whose silent grid operator is', () => {
  const life = cancelledTooEarly();
  life.now = instant('2026-11-22T09:00:00Z');
  hear(life, confirmedFor('2027-01-10'), registered(life));
  give(life, askFor('withdrawal'));
  assert.equal(shown(life)[0], undefined);
  life.deliveries = [];
  advance(life, instant('2026-12-01T09:00:00Z'));
  assert.equal(shown(life)[0], 'deregistration_unanswered');
});

test('days without a supplier are somebody’s task also where the start was unclear in between', () => {
  const life = cancelledTooEarly();
  hear(life, confirmedFor('2027-01-08'), registered(life));
  assert.equal(shown(life)[0], 'confirmed_too_early');
  give(life, ACCEPTED);
  assert.deepEqual([life.last.state.stage, shown(life)[0]], ['confirmed', 'cancelled_too_early']);
});

test('who has cleared up an answer that a partner could not process asks nobody twice', () => {
  for (const [given, kind] of [
    [{ previousSupplier: supplierNamed('X') }, 'cancellation'],
    [{ marketLocation: null }, 'identification_request'],
  ] as const) {
    const life = quiet(given);
    hear(life, { kind: 'reversal', reverses: 'theirs' });
    hear(life, { kind: 'processing_error', code: 'Z29' }, newest(life, 'reversal_rejection'));
    assert.equal(shown(life)[0], 'message_not_processed');
    give(life, { type: 'operator_retry' });
    assert.deepEqual([sentOf(life, kind), shown(life)[0]], [1, undefined]);
  }
});
