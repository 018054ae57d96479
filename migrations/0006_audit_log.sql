-- Who changed what, when and why: one row for each change by a request or by an operator's command, in its commit.
--
-- Nobody with access to the tables alone can rewrite it unseen: each row carries a seal under a key that is not in the
-- database, and soon after its commit it is chained to the row before it.

create table audit_log (
  -- Nil for what belongs to no project, such as suppliers.
  project_id uuid not null,
  id uuid not null,
  -- Wall time.
  occurred_at timestamptz(0) not null,
  -- Null: an operator at the command line.
  credential_id uuid,
  request_id text,
  -- The operation of the interface, or the operator's command.
  operation text not null check (operation <> ''),
  -- As it is shown, such as `sub_…`.
  resource text,
  -- The members that the request named.
  fields text[] not null default '{}',
  -- AES-256-GCM, bound to project and id. The digest stays when the reason is erased with the person it speaks of.
  reason_encrypted bytea,
  reason_digest bytea check (octet_length(reason_digest) = 32),
  seal bytea not null check (octet_length(seal) = 32),
  -- Made when the reason is erased, under the same key: a reason that is merely gone was removed.
  erasure_seal bytea check (octet_length(erasure_seal) = 32),
  -- The place in the chain, counted from 1 over all projects, and the hash of everything up to here.
  position bigint,
  hash bytea check (octet_length(hash) = 32),
  primary key (project_id, id),
  check ((position is null) = (hash is null)),
  check (reason_encrypted is null or reason_digest is not null),
  check (erasure_seal is null or (reason_encrypted is null and reason_digest is not null))
);
create index audit_log_resource on audit_log (project_id, resource, id) where resource is not null;
create unique index audit_log_position on audit_log (position) where position is not null;
create index audit_log_unchained on audit_log (id) where position is null;

create table audit_chain (
  only_row boolean primary key default true check (only_row),
  last_position bigint not null,
  -- Null: nothing is chained yet.
  last_hash bytea,
  -- Seals the two above.
  seal bytea,
  check ((last_position = 0) = (last_hash is null)),
  check ((last_hash is null) = (seal is null))
);
insert into audit_chain (last_position) values (0);
