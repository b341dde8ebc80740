-- Of six digits a window of five at every second place left one that told a tenth of what was asked for, and of all merchants: thousands were
-- read for eight. Now a window begins at every place, so that what the index holds are nearly always the digits themselves, and beside them
-- stands the mark of the merchant, below zero, so that none reads what others have. Orders and refunds have an index each.
-- The year that our numbers begin with is no longer left out: with others beside it it costs nothing, and who types a beginning types it.
create or replace function app.digit_grams(number text) returns int[] language plpgsql immutable strict parallel safe as $$
declare
  digits text := regexp_replace(number, '[^0-9]', '', 'g');
  grams int[] := '{}';
begin
  for place in 1 .. length(digits) - 4 loop
    grams := grams || substr(digits, place, 5)::int;
  end loop;
  return grams;
end $$;
-- Two merchants with one mark are told apart by the fence of what is found.
create function app.merchant_gram(id uuid) returns int language plpgsql immutable strict parallel safe as $$
begin return -1 - ('x' || right(id::text, 7))::bit(28)::int; end $$;
create function app.number_grams(merchant uuid, number text) returns int[] language plpgsql immutable strict parallel safe as $$
declare grams int[] := app.digit_grams(number);
begin
  return case when cardinality(grams) > 0 then grams || app.merchant_gram(merchant) end;
end $$;

-- The one before it stays until payments that had begun with it are over: 0459.
create function app.index_number(provider uuid, merchant uuid, of_kind text, of_id uuid, nth int, number text) returns void language plpgsql
  security definer set search_path = pg_catalog, public, app as $$
declare found_by int[] := app.number_grams(merchant, number);
begin
  if found_by is not null then
    insert into number_search values (provider, of_kind, of_id, nth, found_by)
      on conflict (service_provider_id, kind, id, which) do update set grams = excluded.grams;
  end if;
end $$;
create or replace function app.index_order() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app as $$
begin
  if tg_op = 'INSERT' then
    perform app.index_number(new.service_provider_id, new.merchant_id, 'order', new.id, 0, new.order_no);
    if new.till_no is not null then perform app.index_number(new.service_provider_id, new.merchant_id, 'order', new.id, 1, new.till_no); end if;
  end if;
  if new.channel_no is not null then perform app.index_number(new.service_provider_id, new.merchant_id, 'order', new.id, 2, new.channel_no); end if;
  return null;
end $$;
create or replace function app.index_refund() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app as $$
begin
  if tg_op = 'INSERT' then perform app.index_number(new.service_provider_id, new.merchant_id, 'refund', new.id, 0, new.refund_no); end if;
  if new.channel_refund_no is not null then
    perform app.index_number(new.service_provider_id, new.merchant_id, 'refund', new.id, 1, new.channel_refund_no);
  end if;
  return null;
end $$;

-- Filled beside the old table, which payments write to meanwhile: only the change of names at the end waits for them, and they for it. What
-- was written to the old one until then is brought over by the next migration.
create table number_search_anew (
  service_provider_id uuid not null,
  kind text not null check (kind in ('order', 'refund')),
  id uuid not null,
  which smallint not null,
  grams int[] not null,
  primary key (service_provider_id, kind, id, which)
);
select set_config('app.scope', 'PLATFORM||||||||', true);
insert into number_search_anew
  select service_provider_id, kind, id, which, grams from (
    select service_provider_id, 'order' as kind, id, which, app.number_grams(merchant_id, number) as grams from pay_orders,
      lateral (values (0, order_no), (1, till_no), (2, channel_no)) as x (which, number)
    union all
    select service_provider_id, 'refund', id, which, app.number_grams(merchant_id, number) from refunds,
      lateral (values (0, refund_no), (1, channel_refund_no)) as x (which, number)) as y
  where grams is not null;
create index number_search_orders on number_search_anew using gin (grams) where kind = 'order';
create index number_search_refunds on number_search_anew using gin (grams) where kind = 'refund';
alter table number_search rename to number_search_before;
alter table number_search_before rename constraint number_search_pkey to number_search_before_pkey;
alter table number_search_anew rename to number_search;
alter table number_search rename constraint number_search_anew_pkey to number_search_pkey;
-- Whoever might read the old one may read this one: the rights of new tables are given when all migrations are through.
do $$
declare reader record;
begin
  for reader in select distinct r.rolname from pg_class c, aclexplode(c.relacl) a join pg_roles r on r.oid = a.grantee
    where c.oid = 'number_search_before'::regclass and a.privilege_type = 'SELECT' loop
    execute format('grant select on number_search to %I', reader.rolname);
  end loop;
end $$;
