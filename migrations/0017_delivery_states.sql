-- no transaction
-- Work on deliveries must not find by their state what waits: while few wait, the index of states looks cheaper than those of
-- what waits, which are then full of what did, and a plan that reads all that waits outlives the few. So the state is indexed by an
-- expression, and only what asks for that expression can use it: lists, and what is repeated. The version before does without.
drop index concurrently if exists webhook_deliveries_by_state;
create index concurrently webhook_deliveries_by_state on webhook_deliveries (project_id, lower(state), id);
drop index concurrently if exists webhook_deliveries_state;
-- Of indexes that cost the same the planner takes the one made last.
drop index concurrently if exists webhook_deliveries_order_ccnew;
drop index concurrently if exists webhook_deliveries_order_ccold;
reindex index concurrently webhook_deliveries_order;
drop index concurrently if exists webhook_deliveries_due_ccnew;
drop index concurrently if exists webhook_deliveries_due_ccold;
reindex index concurrently webhook_deliveries_due;
drop index concurrently if exists webhook_deliveries_pkey_ccnew;
drop index concurrently if exists webhook_deliveries_pkey_ccold;
reindex index concurrently webhook_deliveries_pkey;
