-- no transaction
drop index concurrently if exists audit_log_transaction;
create index concurrently audit_log_transaction on audit_log (transaction_id) where transaction_id is not null;
