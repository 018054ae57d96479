import { sql } from '#platform/database/sql.ts';

/** Everything that the database itself holds beside foreign keys, which stand back by the role. */
export const LIFTED = sql`
  do $$ declare lifted record; begin
    for lifted in
      select conrelid::regclass as owner, conname from pg_constraint where contype in ('c', 'f') and conrelid <> 0
        and connamespace = 'public'::regnamespace
    loop execute format('alter table %s drop constraint %I', lifted.owner, lifted.conname); end loop;
    drop index subscriptions_open_malo, subscriptions_open_meter, meter_orders_open, grid_fee_reductions_under_way;
  end $$`;
