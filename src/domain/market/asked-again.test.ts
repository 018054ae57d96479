/** What an answer to a question does that was asked again after nobody had answered it in time. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { advance, ending, give, hear, instant, MALO, newest, quiet, sentOf, shown } from '#test/support/market-life.ts';
import { askFor, OTHER_MALO, supplierNamed, type Life } from '#test/support/market-life.ts';
import type { MessageKind, OutboundMessage } from './messages.ts';
import type { SupplyInput } from './supply.ts';

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
    });
  }

  test('refused once both have waited in vain, it asks the customer, whichever of them was meant, and goes on when the other finds it', () => {
    for (const index of [0, 1]) {
      const life = searchedTwice();
      advance(life, instant('2026-11-21T14:00:00Z'));
      assert.equal(codeShown(life), 'identification_unanswered');
      hear(life, { kind: 'identification_failure', code: 'A02' }, life.sent[index]);
      assert.equal(codeShown(life), 'market_location_not_found');
      advance(life, instant('2026-11-23T14:00:00Z'));
      assert.equal(codeShown(life), 'market_location_not_found');
      hear(life, { kind: 'identification_match', marketLocation: MALO }, life.sent[1 - index]);
      assert.deepEqual([life.last.state.stage, codeShown(life)], ['registering', undefined]);
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

describe('a registration retried after silence', () => {
  const registeredTwice = (): Life => {
    const life = retriedAfterSilence(quiet(), '2026-12-01T09:00:00Z');
    assert.equal(sentOf(life, 'registration'), 2);
    return life;
  };

  const outcomes = [
    ['A02', 'market_location_shut_down', 'customer'],
    ['A04', 'new_connection', 'operator'],
    ['A05', 'balancing_group_authority_missing', 'operator'],
    ['A99', 'registration_refused', 'operator'],
  ] as const;
  for (const [code, action, actor] of outcomes) {
    test(`and refused by ${code} shows ${action}`, () => {
      const life = registeredTwice();
      refuse(life, 'registration', code);
      assert.deepEqual(shown(life).slice(0, 2), [action, actor]);
    });
  }

  test('and refused as too late is sent for the next day that can be reached', () => {
    const life = registeredTwice();
    refuse(life, 'registration', 'A07');
    assert.equal(sentOf(life, 'registration'), 3);
    assert.equal(codeShown(life), undefined);
  });

  test('and refused waits for the day that the grid operator names, and is sent then', () => {
    const life = registeredTwice();
    refuse(life, 'registration', 'A06', { acceptedFrom: '2026-12-08' });
    assert.equal(codeShown(life), 'concurrent_registration');
    advance(life, instant('2026-12-08T00:00:00Z'));
    assert.equal(sentOf(life, 'registration'), 3);
  });

  test('and refused comes to supply when the first one is confirmed after all', () => {
    const life = registeredTwice();
    refuse(life, 'registration', 'A05');
    const [first] = life.sent;
    hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2026-12-05' }, first);
    assert.deepEqual([life.last.state.stage, codeShown(life), life.last.state.questions], ['confirmed', undefined, []]);
  });

  for (const index of [0, 1]) {
    test(`has the other one taken back once the ${['first', 'second'][index]} is confirmed`, () => {
      const life = registeredTwice();
      const [confirmed, other] = [life.sent[index], life.sent[1 - index]];
      hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2026-12-05' }, confirmed);
      assert.deepEqual(
        [life.last.state.stage, codeShown(life), life.last.state.questions],
        ['confirmed', undefined, []],
      );
      const { reverses } = newest(life, 'reversal') as OutboundMessage<'reversal'>;
      assert.deepEqual([sentOf(life, 'reversal'), reverses], [1, other?.processNumber]);
    });
  }

  test('has nothing taken back a second time when the first one is confirmed in spite of a withdrawal', () => {
    const life = registeredTwice();
    give(life, { type: 'termination_asked', request: { reason: 'withdrawal', endDay: null } });
    hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2026-12-05' }, life.sent[0]);
    assert.deepEqual([sentOf(life, 'reversal'), sentOf(life, 'deregistration')], [2, 1]);
  });

  for (const told of ['start_revocation', 'end_notice'] as const) {
    const start = '2026-12-15';
    const taken = { kind: told, marketLocation: MALO, start, end: start } as const;
    const confirmation = { kind: 'registration_confirmation', code: 'A51', start } as const;

    /** Registered for a day three weeks ahead; whatever is heard, and then the same day asked for again after silence. */
    function registeredAgain(heard: 'before' | 'after'): Life {
      const life = quiet({ nextPossibleStart: false, intendedStartDate: start });
      advance(life, instant('2026-11-24T12:00:00Z'));
      if (heard === 'before') hear(life, taken);
      retriedAfterSilence(life, '2026-12-01T12:00:00Z');
      if (heard === 'after') hear(life, taken);
      return life;
    }

    test(`is supplied from the day of which ${told} had told before it was sent`, () => {
      const life = registeredAgain('before');
      hear(life, confirmation, newest(life, 'registration'));
      advance(life, instant('2026-12-16T09:00:00Z'));
      assert.deepEqual([life.last.state.stage, life.last.state.endAt], ['supplying', null]);
    });

    test(`is not supplied from that day where ${told} tells of it while it is open`, () => {
      for (const index of [0, 1]) {
        const life = registeredAgain('after');
        hear(life, confirmation, life.sent[index]);
        advance(life, life.now);
        assert.deepEqual([life.last.state.stage, life.last.state.endReason], ['ended', 'superseded']);
      }
    });
  }

  test('is waited for when the first one is confirmed of which it is known that another supplier has taken the start', () => {
    const start = '2026-12-15';
    const confirmation = { kind: 'registration_confirmation', code: 'A51', start } as const;
    for (const isWithdrawn of [false, true]) {
      const life = quiet({ nextPossibleStart: false, intendedStartDate: start });
      advance(life, instant('2026-11-24T12:00:00Z'));
      hear(life, { kind: 'start_revocation', marketLocation: MALO, start });
      retriedAfterSilence(life, '2026-12-01T12:00:00Z');
      if (isWithdrawn) give(life, { type: 'termination_asked', request: { reason: 'withdrawal', endDay: null } });
      const asked = isWithdrawn ? newest(life, 'reversal') : newest(life, 'registration');
      const answer = { kind: 'reversal_confirmation', reverses: 'ours' } as const;
      hear(life, confirmation, life.sent[0]);
      assert.deepEqual([life.last.state.stage, codeShown(life)], ['registering', undefined]);
      hear(life, isWithdrawn ? answer : confirmation, asked);
      const { stage, endReason } = life.last.state;
      assert.deepEqual([stage, endReason], isWithdrawn ? ['ended', 'withdrawn'] : ['confirmed', null]);
    }
  });

  test('is not given up while the first one may still be confirmed, but once that is refused too', () => {
    const life = registeredTwice();
    refuse(life, 'registration', 'A02');
    assert.equal(give(life, { type: 'given_up' }).outcome.kind, 'refused');
    hear(life, { kind: 'registration_rejection', code: 'A02' }, life.sent[0]);
    assert.equal(codeShown(life), 'market_location_shut_down');
    assert.equal(give(life, { type: 'given_up' }).state.endReason, 'rejected');
  });

  test('and refused waits for a second one that may still be answered', () => {
    const life = registeredTwice();
    hear(life, { kind: 'registration_rejection', code: 'A02' }, life.sent[0]);
    assert.equal(codeShown(life), undefined);
  });

  test('and refused ends no withdrawn life before the first one is off as well', () => {
    const life = retriedAfterSilence(quiet(), '2026-12-01T09:00:00Z');
    give(life, { type: 'termination_asked', request: { reason: 'withdrawal', endDay: null } });
    refuse(life, 'registration', 'A05');
    assert.equal(life.last.state.stage, 'registering');
    hear(life, { kind: 'registration_rejection', code: 'A05' }, life.sent[0]);
    assert.deepEqual([life.last.state.stage, life.last.state.endReason], ['ended', 'withdrawn']);
  });

  test('and refused while a correction waits is not sent again before the first one is off as well', () => {
    const life = registeredTwice();
    give(life, { type: 'corrected', changes: { marketLocation: '41373559241' } });
    assert.equal(sentOf(life, 'reversal'), 2);
    refuse(life, 'registration', 'A05');
    assert.equal(sentOf(life, 'registration'), 2);
    hear(life, { kind: 'registration_rejection', code: 'A05' }, life.sent[0]);
    assert.equal(sentOf(life, 'registration'), 3);
  });

  test('and not known there has the first one taken back, and then the market location searched', () => {
    const life = registeredTwice();
    hear(life, { kind: 'processing_error', code: 'Z14' }, newest(life, 'registration'));
    assert.deepEqual([sentOf(life, 'reversal'), sentOf(life, 'identification_request')], [1, 0]);
    hear(life, { kind: 'reversal_confirmation' }, newest(life, 'reversal'));
    assert.deepEqual([life.last.state.stage, sentOf(life, 'identification_request')], ['identifying', 1]);
  });

  test('and not processable is cleared up', () => {
    const life = registeredTwice();
    hear(life, { kind: 'processing_error', code: 'Z29' }, newest(life, 'registration'));
    assert.equal(codeShown(life), 'registration_refused');
  });
});

