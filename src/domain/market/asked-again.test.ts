/** What an answer to a question does that was asked again after nobody had answered it in time. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { advance, hear, instant, MALO, newest, quiet, sentOf, shown } from '#test/support/market-life.ts';
import type { Life } from '#test/support/market-life.ts';
import type { MessageKind } from './messages.ts';

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
