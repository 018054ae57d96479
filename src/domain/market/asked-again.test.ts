/** What an answer to a question does that was asked again after nobody had answered it in time. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { advance, ending, give, hear, instant, MALO, newest, quiet, sentOf, shown } from '#test/support/market-life.ts';
import type { Life } from '#test/support/market-life.ts';
import type { MessageKind } from './messages.ts';

/** Retried as soon as the operator may: what was asked twice by now is answered as the newest of it. */
function retriedAfterSilence(life: Life, until: string): Life {
  advance(life, instant(until));
  give(life, { type: 'operator_retry' });
  life.deliveries = [];
  return life;
}

const codeShown = (life: Life): unknown => shown(life)[0];
const refuse = (life: Life, asked: MessageKind, code: string, more: Record<string, unknown> = {}): void => {
  const kind = asked === 'identification_request' ? 'identification_failure' : `${asked}_rejection`;
  hear(life, { kind: kind as MessageKind, code, ...more }, newest(life, asked));
};

describe('the search for a market location', () => {
  /** Searched at 10:00 on a Saturday, and again two hours later. */
  function searchedTwice(): Life {
    const life = quiet({ marketLocation: null, zip: '99900' });
    advance(life, instant('2026-11-21T11:05:00Z'));
    assert.equal(sentOf(life, 'identification_request'), 2);
    return life;
  }

  const outcomes = [
    ['A02', 'market_location_not_found', 'customer'],
    ['A03', 'market_location_ambiguous', 'customer'],
    ['A10', 'market_location_shut_down', 'customer'],
    ['A13', 'power_of_attorney_doubted', 'customer'],
  ] as const;
  for (const [code, action, actor] of outcomes) {
    test(`repeated after silence and refused by ${code}, it asks for what it would have the first time: ${action}`, () => {
      const life = searchedTwice();
      refuse(life, 'identification_request', code);
      assert.deepEqual(shown(life).slice(0, 2), [action, actor]);
      assert.deepEqual(life.last.state.questions, []);
    });
  }

  test('refused once both have waited in vain, it asks the customer, whichever of them was meant', () => {
    for (const index of [0, 1]) {
      const life = searchedTwice();
      advance(life, instant('2026-11-21T14:00:00Z'));
      assert.equal(codeShown(life), 'identification_unanswered');
      hear(life, { kind: 'identification_failure', code: 'A02' }, life.sent[index]);
      assert.equal(codeShown(life), 'market_location_not_found');
    }
  });

  test('refused late while its repetition may still be answered, it waits for that', () => {
    const life = searchedTwice();
    hear(life, { kind: 'identification_failure', code: 'A02' }, life.sent[0]);
    assert.equal(codeShown(life), undefined);
    hear(life, { kind: 'identification_match', marketLocation: MALO }, life.sent[1]);
    assert.equal(life.last.state.stage, 'registering');
  });

  test('passed on to another grid operator after a repetition, it is repeated there too', () => {
    const life = searchedTwice();
    refuse(life, 'identification_request', 'A04', { gridOperator: '9900000000002' });
    assert.equal(sentOf(life, 'identification_request'), 3);
    advance(life, instant('2026-11-21T14:00:00Z'));
    assert.equal(sentOf(life, 'identification_request'), 4);
  });
});

describe('a deregistration retried after silence', () => {
  const deregisteredTwice = (): Life => {
    const life = retriedAfterSilence(ending(), '2026-12-14T09:00:00Z');
    assert.equal(sentOf(life, 'deregistration'), 2);
    return life;
  };

  test('and refused as too late is sent a third time', () => {
    const life = deregisteredTwice();
    refuse(life, 'deregistration', 'A02');
    assert.deepEqual([sentOf(life, 'deregistration'), codeShown(life)], [3, undefined]);
  });

  test('and refused for another reason is cleared up', () => {
    const life = deregisteredTwice();
    refuse(life, 'deregistration', 'A99');
    assert.deepEqual(shown(life).slice(0, 2), ['deregistration_refused', 'operator']);
  });

  test('and refused ends the supply when the first one is confirmed after all', () => {
    const life = deregisteredTwice();
    const first = life.sent.find(({ kind }) => kind === 'deregistration');
    refuse(life, 'deregistration', 'A02');
    hear(life, { kind: 'deregistration_confirmation', code: 'A11', end: '2027-02-01' }, first);
    const { end, questions } = life.last.state;
    assert.deepEqual([end?.day, end?.confirmed, questions, codeShown(life)], ['2027-02-01', true, [], undefined]);
  });

  test('and refused since an end is confirmed already awaits no other answer', () => {
    const life = deregisteredTwice();
    refuse(life, 'deregistration', 'A09', { confirmedEnd: '2027-02-03' });
    const { end, questions } = life.last.state;
    assert.deepEqual([end?.day, end?.confirmed, questions, codeShown(life)], ['2027-02-03', true, [], undefined]);
  });

  test('and refused once it is taken back waits until the first one is forgotten too', () => {
    const life = deregisteredTwice();
    give(life, { type: 'termination_undone' });
    const ofFirst = life.sent.find(({ kind }) => kind === 'reversal');
    refuse(life, 'deregistration', 'A99');
    assert.equal(life.last.state.stage, 'ending');
    hear(life, { kind: 'reversal_confirmation' }, ofFirst);
    assert.deepEqual([life.last.state.stage, life.last.state.end], ['supplying', null]);
  });

  test('and refused is taken back only when the grid operator has forgotten the first one', () => {
    const life = deregisteredTwice();
    refuse(life, 'deregistration', 'A99');
    give(life, { type: 'termination_undone' });
    assert.deepEqual([life.last.state.stage, sentOf(life, 'reversal')], ['ending', 1]);
  });
});
