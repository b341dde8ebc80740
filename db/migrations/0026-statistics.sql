-- Coarser sums of the same ledger entries, so that a year of a provider with a thousand merchants is read from hundreds or
-- thousands of rows instead of millions. All are kept by the entry's own transaction, like `takings` and `takings_daily`:
--   takings_days           each owner by day, channel, tool, way of paying and kind of trade: `takings` without its hours
--   takings_monthly        stores and attributions by month: `takings_daily` for whole months
--   takings_cells          everything that a payment is told apart by except its hour: stores, people, devices, ways of paying
--   takings_cells_monthly  the same for whole months
alter table takings_daily add column gross_cents bigint not null default 0, add column discount_cents bigint not null default 0;

create table takings_days (
  service_provider_id uuid not null,
  owner_kind text not null,
  owner_id uuid not null,
  agent_id uuid, business_group_id uuid, business_team_id uuid, salesman_id uuid, merchant_id uuid, store_id uuid,
  day date not null,
  channel smallint not null, tool smallint not null, pay_method text not null, trade_type text not null, slot smallint not null,
  pay_count int not null default 0, gross_cents bigint not null default 0, discount_cents bigint not null default 0,
  paid_cents bigint not null default 0, fee_cents bigint not null default 0,
  refund_count int not null default 0, refund_cents bigint not null default 0, refund_fee_cents bigint not null default 0,
  primary key (service_provider_id, owner_kind, owner_id, day, channel, tool, pay_method, trade_type, slot)
) with (fillfactor = 85);
create index takings_days_platform on takings_days (owner_kind, day);
create index takings_days_slots on takings_days (day) where slot > 0;

create table takings_monthly (
  service_provider_id uuid not null,
  -- The first day of the month.
  month date not null,
  merchant_id uuid not null, store_id uuid not null,
  agent_id uuid, business_group_id uuid, business_team_id uuid, salesman_id uuid,
  pay_count int not null default 0, gross_cents bigint not null default 0, discount_cents bigint not null default 0,
  paid_cents bigint not null default 0, fee_cents bigint not null default 0,
  refund_count int not null default 0, refund_cents bigint not null default 0, refund_fee_cents bigint not null default 0,
  unique nulls not distinct (service_provider_id, month, store_id, merchant_id, agent_id, business_group_id, business_team_id, salesman_id)
) with (fillfactor = 85);
create index takings_monthly_month on takings_monthly (month);
create index takings_monthly_merchant on takings_monthly (service_provider_id, merchant_id, month);

create table takings_cells (
  service_provider_id uuid not null,
  day date not null,
  merchant_id uuid not null, store_id uuid not null,
  agent_id uuid, business_group_id uuid, business_team_id uuid, salesman_id uuid, cashier_id uuid, device_id uuid,
  channel smallint not null, tool smallint not null, pay_method text not null, trade_type text not null,
  pay_count int not null default 0, gross_cents bigint not null default 0, discount_cents bigint not null default 0,
  paid_cents bigint not null default 0, fee_cents bigint not null default 0,
  refund_count int not null default 0, refund_cents bigint not null default 0, refund_fee_cents bigint not null default 0,
  unique nulls not distinct (service_provider_id, merchant_id, day, store_id, cashier_id, device_id, tool, channel, pay_method, trade_type,
    agent_id, business_group_id, business_team_id, salesman_id)
) with (fillfactor = 85);
create index takings_cells_day on takings_cells (service_provider_id, day);
create table takings_cells_monthly (
  service_provider_id uuid not null,
  month date not null,
  merchant_id uuid not null, store_id uuid not null,
  agent_id uuid, business_group_id uuid, business_team_id uuid, salesman_id uuid, cashier_id uuid, device_id uuid,
  channel smallint not null, tool smallint not null, pay_method text not null, trade_type text not null,
  pay_count int not null default 0, gross_cents bigint not null default 0, discount_cents bigint not null default 0,
  paid_cents bigint not null default 0, fee_cents bigint not null default 0,
  refund_count int not null default 0, refund_cents bigint not null default 0, refund_fee_cents bigint not null default 0,
  unique nulls not distinct (service_provider_id, merchant_id, month, store_id, cashier_id, device_id, tool, channel, pay_method, trade_type,
    agent_id, business_group_id, business_team_id, salesman_id)
) with (fillfactor = 85);
create index takings_cells_monthly_month on takings_cells_monthly (service_provider_id, month);

insert into app.read_only values ('takings_days'), ('takings_monthly'), ('takings_cells'), ('takings_cells_monthly');

