-- no transaction
alter table subscriptions validate constraint subscriptions_check4;
