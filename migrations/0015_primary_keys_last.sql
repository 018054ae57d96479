-- no transaction
-- Of indexes that cost the same the planner takes the one made last. While a table is small all cost the same, and the check of
-- a reference then read all that a project has, by whatever index had been added last, for as long as its connection lived.
-- Made anew, the primary keys of what is referred to are the last ones. What was cut short leaves an invalid index behind.
drop index concurrently if exists customers_pkey_ccnew;
drop index concurrently if exists customers_pkey_ccold;
reindex index concurrently customers_pkey;
drop index concurrently if exists events_pkey_ccnew;
drop index concurrently if exists events_pkey_ccold;
reindex index concurrently events_pkey;
drop index concurrently if exists leads_pkey_ccnew;
drop index concurrently if exists leads_pkey_ccold;
reindex index concurrently leads_pkey;
drop index concurrently if exists plans_pkey_ccnew;
drop index concurrently if exists plans_pkey_ccold;
reindex index concurrently plans_pkey;
drop index concurrently if exists subscriptions_pkey_ccnew;
drop index concurrently if exists subscriptions_pkey_ccold;
reindex index concurrently subscriptions_pkey;
