-- The statistics' sums anew. An entry of the ledger puts down one plain row in `takings_fresh`, in its own transaction, and
-- waits for nobody; `app.fold_takings` takes such rows away again every minute and adds them to all sums at once. What anybody
-- reads is a view of both, so that a figure is exact at every moment, folded or not, and an entry that comes late is like any other.
--   takings                 each owner by day, hour, channel and tool
--   takings_hours_monthly   the same by month and weekday instead of the day
--   takings_days            each owner by day, channel, tool, way of paying and kind of trade
--   takings_merchants       merchants and attributions of the moment
--   takings_daily           stores and attributions
--   takings_people          stores, attributions, cashiers and devices
--   takings_cells           everything that a payment is told apart by except its hour
-- The last four also by month (`takings_monthly` is that of stores).
drop trigger add_up on ledger_entries;
drop function app.add_up(), app.fold_takings(date), app.fold_takings_days(date), app.rebuild_takings(date);
drop table takings, takings_days, takings_daily, takings_monthly, takings_cells, takings_cells_monthly;
delete from app.read_only where name in ('takings', 'takings_days', 'takings_daily', 'takings_monthly', 'takings_cells', 'takings_cells_monthly');

create table takings_fresh (
  service_provider_id uuid not null,
  -- The entry's.
  id uuid not null,
  merchant_id uuid not null, store_id uuid not null,
  agent_id uuid, business_group_id uuid, business_team_id uuid, salesman_id uuid, cashier_id uuid, device_id uuid,
  day date not null, hour smallint not null,
  channel smallint not null, tool smallint not null, pay_method text not null, trade_type text not null,
  pay_count int not null, gross_cents bigint not null, discount_cents bigint not null, paid_cents bigint not null, fee_cents bigint not null,
  refund_count int not null, refund_cents bigint not null, refund_fee_cents bigint not null,
  primary key (service_provider_id, id)
);
insert into app.read_only values ('takings_fresh');

create function app.add_up() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' as $$
begin
  -- Who rang it up and how never changes after an order is made; a refund counts with its order's.
  insert into takings_fresh
    select new.service_provider_id, new.id, new.merchant_id, new.store_id, new.agent_id, new.business_group_id, new.business_team_id, new.salesman_id,
      o.cashier_id, o.device_id, x.at::date, extract(hour from x.at), new.channel, new.tool, coalesce(o.pay_method, ''), coalesce(o.trade_type, ''),
      (new.cause = 'payment')::int, new.gross_cents, new.discount_cents, new.paid_cents, new.fee_cents,
      (new.cause = 'refund')::int, new.refund_cents, new.refund_fee_cents
    from (select new.occurred_at at time zone 'Asia/Shanghai' as at) x
      left join pay_orders o on o.service_provider_id = new.service_provider_id and o.id = new.order_id;
  return null;
end $$;
create trigger add_up after insert on ledger_entries for each row when (new.cause in ('payment', 'refund')) execute function app.add_up();

-- Each table of sums, its view, and the two functions that fill them, written once from what tells its rows apart.
do $make$
declare
  sums constant text := 'pay_count, gross_cents, discount_cents, paid_cents, fee_cents, refund_count, refund_cents, refund_fee_cents';
  added constant text := (select string_agg(format('%1$s = t.%1$s + excluded.%1$s', name), ', ') from unnest(string_to_array(sums, ', ')) name);
  total constant text := (select string_agg(format('sum(f.%1$s)', name), ', ') from unnest(string_to_array(sums, ', ')) name);
  attribution constant text := 'agent_id, business_group_id, business_team_id, salesman_id';
  owner constant text := 'service_provider_id, owner_kind, owner_id, ' || attribution || ', merchant_id, store_id';
  ways constant text := 'channel, tool, pay_method, trade_type';
  kind_of constant jsonb := '{"day": "date not null", "month": "date not null", "weekday": "smallint not null", "hour": "smallint not null", "channel": "smallint not null",
    "tool": "smallint not null", "pay_method": "text not null", "trade_type": "text not null", "owner_kind": "text not null", "owner_id": "uuid not null",
    "service_provider_id": "uuid not null"}';
  -- Rows `g` of single entries or of facts with what follows from their day; and each of them once for every owner.
  dated constant text := '(select g.*, date_trunc(''month'', g.day::timestamp)::date as month, extract(isodow from g.day)::smallint as weekday from %s g) f';
  owned constant text := '(select g.service_provider_id, o.kind as owner_kind, o.id as owner_id, case when o.kind = ''agent'' then o.id end as agent_id,
      case when o.kind = ''group'' then o.id end as business_group_id, case when o.kind = ''team'' then o.id end as business_team_id,
      case when o.kind = ''salesman'' then o.id end as salesman_id, case when o.kind in (''merchant'', ''store'') then g.merchant_id end as merchant_id,
      case when o.kind = ''store'' then o.id end as store_id, g.day, g.hour, date_trunc(''month'', g.day::timestamp)::date as month,
      extract(isodow from g.day)::smallint as weekday, g.channel, g.tool, g.pay_method, g.trade_type, ' || sums || '
    from %s g, lateral (values (''store'', g.store_id), (''merchant'', g.merchant_id), (''salesman'', g.salesman_id), (''team'', g.business_team_id),
      (''group'', g.business_group_id), (''agent'', g.agent_id), (''provider'', g.service_provider_id)) as o(kind, id) where o.id is not null) f';
  head constant text := 'language plpgsql security definer set search_path = pg_catalog, public, app set app.scope = ''PLATFORM||||||||''';
  fold text := '';
  rebuild text := '';
  names text := '';
  r record;
