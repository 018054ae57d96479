-- The service takes what is pending into the index once a second; before, it was a sign-up that overflowed it, and waited.
alter index customers_search reset (gin_pending_list_limit);
