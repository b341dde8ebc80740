-- A device that sends a play again is looked for by its number, whatever day it now says.
alter table ad_plays drop constraint ad_plays_pkey;
alter table ad_plays add primary key (device_id, play_id, day);
-- A device that moves begins new sums: the old ones are the other store's, and closed to it.
alter table ad_plays_daily drop constraint ad_plays_daily_pkey;
alter table ad_plays_daily add primary key (service_provider_id, day, device_id, ad_id, material_id, store_id);

-- Each Shanghai day's plays lie in a partition in the schema app: nobody reaches it but through ad_plays and its fence, the runtime
-- role has no right on it, and a fence of its own stands on it for owners that are no superusers.
create function app.ad_plays_days(days date[]) returns void language plpgsql security definer
  set search_path = pg_catalog, public, app as $$
declare
  d date;
  name text;
begin
  foreach d in array days loop
    name := 'ad_plays_' || to_char(d, 'YYYYMMDD');
    continue when to_regclass('app.' || name) is not null;
    -- Two that need the same day at once: the second finds it made. Others write meanwhile.
    lock table ad_plays in share update exclusive mode;
    continue when to_regclass('app.' || name) is not null;
    execute format('create table app.%I (like ad_plays including all)', name);
    execute format('call app.fence(%L)', 'app.' || name);
    -- Attaching, unlike making it as a partition, lets others write meanwhile.
    execute format('alter table ad_plays attach partition app.%I for values from (%L) to (%L)', name, d, d + 1);
  end loop;
end $$;

-- Drops the plays of days before one; never those of the last ninety days, whoever asks.
create function app.drop_ad_plays(before date) returns int language plpgsql security definer
  set search_path = pg_catalog, public, app set lock_timeout = '5s' as $$
declare
  one record;
  dropped int := 0;
  least_day constant date := least(before, (now() at time zone 'Asia/Shanghai')::date - 90);
begin
  for one in select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'ad_plays'::regclass and to_date(right(c.relname, 8), 'YYYYMMDD') < least_day order by 1 loop
    execute format('drop table app.%I', one.name);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
revoke execute on function app.ad_plays_days(date[]), app.drop_ad_plays(date) from public;
