-- no transaction
-- Refused sign-ups whose answers are kept, by the subscription that they name: whatever is held about a person, these were
-- looked through one and all. No sign-up that succeeds enters this index.
drop index concurrently if exists idempotency_keys_refused;
create index concurrently idempotency_keys_refused
  on idempotency_keys (project_id, substring(body from 'sub_[0-9a-z]{26}'))
  where status >= 400 and path = '/subscriptions';
