/**
 * The calendar of the German energy market: days in Europe/Berlin, working days, lead times and deadlines.
 * Pure: the current time is always an argument. Sources are the sections of `market-rules.md` (GPKE part 1 and 2 with
 * the 24-hour supplier switch; state November 2026). Holidays are right from 2019 on, when the market rules and the
 * holiday laws of the states took their present shape.
 *
 * A day is a `Temporal.PlainDate` and means 00:00 to 24:00 Europe/Berlin; it may last 23 or 25 hours.
 * A deadline is a `Temporal.Instant`: what happens at that instant or earlier is in time.
 */

const BERLIN = 'Europe/Berlin';
const SATURDAY = 6;

/** A time of day in Europe/Berlin, `HH:MM` from 00:00 to 23:59. */
export type TimeOfDay = `${number}:${number}`;

// ---------------------------------------------------------------------------------------------------------------
// Days

/** An instant as the clocks in Berlin show it. */
export function inBerlin(instant: Temporal.Instant): Temporal.ZonedDateTime {
  return instant.toZonedDateTimeISO(BERLIN);
}

/** The day in Europe/Berlin to which an instant belongs. Never derive a market day from the UTC date. */
export function berlinDay(instant: Temporal.Instant): Temporal.PlainDate {
  return inBerlin(instant).toPlainDate();
}

/** The same of texts: the day `YYYY-MM-DD` in Europe/Berlin to which an ISO 8601 instant belongs. */
export function berlinDayText(instant: string): string {
  return berlinDay(Temporal.Instant.from(instant)).toString();
}

/** Whether a text is a day `YYYY-MM-DD` that the calendar has. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  try {
    Temporal.PlainDate.from(text);
    return true;
  } catch {
    return false;
  }
}

/** The instant at which a day begins, 00:00 Europe/Berlin: 22:00 or 23:00 UTC of the day before. */
export function startOfBerlinDay(day: Temporal.PlainDate): Temporal.Instant {
  return day.toZonedDateTime(BERLIN).toInstant();
}

/** The instant at which a day has ended, 24:00 Europe/Berlin: what is done before it is done on that day. */
export function endOfBerlinDay(day: Temporal.PlainDate): Temporal.Instant {
  return startOfBerlinDay(day.add({ days: 1 }));
}

/**
 * The instant of a time of day in Europe/Berlin. A time that summer time skips (02:30 in March) is taken an hour later,
 * one that comes twice (02:30 in October) is the first. Throws a RangeError when `time` is not `HH:MM`.
 */
export function berlinTime(day: Temporal.PlainDate, time: TimeOfDay): Temporal.Instant {
  if (!/^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/.test(time)) throw new RangeError(`not a time of day HH:MM: ${time}`);
  return day.toZonedDateTime({ timeZone: BERLIN, plainTime: Temporal.PlainTime.from(time) }).toInstant();
}

// ---------------------------------------------------------------------------------------------------------------
// Working days (§2): neither Saturday nor Sunday nor a holiday in any state; 24 and 31 December count as holidays

/** Holidays on the same date each year, as month and day; the states named where it is not all of them. */
const FIXED_HOLIDAYS: Readonly<Record<string, string>> = {
  '1-1': 'Neujahr',
  '1-6': 'Heilige Drei Könige', // BW, BY, ST
  '3-8': 'Internationaler Frauentag', // BE, MV
  '5-1': 'Tag der Arbeit',
  '8-15': 'Mariä Himmelfahrt', // BY, SL
  '9-20': 'Weltkindertag', // TH
  '10-3': 'Tag der Deutschen Einheit',
  '10-31': 'Reformationstag', // nine states
  '11-1': 'Allerheiligen', // BW, BY, NW, RP, SL
  '12-24': 'Heiligabend', // by the market rules
  '12-25': 'Erster Weihnachtstag',
  '12-26': 'Zweiter Weihnachtstag',
  '12-31': 'Silvester', // by the market rules
};

/** Holidays that move with Easter, by days after Easter Sunday. */
const EASTER_HOLIDAYS: Readonly<Record<number, string>> = {
  [-2]: 'Karfreitag',
  1: 'Ostermontag',
  39: 'Christi Himmelfahrt',
  50: 'Pfingstmontag',
  60: 'Fronleichnam', // BW, BY, HE, NW, RP, SL
};

/**
 * Holidays of one year only. Check the BDEW calendar each year and add what is new.
 * Berlin: laws of 2019-01-30 and of 2024-07-10 (GVBl. 2024 p. 460). 2025-05-08 counted as no working day in the market's
 * calendar too (Hochfrequenz fristenkalender_generator, snapshot 2025); 2025-06-06, the day on which the 24-hour
 * supplier switch went live, was declared none (bdew-datetimes 0.9.1 and later).
 */
const ONE_OFF_HOLIDAYS: Readonly<Record<string, string>> = {
  '2020-05-08': '75. Jahrestag der Befreiung', // BE
  '2025-05-08': '80. Jahrestag der Befreiung', // BE
  '2025-06-06': 'Sonderfeiertag Lieferantenwechsel in 24 Stunden', // by the market rules
  '2028-06-17': '75. Jahrestag des Aufstandes vom 17. Juni 1953', // BE; a Saturday
};

