/** An end by the grid operator (55007) that overtakes his confirmation of the start: silence, or an error, is consent to him. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  advance,
  give,
  hear,
  instant,
  MALO,
  newest,
  OTHER_MALO,
  quiet,
  shown,
  type Life,
} from '#test/support/market-life.ts';
import { mustSayReceipt } from './duties.ts';
import type { OutboundMessage } from './messages.ts';

/** Registered for 2026-12-15, not answered. */
function registered(): Life {
  const life = quiet({ nextPossibleStart: false, intendedStartDate: '2026-12-15' });
  life.now = instant('2026-11-23T10:00:00Z');
  return life;
}

const endOn = (end: string, marketLocation = MALO) => ({ kind: 'grid_operator_end', marketLocation, end }) as const;
const CONFIRMED = { kind: 'registration_confirmation', code: 'A51', start: '2026-12-15' } as const;
const answersOf = (messages: readonly OutboundMessage[]): unknown[] =>
  messages.map((message) => [message.kind, 'code' in message ? message.code : null]);

test('an end by the grid operator that overtakes the confirmation of the start is agreed to, and ends the supply', () => {
  const life = registered();
  const asked = newest(life, 'registration');
  assert.deepEqual(answersOf(hear(life, endOn('2027-01-10')).messages), [['grid_operator_end_consent', 'A10']]);
  assert.deepEqual([life.last.state.stage, life.last.state.endAt], ['registering', null]);
  hear(life, CONFIRMED, asked);
  advance(life, instant('2026-11-23T10:00:00Z'));
  const { stage, startAt, endAt, end } = life.last.state;
  assert.deepEqual([stage, startAt, endAt], ['confirmed', '2026-12-14T23:00:00Z', '2027-01-09T23:00:00Z']);
  assert.deepEqual([end?.confirmed, end?.endReason], [true, 'terminated']);
  advance(life, instant('2027-01-10T10:00:00Z'));
  assert.deepEqual([life.last.state.stage, life.last.state.endReason], ['ended', 'terminated']);
});

test('an end by the grid operator by the start that he has not confirmed yet promises no start', () => {
  for (const day of ['2026-12-15', '2026-12-01']) {
    const life = registered();
    const asked = newest(life, 'registration');
    assert.deepEqual(answersOf(hear(life, endOn(day)).messages), [['grid_operator_end_consent', 'A10']]);
    hear(life, CONFIRMED, asked);
    assert.deepEqual([life.last.state.stage, life.last.state.endReason], ['ended', 'rejected']);
  }
});

test('an end by the grid operator by a start that he confirms for another day than asked promises none', () => {
  for (const [day, start] of [
    ['2026-12-01', '2026-12-18'],
    // After the day that was asked for, and by the one that is confirmed.
    ['2026-12-16', '2026-12-18'],
  ] as const) {
    const life = registered();
    const asked = newest(life, 'registration');
    assert.deepEqual(answersOf(hear(life, endOn(day)).messages), [['grid_operator_end_consent', 'A10']]);
    hear(life, { ...CONFIRMED, start }, asked);
    assert.deepEqual([life.last.state.stage, life.last.state.endReason], ['ended', 'rejected']);
  }
  const early = registered();
  const asked = newest(early, 'registration');
  hear(early, endOn('2026-12-01'));
  hear(early, { ...CONFIRMED, start: '2026-12-10' }, asked);
  give(early, { type: 'start_accepted' });
  assert.deepEqual([early.last.state.stage, early.last.state.endReason], ['ended', 'rejected']);
});

test('an end by the grid operator after the later start that he confirms ends the supply from it', () => {
  const life = registered();
  const asked = newest(life, 'registration');
  hear(life, endOn('2027-01-10'));
  hear(life, { ...CONFIRMED, start: '2026-12-18' }, asked);
  advance(life, instant('2026-11-23T10:00:00Z'));
  assert.deepEqual([life.last.state.startAt, life.last.state.endAt], ['2026-12-17T23:00:00Z', '2027-01-09T23:00:00Z']);
});

