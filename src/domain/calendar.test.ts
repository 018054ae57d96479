import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  addWorkingDays,
  berlinDay,
  berlinTime,
  deadlineFor,
  earliestStart,
  holidayName,
  isCancellationPeriod,
  isDay,
  isWorkingDay,
  latestReceipt,
  nextWorkingDay,
  previousWorkingDay,
  startOfBerlinDay,
  withdrawalDeadline,
  type DeadlineKind,
} from './calendar.ts';

const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);
const instant = (text: string): Temporal.Instant => Temporal.Instant.from(text);

function* daysOf(first: string, last: string): Generator<Temporal.PlainDate> {
  for (let each = day(first); Temporal.PlainDate.compare(each, day(last)) <= 0; each = each.add({ days: 1 }))
    yield each;
}

/** A day drawn from 2024–2040. */
const anyDay = fc.integer({ min: 0, max: 6209 }).map((days) => day('2024-01-01').add({ days }));
/** An instant drawn from 2024–2040, to the second. */
const anyInstant = fc
  .integer({ min: 1_704_063_600, max: 2_240_607_600 })
  .map((seconds) => Temporal.Instant.fromEpochMilliseconds(seconds * 1000));

test('a day is one that the calendar has, written as it has it', () => {
  for (const text of ['2026-11-28', '2028-02-29', '2100-12-31']) assert.ok(isDay(text), text);
  for (const text of ['', '2026-02-29', '2026-13-01', '2026-1-1', '2026-11-28T00:00', '20261128', '+002026-11-28'])
    assert.ok(!isDay(text), text);
});

test('a Berlin day begins at 22:00 or 23:00 UTC of the day before', () => {
  const starts: readonly [string, string][] = [
    ['2026-11-24', '2026-11-23T23:00:00Z'],
    ['2026-07-01', '2026-06-30T22:00:00Z'],
    ['2026-03-29', '2026-03-28T23:00:00Z'], // summer time begins at 02:00
    ['2026-03-30', '2026-03-29T22:00:00Z'],
    ['2026-10-25', '2026-10-24T22:00:00Z'], // summer time ends at 03:00
    ['2026-10-26', '2026-10-25T23:00:00Z'],
    ['2027-01-01', '2026-12-31T23:00:00Z'],
  ];
  for (const [date, start] of starts) {
    assert.equal(startOfBerlinDay(day(date)).toString(), start);
    assert.equal(berlinDay(instant(start)).toString(), date);
    assert.equal(
      berlinDay(instant(start).subtract({ nanoseconds: 1 })).toString(),
      day(date).subtract({ days: 1 }).toString(),
    );
  }
});

test('every day from 2024 to 2040 lasts 24 hours but the two on which the clocks change', () => {
  for (const each of daysOf('2024-01-01', '2040-12-31')) {
    const start = startOfBerlinDay(each);
    const end = startOfBerlinDay(each.add({ days: 1 }));
    const isLastSunday = each.dayOfWeek === 7 && each.day > 24;
    const hours = isLastSunday && each.month === 3 ? 23 : isLastSunday && each.month === 10 ? 25 : 24;
    assert.equal(end.epochMilliseconds - start.epochMilliseconds, hours * 3_600_000, each.toString());
    assert.equal(berlinDay(start).toString(), each.toString());
    assert.equal(berlinDay(end.subtract({ nanoseconds: 1 })).toString(), each.toString());
  }
});

