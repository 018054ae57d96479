-- no transaction
-- Messages that were never to be transmitted or told nothing, few among very many: the list of either walked all others.
drop index concurrently if exists market_messages_set_aside;
create index concurrently market_messages_set_aside on market_messages (project_id, state, id) where state in ('obsolete', 'ignored');
