-- no transaction
-- Statements name their project so that the planner does not look it up (asProject): it then plans for as many rows as the
-- most frequent project has, wherever it takes all rows for those of one. A project that is new would otherwise be planned
-- for as empty until the next analyze, and be read whole for each row that is asked for. Taken up by the next analyze of each table.
alter table addresses alter column project_id set (n_distinct = 1);
alter table audit_log alter column project_id set (n_distinct = 1);
alter table credentials alter column project_id set (n_distinct = 1);
alter table customer_changes alter column project_id set (n_distinct = 1);
alter table customers alter column project_id set (n_distinct = 1);
alter table event_feed alter column project_id set (n_distinct = 1);
alter table events alter column project_id set (n_distinct = 1);
alter table grid_fee_reductions alter column project_id set (n_distinct = 1);
alter table idempotency_keys alter column project_id set (n_distinct = 1);
alter table lead_metadata alter column project_id set (n_distinct = 1);
alter table leads alter column project_id set (n_distinct = 1);
alter table market_messages alter column project_id set (n_distinct = 1);
alter table market_processes alter column project_id set (n_distinct = 1);
alter table meter_orders alter column project_id set (n_distinct = 1);
alter table meters alter column project_id set (n_distinct = 1);
alter table payment_methods alter column project_id set (n_distinct = 1);
alter table plans alter column project_id set (n_distinct = 1);
alter table product_orders alter column project_id set (n_distinct = 1);
alter table subscription_metadata alter column project_id set (n_distinct = 1);
alter table subscription_transitions alter column project_id set (n_distinct = 1);
alter table subscriptions alter column project_id set (n_distinct = 1);
alter table tokens alter column project_id set (n_distinct = 1);
alter table webhook_deliveries alter column project_id set (n_distinct = 1);
alter table webhook_endpoints alter column project_id set (n_distinct = 1);
