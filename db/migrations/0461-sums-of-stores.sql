-- Sums by store over all platforms and kinds, for whoever compares many stores: 92 days of 400 stores were a row for each store, day, platform
-- and kind, of which a provider's figures by store read 300,000. Kept with the sums that they are made of (0351, 0366), by the same fold, the
-- same rebuild and the same check.
--   voucher_stores    by day and store, of what stands at a store itself; takeaway platforms hold no vouchers
--   takeaway_stores   the same of takeaway, by the day of placing and by that of completion
do $make$
declare
  r record;
  key text;
  sums text;
  total text;
  of text;
  made text;
  kept text;
begin
  for r in select * from (values ('voucher', '', ' and platform not in (''ele'', ''meituan-wm'')', 'platform_entries, platform_bill_days'),
      ('takeaway', 'day_of, ', '', 'takeaway_orders')) x(name, apart, only_of, facts) loop
    -- In the order of whoever writes, folds and reads.
    execute format('lock table %s in share row exclusive mode', r.facts);
    perform pg_advisory_xact_lock(hashtext('fold_' || r.name));
    select string_agg(attname, ', ' order by attnum), string_agg(format('sum(%1$s)::bigint as %1$s', attname), ', ' order by attnum)
      into sums, total from pg_attribute where attrelid = (r.name || '_sums_folded')::regclass and attnum > 0 and not attisdropped and atttypid = 'bigint'::regtype;
    key := 'service_provider_id, ' || r.apart || 'day, store_id, merchant_id';
    of := 'where store_id is not null' || r.only_of;
    execute format('create table %1$s_stores_folded as select %2$s, %3$s from %1$s_sums_folded where false', r.name, key, sums);
    execute (select format('alter table %s_stores_folded %s', r.name, string_agg(format('alter %s set not null', attname), ', ')) from pg_attribute
      where attrelid = (r.name || '_stores_folded')::regclass and attnum > 0);
    execute format('alter table %1$s_stores_folded set (fillfactor = 85), add constraint %1$s_stores_folded_each primary key (%2$s)', r.name, key);
    execute format('create view %1$s_stores with (security_invoker = true) as select %2$s, %3$s from %1$s_stores_folded
      union all select %2$s, %3$s from %1$s_fresh %4$s', r.name, key, sums, of);
    -- What is there already; what is fresh comes with the next fold.
    execute format('insert into %1$s_stores_folded (%2$s, %3$s) select %2$s, %4$s from %1$s_sums_folded %5$s group by %2$s', r.name, key, sums, total, of);
    insert into app.read_only values (r.name || '_stores_folded');
    call app.only_levels((r.name || '_stores_folded')::regclass, array['PLATFORM', 'SP', 'MCH', 'AE']);

    made := pg_get_functiondef(format('app.fold_%s(int)', r.name)::regprocedure);
    kept := replace(made, 'select count(*)::int into folded from gone', format(', put_stores as (insert into %1$s_stores_folded as t (%2$s, %3$s)
          select %2$s, %4$s from gone %5$s group by %2$s on conflict (%2$s) do update set %6$s)
      select count(*)::int into folded from gone', r.name, key, sums, total, of,
      (select string_agg(format('%1$s = t.%1$s + excluded.%1$s', s), ', ') from unnest(string_to_array(sums, ', ')) s)));
    if kept = made then raise exception 'fold_% is made in another way', r.name; end if;
    execute kept;

    made := pg_get_functiondef(format('upkeep.rebuild_%s()', r.name)::regprocedure);
    kept := replace(made, format('analyze %s_totals_folded', r.name), format('truncate %1$s_stores_folded;
      insert into %1$s_stores_folded (%2$s, %3$s) select %2$s, %4$s from %1$s_sums_folded %5$s group by %2$s;
      analyze %1$s_stores_folded; analyze %1$s_totals_folded', r.name, key, sums, total, of));
    if kept = made then raise exception 'rebuild_% is made in another way', r.name; end if;
    execute kept;

    made := pg_get_functiondef(format('app.empty_%s()', r.name)::regprocedure);
    kept := replace(made, format('%s_totals_folded', r.name), format('%1$s_totals_folded, %1$s_stores_folded', r.name));
    if kept = made then raise exception 'empty_% is made in another way', r.name; end if;
    execute kept;

    -- The check: by stores too.
    made := pg_get_functiondef(format('app.unlike_%s()', r.name)::regprocedure);
    kept := replace(made, 'limit 100', format('union all select to_jsonb(x) from (
          (select * from (select %2$s, %3$s from %1$s_stores group by %2$s) s where (%4$s) <> (%6$s) except select %2$s, %3$s from added %5$s group by %2$s)
          union all (select * from (select %2$s, %3$s from added %5$s group by %2$s) s where (%4$s) <> (%6$s) except select %2$s, %3$s from %1$s_stores group by %2$s)) x
      limit 100', r.name, key, total, sums, of, (select string_agg('0', ', ') from unnest(string_to_array(sums, ', ')))));
    if kept = made then raise exception 'unlike_% is made in another way', r.name; end if;
    execute kept;
  end loop;
end $make$;
-- Platforms' stores that are mapped to none, as those of takeaway.
create index voucher_sums_unmapped on voucher_sums_folded (service_provider_id, day) where store_id is null;
