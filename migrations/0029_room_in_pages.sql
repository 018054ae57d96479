-- Room for later versions of a row beside it. A page that was filled to its end has room for a short row still; a sign-up,
-- whose rows are short, was put into such pages anywhere in a large table: at ten million, three pages to be read from the
-- disk and written whole for each.
alter table subscriptions set (fillfactor = 90);
alter table customers set (fillfactor = 90);
