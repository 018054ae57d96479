import type { Search } from '#domain/supplier-name.ts';
import type { Database, Queryable, Transaction } from '#platform/database/pool.ts';
import { joinSql, sql, type Sql } from '#platform/database/sql.ts';
import type { CodeType } from './schema.ts';

/** A supplier as stored. */
export interface SupplierRow {
  readonly id: string;
  readonly name: string;
  readonly code: string | null;
  readonly code_type: CodeType | null;
  readonly country: string;
  /** Of the simulated market. */
  readonly sandbox: boolean;
  readonly created_at: string;
}

/** A supplier with how well it fits a search. */
export interface FoundSupplier extends SupplierRow {
  readonly search_name: string;
  readonly score: number;
}

/** Where a page of found suppliers ended. */
export interface SearchPosition {
  readonly score: number;
  readonly name: string;
  readonly id: string;
}

/** Whose view: sandbox projects see the suppliers of the simulated market too. */
export type Mode = 'live' | 'sandbox';

const columns = sql`id, name, code, code_type, country, sandbox, created_at`;

/** Whether a project of this mode sees the supplier. */
function isVisible(supplier: Pick<SupplierRow, 'sandbox'>, mode: Mode): boolean {
  return mode === 'sandbox' || !supplier.sandbox;
}

function visible(mode: Mode): Sql {
  return mode === 'sandbox' ? sql`true` : sql`not sandbox`;
}

/** The suppliers of these ids, visible or not, in no order; unknown ones are missing. */
export function readSuppliers(queryable: Queryable, ids: readonly string[]): Promise<SupplierRow[]> {
  return queryable.query<SupplierRow>(sql`select ${columns} from suppliers where id = any(${ids}::uuid[])`);
}

/** The supplier of this id, if a project of this mode sees it. */
export async function findSupplier(queryable: Queryable, mode: Mode, id: string): Promise<SupplierRow | null> {
  const [supplier] = await readSuppliers(queryable, [id]);
  return supplier !== undefined && isVisible(supplier, mode) ? supplier : null;
}

/** A page of suppliers after a position, newest first. */
export function pageSuppliers(
  queryable: Queryable,
  mode: Mode,
  after: string | null,
  limit: number,
): Promise<SupplierRow[]> {
  const position = after === null ? sql`` : sql` and id < ${after}`;
  return queryable.query<SupplierRow>(sql`
    select ${columns} from suppliers where ${visible(mode)}${position} order by id desc limit ${limit}`);
}

// Folded names hold letters, digits and single blanks only: nothing in a pattern has to be escaped.

/** Names in which a word begins with the text. Two patterns, because an index serves each, and neither contains the other. */
function wordBegins(text: string): Sql {
  return sql`(search_name like ${`${text}%`} or search_name like ${`% ${text}%`})`;
}

/** Names in which a word begins with one of the texts. */
function anyBegins(texts: readonly string[]): Sql {
  return sql`(${joinSql(texts.map(wordBegins), sql` or `)})`;
}

/**
 * Names that have all words of the search, each at the beginning of a word, or the words as one; every literal match is
 * one of these.
 */
function isLiteral({ words, fused }: Search): Sql {
  const hasAllWords = joinSql(words.map(anyBegins), sql` and `);
  return fused === null ? hasAllWords : sql`(${hasAllWords} or ${wordBegins(fused)})`;
}

/** A page of the rows of `found` after a position, best first; names compare by code point in every database. */
function pageOf(found: Sql, after: SearchPosition | null, limit: number): Sql {
  const position =
    after === null
      ? sql``
      : sql`
    where score < ${after.score}::int
      or (score = ${after.score}::int and (search_name collate "C", id) > (${after.name}::text, ${after.id}::uuid))`;
  return sql`
    select * from (${found}) found${position}
    order by score desc, search_name collate "C", id
    limit ${limit}`;
}

/** A transaction in which suppliers are searched. */
export interface SearchSession {
  readonly transaction: Transaction;
}

/** Of two words in which one letter is missing, doubled or wrong, about half of the trigrams are the same. */
const WORD_SIMILARITY = '0.45';

/**
 * Runs a search with the settings it needs: the threshold of the operator `<%`, which the index serves, and a plan made
 * for the very words, because it decides how rare they are whether the index pays.
 */