test('times of day, also where the clocks change', () => {
  assert.equal(berlinTime(day('2026-11-23'), '11:00').toString(), '2026-11-23T10:00:00Z');
  assert.equal(berlinTime(day('2026-07-01'), '11:00').toString(), '2026-07-01T09:00:00Z');
  assert.equal(berlinTime(day('2026-03-29'), '00:00').toString(), '2026-03-28T23:00:00Z');
  assert.equal(berlinTime(day('2026-03-29'), '02:30').toString(), '2026-03-29T01:30:00Z');
  assert.equal(berlinTime(day('2026-10-25'), '02:30').toString(), '2026-10-25T00:30:00Z');
  assert.equal(berlinTime(day('2026-11-23'), '20:00').toString(), '2026-11-23T19:00:00Z');
  assert.equal(berlinTime(day('2026-11-23'), '23:59').toString(), '2026-11-23T22:59:00Z');
  for (const wrong of ['24:00', '1:00', '12:60', '12:00:00', ''] as `${number}:${number}`[]) {
    assert.throws(() => berlinTime(day('2026-01-01'), wrong), RangeError);
  }
});

test('the holidays of 2027 that fall on weekdays are the ones of the market calendar', () => {
  const found = [...daysOf('2027-01-01', '2027-12-31')]
    .filter((each) => each.dayOfWeek < 6 && holidayName(each) !== null)
    .map((each) => each.toString().slice(5));
  const expected = '01-01 01-06 03-08 03-26 03-29 05-06 05-17 05-27 09-20 11-01 11-17 12-24 12-31';
  assert.deepEqual(found, expected.split(' '));
});

test('each year has its nineteen holidays, and the one-off ones', () => {
  for (let year = 2024; year <= 2040; year += 1) {
    const names = [...daysOf(`${year}-01-01`, `${year}-12-31`)]
      .map((each) => holidayName(each))
      .filter((name) => name !== null);
    const oneOff = { 2025: 2, 2028: 1 }[year] ?? 0;
    // Two holidays may fall on one day, such as 1 May and Ascension in 2008, but not in these years.
    assert.equal(names.length, 19 + oneOff, `${year}: ${names.join(', ')}`);
  }
  const named: readonly [string, string | null][] = [
    ['2024-03-29', 'Karfreitag'],
    ['2024-04-01', 'Ostermontag'],
    ['2025-04-18', 'Karfreitag'],
    ['2026-05-14', 'Christi Himmelfahrt'],
    ['2026-06-04', 'Fronleichnam'],
    ['2038-04-26', 'Ostermontag'], // the latest Easter there can be
    ['2008-03-24', 'Ostermontag'], // one day after the earliest but one
    ['2025-11-19', 'Buß- und Bettag'],
    ['2026-11-18', 'Buß- und Bettag'],
    ['2027-11-17', 'Buß- und Bettag'],
    ['2028-11-22', 'Buß- und Bettag'],
    ['2020-05-08', '75. Jahrestag der Befreiung'],
    ['2025-05-08', '80. Jahrestag der Befreiung'],
    ['2028-06-17', '75. Jahrestag des Aufstandes vom 17. Juni 1953'],
    ['2026-05-08', null],
    ['2026-08-08', null], // Augsburg's Friedensfest is municipal
    ['2026-12-24', 'Heiligabend'],
    ['2026-04-05', null], // Easter Sunday: a Sunday anyway
  ];
  for (const [date, name] of named) assert.equal(holidayName(day(date)), name, date);
});

test('Easter agrees with the epact tables of a second method', () => {
  // Gauss, with the corrections valid for 1900–2099.
  for (let year = 1900; year <= 2099; year += 1) {
    const moon = (19 * (year % 19) + 24) % 30;
    const week = (2 * (year % 4) + 4 * (year % 7) + 6 * moon + 5) % 7;
    const late = (moon === 29 && week === 6) || (moon === 28 && week === 6 && year % 19 > 10) ? 7 : 0;
    const easter = day(`${year}-03-22`).add({ days: moon + week - late });
    assert.equal(holidayName(easter.add({ days: 60 })), 'Fronleichnam', `${year}`);
    assert.ok(['Ostermontag', 'Tag der Arbeit'].includes(holidayName(easter.add({ days: 1 })) ?? ''), `${year}`);
  }
});