begin
  for r in
    select x.name, x.name || '_folded' as folded, x.of, x.keys, x.per_owner, case when x.per_owner then owner else 'service_provider_id, ' || x.of end || ', ' || x.keys as columns,
      case when x.per_owner then 'service_provider_id, owner_kind, owner_id, ' || x.keys else 'service_provider_id, ' || x.keys || ', ' || x.of end as apart,
      split_part(x.keys, ',', 1) as begins
    from (values
      ('takings', '', 'day, hour, channel, tool', true),
      ('takings_hours_monthly', '', 'month, weekday, hour, channel, tool', true),
      ('takings_days', '', 'day, ' || ways, true),
      ('takings_merchants', 'merchant_id, ' || attribution, 'day', false),
      ('takings_merchants_monthly', 'merchant_id, ' || attribution, 'month', false),
      ('takings_daily', 'store_id, merchant_id, ' || attribution, 'day', false),
      ('takings_monthly', 'store_id, merchant_id, ' || attribution, 'month', false),
      ('takings_people', 'store_id, merchant_id, cashier_id, device_id, ' || attribution, 'day', false),
      ('takings_people_monthly', 'store_id, merchant_id, cashier_id, device_id, ' || attribution, 'month', false),
      ('takings_cells', 'store_id, merchant_id, cashier_id, device_id, ' || attribution || ', ' || ways, 'day', false),
      ('takings_cells_monthly', 'store_id, merchant_id, cashier_id, device_id, ' || attribution || ', ' || ways, 'month', false)
    ) as x(name, of, keys, per_owner)
  loop
    -- A row without a store is a whole merchant's: nobody who is narrowed to some stores sees it.
    execute format('create table %I (%s, %s%s, unique nulls not distinct (%s)) with (fillfactor = 85)', r.folded,
      (select string_agg(c || ' ' || coalesce(kind_of ->> c, case when c in ('merchant_id', 'store_id') and not r.per_owner then 'uuid not null' else 'uuid' end), ', ')
        from unnest(string_to_array(r.columns, ', ')) c),
      case when r.of like 'merchant_id%' then 'store_id uuid, ' else '' end,
      (select string_agg(c || case when c like '%_count' then ' int' else ' bigint' end || ' not null default 0', ', ') from unnest(string_to_array(sums, ', ')) c),
      r.apart);
    insert into app.read_only values (r.folded);
    execute format('create view %I with (security_invoker = true) as select %3$s, %4$s from %2$I union all select %3$s, %4$s from %5$s',
      r.name, r.folded, r.columns || case when r.of like 'merchant_id%' then ', null::uuid as store_id' else '' end, sums,
      format(case when r.per_owner then owned else dated end, 'takings_fresh'));
    fold := fold || format(', put_%1$s as (insert into %2$I as t (%3$s, %4$s) select %3$s, %5$s from %6$s group by %3$s on conflict (%7$s) do update set %8$s)',
      r.name, r.folded, r.columns, sums, total, format(case when r.per_owner then owned else dated end, 'gone'), r.apart, added);
    rebuild := rebuild || format('insert into %1$I (%2$s, %3$s) select %2$s, %4$s from %5$s group by %2$s order by %6$s; ',
      r.folded, r.columns, sums, total, format(case when r.per_owner then owned else dated end, 'facts'), r.begins);
    names := names || ', ' || r.folded;
  end loop;

  execute format($f$
    -- Adds fresh rows to every sum, as many as are asked for; one at a time. No figure changes.
    create function app.fold_takings(most int) returns int %1$s as $body$
    declare folded int;
    begin
      if not pg_try_advisory_xact_lock(hashtext('fold_takings')) then return 0; end if;
      with gone as (delete from takings_fresh where ctid = any(array(select ctid from takings_fresh limit most)) returning *)%2$s
      select count(*)::int into folded from gone;
      return folded;
    end $body$ $f$, head, fold);

  execute format($f$
    -- Everything anew from the ledger's entries, folded. Waits for entries on their way and holds up new ones.
    create function app.rebuild_takings() returns void %1$s as $body$
    begin
      lock table ledger_entries in share row exclusive mode;
      perform pg_advisory_xact_lock(hashtext('fold_takings'));
      truncate takings_fresh%2$s;
      create temp table facts on commit drop as
        select e.service_provider_id, e.merchant_id, e.store_id, e.agent_id, e.business_group_id, e.business_team_id, e.salesman_id, o.cashier_id, o.device_id,
          e.channel, e.tool, coalesce(o.pay_method, '') as pay_method, coalesce(o.trade_type, '') as trade_type, e.at::date as day, extract(hour from e.at)::smallint as hour,
          count(*) filter (where e.cause = 'payment') as pay_count, sum(e.gross_cents)::bigint as gross_cents, sum(e.discount_cents)::bigint as discount_cents,
          sum(e.paid_cents)::bigint as paid_cents, sum(e.fee_cents)::bigint as fee_cents, count(*) filter (where e.cause = 'refund') as refund_count,
          sum(e.refund_cents)::bigint as refund_cents, sum(e.refund_fee_cents)::bigint as refund_fee_cents
        from (select l.*, l.occurred_at at time zone 'Asia/Shanghai' as at from ledger_entries l where l.cause in ('payment', 'refund')) e
          left join pay_orders o on o.service_provider_id = e.service_provider_id and o.id = e.order_id
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15;
      %3$s
      drop table facts;
    end $body$ $f$, head, names, rebuild);

  execute format($f$
    create or replace function app.analyze_facts() returns void language plpgsql security definer set search_path = pg_catalog, public, app as $body$
    begin
      analyze pay_orders; analyze order_events; analyze refunds; analyze ledger_accounts; analyze ledger_entries; analyze ledger_postings;
      analyze takings_fresh%s;
    end $body$ $f$, names);