/** The German name of the holiday that a day is to the whole market, or null. Sundays such as Easter are not listed. */
export function holidayName(day: Temporal.PlainDate): string | null {
  const { year, month, day: dayOfMonth } = day;
  return (
    FIXED_HOLIDAYS[`${month}-${dayOfMonth}`] ??
    EASTER_HOLIDAYS[day.dayOfYear - easterDayOfYear(year, day.inLeapYear)] ??
    // Saxony's Buß- und Bettag is the Wednesday before 23 November.
    (month === 11 && day.dayOfWeek === 3 && dayOfMonth >= 16 && dayOfMonth <= 22 ? 'Buß- und Bettag' : null) ??
    ONE_OFF_HOLIDAYS[day.toString()] ??
    null
  );
}

/** Easter Sunday as the day of its year, 1 being 1 January (Gregorian rule of Meeus, Jones and Butcher). */
function easterDayOfYear(year: number, inLeapYear: boolean): number {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const yearOfCentury = year % 100;
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(yearOfCentury / 4) - epact - (yearOfCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  // Days from 22 March, the earliest Easter; 22 March is day 81 of a common year.
  return epact + weekday - 7 * late + 81 + (inLeapYear ? 1 : 0);
}

/** Whether a day is a working day (Werktag) of the market. A Saturday is not. */
export function isWorkingDay(day: Temporal.PlainDate): boolean {
  return day.dayOfWeek < SATURDAY && holidayName(day) === null;
}

/** The first working day strictly after a day. */
export function nextWorkingDay(day: Temporal.PlainDate): Temporal.PlainDate {
  return addWorkingDays(day, 1);
}

/** The last working day strictly before a day. */
export function previousWorkingDay(day: Temporal.PlainDate): Temporal.PlainDate {
  return addWorkingDays(day, -1);
}

/**
 * The n-th working day strictly after a day, or strictly before it when `count` is negative; the day itself when it
 * is 0. The day itself need not be a working day. Throws a RangeError when `count` is not whole.
 */
export function addWorkingDays(day: Temporal.PlainDate, count: number): Temporal.PlainDate {
  if (!Number.isInteger(count)) throw new RangeError(`not a whole number of working days: ${count}`);
  const step = { days: Math.sign(count) };
  let reached = day;
  for (let left = Math.abs(count); left > 0;) {
    reached = reached.add(step);
    if (isWorkingDay(reached)) left -= 1;
  }
  return reached;
}

/** The end of the n-th working day after a day: how long somebody has who is given so many working days. */
export function endOfWorkingDay(day: Temporal.PlainDate, count: number): Temporal.Instant {
  return endOfBerlinDay(addWorkingDays(day, count));
}

// ---------------------------------------------------------------------------------------------------------------
// Lead times (§1.4; the same for move-in, switch and the end of supply, §1.6)

/**
 * The earliest day on which supply may start (or end) when the grid operator receives the message on `receiptDay`:
 * the calendar day after the next working day. Any calendar day may be a day of receipt or a start.
 */
export function earliestStart(receiptDay: Temporal.PlainDate): Temporal.PlainDate {
  return nextWorkingDay(receiptDay).add({ days: 1 });
}

/** The last day on which the grid operator may receive the message for a start (or end) on `startDay`. */
export function latestReceipt(startDay: Temporal.PlainDate): Temporal.PlainDate {
  return previousWorkingDay(startDay).subtract({ days: 1 });
}

// ---------------------------------------------------------------------------------------------------------------
// Deadlines (§1.0–1.6)

type DeadlineRule =
  | { after: Temporal.DurationLike }
  /** Until a time of the n-th working day after the day of receipt; null: until that day has ended. */
  | { workingDay: number; time: TimeOfDay | null }
  /** The acknowledgement of UTILMD and ORDERS; see `processAcknowledgement`. */
  | 'process_acknowledgement';

/**
 * What is answered or sent → until when. All times of day are Europe/Berlin. The receipt from which they run is that
 * of the message named on the right; within a registration it is always the registration's, not the inquiry's.
 */
const DEADLINES = {
  /** APERAK on UTILMD and ORDERS ← the acknowledged message: 45 minutes, on a Saturday Sunday 12:00. */
  process_acknowledgement: 'process_acknowledgement',
  /** The answer to a market location identification ← the request; any day, any hour. */
  identification_answer: { after: { hours: 2 } },
  /** 55017, 55018 ← cancellation 55016. */
  cancellation_answer: { workingDay: 1, time: null },
  /** 55010 to the previous supplier ← registration 55001. */
  assignment_end_inquiry: { workingDay: 1, time: '07:00' },
  /** 55011, 55012 by the previous supplier ← registration 55001 (its day is in DTM+154 of 55010); silence consents. */
  assignment_end_inquiry_answer: { workingDay: 1, time: '09:00' },
  /** 55002, 55003 ← registration 55001; silence never consents. */
  registration_answer: { workingDay: 1, time: '11:00' },
  /** 55005, 55006 ← deregistration 55004. */
  deregistration_answer: { workingDay: 1, time: '06:00' },
  /** 55008, 55009 by us ← the grid operator's ending 55007; silence consents. */
  grid_operator_end_answer: { workingDay: 1, time: '05:00' },
  /** ORDRSP 19133 ← ORDERS 17133. */
  billing_data_order_answer: { workingDay: 2, time: null },
} as const satisfies Readonly<Record<string, DeadlineRule>>;

/** What has a deadline. */
export type DeadlineKind = keyof typeof DEADLINES;

/**
 * The last instant at which a message of this kind is in time, counted from the receipt of the message it follows.
 * A deadline "end of the working day" is 00:00 of the day after.
 */
export function deadlineFor(kind: DeadlineKind, receipt: Temporal.Instant): Temporal.Instant {
  const rule: DeadlineRule = DEADLINES[kind];
  if (rule === 'process_acknowledgement') return processAcknowledgement(receipt);
  if ('after' in rule) return receipt.add(rule.after);
  const day = addWorkingDays(berlinDay(receipt), rule.workingDay);
  return rule.time === null ? endOfBerlinDay(day) : berlinTime(day, rule.time);
}

/**
 * APERAK on UTILMD and ORDERS: 45 minutes after receipt; what is received on a Saturday, by Sunday 12:00. From 18:00 on
 * the eve of a format change to the end of its first day the clock stands still: such a receipt counts as one at the
 * window's end. (The window is a read rule; what follows from it is our reading, and only decides when to alarm.)
 */
function processAcknowledgement(receipt: Temporal.Instant): Temporal.Instant {
  const counted = endOfFormatChange(receipt) ?? receipt;
  const day = berlinDay(counted);
  return day.dayOfWeek === SATURDAY ? berlinTime(day.add({ days: 1 }), '12:00') : counted.add({ minutes: 45 });
}

/** The end of the format change window (around 1 April and 1 October) in which an instant lies, or null. */
function endOfFormatChange(instant: Temporal.Instant): Temporal.Instant | null {
  const { year } = berlinDay(instant);
  for (const month of [4, 10]) {
    const first = Temporal.PlainDate.from({ year, month, day: 1 });
    const from = berlinTime(first.subtract({ days: 1 }), '18:00');
    const until = endOfBerlinDay(first);
    if (Temporal.Instant.compare(instant, from) >= 0 && Temporal.Instant.compare(instant, until) < 0) return until;
  }
  return null;
}

const WITHDRAWAL_PERIOD_DAYS = 14;

/**
 * The end of a consumer's right of withdrawal (§§ 187, 188, 355 BGB): 24:00 of the fourteenth day after the day of
 * conclusion (or of the instruction, when that came later). When that day is no working day, 24:00 of the next one
 * (§ 193 BGB; with the market's holidays of all states, which errs on the customer's side). A withdrawal sent before
 * the returned instant is in time.
 */
export function withdrawalDeadline(conclusion: Temporal.Instant): Temporal.Instant {
  const fourteenth = berlinDay(conclusion).add({ days: WITHDRAWAL_PERIOD_DAYS });
  const last = isWorkingDay(fourteenth) ? fourteenth : nextWorkingDay(fourteenth);
  return endOfBerlinDay(last);
}

/**
 * A notice period in ISO 8601: years, months, weeks and days, at least one of them, and so few that the day they lead
 * to exists. `duration` of JSON Schema would not do: by RFC 3339, which it means, weeks go with nothing else. It looks
 * ahead nowhere, which not every language can in which clients are generated.
 */
export const CANCELLATION_PERIOD =
  /^P([0-9]{1,2}Y([0-9]{1,2}M)?([0-9]{1,3}W)?([0-9]{1,3}D)?|[0-9]{1,2}M([0-9]{1,3}W)?([0-9]{1,3}D)?|[0-9]{1,3}W([0-9]{1,3}D)?|[0-9]{1,3}D)$/;

/** Whether a text is such a notice. */
export function isCancellationPeriod(text: string): boolean {
  return CANCELLATION_PERIOD.test(text);
}

const DURATION = /^P(?!$)(?:\d+Y)?(?:\d+M)?(?:\d+W)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d{1,9})?S)?)?$/;

/** An ISO 8601 duration, each unit once; `Temporal` itself takes the last of several. Undefined of any other text. */
export function readDuration(text: string): Temporal.Duration | undefined {
  if (text.length > 50 || !DURATION.test(text)) return undefined;
  try {
    return Temporal.Duration.from(text);
  } catch {
    return undefined;
  }
}

/**
 * The instant to note for a change at `at`: never one before the creation of what is changed, however far the clock was
 * set back since. All three are `YYYY-MM-DDThh:mm:ssZ`.
 */
export function changedAt(createdAt: string, at: string): string {
  return at < createdAt ? createdAt : at;
}
