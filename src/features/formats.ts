import { isInstant } from '#platform/clock.ts';
import { isCancellationPeriod, isDay, readDuration } from '#domain/calendar.ts';
import {
  hasVisibleText,
  isEmailAddress,
  isGermanPostcode,
  isMarketLocationId,
  isVatId,
  parseIban,
} from '#domain/identifiers.ts';
import { isPrice } from '#domain/money.ts';
import type { Format } from '#platform/http/validation.ts';

/** How long two secrets of one webhook endpoint may sign at most. */
const MAX_OVERLAP_DAYS = 7;

const INSTANT = {
  test: isInstant,
  code: 'invalid_format',
  message: 'must be an instant of the form YYYY-MM-DDThh:mm:ssZ',
} as const;

/** The text formats that schemas may name, each with the code of a text that fails it. */
export const formats: Readonly<Record<string, Format>> = {
  // Of answers; in requests an instant has a name of its own, as clients write other forms of the former.
  'date-time': INSTANT,
  instant: INSTANT,
  date: { test: isDay, code: 'invalid_date', message: 'must be an existing day of the form YYYY-MM-DD' },
  'positive-duration': {
    test: isPositiveDuration,
    code: 'invalid_duration',
    message: 'must be a positive ISO 8601 duration such as P1D or PT2H',
  },
  overlap: {
    test: isOverlap,
    code: 'invalid_duration',
    message: 'must be an ISO 8601 duration from PT0S to P7D',
  },
  'idn-email': { test: isEmailAddress, code: 'invalid_email', message: 'must be an e-mail address' },
  iban: { test: (text) => parseIban(text).ok, code: 'invalid_iban', message: 'must be a valid IBAN of a SEPA country' },
  'market-location': {
    test: isMarketLocationId,
    code: 'invalid_malo',
    message: 'must be a market location ID: 11 digits, the last being the check digit',
  },
  price: { type: 'number', test: isPrice, code: 'invalid_price', message: 'must have at most two decimals' },
  postcode: { test: isGermanPostcode, code: 'invalid_zip', message: 'must be a German postcode of 5 digits' },
  'vat-id': {
    test: isVatId,
    code: 'invalid_vat_id',
    message: 'must be a VAT identification number such as DE123456789',
  },
  'visible-text': { test: hasVisibleText, code: 'blank', message: 'must have a visible character' },
  'cancellation-period': {
    test: isCancellationPeriod,
    code: 'invalid_duration',
    message:
      'must be an ISO 8601 period such as P1M or P2W: years and months below 100, weeks and days below 1000, no hours',
  },
};

function isOverlap(text: string): boolean {
  try {
    const days = readWhole(text)?.total({ unit: 'days', relativeTo: '2026-02-01' }) ?? -1;
    return days >= 0 && days <= MAX_OVERLAP_DAYS;
  } catch {
    // More than a day can be away.
    return false;
  }
}

function isPositiveDuration(text: string): boolean {
  return (readWhole(text)?.sign ?? 0) > 0;
}

/** A duration of whole seconds, as our instants are. */
function readWhole(text: string): Temporal.Duration | undefined {
  return text.includes('.') ? undefined : readDuration(text);
}
