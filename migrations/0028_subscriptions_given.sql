-- no transaction
-- Whether something is there at all, in the order of the list: it was walked, past all that had signed up since, until a page
-- was full. Few have an end or wait for somebody; those without a market location get one; no sign-up enters the first two.
drop index concurrently if exists subscriptions_with_end;
create index concurrently subscriptions_with_end on subscriptions (project_id, id) where end_at is not null;
drop index concurrently if exists subscriptions_waiting;
create index concurrently subscriptions_waiting on subscriptions (project_id, id) where next_action is not null;
drop index concurrently if exists subscriptions_with_supplier;
create index concurrently subscriptions_with_supplier on subscriptions (project_id, id) where supplier_id is not null;
drop index concurrently if exists subscriptions_without_malo;
create index concurrently subscriptions_without_malo on subscriptions (project_id, id) where malo is null;
