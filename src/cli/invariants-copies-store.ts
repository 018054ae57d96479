import { sql, type Sql } from '#platform/database/sql.ts';
import type { Invariant } from './invariants-store.ts';

/**
 * A meter number as the sign-up matches it, as far as PostgreSQL can tell: of one with other letters than ASCII's, whose
 * capitals and invisible characters every library has its own mind about, it is null.
 */
const normalised = (number: Sql): Sql => sql`
  substring(
    upper(regexp_replace(
      normalize(${number}, nfkc), '[\\u0001-\\u0020\\u007f\\u00ad\\u2010-\\u2015\\u2212-]+', '', 'g'
    ) collate "C")
    from '^[!-~]*$'
  )`;

/** As `hashUuid`. */
const hashed = (text: Sql): Sql => sql`encode(substr(sha256(convert_to(${text}, 'UTF8')), 1, 16), 'hex')::uuid`;

/** Finds owners of metadata whose entries for the filters are not those that the metadata has, or who do not exist. */
function misindexed(owners: Sql, index: Sql, owner: Sql): Sql {
  return sql`
    select distinct owner as id
    from (
      select project_id, ${owner} as owner, key_hash, value_hash, 1 as side from ${index}
      union all
      select o.project_id, o.id, ${hashed(sql`member.key`)}, ${hashed(sql`member.value #>> '{}'`)}, -1
      from ${owners} as o
      cross join lateral json_each(o.metadata) as member
      where json_typeof(member.value) in ('string', 'number', 'boolean')
    ) as entries
    group by project_id, owner, key_hash, value_hash
    having sum(side) <> 0`;
}

/** What must be true of what is kept twice beside its source. */
export const invariantsOfCopies: readonly Invariant[] = [
  {
    name: 'place_is_that_of_its_parts',
    // Who supplies where is judged by the copies.
    promise: 'market location, meter number, usage and postcode of a subscription are those of its meter and address',
    prefix: 'sub',
    violations: sql`
      select s.id
      from subscriptions as s
      join meters as m on m.project_id = s.project_id and m.id = s.meter_id
      join addresses as a on a.project_id = s.project_id and a.id = s.address_id
      where (s.malo, s.estimated_usage, s.zip) is distinct from (m.malo, m.estimated_usage, a.zip)
        or s.meter_number_normalised <> ${normalised(sql`m.number`)}`,
  },
  {
    name: 'metadata_is_found',
    promise: 'the filters find a subscription by the members of its metadata, and by nothing else',
    prefix: 'sub',
    violations: misindexed(sql`subscriptions`, sql`subscription_metadata`, sql`subscription_id`),
  },
  {
    name: 'metadata_of_leads_is_found',
    promise: 'the filters find a lead by the members of its metadata, and by nothing else',
    prefix: 'lead',
    violations: misindexed(sql`leads`, sql`lead_metadata`, sql`lead_id`),
  },
];