end $make$;
revoke execute on function app.rebuild_takings() from public;

-- Beside what tells the rows apart: the platform, which has no provider; who sees one node's; and the time of one merchant.
create index takings_platform on takings_folded (owner_kind, day);
create index takings_days_platform on takings_days_folded (owner_kind, day);
create index takings_hours_platform on takings_hours_monthly_folded (owner_kind, month);
create index takings_merchants_day on takings_merchants_folded (day);
create index takings_merchants_merchant on takings_merchants_folded (service_provider_id, merchant_id, day);
create index takings_daily_day on takings_daily_folded (day);
create index takings_daily_merchant on takings_daily_folded (service_provider_id, merchant_id, day);
create index takings_daily_agent on takings_daily_folded (service_provider_id, agent_id, day) where agent_id is not null;
create index takings_daily_group on takings_daily_folded (service_provider_id, business_group_id, day) where business_group_id is not null;
create index takings_daily_team on takings_daily_folded (service_provider_id, business_team_id, day) where business_team_id is not null;
create index takings_daily_salesman on takings_daily_folded (service_provider_id, salesman_id, day) where salesman_id is not null;
create index takings_monthly_merchant on takings_monthly_folded (service_provider_id, merchant_id, month);
create index takings_people_merchant on takings_people_folded (service_provider_id, merchant_id, day);
create index takings_people_monthly_merchant on takings_people_monthly_folded (service_provider_id, merchant_id, month);
create index takings_cells_merchant on takings_cells_folded (service_provider_id, merchant_id, day);
create index takings_cells_monthly_merchant on takings_cells_monthly_folded (service_provider_id, merchant_id, month);

-- Views show what their tables' fences let through: the runtime role may read them.
create or replace procedure app.after_each_table(runtime_role text) language plpgsql as $$
declare t record;
begin
  execute format('grant usage on schema public, app to %I', runtime_role);
  execute format('grant execute on all functions in schema app to %I', runtime_role);
  execute format('grant select on app.state_edges to %I', runtime_role);
  execute format('grant usage, select on all sequences in schema public to %I', runtime_role);
  for t in select c.oid::regclass as name, c.relname, c.relkind, c.reloptions from pg_class c
           where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') loop
    continue when t.relname = 'schema_migrations';
    if t.relkind = 'v' then
      if not coalesce('security_invoker=true' = any(t.reloptions), false) then raise exception 'view % would see past the fences', t.name; end if;
      execute format('grant select on %s to %I', t.name, runtime_role);
      continue;
    end if;
    if not exists (select 1 from app.open_tables where name = t.relname) then call app.fence(t.name); end if;
    if exists (select 1 from app.read_only where name = t.relname) then
      execute format('grant select on %s to %I', t.name, runtime_role);
      execute format('revoke insert, update, delete, truncate on %s from %I', t.name, runtime_role);
    elsif exists (select 1 from app.append_only where name = t.relname) then
      execute format('grant select, insert on %s to %I', t.name, runtime_role);
      execute format('revoke update, delete, truncate on %s from %I', t.name, runtime_role);
    else
      execute format('grant select, insert, update, delete on %s to %I', t.name, runtime_role);
    end if;
  end loop;
end $$;

-- A database that already has entries gets its sums from them.
select app.rebuild_takings();