describe('a cancellation retried after silence', () => {
  const cancelledTwice = (): Life => {
    const previousSupplier = supplierNamed('previous');
    const life = retriedAfterSilence(quiet({ previousSupplier }), '2026-12-01T09:00:00Z');
    assert.equal(sentOf(life, 'cancellation'), 2);
    return life;
  };

  test('by somebody who does not supply there asks the customer for his supplier', () => {
    const life = cancelledTwice();
    hear(life, { kind: 'processing_error', code: 'Z18' }, newest(life, 'cancellation'));
    assert.equal(codeShown(life), 'previous_supplier_unaware');
  });

  test('and not readable is cleared up, and registers when the first one is confirmed after all', () => {
    const life = cancelledTwice();
    hear(life, { kind: 'syntax_error', detail: 'UNH' }, newest(life, 'cancellation'));
    assert.equal(codeShown(life), 'cancellation_refused');
    hear(life, { kind: 'cancellation_confirmation', code: 'A09', end: '2026-12-10' }, life.sent[0]);
    assert.deepEqual([life.last.state.stage, codeShown(life)], ['registering', undefined]);
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

  for (const [kind, code] of [
    ['deregistration_rejection', 'A99'],
    ['processing_error', 'Z29'],
  ] as const) {
    test(`and answered by ${kind} ${code} is cleared up`, () => {
      const life = deregisteredTwice();
      hear(life, { kind, code }, newest(life, 'deregistration'));
      assert.deepEqual(shown(life).slice(0, 2), ['deregistration_refused', 'operator']);
    });
  }

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

  test('and refused since some end is confirmed already ends on the day asked for when the first one is confirmed', () => {
    const life = deregisteredTwice();
    const first = life.sent.find(({ kind }) => kind === 'deregistration');
    refuse(life, 'deregistration', 'A09');
    hear(life, { kind: 'deregistration_confirmation', code: 'A11', end: '2027-02-01' }, first);
    const { end, questions } = life.last.state;
    assert.deepEqual([end?.day, end?.confirmed, questions, codeShown(life)], ['2027-02-01', true, [], undefined]);
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

describe('a wish to be forgotten', () => {
  const elsewhere = { type: 'corrected', changes: { marketLocation: OTHER_MALO } } as const;

  /** Nobody answered what was to be forgotten, nor the wish, which was repeated then. */
  function wishedTwice(life: Life, wish: SupplyInput): readonly OutboundMessage<'reversal'>[] {
    give(life, wish);
    life.deliveries = [];
    retriedAfterSilence(life, '2026-12-03T11:00:00Z');
    return life.sent.filter((sent) => sent.kind === 'reversal');
  }

  for (const [wish, begin, stage, asked] of [
    [elsewhere, quiet, 'registering', 2],
    [askFor('withdrawal'), quiet, 'ended', 1],
    [{ type: 'termination_undone' }, ending, 'supplying', 1],
  ] as const) {
    for (const when of ['before', 'after'] as const) {
      test(`that is granted late counts though it was repeated, ${when} the repetition is refused: ${wish.type}, ${stage}`, () => {
        const life = begin();
        const [first, second] = wishedTwice(life, wish);
        assert.ok(first !== undefined && second !== undefined && first.reverses === second.reverses);
        const granted = { kind: 'reversal_confirmation', reverses: first.reverses } as const;
        const refused = { kind: 'reversal_rejection', reverses: first.reverses } as const;
        if (when === 'after') hear(life, refused, second);
        assert.equal(hear(life, granted, first).outcome.kind, 'done');
        if (when === 'before') hear(life, refused, second);
        const { stage: reached, questions, afterReversal } = life.last.state;
        assert.deepEqual([reached, codeShown(life), afterReversal], [stage, undefined, null]);
        assert.ok(questions.every(({ processNumber }) => processNumber !== first.reverses));
        assert.equal(sentOf(life, 'registration') + sentOf(life, 'deregistration'), stage === 'supplying' ? 2 : asked);
      });
    }
  }
});
