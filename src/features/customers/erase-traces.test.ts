import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { eraseContents, eraseEventData, eraseMemory } from './erase-traces.ts';

const SECRET = 'Geheim';
/** Members that nobody has thought about, with something personal at any depth. */
const unknown = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 8 }).map((name) => `new_${name}`),
  fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constant(SECRET),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(SECRET, 'a', 'code'), tie('value')),
    ),
  })).value,
);

describe('erasing', () => {
  test('lets nothing through that it does not know by name', () => {
    fc.assert(
      fc.property(unknown, unknown, (members, before) => {
        const subscription = { object: 'subscription', id: 'sub_1', ...members };
        const texts = [
          eraseEventData(JSON.stringify({ subscription, previous_attributes: before, fields: ['/metadata'] })),
          ...['lead', 'meter_order', 'grid_fee_reduction', 'customer', 'new_kind'].map((kind) =>
            eraseEventData(JSON.stringify({ [kind]: { object: kind, ...members }, previous_attributes: before })),
          ),
          eraseContents(JSON.stringify({ code: 'A01', ...members })),
        ];
        for (const text of texts) assert.ok(!text.includes(SECRET), text);
      }),
    );
  });

  test('once more changes nothing', () => {
    fc.assert(
      fc.property(unknown, (members) => {
        for (const [erase, value] of [
          [eraseEventData, { subscription: members, previous_attributes: members, reason: 'lead_time' }],
          [eraseEventData, { lead: { ...members, address: members }, previous_attributes: members }],
          [eraseContents, { ...members, start: '2027-01-01' }],
        ] as const) {
          const text = erase(JSON.stringify(value));
          assert.equal(erase(text), text);
        }
      }),
    );
  });

  test('keeps what the contract needs', () => {
    const event = {
      subscription: { id: 'sub_1', status: 'active', start_at: '2027-01-01T00:00:00Z', metadata: { a: SECRET } },
      previous_attributes: { status: 'pending', metadata: { b: SECRET } },
      reason: 'lead_time',
      substitute_supply: { from: '2026-12-31', until: '2027-01-01', note: SECRET },
    };
    assert.deepEqual(JSON.parse(eraseEventData(JSON.stringify(event))), {
      subscription: { id: 'sub_1', status: 'active', start_at: '2027-01-01T00:00:00Z', metadata: null },
      previous_attributes: { status: 'pending', metadata: null },
      reason: 'lead_time',
      substitute_supply: { from: '2026-12-31', until: '2027-01-01' },
    });
    const order = {
      meter_order: { id: 'mor_1', status: 'cancelled', placed_at: '2027-01-01T00:00:00Z', blocked: null },
      previous_attributes: { status: 'placed' },
    };
    assert.deepEqual(JSON.parse(eraseEventData(JSON.stringify(order))), order);
    const lead = { id: 'lead_1', subscription: 'sub_1', address: { zip: '73431' }, external_id: SECRET };
    assert.deepEqual(
      JSON.parse(eraseEventData(JSON.stringify({ lead, previous_attributes: { subscription: null } }))),
      {
        lead: {
          id: 'lead_1',
          subscription: 'sub_1',
          address: { street: null, house_number: null, zip: '99999', city: null },
          external_id: null,
        },
        previous_attributes: { subscription: null },
      },
    );
    const message = { marketLocation: '51238696781', start: '2027-01-01', reason: 'E01', customerName: SECRET };
    assert.deepEqual(JSON.parse(eraseContents(JSON.stringify(message))), { start: '2027-01-01', reason: 'E01' });
  });

  test('leaves a process what it needs to receive a late answer', () => {
    const memory = {
      supply: {
        stage: 'ended',
        facts: { reference: 'r', marketLocation: '51238696781', meterNumber: SECRET, address: SECRET, zip: '73431' },
        questions: [{ kind: 'reversal', processNumber: 'r-3', marketLocation: '51238696781' }],
        settled: { supplier: 's', end: '2027-01-01', marketLocation: '51238696781' },
        takenBack: [{ supplier: 's', end: null, marketLocation: '51238696781', processNumber: 'r-2' }],
        revocations: [{ processNumber: 'r-4', marketLocation: '51238696781', start: '2027-01-01' }],
        unclearLocation: '51238696781',
        action: { message: SECRET },
        untransmitted: ['r-3'],
      },
      gateway: { firstMeterNumber: SECRET, shutDown: '51238696781', asked: { registration: 1 } },
      under_way: [{ at: 'x', message: { customerName: SECRET } }],
      last_at: '2027-01-01T00:00:00Z',
    };
    const text = eraseMemory(JSON.stringify(memory));
    for (const hidden of [SECRET, '51238696781', '73431']) assert.ok(!text.includes(hidden));
    const { supply } = JSON.parse(text) as typeof memory;
    assert.deepEqual(supply.untransmitted, ['r-3']);
    assert.equal(supply.questions[0]?.processNumber, 'r-3');
    assert.equal(supply.takenBack[0]?.processNumber, 'r-2');
  });
});