test('an end by the grid operator by a start that was handed over unseen and dropped for another day promises none', () => {
  const life = quiet({ nextPossibleStart: false, intendedStartDate: '2026-12-15', transport: 'manual' });
  const asked = newest(life, 'registration');
  life.now = instant('2026-11-23T10:00:00Z');
  give(life, { type: 'corrected', changes: { intendedStartDate: '2026-12-20' } });
  assert.deepEqual(answersOf(hear(life, endOn('2026-12-10')).messages), [['grid_operator_end_consent', 'A10']]);
  hear(life, CONFIRMED, asked);
  assert.deepEqual([life.last.state.startAt, newest(life, 'registration').replaces], [null, null]);
  assert.notEqual(life.last.state.stage, 'confirmed');
});

test('an end by the grid operator says nothing of a registration that is sent later, nor of another place', () => {
  const life = registered();
  hear(life, endOn('2027-01-10'));
  hear(life, { kind: 'registration_rejection', code: 'A07' }, newest(life, 'registration'));
  hear(life, CONFIRMED, newest(life, 'registration'));
  advance(life, instant('2026-11-23T10:00:00Z'));
  assert.deepEqual([life.last.state.stage, life.last.state.end], ['confirmed', null]);
  const elsewhere = registered();
  assert.deepEqual(answersOf(hear(elsewhere, endOn('2027-01-10', OTHER_MALO)).messages), [['processing_error', 'Z18']]);
});

test('an end by the grid operator for a start that is not cleared up yet ends the supply once it is accepted', () => {
  const life = registered();
  hear(life, { ...CONFIRMED, start: '2026-12-10' }, newest(life, 'registration'));
  assert.equal(shown(life)[0], 'confirmed_too_early');
  assert.deepEqual(answersOf(hear(life, endOn('2027-01-10')).messages), [['grid_operator_end_consent', 'A10']]);
  give(life, { type: 'start_accepted' });
  advance(life, instant('2026-11-23T10:00:00Z'));
  assert.deepEqual([life.last.state.startAt, life.last.state.endAt], ['2026-12-09T23:00:00Z', '2027-01-09T23:00:00Z']);
});

test('an end by the grid operator by the day asked for ends the supply from an earlier start that is accepted', () => {
  const life = registered();
  const asked = newest(life, 'registration');
  hear(life, endOn('2026-12-15'));
  hear(life, { ...CONFIRMED, start: '2026-12-10' }, asked);
  give(life, { type: 'start_accepted' });
  advance(life, instant('2026-11-23T10:00:00Z'));
  assert.deepEqual([life.last.state.startAt, life.last.state.endAt], ['2026-12-09T23:00:00Z', '2026-12-14T23:00:00Z']);
  assert.equal(life.last.state.end?.endReason, 'terminated');
});

test('an end that was told before a start on the day of the sign-up is accepted ends the supply from it', () => {
  const life = registered();
  life.now = instant('2026-11-21T10:00:00Z');
  hear(life, { ...CONFIRMED, start: '2026-11-21' }, newest(life, 'registration'));
  assert.deepEqual(answersOf(hear(life, endOn('2027-01-10')).messages), [['grid_operator_end_consent', 'A10']]);
  give(life, { type: 'start_accepted' });
  advance(life, instant('2026-11-23T10:00:00Z'));
  const { stage, startAt, endAt } = life.last.state;
  assert.deepEqual([stage, startAt, endAt], ['ending', '2026-11-20T23:00:00Z', '2027-01-09T23:00:00Z']);
});

