import { sandboxMarketLocation } from '#market/sandbox/answers.ts';
import { berlinDate, seededRandom } from '#test/support/builders.ts';
import { maloOf } from '#test/support/malo.ts';

/** One request of a client; `{id}` in the path stands for the subscription of the life. */
export interface Act {
  /** Its Idempotency-Key. */
  readonly key: string;
  readonly life: number;
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
  readonly body: unknown;
}

/** An instant at which the project's clock stands, and what is asked for then; no two acts of one stop share a life. */
export interface Stop {
  readonly at: string;
  readonly acts: readonly Act[];
}

/** What differs between two projects that live through the same. */
export interface Surroundings {
  readonly planId: string;
  readonly supplierId: (name: string) => string;
}

/** The same draws in the same order for the same seed. */
export interface Draw {
  /** A whole number from 0 to below the bound. */
  below(bound: number): number;
  /** From 0 to below 1. */
  share(): number;
  chance(share: number): boolean;
  from<Each>(values: readonly Each[]): Each;
}

/** Monday morning in a year whose Easter is the latest there can be; days off and the change to summer time follow. */
const BEGIN = Temporal.Instant.from('2038-01-11T08:00:00Z');
/** When the clock stops after the beginning, over five months. */
const STOPS = [
  'PT0S', 'PT7M', 'PT45M', 'PT5H', 'PT24H', 'PT27H', 'PT31H', 'PT50H', 'PT75H', 'PT98H', 'PT122H', 'PT171H', 'PT196H',
  'PT246H', 'PT315H', 'PT386H', 'PT459H', 'PT580H', 'PT700H', 'PT871H', 'PT1107H', 'PT1466H', 'PT2163H', 'PT2889H',
  'PT3648H',
]; // prettier-ignore
/** How many sign up at the first stop; the others follow over the next ones. */
const FIRST_WAVE = 400;
const LAST_WAVE_STOP = 9;
const SUPPLIERS = ['confirms', 'bound', 'already ended', 'doubts authority', 'silent'];
/** The last two are ordinary for the supply, and not for orders. */
const ORDINARY_ZIPS = ['51147', '10115', '99911', '99912'];
const SANDBOX_ZIPS = [
  '99900', '99901', '99902', '99903', '99905', '99906', '99907', '99932', '99935', '99938',
]; // prettier-ignore
const METADATA = { channel: 'market crash test', tries: null };
/** Every so-manieth life has the market location that will be found for the one before it. */
const RIVAL_EVERY = 50;

/** What a life's data make of it. */
interface Traits {
  readonly number: number;
  readonly zip: string;
  readonly supplier: string | null;
  readonly hasMalo: boolean;
  readonly isCompany: boolean;
  readonly wait: number | null;
  /** The stop at which it signs up. */
  readonly first: number;
  readonly rivalOf: Traits | null;
}

/** Draws from a seed. */
export function drawFrom(seed: number): Draw {
  const random = seededRandom(seed);
  const below = (bound: number): number => Math.floor(random() * bound);
  return {
    below,
    share: random,
    chance: (share) => random() < share,
    from: (values) => values[below(values.length)] as (typeof values)[number],
  };
}

/** All that clients do of so many lives, in the order of the project's time. */
export function planScenario(seed: number, lives: number, surroundings: Surroundings): Stop[] {
  const draw = drawFrom(seed);
  const stops = STOPS.map((offset) => ({ at: BEGIN.add(offset).toString(), acts: [] as Act[] }));
  const add = (stop: number, life: number, act: Omit<Act, 'key' | 'life'>): void => {
    const acts = stops[stop]?.acts;
    if (acts?.some((other) => other.life === life) === false) acts.push({ key: `life-${life}/${stop}`, life, ...act });
  };
  let before: Traits | null = null;
  for (let number = 0; number < lives; number += 1) {
    const traits = drawTraits(draw, number, before);
    before = traits;
    const { first } = traits;
    const dayOf = (stop: number, days: number): string =>
      berlinDate(days, Temporal.Instant.from(stops[stop]?.at ?? ''));
    const signUp = signUpOf(traits, (days) => dayOf(first, days), surroundings);
    add(first, number, { method: 'POST', path: '/subscriptions', body: signUp });
    if (draw.chance(0.7)) {
      const repair = repairOf(draw, traits, (days) => dayOf(first + 6, days), surroundings);
      if (repair !== null) add(Math.min(first + 6 + draw.below(6), stops.length - 2), number, repair);
    }
    for (let count = draw.below(3); count > 0; count -= 1) {
      const stop = first + 1 + draw.below(stops.length - first - 2);
      const act = anyAct(draw, number, (days) => dayOf(stop, days), surroundings);
      add(stop, number, act);
      if (act.path.endsWith('/terminate') && draw.chance(0.3)) {
        add(stop + 1, number, { method: 'POST', path: '/subscriptions/{id}/undo-termination', body: undefined });
      }
    }
    if (number % 20 === 7) {
      // The same place once more: refused while the first is open.
      const { intended_start_date: _, ...same } = signUp;
      const again = { ...same, next_possible_start: true, external_id: `again-${number}` };
      add(first + 1 + draw.below(stops.length - first - 2), number, {
        method: 'POST',
        path: '/subscriptions',
        body: again,
      });
    }
  }
  return stops;
}

