-- Gives every event a place in one order that is safe to read by cursor.
--
-- An event may be committed after one that was written later, so neither a sequence nor a time is such an order. What is
-- safe is to wait until no transaction is left that could still commit in between: a round of the feed takes the events
-- of all transactions that ended before the oldest one in progress, and gives them their positions. A transaction that
-- wrote a later event of the same subscription waited for the earlier one to commit, so both are in one round or in
-- rounds in their order; within a round the time and the sequence decide.

alter table events add column transaction_id xid8;
alter table events alter column transaction_id set default pg_current_xact_id();
create index events_transaction on events (transaction_id);

create table event_feed (
  project_id uuid not null,
  position bigint not null,
  event_id uuid not null,
  primary key (project_id, position)
);

create table event_feed_state (
  only_row boolean primary key default true check (only_row),
  -- Events of transactions before this one have their positions.
  published xid8 not null,
  last_position bigint not null
);

insert into event_feed (project_id, position, event_id)
select project_id, row_number() over (order by occurred_at, subscription_id, sequence), id from events;
insert into event_feed_state (published, last_position)
select pg_snapshot_xmin(pg_current_snapshot()), (select count(*) from events);
