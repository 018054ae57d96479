-- Chains the audit log without touching its entries again: in blocks, one for each round of chaining.
--
-- The chain of 0006 wrote the place of each entry into its row, a new version of the row with all its index entries. What
-- it has chained stays valid, and the blocks follow its end. An instance of the version before goes on with it for as
-- long as it runs, beside the blocks: what is in both does no harm. Nobody else writes `position` and `hash` any more, so
-- that `audit_log_unchained` holds every new entry; a contract migration of a later release takes it away.

-- As in 0003: a round takes the entries of all transactions that ended before the oldest one in progress. Null: from
-- before this migration, or from another server.
alter table audit_log add column transaction_id xid8;
alter table audit_log alter column transaction_id set default pg_current_xact_id();

create table audit_blocks (
  -- Of its first entry and of its last one, counted on from the chain of 0006, over all projects.
  first_position bigint not null unique,
  last_position bigint primary key,
  -- Its entries in their order.
  project_ids uuid[] not null,
  ids uuid[] not null,
  -- Of everything up to here, under the key that is not in the database.
  hash bytea not null check (octet_length(hash) = 32),
  check (first_position between 1 and last_position),
  check (array_ndims(ids) = 1 and array_ndims(project_ids) = 1),
  check (cardinality(ids) = last_position - first_position + 1 and cardinality(project_ids) = cardinality(ids)),
  check (array_position(ids, null) is null and array_position(project_ids, null) is null)
);
-- Random bytes, which would be compressed in vain; the projects are the same few again and again.
alter table audit_blocks alter column ids set storage external;

create table audit_blocks_state (
  only_row boolean primary key default true check (only_row),
  -- Entries of transactions before this one are in blocks.
  chained xid8 not null,
  -- Whether entries that were there before this migration may be in no chain yet: they get a transaction id first.
  has_earlier boolean not null,
  last_position bigint not null check (last_position >= 0),
  -- Null: nothing is chained yet.
  last_hash bytea check (octet_length(last_hash) = 32),
  -- Seals the two above, as that of `audit_chain` does.
  seal bytea check (octet_length(seal) = 32),
  check ((last_position = 0) = (last_hash is null)),
  check ((last_hash is null) = (seal is null))
);
insert into audit_blocks_state (chained, has_earlier, last_position, last_hash, seal)
select pg_snapshot_xmin(pg_current_snapshot()), true, last_position, last_hash, seal from audit_chain;
