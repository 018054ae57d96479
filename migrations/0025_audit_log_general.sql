-- no transaction
-- What concerns no resource is rare, and was looked for in the whole log. No sign-up enters this index.
drop index concurrently if exists audit_log_general;
create index concurrently audit_log_general on audit_log (project_id, id) where resource is null;
