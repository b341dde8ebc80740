-- 充值 and 售卡 apart in the statistics: what of an entry's money paid for a recharge (purpose 1), a times card (3), a level or a
-- package (2, 4), and what of that went back. Every sum of takings gets these six; what reads them adds up as before.
alter table takings_fresh
  add column recharge_cents bigint not null default 0, add column recharge_back_cents bigint not null default 0,
  add column times_cents bigint not null default 0, add column times_back_cents bigint not null default 0,
  add column level_cents bigint not null default 0, add column level_back_cents bigint not null default 0;
do $make$
declare
  was constant text := 'pay_count, gross_cents, discount_cents, paid_cents, fee_cents, refund_count, refund_cents, refund_fee_cents';
  more constant text := 'recharge_cents, recharge_back_cents, times_cents, times_back_cents, level_cents, level_back_cents';
  sums constant text := was || ', ' || more;
  added constant text := (select string_agg(format('%1$s = t.%1$s + excluded.%1$s', name), ', ') from unnest(string_to_array(sums, ', ')) name);
  total constant text := (select string_agg(format('sum(f.%1$s)', name), ', ') from unnest(string_to_array(sums, ', ')) name);
  attribution constant text := 'agent_id, business_group_id, business_team_id, salesman_id';
  owner constant text := 'service_provider_id, owner_kind, owner_id, ' || attribution || ', merchant_id, store_id';
  ways constant text := 'channel, tool, pay_method, trade_type';
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
  table_of text;
  r record;
begin
  -- Goods are never sold beforehand: theirs stay 0.
  foreach table_of in array array['takings_goods', 'takings_goods_monthly'] loop
    execute format('alter table %I %s', table_of, (select string_agg('add column ' || c || ' bigint not null default 0', ', ') from unnest(string_to_array(more, ', ')) c));
  end loop;
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
    execute format('alter table %I %s', r.folded,
      (select string_agg('add column ' || c || ' bigint not null default 0', ', ') from unnest(string_to_array(more, ', ')) c));
    execute format('drop view %I', r.name);
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
    create or replace function app.fold_takings(most int) returns int %1$s as $body$
    declare folded int;
    begin
      if not pg_try_advisory_xact_lock(hashtext('fold_takings')) then return 0; end if;
      with gone as (delete from takings_fresh where (service_provider_id, id) in (select service_provider_id, id from takings_fresh limit most) returning *)%2$s
      select count(*)::int into folded from gone;
      return folded;
    end $body$ $f$, head, fold);

  execute format($f$
    -- Everything anew from the ledger's entries, folded. Waits for entries on their way and holds up new ones.
    create or replace function upkeep.rebuild_takings() returns void %1$s as $body$
    begin
      lock table ledger_entries in share row exclusive mode;
      perform pg_advisory_xact_lock(hashtext('fold_takings'));
      truncate takings_fresh%2$s;
      create temp table facts on commit drop as
        select e.service_provider_id, e.merchant_id, e.store_id, e.agent_id, e.business_group_id, e.business_team_id, e.salesman_id, o.cashier_id, o.device_id,
          e.channel, e.tool, coalesce(o.pay_method, '') as pay_method, coalesce(o.trade_type, '') as trade_type, e.at::date as day, extract(hour from e.at)::smallint as hour,
          count(*) filter (where e.cause = 'payment') as pay_count, sum(e.gross_cents)::bigint as gross_cents, sum(e.discount_cents)::bigint as discount_cents,
          sum(e.paid_cents)::bigint as paid_cents, sum(e.fee_cents)::bigint as fee_cents, count(*) filter (where e.cause = 'refund') as refund_count,
          sum(e.refund_cents)::bigint as refund_cents, sum(e.refund_fee_cents)::bigint as refund_fee_cents,
          coalesce(sum(e.paid_cents) filter (where o.purpose = 1), 0)::bigint as recharge_cents, coalesce(sum(e.refund_cents) filter (where o.purpose = 1), 0)::bigint as recharge_back_cents,
          coalesce(sum(e.paid_cents) filter (where o.purpose = 3), 0)::bigint as times_cents, coalesce(sum(e.refund_cents) filter (where o.purpose = 3), 0)::bigint as times_back_cents,
          coalesce(sum(e.paid_cents) filter (where o.purpose in (2, 4)), 0)::bigint as level_cents, coalesce(sum(e.refund_cents) filter (where o.purpose in (2, 4)), 0)::bigint as level_back_cents
        from (select l.*, l.occurred_at at time zone 'Asia/Shanghai' as at from ledger_entries l where l.cause in ('payment', 'refund')) e
          left join pay_orders o on o.service_provider_id = e.service_provider_id and o.id = e.order_id
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15;
      %3$s
      drop table facts;
    end $body$ $f$, head, names, rebuild);
end $make$;

create or replace function app.add_up() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' as $$
begin
  -- Who rang it up, how and what for never changes after an order is made; a refund counts with its order's.
  insert into takings_fresh
    select new.service_provider_id, new.id, new.merchant_id, new.store_id, new.agent_id, new.business_group_id, new.business_team_id, new.salesman_id,
      o.cashier_id, o.device_id, x.at::date, extract(hour from x.at), new.channel, new.tool, coalesce(o.pay_method, ''), coalesce(o.trade_type, ''),
      (new.cause = 'payment')::int, new.gross_cents, new.discount_cents, new.paid_cents, new.fee_cents,
      (new.cause = 'refund')::int, new.refund_cents, new.refund_fee_cents,
      case when o.purpose = 1 then new.paid_cents else 0 end, case when o.purpose = 1 then new.refund_cents else 0 end,
      case when o.purpose = 3 then new.paid_cents else 0 end, case when o.purpose = 3 then new.refund_cents else 0 end,
      case when o.purpose in (2, 4) then new.paid_cents else 0 end, case when o.purpose in (2, 4) then new.refund_cents else 0 end
    from (select new.occurred_at at time zone 'Asia/Shanghai' as at) x
      left join pay_orders o on o.service_provider_id = new.service_provider_id and o.id = new.order_id;
  return null;
end $$;

-- Where something was sold beforehand already, its sums follow from the ledger.
do $$
begin
  if exists (select from pay_orders where purpose <> 0 and paid_at is not null) then perform upkeep.rebuild_takings(); end if;
end $$;
