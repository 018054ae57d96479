-- no transaction
-- One index for the deliveries of an endpoint, of a state, and of both, instead of one for endpoints and one for states: the
-- failed ones of one endpoint were looked for among all of the endpoint, or all that have failed. The state is an expression
-- for the reason that 0017 gives. The version before finds what it asks for by the other indexes, if later.
drop index concurrently if exists webhook_deliveries_kind;
create index concurrently webhook_deliveries_kind on webhook_deliveries (project_id, endpoint_id, lower(state), id);
drop index concurrently if exists webhook_deliveries_endpoint;
drop index concurrently if exists webhook_deliveries_by_state;
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
