/**
 * How names of suppliers are compared. Pure: the stored name and what someone types go through the same function, so
 * that "Stadtwerke München", "stadtwerke muenchen" and "STADTWERKE-MUNCHEN" are one name.
 */

/** Letters that do not come apart into a base letter and a mark. */
const UNDIVIDED_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'a',
  œ: 'o',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/**
 * A name as it is matched: lower case, umlauts and their spellings with `e` as the bare vowel (ä, ae → a), without
 * diacritics and invisible characters, everything that is neither letter nor digit as one blank. It may come out empty.
 * The beginning of a name folds to the beginning of the folded name, so that a search can match while someone types,
 * and the result holds no wildcard of LIKE.
 */
export function foldName(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[ßæœøłđðþı]/g, (letter) => UNDIVIDED_LETTERS[letter] ?? letter)
    .replace(/([aou])e+/g, '$1')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** What someone typed to find a supplier, taken apart. */
export interface Search {
  /** The whole as typed, in a folded name. */
  readonly typed: readonly string[];
  /** The same without a legal form. */
  readonly bare: string;
  /** The ways in which the whole can stand in a folded name, those as typed first. */
  readonly phrases: readonly string[];
  /** The phrases with each usual legal form behind them. */
  readonly names: readonly string[];
  /** For each word the ways in which it can begin in a folded name. */
  readonly words: readonly (readonly string[])[];
  /** The words as a single one, for who takes apart what is one in the name; `null` of a single word. */
  readonly fused: string | null;
  /** The words of a legal form beside others: the name may have another, or be known without. */
  readonly forms: readonly string[];
  /** The words by which similar names are looked for. */
  readonly similar: readonly string[];
}

/** More words than names have; what follows them is not looked at. */
const MAX_WORDS = 8;
/** What people shorten; a word alone is taken as it is, because it may be the beginning of any name. */
const ABBREVIATIONS: ReadonlyMap<string, string> = new Map([['sw', 'stadtwerke']]);
/** Legal forms: hardly anybody knows which one his supplier has. */
const LEGAL_FORM_WORDS: ReadonlySet<string> = new Set('ag co eg gmbh kg kgaa mbh ohg se ug'.split(' '));

const LEGAL_FORMS = ['gmbh', 'ag', 'gmbh co kg', 'ag co kg', 'aktiengesellschaft', 'eg', 'kg', 'se', 'ug', 'aor'];

/**
 * Takes a search apart; `null` when it holds neither letter nor digit. A single letter and the word after it are taken
 * for one word and for two, so that "eon", "E.ON" and "e on" find each other, and "nergie" finds "N-ERGIE"; several words
 * also for one, so that "Rhein Energie" finds "RheinEnergie".
 */
export function readSearch(text: string): Search | null {
  const folded = foldName(text);
  if (folded === '') return null;
  const joined = joinSingleLetters(folded.split(' ')).slice(0, MAX_WORDS);
  const named = joined.filter((word) => !LEGAL_FORM_WORDS.has(word));
  const telling = named.length > 0 ? named : joined;
  const [first = '', ...rest] = telling;
  // An `e` that begins a word is swallowed behind the vowel before it, as in the name that is one word.
  const fused = rest.length > 0 ? foldName(telling.join('')) : null;
  const spell = fused === null ? spellings : spellingsInName;
  const typed = [folded, joined.join(' ')];
  const bare = telling.join(' ');
  const phrases = [
    ...typed,
    bare,
    ...spell(first).map((spelling) => [spelling, ...rest].join(' ')),
    ...(fused === null ? [] : [fused]),
  ];
  return {
    typed: [...new Set(typed)],
    bare,
    phrases: [...new Set(phrases)],
    names: phrases.flatMap((phrase) => LEGAL_FORMS.map((form) => `${phrase} ${form}`)),
    words: [...new Set(telling)].map(spell),
    fused,
    forms: named.length > 0 ? [...new Set(joined)].filter((word) => LEGAL_FORM_WORDS.has(word)) : [],
    similar: [...new Set(fused === null ? telling : telling.map((word) => ABBREVIATIONS.get(word) ?? word))],
  };
}

function joinSingleLetters(words: readonly string[]): string[] {
  const joined: string[] = [];
  for (const word of words) {
    const last = joined.at(-1);
    const isAlone = last !== undefined && /^\p{L}$/u.test(last);
    if (isAlone && !LEGAL_FORM_WORDS.has(word)) joined[joined.length - 1] = last + word;
    else joined.push(word);
  }
  return joined;
}

/** A word as it is, and with its first letter on its own. */
function spellings(word: string): string[] {
  const [first = '', ...rest] = word;
  return rest.length > 0 && /^\p{L}$/u.test(first) ? [word, `${first} ${rest.join('')}`] : [word];
}

/** Of a word among others: also what it is short for. */
function spellingsInName(word: string): string[] {
  const full = ABBREVIATIONS.get(word);
  return full === undefined ? spellings(word) : [...spellings(word), full];
}
