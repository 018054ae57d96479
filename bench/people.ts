/** People who do not exist, as many as a bench needs; each is told by its number alone. */
import { maloOf } from '#test/support/malo.ts';
import type { Person } from './pattern.ts';

// prettier-ignore
const FIRST_NAMES = ['Anna', 'Ben', 'Clara', 'David', 'Emilia', 'Finn', 'Greta', 'Hannes', 'Ida', 'Jonas', 'Käthe', 'Leon', 'Mia', 'Noah', 'Oskar', 'Paula', 'Quirin', 'Rosa', 'Söhnke', 'Theo', 'Ute', 'Valentin', 'Wiebke', 'Xaver', 'Yasemin', 'Zoe', 'Ayşe', 'Björn', 'Chiara', 'Dörte', 'Emre', 'Franziska', 'Günther', 'Hülya', 'Ingo', 'Jana', 'Karl-Heinz', 'Lotte', 'Mehmet', 'Nele'];
// prettier-ignore
const BEGINNINGS = ['Acker', 'Berg', 'Birken', 'Brück', 'Dorn', 'Eich', 'Falken', 'Feld', 'Förster', 'Gärtner', 'Grün', 'Hasel', 'Hof', 'Holz', 'Kirch', 'Klein', 'König', 'Linden', 'Löwen', 'Mühl', 'Neu', 'Ober', 'Rosen', 'Sand', 'Schön', 'Stein', 'Tannen', 'Weiden', 'Wiesen', 'Winter'];
// prettier-ignore
const ENDINGS = ['auer', 'bach', 'baum', 'berger', 'brandt', 'dorf', 'egger', 'feld', 'fels', 'garten', 'graf', 'hagen', 'hauser', 'heim', 'hoff', 'huber', 'kamp', 'lein', 'mann', 'meier', 'müller', 'rode', 'ring', 'schmidt', 'stedt', 'tal', 'thaler', 'wald', 'weg', 'wirth'];
const TRADES = ['Bäckerei', 'Metallbau', 'Gärtnerei', 'Praxis', 'Kanzlei', 'Gasthof', 'Autohaus', 'Schreinerei'];

/** A number spread over the others as if drawn, from `number` alone. */
export function spread(number: number, salt: number): number {
  let mixed = Math.imul(number ^ (salt * 0x9e3779b1), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

const pick = (from: readonly string[], number: number, salt: number): string =>
  from[spread(number, salt) % from.length] ?? '';

/** Meter numbers and market locations fall anywhere among the others, as they do in life, yet no two are the same. */
const LOCATIONS = 8_000_000_000n;
const STRIDE = 5_123_456_789n;

/** @param number below 1,000,000,000; the market locations lie beside those of `signUpOf` */
export function personOf(number: number): Person {
  const place = Number((BigInt(number) * STRIDE) % LOCATIONS);
  const [firstName, beginning, ending] = [
    pick(FIRST_NAMES, number, 1),
    pick(BEGINNINGS, number, 2),
    pick(ENDINGS, number, 3),
  ];
  const lastName = `${beginning}${ending}`;
  return {
    firstName,
    lastName,
    company: `${pick(TRADES, number, 4)} ${lastName} GmbH`,
    email: `${plain(firstName)}.${plain(lastName)}.${number}@${pick(['example.com', 'example.org', 'example.net'], number, 5)}`,
    street: `${pick(BEGINNINGS, number, 6)}straße`,
    city: `${pick(BEGINNINGS, number, 7)}${pick(ENDINGS, number, 8)}`,
    // The highest mean something to the simulated market.
    zip: String(1_067 + (spread(number, 9) % 98_000)).padStart(5, '0'),
    meterNumber: `1ITR${String(place).padStart(10, '0')}`,
    malo: maloOf(1_000_000_000 + place),
    externalId: `crm-${number}`,
    reference: `campaign-${number}`,
    idempotencyKey: `loaded-${number}`,
    usage: String(1_000 + (spread(number, 10) % 9_000)),
  };
}

function plain(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^a-z]/g, '');
}

const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** A subscription's number; no two are the same, and their order is nobody's. */
export function numberOf(number: number): string {
  let rest = (BigInt(number) * 654_435_761_321n + 1n) % (1n << 40n);
  let text = '';
  for (let digit = 0; digit < 8; digit += 1) {
    text += ALPHABET.charAt(Number(rest % 32n));
    rest /= 32n;
  }
  return text;
}
