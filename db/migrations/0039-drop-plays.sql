-- A backup reads a day for as long as it takes: the days that go are locked first, so that nobody waits at ad_plays meanwhile, and
-- what can't be had within a second is left for the next round.
create or replace function app.drop_ad_plays(before date) returns int language plpgsql security definer
  set search_path = pg_catalog, public, app set lock_timeout = '1s' as $$
declare
  least_day constant date := least(before, (now() at time zone 'Asia/Shanghai')::date - 90);
  names constant text[] := array(select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'ad_plays'::regclass and to_date(right(c.relname, 8), 'YYYYMMDD') < least_day order by 1);
  name text;
begin
  foreach name in array names loop
    execute format('lock table app.%I in access exclusive mode', name);
  end loop;
  foreach name in array names loop
    execute format('drop table app.%I', name);
  end loop;
  return cardinality(names);
end $$;
