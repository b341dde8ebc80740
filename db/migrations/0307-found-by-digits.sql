-- Orders and refunds by any six digits or more in a row of any of their numbers. A window of five digits begins at every second place,
-- so that one of them lies whole in whatever six are asked for. The year that our own numbers begin with tells nothing and is left out.
create function app.digit_grams(number text) returns int[] language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct substr(digits, place, 5)::int), '{}')
  from (select regexp_replace(number, '[^0-9]', '', 'g') as digits) as x,
    generate_series(case when number ~ '^[PR]?20[0-9]{12}' then 5 else 1 end, length(digits) - 4, 2) as place $$;
-- As merchant_search (decision 8): numbers alone, without a fence; what they find is read through the fence of its own table.
-- A row for each number, because they come one after another: ours, the till's, the channel's.
create table number_search (
  service_provider_id uuid not null,
  kind text not null check (kind in ('order', 'refund')),
  id uuid not null,
  which smallint not null,
  grams int[] not null,
  primary key (service_provider_id, kind, id, which)
);
insert into app.open_tables values ('number_search', 'numbers that find ids of orders and refunds, which are read through their own fence');
insert into app.read_only values ('number_search');

-- Past every fence, because whoever writes an order has its number at hand.
create function app.index_number(provider uuid, of_kind text, of_id uuid, nth smallint, number text) returns void language sql
  security definer set search_path = pg_catalog, public, app as $$
  insert into number_search select provider, of_kind, of_id, nth, grams from (select app.digit_grams(number) as grams) x where cardinality(grams) > 0
    on conflict (service_provider_id, kind, id, which) do update set grams = excluded.grams $$;
create function app.index_order() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app as $$
begin
  if tg_op = 'INSERT' then
    perform app.index_number(new.service_provider_id, 'order', new.id, 0::smallint, new.order_no);
    if new.till_no is not null then perform app.index_number(new.service_provider_id, 'order', new.id, 1::smallint, new.till_no); end if;
  end if;
  if new.channel_no is not null then perform app.index_number(new.service_provider_id, 'order', new.id, 2::smallint, new.channel_no); end if;
  return null;
end $$;
create trigger numbers after insert on pay_orders for each row execute function app.index_order();
create trigger numbers_of_channel after update of channel_no on pay_orders for each row
  when (new.channel_no is distinct from old.channel_no) execute function app.index_order();
create function app.index_refund() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app as $$
begin
  if tg_op = 'INSERT' then perform app.index_number(new.service_provider_id, 'refund', new.id, 0::smallint, new.refund_no); end if;
  if new.channel_refund_no is not null then perform app.index_number(new.service_provider_id, 'refund', new.id, 1::smallint, new.channel_refund_no); end if;
  return null;
end $$;
create trigger numbers after insert on refunds for each row execute function app.index_refund();
create trigger numbers_of_channel after update of channel_refund_no on refunds for each row
  when (new.channel_refund_no is distinct from old.channel_refund_no) execute function app.index_refund();
select set_config('app.scope', 'PLATFORM||||||||', true);
insert into number_search
  select service_provider_id, kind, id, which, grams from (
    select service_provider_id, 'order' as kind, id, which, app.digit_grams(number) as grams from pay_orders,
      lateral (values (0, order_no), (1, till_no), (2, channel_no)) as x (which, number) where number is not null
    union all
    select service_provider_id, 'refund', id, which, app.digit_grams(number) from refunds,
      lateral (values (0, refund_no), (1, channel_refund_no)) as x (which, number) where number is not null) as y
  where cardinality(grams) > 0;
create index number_search_grams on number_search using gin (grams);