function drawTraits(draw: Draw, number: number, before: Traits | null): Traits {
  const place = number % RIVAL_EVERY;
  const rivalOf = place === 1 ? before : null;
  return {
    number,
    zip: draw.chance(0.45) ? draw.from(ORDINARY_ZIPS) : draw.from(SANDBOX_ZIPS),
    supplier: draw.chance(0.45) ? null : draw.from(SUPPLIERS),
    hasMalo: place === 1 || (place !== 0 && draw.chance(0.5)),
    // A rival comes before the location is found for the other, or would be refused at once.
    first: rivalOf?.first ?? (number < FIRST_WAVE ? 0 : 1 + draw.below(LAST_WAVE_STOP)),
    rivalOf,
    isCompany: draw.chance(0.15),
    wait: draw.chance(0.55) ? null : 1 + draw.below(75),
  };
}

function signUpOf(
  { number, zip, supplier, hasMalo, isCompany, wait, rivalOf }: Traits,
  dayIn: (days: number) => string,
  { planId, supplierId }: Surroundings,
): Record<string, unknown> {
  const malo =
    rivalOf === null
      ? maloOf(number)
      : sandboxMarketLocation(meterOf(rivalOf.number), rivalOf.zip, `Heidestraße ${rivalOf.number}, Köln`);
  return {
    plan: planId,
    customer: {
      ...(isCompany ? { type: 'company', company_name: `Muster ${number} GmbH` } : {}),
      first_name: 'Erika',
      last_name: `Mustermann ${number}`,
      email: `erika.${number}@example.com`,
    },
    address: { street: 'Heidestraße', house_number: String(number), zip, city: 'Köln' },
    meter: { number: meterOf(number), type: 'modern', estimated_usage: 3500, ...(hasMalo ? { malo } : {}) },
    payment_method: paymentMethod(`Erika Mustermann ${number}`),
    ...(wait === null
      ? { next_possible_start: true }
      : { next_possible_start: false, intended_start_date: dayIn(wait) }),
    ...(supplier === null ? {} : { previous_supplier: supplierId(`Sandbox Supplier – ${supplier}`) }),
    external_id: `life-${number}`,
    ...ordersOf(number),
    metadata: { number, tries: 1 },
  };
}

/** Two of three lives order something; without a draw, so that the others stay as they are. */
function ordersOf(number: number): Record<string, unknown> {
  const smart = { type: 'smart-meter' };
  const modules = { type: '14a_enwg', '14a_enwg': { module_1: true, module_3: number % 2 === 0 } };
  if (number % 3 === 0) return {};
  return { product_orders: number % 2 === 0 ? [modules, smart] : [number % 3 === 1 ? smart : modules] };
}

/** What a client does who reads `next_action`: the correction that the data of the life will be asked for. */
function repairOf(
  draw: Draw,
  { number, zip, supplier, isCompany }: Traits,
  dayIn: (days: number) => string,
  { supplierId }: Surroundings,
): Omit<Act, 'key' | 'life'> | null {
  const patch = (body: unknown): Omit<Act, 'key' | 'life'> => ({ method: 'PATCH', path: '/subscriptions/{id}', body });
  if (zip === '99901' || zip === '99903') {
    return patch({ meter: draw.chance(0.5) ? { malo: maloOf(number + 100_000) } : { number: `${meterOf(number)}-2` } });
  }
  if (zip === '99902') return patch({ meter: { malo: maloOf(number + 100_000) } });
  if (zip === '99905') return { method: 'POST', path: '/subscriptions/{id}/retry', body: undefined };
  if (zip === '99932' || zip === '99935') {
    return patch({ previous_supplier: supplierId('Sandbox Supplier – confirms') });
  }
  if (supplier === 'doubts authority') {
    return patch({
      customer: isCompany ? { company_name: `Müller ${number} GmbH` } : { last_name: `Müller ${number}` },
    });
  }
  if (supplier === 'bound') return patch({ intended_start_date: dayIn(100 + draw.below(20)) });
  return supplier === null ? null : patch({ previous_supplier: null });
}

/** Something that a client asks for at any time, whether it is possible then or not. */
function anyAct(
  draw: Draw,
  number: number,
  dayIn: (days: number) => string,
  { supplierId }: Surroundings,
): Omit<Act, 'key' | 'life'> {
  const patch = (body: unknown): Omit<Act, 'key' | 'life'> => ({ method: 'PATCH', path: '/subscriptions/{id}', body });
  const terminate = (body: unknown): Omit<Act, 'key' | 'life'> => ({
    method: 'POST',
    path: '/subscriptions/{id}/terminate',
    body,
  });
  const acts = [
    () => patch({ metadata: METADATA }),
    () => patch({ payment_method: paymentMethod(`Max Mustermann ${number}`), billing_address: null }),
    () => patch({ intended_start_date: dayIn(2 + draw.below(60)) }),
    () => patch({ previous_supplier: supplierId(`Sandbox Supplier – ${draw.from(SUPPLIERS)}`) }),
    () => patch({ meter: { malo: maloOf(number + 200_000) } }),
    () => terminate({ reason: 'ordinary' }),
    () => terminate({ reason: 'ordinary', intended_end_date: dayIn(35 + draw.below(60)) }),
    () => terminate({ reason: 'move_out', intended_end_date: dayIn(1 + draw.below(40)) }),
    () => terminate({ reason: 'withdrawal' }),
    () => ({ method: 'POST', path: '/subscriptions/{id}/retry', body: undefined }) as const,
  ];
  return draw.from(acts)();
}

function meterOf(number: number): string {
  return `1EMH${String(number).padStart(8, '0')}`;
}

function paymentMethod(holder: string): unknown {
  return { type: 'sepa_debit', sepa_debit: { iban: 'DE89370400440532013000', account_holder: holder } };
}