export function inSearchSession<Result>(
  database: Database,
  work: (session: SearchSession) => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (transaction) => {
    await transaction.query(sql`select set_config('pg_trgm.word_similarity_threshold', ${WORD_SIMILARITY}, true)`);
    return work({ transaction });
  }, 'anew');
}

/** Less than lies between any two scores. */
const LEGAL_FORM_SCORE = 100;

/**
 * Names that the search literally is (4000), is but for the legal form (3500), begins as typed (3000), without a legal form
 * (2700) or spelled otherwise (2500), stands in from the beginning of a word (2000), or whose words it begins, in any order:
 * the first one (1500), or another (1000). Of equal ones, those with the legal form that was typed come first.
 */
export function searchLiterally(
  { transaction }: SearchSession,
  mode: Mode,
  search: Search,
  after: SearchPosition | null,
  limit: number,
): Promise<FoundSupplier[]> {
  const { typed, bare, phrases, words, forms } = search;
  const begins = (texts: readonly string[]): string[] => texts.map((text) => `${text}%`);
  const holds = phrases.map((phrase) => `% ${phrase}%`);
  const hasForm = joinSql(forms.map(wordBegins), sql` and `);
  const ofForm = forms.length === 0 ? sql`` : sql` + case when ${hasForm} then ${LEGAL_FORM_SCORE}::int else 0 end`;
  const found = sql`
    select ${columns}, search_name,
      case
        when search_name = any(${phrases}::text[]) then 4000
        when search_name = any(${search.names}::text[]) then 3500
        when search_name like any(${begins(typed)}::text[]) then 3000
        when search_name like ${`${bare}%`} then 2700
        when search_name like any(${begins(phrases)}::text[]) then 2500
        when search_name like any(${holds}::text[]) then 2000
        when search_name like any(${begins(words[0] ?? [])}::text[]) then 1500
        else 1000
      end${ofForm} as score
    from suppliers
    where ${visible(mode)} and ${isLiteral(search)}`;
  return transaction.query<FoundSupplier>(pageOf(found, after, limit));
}

/** How often one search weighs a word against a name: it bounds the cost of a mistyped word that half of all names have. */
const MAX_WEIGHINGS = 250;

/**
 * Names that are no literal match but in which every word of the search has one like it. The score, from 405 to 999, is the
 * mean similarity of the words, longer ones counting for more; the likeness of the whole breaks ties.
 */
export function searchSimilar(
  { transaction }: SearchSession,
  mode: Mode,
  search: Search,
  after: SearchPosition | null,
  limit: number,
): Promise<FoundSupplier[]> {
  const { similar } = search;
  const resembles = similar.map((word) => sql`${word}::text <% search_name`);
  const weighed = similar.map((word) => sql`${word.length}::real * word_similarity(${word}, search_name)`);
  const letters = similar.reduce((sum, word) => sum + word.length, 0);
  const found = sql`
    select ${columns}, search_name,
      round(
        900 * (${joinSql(weighed, sql` + `)}) / ${letters}::real + 99 * similarity(${similar.join(' ')}, search_name)
      )::int as score
    from (
      select * from suppliers
      where ${visible(mode)} and not (${isLiteral(search)}) and ${joinSql(resembles, sql` and `)}
      limit ${Math.ceil(MAX_WEIGHINGS / similar.length)}
    ) candidates`;
  return transaction.query<FoundSupplier>(pageOf(found, after, limit));
}

/** Names are looked for by so many words, the longest; each more would make the search dearer than all others. */
const TELLING_WORDS = 4;
/** What a name gains by beginning with the first word, mostly a brand, and by words that few names have. */
const TELLING_SCORE = 100;

/**
 * Names that resemble most words of the search: all but one, of very many words all but one of the longest. The search has
 * a word more than the name, such as a place, or one that is mistyped beyond recognition. For who is found by nothing
 * better; the score is below 400. Of very many names that have the same words, as with "stadtwerke", only some are weighed.
 */