test('of an end by the grid operator and one for another supplier that both overtake the confirmation the earlier counts', () => {
  const notice = (end: string) => ({ kind: 'end_notice', marketLocation: MALO, end }) as const;
  for (const [ends, first, reason] of [
    [[notice('2027-01-05'), endOn('2027-01-10')], '2027-01-04T23:00:00Z', 'superseded'],
    [[endOn('2027-01-10'), notice('2027-01-05')], '2027-01-04T23:00:00Z', 'superseded'],
    [[notice('2027-01-10'), endOn('2027-01-05')], '2027-01-04T23:00:00Z', 'terminated'],
  ] as const) {
    const life = registered();
    for (const each of ends) hear(life, each);
    hear(life, CONFIRMED, newest(life, 'registration'));
    advance(life, instant('2026-11-23T10:00:00Z'));
    assert.deepEqual([life.last.state.endAt, life.last.state.end?.endReason], [first, reason]);
  }
});

test('an end by the grid operator that came too late is refused before the start is confirmed, by when it reached us', () => {
  const life = registered();
  const asked = newest(life, 'registration');
  const late = endOn('2026-11-24');
  const head = { documentNumber: 'x', processNumber: 'x', answers: null };
  assert.ok(mustSayReceipt(life.last.state, { ...head, ...late }, life.now));
  assert.deepEqual(answersOf(hear(life, late).messages), [['grid_operator_end_refusal', 'A03']]);
  hear(life, CONFIRMED, asked);
  advance(life, instant('2026-11-23T10:00:00Z'));
  assert.deepEqual([life.last.state.stage, life.last.state.end], ['confirmed', null]);
});

const noticeOn = (end: string) => ({ kind: 'end_notice', marketLocation: MALO, end }) as const;

test('of several ends that overtake the confirmation the earliest counts, and none before the start that was asked for', () => {
  for (const ends of [
    [noticeOn('2027-01-05'), noticeOn('2027-01-10')],
    [noticeOn('2027-01-10'), noticeOn('2027-01-05')],
    // That of an earlier supply there, which is heard of late.
    [noticeOn('2027-01-05'), noticeOn('2026-12-10')],
    [endOn('2027-01-05'), noticeOn('2026-12-10')],
  ]) {
    const life = registered();
    for (const each of ends) hear(life, each);
    hear(life, CONFIRMED, newest(life, 'registration'));
    advance(life, instant('2026-11-23T10:00:00Z'));
    assert.deepEqual([life.last.state.stage, life.last.state.endAt], ['confirmed', '2027-01-04T23:00:00Z']);
  }
});

test('an end by the grid operator counts although one before the start was told of an earlier registration', () => {
  const life = registered();
  hear(life, noticeOn('2026-12-20'));
  advance(life, instant('2026-12-21T10:00:00Z'));
  give(life, { type: 'operator_retry' });
  life.deliveries = [];
  const asked = newest(life, 'registration') as OutboundMessage<'registration'>;
  assert.ok(asked.start > '2026-12-20');
  assert.deepEqual(answersOf(hear(life, endOn('2027-01-10')).messages), [['grid_operator_end_consent', 'A10']]);
  hear(life, { ...CONFIRMED, start: asked.start }, asked);
  advance(life, instant('2026-12-21T10:00:00Z'));
  assert.deepEqual([life.last.state.stage, life.last.state.endAt], ['confirmed', '2027-01-09T23:00:00Z']);
  assert.equal(life.last.state.end?.endReason, 'terminated');
});

test('an end by the grid operator promises no start that he was asked for before, though its place was given anew since', () => {
  // The day that was asked for, and another one.
  for (const start of ['2026-12-15', '2026-12-18']) {
    const life = quiet({ nextPossibleStart: false, intendedStartDate: '2026-12-15', transport: 'manual' });
    const asked = newest(life, 'registration');
    give(life, { type: 'corrected', changes: { marketLocation: OTHER_MALO } });
    hear(life, endOn('2026-12-12'));
    give(life, { type: 'corrected', changes: { marketLocation: MALO } });
    const again = newest(life, 'registration');
    hear(life, { ...CONFIRMED, start }, asked);
    const { stage, startAt, questions } = life.last.state;
    assert.deepEqual([stage, startAt], ['registering', null]);
    assert.deepEqual(
      questions.map(({ processNumber }) => processNumber),
      [again.processNumber],
    );
  }
});
