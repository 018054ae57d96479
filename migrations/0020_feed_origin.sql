-- The database whose transactions the feed goes by; null: not noted yet. Another one counts from wherever it stands.
alter table event_feed_state add column origin text;