-- Three functions that name the same columns again and again, written once from their parts: adding up an entry, folding
-- the slots of days that are over, and making all sums anew from the ledger.
do $make$
declare
  sums constant text := 'pay_count, gross_cents, discount_cents, paid_cents, fee_cents, refund_count, refund_cents, refund_fee_cents';
  added constant text := (select string_agg(format('%1$s = t.%1$s + excluded.%1$s', name), ', ') from unnest(string_to_array(sums, ', ')) name);
  total constant text := (select string_agg(format('sum(f.%1$s)', name), ', ') from unnest(string_to_array(sums, ', ')) name);
  of_new constant text := 'paid, new.gross_cents, new.discount_cents, new.paid_cents, new.fee_cents, refunded, new.refund_cents, new.refund_fee_cents';
  -- The columns of each table, and those of them by which its rows are told apart.
  owner constant text := 'service_provider_id, owner_kind, owner_id, agent_id, business_group_id, business_team_id, salesman_id, merchant_id, store_id';
  who constant text := 'merchant_id, store_id, agent_id, business_group_id, business_team_id, salesman_id';
  who_new constant text := 'new.merchant_id, new.store_id, new.agent_id, new.business_group_id, new.business_team_id, new.salesman_id';
  way constant text := 'channel, tool, pay_method, trade_type';
  once_daily constant text := 'service_provider_id, day, store_id, merchant_id, agent_id, business_group_id, business_team_id, salesman_id';
  once_cell constant text := 'store_id, cashier_id, device_id, tool, channel, pay_method, trade_type, agent_id, business_group_id, business_team_id, salesman_id';
  head constant text := 'language plpgsql security definer set search_path = pg_catalog, public, app set app.scope = ''PLATFORM||||||||''';
  own constant text := 'case when o.kind = ''agent'' then o.id end, case when o.kind = ''group'' then o.id end, case when o.kind = ''team'' then o.id end,
      case when o.kind = ''salesman'' then o.id end, case when o.kind in (''merchant'', ''store'') then %1$s.merchant_id end, case when o.kind = ''store'' then o.id end';
  owners constant text := 'lateral (values (1, ''store'', %1$s.store_id), (2, ''merchant'', %1$s.merchant_id), (3, ''salesman'', %1$s.salesman_id), (4, ''team'', %1$s.business_team_id),
      (5, ''group'', %1$s.business_group_id), (6, ''agent'', %1$s.agent_id), (7, ''provider'', %1$s.service_provider_id)) as o(n, kind, id)';
  slot_of constant text := 'case when o.kind in (''merchant'', ''store'') then 0 else %s end';