test('working days per year', () => {
  // market-rules.md counts 245 for 2025 without its two one-off holidays, 8 May and 6 June.
  const counts: readonly [number, number][] = [
    [2025, 243],
    [2026, 249],
    [2027, 248],
    [2028, 244],
  ];
  for (const [year, count] of counts) {
    assert.equal(
      [...daysOf(`${year}-01-01`, `${year}-12-31`)].filter((each) => isWorkingDay(each)).length,
      count,
      `${year}`,
    );
  }
});

test('counted working days agree with the published calendar', () => {
  // Hochfrequenz fristenkalender_generator, snapshots 2024–2026 (all 464 entries were compared once): n-th of a month.
  const entries: readonly [string, number, string][] = [
    ['2025-04-30', 5, '2025-05-09'],
    ['2025-04-30', 10, '2025-05-16'],
    ['2025-04-30', 21, '2025-06-03'],
    ['2025-04-30', 30, '2025-06-18'],
    ['2026-03-31', 26, '2026-05-11'],
    ['2025-11-30', 42, '2026-02-04'],
  ];
  for (const [from, count, reached] of entries) assert.equal(addWorkingDays(day(from), count).toString(), reached);
  assert.equal(addWorkingDays(day('2026-11-21'), 0).toString(), '2026-11-21');
  assert.throws(() => addWorkingDays(day('2026-11-21'), 1.5), RangeError);
});

test('lead times: the vectors of market-rules.md §2.1', () => {
  const vectors: readonly [string, string, string][] = [
    ['2026-11-16', '2026-11-17', '2026-11-18'],
    ['2026-11-17', '2026-11-19', '2026-11-20'],
    ['2026-11-19', '2026-11-20', '2026-11-21'],
    ['2026-11-20', '2026-11-23', '2026-11-24'],
    ['2026-11-21', '2026-11-23', '2026-11-24'],
    ['2026-11-22', '2026-11-23', '2026-11-24'],
    ['2026-12-22', '2026-12-23', '2026-12-24'],
    ['2026-12-23', '2026-12-28', '2026-12-29'],
    ['2026-12-24', '2026-12-28', '2026-12-29'],
    ['2026-12-30', '2027-01-04', '2027-01-05'],
    ['2026-12-31', '2027-01-04', '2027-01-05'],
    ['2027-01-05', '2027-01-07', '2027-01-08'],
    ['2027-03-05', '2027-03-09', '2027-03-10'],
    ['2027-03-24', '2027-03-25', '2027-03-26'],
    ['2027-03-25', '2027-03-30', '2027-03-31'],
    ['2027-05-05', '2027-05-07', '2027-05-08'],
    ['2027-10-29', '2027-11-02', '2027-11-03'],
  ];
  for (const [receipt, workingDay, start] of vectors) {
    assert.equal(nextWorkingDay(day(receipt)).toString(), workingDay, receipt);
    assert.equal(earliestStart(day(receipt)).toString(), start, receipt);
  }
  const inverse: readonly [string, string][] = [
    ['2026-12-01', '2026-11-29'],
    ['2027-01-01', '2026-12-29'],
    ['2027-01-02', '2026-12-29'],
    ['2027-02-01', '2027-01-28'],
    ['2027-03-01', '2027-02-25'],
    ['2027-04-01', '2027-03-30'],
  ];
  for (const [start, receipt] of inverse) assert.equal(latestReceipt(day(start)).toString(), receipt, start);
});

test('every day 2024–2040: the latest receipt is the last day that still reaches the start', () => {
  let before = latestReceipt(day('2023-12-31'));
  for (const start of daysOf('2024-01-01', '2040-12-31')) {
    const receipt = latestReceipt(start);
    assert.ok(Temporal.PlainDate.compare(earliestStart(receipt), start) <= 0, start.toString());
    assert.ok(Temporal.PlainDate.compare(earliestStart(receipt.add({ days: 1 })), start) > 0, start.toString());
    assert.ok(Temporal.PlainDate.compare(before, receipt) <= 0, 'never earlier for a later start');
    assert.ok(Temporal.PlainDate.compare(latestReceipt(earliestStart(start)), start) >= 0, start.toString());
    before = receipt;
  }
});