export function searchPartially(
  { transaction }: SearchSession,
  mode: Mode,
  { words, similar }: Search,
  after: SearchPosition | null,
  limit: number,
): Promise<FoundSupplier[]> {
  if (similar.length === 1) return Promise.resolve([]);
  const telling = similar.toSorted((one, other) => other.length - one.length).slice(0, TELLING_WORDS);
  const most = Math.ceil(MAX_WEIGHINGS / (telling.length * similar.length));
  const [brand = []] = words;
  const resembles = (word: string): Sql =>
    word === similar[0]
      ? sql`(${anyBegins(brand)} or ${word}::text <% search_name)`
      : sql`${word}::text <% search_name`;
  const candidates = telling.map((missing, place) => {
    const others = telling.filter((word) => word !== missing).map(resembles);
    return sql`(
      select *, ${place}::int as missing from suppliers
      where ${visible(mode)} and ${joinSql(others, sql` and `)}
      limit ${most}
    )`;
  });
  const weighed = similar.map((word) => sql`${word.length}::real * word_similarity(${word}, search_name)`);
  const letters = similar.reduce((sum, word) => sum + word.length, 0);
  const found = sql`
    select distinct on (id) ${columns}, search_name,
      round(
        150 * (${joinSql(weighed, sql` + `)}) / ${letters}::real + 49 * similarity(${similar.join(' ')}, search_name)
      )::int + case when few then ${TELLING_SCORE}::int else 0 end
        + case when search_name like any(${brand.map((word) => `${word}%`)}::text[]) then ${TELLING_SCORE}::int else 0 end
        as score
    from (
      select *, count(*) over (partition by missing) < ${most}::int as few
      from (${joinSql(candidates, sql` union all `)}) weighable
    ) candidates
    order by id, few desc`;
  return transaction.query<FoundSupplier>(pageOf(found, after, limit));
}

// ---------------------------------------------------------------------------------------------------------------
// Writing

/** What the import knows of a stored supplier. */
export interface KnownSupplier {
  readonly id: string;
  readonly name: string;
  readonly searchName: string;
  readonly code: string | null;
  readonly codeType: CodeType | null;
  readonly country: string;
}

/** Keeps other imports out until the transaction ends; all else passes. */
export async function lockImport(transaction: Transaction): Promise<void> {
  await transaction.query(sql`select pg_advisory_xact_lock(hashtextextended('wattline/supplier-import', 0))`);
}

/** The real suppliers that have one of these codes or folded names, oldest first. */
export function readKnownSuppliers(
  transaction: Transaction,
  codes: readonly string[],
  searchNames: readonly string[],
): Promise<KnownSupplier[]> {
  return transaction.query<KnownSupplier>(sql`
    select id, name, search_name as "searchName", code, code_type as "codeType", country
    from suppliers
    where not sandbox and id in (
      -- Joins, because an equality with any of a thousand would ask the trigram index a thousand times.
      select id from suppliers join unnest(${codes}::text[]) as asked (code) using (code)
      union
      select id from suppliers join unnest(${searchNames}::text[]) as asked (search_name) using (search_name)
    )
    order by id`);
}

function unnested(suppliers: readonly KnownSupplier[]): Sql {
  const of = <Key extends keyof KnownSupplier>(key: Key): KnownSupplier[Key][] => suppliers.map((one) => one[key]);
  return sql`
    unnest(
      ${of('id')}::uuid[], ${of('name')}::text[], ${of('searchName')}::text[], ${of('code')}::text[],
      ${of('codeType')}::text[], ${of('country')}::text[]
    ) as given (id, name, search_name, code, code_type, country)`;
}

/** Writes new suppliers. Those without code whose folded name is taken by another without code are left out. */
export async function insertSuppliers(
  queryable: Queryable,
  suppliers: readonly KnownSupplier[],
  options: { readonly sandbox: boolean; readonly now: string },
): Promise<void> {
  await queryable.query(sql`
    insert into suppliers (id, name, search_name, code, code_type, country, sandbox, created_at, updated_at)
    select given.*, ${options.sandbox}::boolean, ${options.now}::timestamptz, ${options.now}::timestamptz
    from ${unnested(suppliers)}
    on conflict (search_name) where code is null do nothing`);
}

/** Writes suppliers over those of their ids. */
export async function updateSuppliers(
  transaction: Transaction,
  suppliers: readonly KnownSupplier[],
  now: string,
): Promise<void> {
  await transaction.query(sql`
    update suppliers set
      name = given.name, search_name = given.search_name, code = given.code, code_type = given.code_type,
      country = given.country, updated_at = ${now}::timestamptz
    from ${unnested(suppliers)}
    where suppliers.id = given.id`);
}