begin
  execute format($f$
    create or replace function app.add_up() returns trigger %1$s as $body$
    declare
      at_shanghai timestamp := new.occurred_at at time zone 'Asia/Shanghai';
      d date := at_shanghai::date;
      m date := date_trunc('month', at_shanghai)::date;
      h smallint := extract(hour from at_shanghai);
      s smallint := abs(hashtext(new.store_id::text) %% 8);
      paid int := case when new.cause = 'payment' then 1 else 0 end;
      refunded int := case when new.cause = 'refund' then 1 else 0 end;
      cashier uuid; device uuid; method text; trade text;
    begin
      -- Who rang it up and how never changes after an order is made; a refund counts with its order's.
      select o.cashier_id, o.device_id, o.pay_method, o.trade_type into cashier, device, method, trade
        from pay_orders o where o.service_provider_id = new.service_provider_id and o.id = new.order_id;
      method := coalesce(method, ''); trade := coalesce(trade, '');
      insert into takings as t (%2$s, day, hour, channel, tool, slot, %3$s)
        select new.service_provider_id, o.kind, o.id, %4$s, d, h, new.channel, new.tool, %5$s, %6$s from %7$s where o.id is not null order by o.n
      on conflict (service_provider_id, owner_kind, owner_id, day, hour, channel, tool, slot) do update set %8$s;
      insert into takings_days as t (%2$s, day, channel, tool, pay_method, trade_type, slot, %3$s)
        select new.service_provider_id, o.kind, o.id, %4$s, d, new.channel, new.tool, method, trade, %5$s, %6$s from %7$s where o.id is not null order by o.n
      on conflict (service_provider_id, owner_kind, owner_id, day, channel, tool, pay_method, trade_type, slot) do update set %8$s;
      insert into takings_daily as t (service_provider_id, day, %9$s, %3$s) values (new.service_provider_id, d, %10$s, %6$s)
      on conflict (%11$s) do update set %8$s;
      insert into takings_monthly as t (service_provider_id, month, %9$s, %3$s) values (new.service_provider_id, m, %10$s, %6$s)
      on conflict (%12$s) do update set %8$s;
      insert into takings_cells as t (service_provider_id, day, %9$s, cashier_id, device_id, %13$s, %3$s)
        values (new.service_provider_id, d, %10$s, cashier, device, new.channel, new.tool, method, trade, %6$s)
      on conflict (service_provider_id, merchant_id, day, %14$s) do update set %8$s;
      insert into takings_cells_monthly as t (service_provider_id, month, %9$s, cashier_id, device_id, %13$s, %3$s)
        values (new.service_provider_id, m, %10$s, cashier, device, new.channel, new.tool, method, trade, %6$s)
      on conflict (service_provider_id, merchant_id, month, %14$s) do update set %8$s;
      return null;
    end $body$ $f$,
    head, owner, sums, format(own, 'new'), format(slot_of, 's'), of_new, format(owners, 'new'), added, who, who_new,
    once_daily, replace(once_daily, 'day', 'month'), way, once_cell);

  -- What fold_takings does for the hours, for the days too.
  execute format($f$
    create function app.fold_takings_days(before date) returns int %1$s as $body$
    declare folded int;
    begin
      with gone as (delete from takings_days where slot > 0 and day < before returning *),
      put as (
        insert into takings_days as t (%2$s, day, %3$s, slot, %4$s)
          select %2$s, day, %3$s, 0, %5$s from gone f group by %2$s, day, %3$s
        on conflict (service_provider_id, owner_kind, owner_id, day, channel, tool, pay_method, trade_type, slot) do update set %6$s)
      select count(*)::int into folded from gone;
      return folded;
    end $body$ $f$, head, owner, way, sums, total, added);

  -- Everything anew from the ledger's entries, days before `folded` in one row each. Waits for entries on their way and holds up new ones.
  execute format($f$
    create function app.rebuild_takings(folded date) returns void %1$s as $body$
    begin
      lock table ledger_entries in share row exclusive mode;
      truncate takings, takings_days, takings_daily, takings_monthly, takings_cells, takings_cells_monthly;
      create temp table facts on commit drop as
        select e.service_provider_id, %2$s, o.cashier_id, o.device_id, e.channel, e.tool, coalesce(o.pay_method, '') as pay_method, coalesce(o.trade_type, '') as trade_type,
          e.at::date as day, extract(hour from e.at)::smallint as hour, date_trunc('month', e.at)::date as month,
          case when e.at::date < folded then 0 else abs(hashtext(e.store_id::text) %% 8) end::smallint as s,
          count(*) filter (where e.cause = 'payment') as pay_count, sum(e.gross_cents) as gross_cents, sum(e.discount_cents) as discount_cents, sum(e.paid_cents) as paid_cents,
          sum(e.fee_cents) as fee_cents, count(*) filter (where e.cause = 'refund') as refund_count, sum(e.refund_cents) as refund_cents, sum(e.refund_fee_cents) as refund_fee_cents
        from (select l.*, l.occurred_at at time zone 'Asia/Shanghai' as at from ledger_entries l where l.cause in ('payment', 'refund')) e
          left join pay_orders o on o.service_provider_id = e.service_provider_id and o.id = e.order_id
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17;
      insert into takings (%3$s, day, hour, channel, tool, slot, %4$s)
        select f.service_provider_id, o.kind, o.id, %5$s, day, hour, channel, tool, %6$s, %7$s from facts f, %8$s where o.id is not null
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14;
      insert into takings_days (%3$s, day, %9$s, slot, %4$s)
        select f.service_provider_id, o.kind, o.id, %5$s, day, %9$s, %6$s, %7$s from facts f, %8$s where o.id is not null
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15;
      insert into takings_daily (service_provider_id, day, %10$s, %4$s) select service_provider_id, day, %10$s, %7$s from facts f group by 1, 2, 3, 4, 5, 6, 7, 8;
      insert into takings_monthly (service_provider_id, month, %10$s, %4$s) select service_provider_id, month, %10$s, %7$s from facts f group by 1, 2, 3, 4, 5, 6, 7, 8;
      insert into takings_cells (service_provider_id, day, %10$s, cashier_id, device_id, %9$s, %4$s)
        select service_provider_id, day, %10$s, cashier_id, device_id, %9$s, %7$s from facts f group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14;
      insert into takings_cells_monthly (service_provider_id, month, %10$s, cashier_id, device_id, %9$s, %4$s)
        select service_provider_id, month, %10$s, cashier_id, device_id, %9$s, %7$s from facts f group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14;
      drop table facts;
    end $body$ $f$,
    head, 'e.' || replace(who, ', ', ', e.'), owner, sums, format(own, 'f'), format(slot_of, 'f.s'), total, format(owners, 'f'), way, who);
end $make$;
revoke execute on function app.rebuild_takings(date) from public;

create or replace function app.analyze_facts() returns void language plpgsql security definer set search_path = pg_catalog, public, app as $$
begin
  analyze pay_orders; analyze order_events; analyze refunds; analyze ledger_accounts; analyze ledger_entries; analyze ledger_postings;
  analyze takings; analyze takings_days; analyze takings_daily; analyze takings_monthly; analyze takings_cells; analyze takings_cells_monthly;
end $$;

-- A database that already has entries gets its new sums from them.
select app.rebuild_takings((now() at time zone 'Asia/Shanghai')::date);
