-- Indexes of webhooks.

-- Finds the place of an event in the feed, and the events of a time, which their ids carry.
create index event_feed_event on event_feed (project_id, event_id);

-- The same deliveries as before, by a condition that only a claim names. What asks for those that are pending of one
-- subject would otherwise read the backlog of a whole endpoint wherever almost nothing was pending at the last analyze.
drop index webhook_deliveries_due;
create index webhook_deliveries_due on webhook_deliveries (project_id, endpoint_id, due_at) where due_at is not null;