test('next and previous working days surround a day without a working day between', () => {
  fc.assert(
    fc.property(anyDay, fc.integer({ min: 1, max: 70 }), (date, count) => {
      assert.ok(isWorkingDay(nextWorkingDay(date)) && isWorkingDay(previousWorkingDay(date)));
      const ahead = addWorkingDays(date, count);
      const between = [...daysOf(date.add({ days: 1 }).toString(), ahead.toString())];
      assert.equal(between.filter((each) => isWorkingDay(each)).length, count);
      assert.equal(addWorkingDays(date, count + 1).toString(), nextWorkingDay(ahead).toString());
      assert.equal(previousWorkingDay(addWorkingDays(date, count + 1)).toString(), ahead.toString());
    }),
  );
});

// Thursday 2026-11-19 10:15 in Berlin; the next working day is Friday the 20th.
const THURSDAY = instant('2026-11-19T09:15:00Z');
const DEADLINES: Readonly<Record<DeadlineKind, string>> = {
  process_acknowledgement: '2026-11-19T10:00:00Z',
  identification_answer: '2026-11-19T11:15:00Z',
  cancellation_answer: '2026-11-20T23:00:00Z',
  assignment_end_inquiry: '2026-11-20T06:00:00Z',
  assignment_end_inquiry_answer: '2026-11-20T08:00:00Z',
  registration_answer: '2026-11-20T10:00:00Z',
  deregistration_answer: '2026-11-20T05:00:00Z',
  grid_operator_end_answer: '2026-11-20T04:00:00Z',
  billing_data_order_answer: '2026-11-23T23:00:00Z',
};
const DEADLINE_KINDS = Object.keys(DEADLINES) as DeadlineKind[];

test('deadlines: one example of each kind', () => {
  for (const kind of DEADLINE_KINDS) assert.equal(deadlineFor(kind, THURSDAY).toString(), DEADLINES[kind], kind);
});

test('deadlines: weekends, holidays, summer time and the midnight of Berlin', () => {
  const cases: readonly [DeadlineKind, string, string][] = [
    // 23:30 and 00:30 in Berlin are different days of receipt, on one UTC date.
    ['registration_answer', '2026-11-19T22:30:00Z', '2026-11-20T10:00:00Z'],
    ['registration_answer', '2026-11-19T23:30:00Z', '2026-11-23T10:00:00Z'],
    ['registration_answer', '2026-07-01T21:30:00Z', '2026-07-02T09:00:00Z'],
    ['registration_answer', '2026-07-01T22:30:00Z', '2026-07-03T09:00:00Z'],
    ['registration_answer', '2026-03-27T12:00:00Z', '2026-03-30T09:00:00Z'], // clocks change between
    ['registration_answer', '2026-12-23T12:00:00Z', '2026-12-28T10:00:00Z'],
    ['cancellation_answer', '2026-11-20T12:00:00Z', '2026-11-23T23:00:00Z'],
    ['cancellation_answer', '2026-10-22T12:00:00Z', '2026-10-23T22:00:00Z'],
    // A Saturday's process messages are acknowledged by Sunday noon, the last minute of Friday is not a Saturday's.
    ['process_acknowledgement', '2026-11-21T08:00:00Z', '2026-11-22T11:00:00Z'],
    ['process_acknowledgement', '2026-11-20T22:59:00Z', '2026-11-20T23:44:00Z'],
    ['process_acknowledgement', '2026-11-20T23:00:00Z', '2026-11-22T11:00:00Z'],
    ['process_acknowledgement', '2026-11-22T08:00:00Z', '2026-11-22T08:45:00Z'],
    // Format change: from 18:00 of the eve to the end of the first day the clock stands still.
    ['process_acknowledgement', '2026-09-30T15:59:00Z', '2026-09-30T16:44:00Z'],
    ['process_acknowledgement', '2026-09-30T16:00:00Z', '2026-10-01T22:45:00Z'],
    ['process_acknowledgement', '2026-10-01T21:59:59Z', '2026-10-01T22:45:00Z'],
    ['process_acknowledgement', '2026-10-01T22:00:00Z', '2026-10-01T22:45:00Z'],
    ['process_acknowledgement', '2027-04-01T10:00:00Z', '2027-04-01T22:45:00Z'],
  ];
  for (const [kind, receipt, deadline] of cases) {
    assert.equal(deadlineFor(kind, instant(receipt)).toString(), deadline, `${kind} ${receipt}`);
  }
});

