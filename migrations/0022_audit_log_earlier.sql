-- no transaction
-- Since 0011 no entry gets a position any more, so that each stood in `audit_log_unchained` for ever, which every sign-up paid
-- for. Entries from before 0011 that are in no chain yet are found by an index that nothing new enters.
drop index concurrently if exists audit_log_earlier;
create index concurrently audit_log_earlier on audit_log (id) where position is null and transaction_id is null;
drop index concurrently if exists audit_log_unchained;