test('a deadline lies after the receipt, and a later receipt never has an earlier one', () => {
  fc.assert(
    fc.property(anyInstant, fc.integer({ min: 0, max: 400_000 }), (receipt, seconds) => {
      for (const kind of DEADLINE_KINDS) {
        const deadline = deadlineFor(kind, receipt);
        assert.ok(Temporal.Instant.compare(deadline, receipt) > 0, kind);
        // The Saturday rule makes a Saturday's answer later than that to a message of early Sunday; so the rule says.
        if (kind === 'process_acknowledgement') continue;
        assert.ok(Temporal.Instant.compare(deadlineFor(kind, receipt.add({ seconds })), deadline) >= 0, kind);
      }
    }),
  );
});

test('the right of withdrawal ends at 24:00 Berlin of the fourteenth day, or of the next working day', () => {
  const cases: readonly [string, string][] = [
    ['2026-11-19T22:59:59Z', '2026-12-03T23:00:00Z'], // concluded on the 19th: until the end of 3 December
    ['2026-11-19T23:00:00Z', '2026-12-04T23:00:00Z'], // 00:00 of the 20th in Berlin
    ['2026-11-21T10:00:00Z', '2026-12-07T23:00:00Z'], // ends on a Saturday: Monday
    ['2026-12-10T10:00:00Z', '2026-12-28T23:00:00Z'], // ends on 24 December: Monday the 28th
    ['2026-10-15T10:00:00Z', '2026-10-29T23:00:00Z'], // clocks change between
    ['2026-03-17T10:00:00Z', '2026-03-31T22:00:00Z'],
  ];
  for (const [conclusion, deadline] of cases) {
    assert.equal(withdrawalDeadline(instant(conclusion)).toString(), deadline, conclusion);
  }
  fc.assert(
    fc.property(anyInstant, (conclusion) => {
      const deadline = withdrawalDeadline(conclusion);
      const lastDay = berlinDay(deadline.subtract({ nanoseconds: 1 }));
      assert.ok(isWorkingDay(lastDay));
      assert.ok(berlinDay(conclusion).until(lastDay).days >= 14);
    }),
  );
});

test('a notice is a duration of whole days at least, and the longest still leads to a day', () => {
  for (const period of ['P0D', 'P9Y', 'P99Y', 'P1M', 'P12M', 'P2W', 'P104W', 'P14D', 'P365D', 'P1Y2M3W4D']) {
    assert.ok(isCancellationPeriod(period), period);
  }
  const refused = [
    '',
    'P',
    'P100Y',
    'P100M',
    'P1000W',
    'P1000D',
    'P1D1M',
    'PT1H',
    'P1DT1H',
    '-P1D',
    'P1.5D',
    'p1d',
    ' P1D',
  ];
  for (const period of refused) assert.ok(!isCancellationPeriod(period), period);
  const longest = 'P99Y99M999W999D';
  assert.ok(isCancellationPeriod(longest));
  assert.doesNotThrow(() => day('9000-01-01').add(Temporal.Duration.from(longest)));
});
