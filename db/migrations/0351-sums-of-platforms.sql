-- 团购券汇总, 外卖汇总 and the 门店日 by days, kept beside the facts as the ledger's statistics are (decision 0003): a fact puts down plain
-- rows in `…_fresh`, in its own transaction, and waits for no other; `app.fold_…` adds such rows to the sums every minute. What anybody
-- reads is a view of both, exact at every moment.
--   voucher_sums     by day, platform, kind and store; of facts without a store by the platform's store, whose mapping is asked at each reading
--   voucher_totals   a provider's whole, by day, platform and kind
--   takeaway_sums    by day (of placing and of completion), platform and store
--   takeaway_totals  a provider's whole
-- `voucher_facts` and `takeaway_facts` say the same of the facts themselves: sums are made anew from them, and checked each night.

-- Whoever adds facts of one use takes its turn first: what a use stands at (in a bill, reversed) is told by several facts together, and two
-- that know nothing of each other would both be wrong. Rows live until the next fold.
create table voucher_turns (
  service_provider_id uuid not null,
  of uuid not null,
  primary key (service_provider_id, of)
);
insert into app.read_only values ('voucher_turns');
call app.only_levels('voucher_turns', array['PLATFORM']);

-- Makes `<name>_sums` and `<name>_totals` with what fills them. `apart` tells rows apart beside day, platform and store. Expects the view
-- `<name>_facts`.
create procedure app.make_sums(name text, apart text, sums text, facts_tables text) language plpgsql as $make$
declare
  head constant text := 'language plpgsql security definer set search_path = pg_catalog, public, app set app.scope = ''PLATFORM||||||||''';
  kind_of constant jsonb := '{"goods_kind": "smallint", "day_of": "text not null"}';
  whole constant text := 'service_provider_id, day, platform, ' || apart;
  each constant text := 'service_provider_id, merchant_id, day, platform, ' || apart || ', store_id, platform_store_id';
  list constant text[] := string_to_array(sums, ', ');
  columns constant text := (select string_agg(c || ' bigint not null default 0', ', ') from unnest(list) c);
  total constant text := (select string_agg(format('sum(%1$s)::bigint as %1$s', c), ', ') from unnest(list) c);
  added constant text := (select string_agg(format('%1$s = t.%1$s + excluded.%1$s', c), ', ') from unnest(list) c);
  place constant text := format('service_provider_id uuid not null, merchant_id uuid not null, day date not null, platform text not null, %s %s, store_id uuid,
    platform_store_id text not null', apart, kind_of ->> apart);
  t text;
begin
  execute format('create table %s_fresh (id uuid not null default gen_random_uuid(), %s, %s, primary key (service_provider_id, id))', name, place, columns);
  execute format('create table %s_sums_folded (%s, %s, unique nulls not distinct (%s)) with (fillfactor = 85)', name, place, columns, each);
  execute format('create table %s_totals_folded (service_provider_id uuid not null, day date not null, platform text not null, %s %s, %s,
    unique nulls not distinct (%s)) with (fillfactor = 85)', name, apart, kind_of ->> apart, columns, whole);
  execute format('create index %1$s_sums_day on %1$s_sums_folded (service_provider_id, day)', name);
  execute format('create view %1$s_sums with (security_invoker = true) as select %2$s, %3$s from %1$s_sums_folded union all select %2$s, %3$s from %1$s_fresh', name, each, sums);
  execute format('create view %1$s_totals with (security_invoker = true) as select %2$s, %3$s from %1$s_totals_folded union all select %2$s, %3$s from %1$s_fresh', name, whole, sums);
  foreach t in array array['_fresh', '_sums_folded', '_totals_folded'] loop
    insert into app.read_only values (name || t);
    call app.only_levels((name || t)::regclass, case when t = '_totals_folded' then array['PLATFORM', 'SP'] else array['PLATFORM', 'SP', 'MCH', 'AE'] end);
  end loop;
  execute format($f$
    -- Adds fresh rows to the sums, as many as are asked for; one at a time. No figure changes.
    create function app.fold_%1$s(most int) returns int %2$s as $body$
    declare folded int;
    begin
      if not pg_try_advisory_xact_lock(hashtext('fold_%1$s')) then return 0; end if;
      with gone as (delete from %1$s_fresh where (service_provider_id, id) in (select service_provider_id, id from %1$s_fresh limit most) returning *),
        put as (insert into %1$s_sums_folded as t (%3$s, %5$s) select %3$s, %6$s from gone group by %3$s on conflict (%3$s) do update set %7$s),
        put_whole as (insert into %1$s_totals_folded as t (%4$s, %5$s) select %4$s, %6$s from gone group by %4$s on conflict (%4$s) do update set %7$s)
      select count(*)::int into folded from gone;
      return folded;
    end $body$ $f$, name, head, each, whole, sums, total, added);
  execute format($f$
    -- Everything anew from the facts, folded. Waits for facts on their way and holds up new ones.
    create function upkeep.rebuild_%1$s() returns void %2$s as $body$
    begin
      lock table %7$s in share row exclusive mode;
      perform pg_advisory_xact_lock(hashtext('fold_%1$s'));
      truncate %1$s_fresh, %1$s_sums_folded, %1$s_totals_folded;
      insert into %1$s_sums_folded (%3$s, %5$s) select %3$s, %5$s from %1$s_facts order by %3$s;
      insert into %1$s_totals_folded (%4$s, %5$s) select %4$s, %6$s from %1$s_sums_folded group by %4$s;
      analyze %1$s_sums_folded; analyze %1$s_totals_folded;
    end $body$ $f$, name, head, each, whole, sums, total, facts_tables);
  execute format('revoke execute on function upkeep.rebuild_%s() from public', name);
  execute format($f$
    -- Sums that are not what the facts in sight say, and wholes that are not what their sums say.
    create function app.unlike_%1$s() returns setof jsonb language sql stable set search_path = pg_catalog, public, app as $body$
      with kept as (select * from (select %2$s, %5$s from %1$s_sums group by %2$s) s where (%4$s) <> (%6$s)),
        whole as (select * from (select %3$s, %5$s from %1$s_totals group by %3$s) s where (%4$s) <> (%6$s)),
        added as (select %2$s, %4$s from %1$s_facts), added_whole as (select %3$s, %5$s from added group by %3$s)
      select to_jsonb(x) from ((select * from kept except select * from added) union all (select * from added except select * from kept)) x
      union all select to_jsonb(x) from ((select * from whole except select * from added_whole) union all (select * from added_whole except select * from whole)) x
      limit 100 $body$ $f$, name, each, whole, sums, total, (select string_agg('0', ', ') from unnest(list)));
  execute format($f$create function app.empty_%1$s() returns trigger %2$s as $body$
    begin truncate %1$s_fresh, %1$s_sums_folded, %1$s_totals_folded; return null; end $body$ $f$, name, head);
end $make$;

-- Vouchers. A use and what else is told of it (its reversal, lines of bills) stand under one key. `own` says how often a fact itself counts, `m`
-- whether what it stands at counts (1) or no longer does (-1): each such moment is a world of its own.
do $make$
declare
  head constant text := 'language plpgsql security definer set search_path = pg_catalog, public, app set app.scope = ''PLATFORM||||||||''';
  -- Small statements over a large table: by its indexes, whatever was planned while it was small.
  by_index constant text := head || ' set enable_mergejoin = off set enable_seqscan = off';
  use constant text := '(kind in (''verify'', ''external''))';
  expected constant text := '(pay_cents + platform_ticket_cents - expected_fee_cents)';
  commission constant text := '(fee_cents + talent_cents + agency_cents + provider_cents + platform_fee_cents + operator_cents)';
  named constant text[] := array[
    'own as facts', 'own * use as used', 'own * (kind = ''external'')::int as external', 'own * back as reversed', 'own * use * pay_cents as used_pay_cents',
    'own * back * pay_cents as reversed_pay_cents', 'own * (use - back) * face_cents as face_cents', 'own * (use - back) * merchant_ticket_cents as merchant_ticket_cents',
    'own * (use - back) * platform_ticket_cents as platform_ticket_cents', 'own * (use - back) * expected_fee_cents as expected_fee_cents',
    'own * line * ' || commission || ' as fee_cents', 'own * line * goods_cents as goods_cents',
    'own * line * (total_cents - ' || commission || ' <> goods_cents)::int as uneven',
    -- In no bill and not reversed; in a whole bill, with what that says and what was expected; waiting for a bill or its other half; odd in its bill.
    'm * pending as pending', 'm * pending * ' || expected || ' as pending_cents', 'm * billed as billed', 'm * billed * bill_fee as billed_fee_cents',
    'm * billed * bill_goods as billed_goods_cents', 'm * billed * expected_fee_cents as billed_expected_fee_cents',
    'm * billed * ' || expected || ' as billed_expected_cents', 'm * (1 - line) * (1 - billed) * (not same_day)::int as waiting',
    'm * use * (lines > 0 and bill_goods <> bill_total - bill_fee)::int as odd'];
  names constant text[] := array(select split_part(n, ' as ', 2) from unnest(named) with ordinality x(n, i) order by i);
  sums constant text := array_to_string(names, ', ');
  each constant text := 'service_provider_id, merchant_id, day, platform, goods_kind, store_id, platform_store_id';
  summed constant text := format($f$
    select service_provider_id, merchant_id, day, platform::text as platform, goods_kind, store_id,
      case when store_id is null then platform_store_id else '' end as platform_store_id, %1$s
    from (select w.*, use * (not taken_back and lines = 0)::int as pending,
        use * (not taken_back and lines > 0 and whole_bill and bill_goods + bill_fee + 10 >= pay_cents)::int as billed,
        coalesce(case when use = 1 then day = any(back_days) else day = any(use_days) end, false) as same_day
      from (select e.*, %2$s::int as use, (kind = 'reverse')::int as back, (kind = 'ledger')::int as line, count(*) filter (where kind = 'ledger') over k as lines,
          coalesce(bool_and(whole) filter (where kind = 'ledger') over k, false) as whole_bill,
          coalesce(sum(goods_cents) filter (where kind = 'ledger') over k, 0)::bigint as bill_goods,
          coalesce(sum(total_cents) filter (where kind = 'ledger') over k, 0)::bigint as bill_total,
          coalesce(sum(%3$s) filter (where kind = 'ledger') over k, 0)::bigint as bill_fee,
          coalesce(bool_or(kind = 'reverse') over k, false) as taken_back, array_agg(day) filter (where kind = 'reverse') over k as back_days,
          array_agg(day) filter (where %2$s) over k as use_days
        from (%%s) e window k as (partition by service_provider_id, merchant_id, platform, certificate_id, verify_id, m)) w) f
    group by 1, 2, 3, 4, 5, 6, 7$f$,
    (select string_agg(format('sum(%s)::bigint as %s', split_part(n, ' as ', 1), split_part(n, ' as ', 2)), ', ' order by i) from unnest(named) with ordinality x(n, i)), use, commission);
  -- A bill of Douyin's counts once its day came whole.
  whole constant text := '(e.platform::text <> ''dy'' or e.account_id is null or coalesce(%s, false)) as whole';
  of_day constant text := 'left join %1$s %2$s on %2$s.service_provider_id = e.service_provider_id and %2$s.account_id = e.account_id and %2$s.day = e.day';
  now constant text := format(whole, 'b.whole');
  bill_day constant text := format(of_day, 'platform_bill_days', 'b');
  -- All that is there of the uses that some facts are about, now and as it was.
  told constant text := '(select distinct service_provider_id, merchant_id, platform, certificate_id, verify_id from %s) k join platform_entries e
    on e.service_provider_id = k.service_provider_id and e.merchant_id = k.merchant_id and e.platform = k.platform and e.kind in (''verify'', ''external'', ''reverse'', ''ledger'')
      and e.certificate_id = k.certificate_id and e.verify_id = k.verify_id cross join (values (1), (-1)) w(m)';
  put constant text := format('insert into voucher_fresh (%1$s, %2$s) select * from (%%s) f where (%2$s) <> (%3$s);', each, sums,
    (select string_agg('0', ', ') from unnest(names)));
  turns constant text := 'insert into voucher_turns (service_provider_id, of) select distinct service_provider_id, md5(concat_ws(''|'', %2$s))::uuid from %1$s order by 1, 2
    on conflict (service_provider_id, of) do update set of = excluded.of;';
  of_use constant text := 'merchant_id, platform, certificate_id, verify_id';
  nobody constant text := '(select * from platform_entries where false) n';
  lines text;
  r record;
begin
  execute 'create view voucher_facts with (security_invoker = true) as ' || format(summed, format('select e.*, 1 as m, 1 as own, %s from platform_entries e %s', now, bill_day));
  call app.make_sums('voucher', 'goods_kind', sums, 'platform_entries, platform_bill_days');
  for r in select * from (values ('insert', 'added', nobody, 'added', 'new table as added'), ('delete', nobody, 'removed', 'removed', 'old table as removed'),
      ('update', 'added', 'removed', '(select * from added union all select * from removed) c', 'new table as added old table as removed')) x(event, added, removed, changed, tables) loop
    execute format('create function app.add_up_vouchers_%s() returns trigger %s as $body$ begin if not exists (select from %s) then return null; end if; %s %s %s return null; end $body$',
      r.event, by_index, r.changed, format(turns, format('(select * from %s where kind = ''ledger'' and account_id is not null) t', r.changed), 'account_id, day'),
      format(turns, r.changed, of_use), format(put, format(summed, format($f$
        select e.*, w.m, (w.m = 1 and e.id in (select id from %2$s))::int as own, %4$s from %1$s %5$s where w.m = 1 or e.id not in (select id from %2$s)
        union all select e.*, -1, -1, %4$s from (select * from %3$s) e %5$s$f$, format(told, r.changed), r.added, r.removed, now, bill_day))));
    execute format('create trigger add_up_%1$s after %1$s on platform_entries referencing %2$s for each statement execute function app.add_up_vouchers_%1$s()', r.event, r.tables);
  end loop;
  create trigger empty_sums after truncate on platform_entries for each statement execute function app.empty_voucher();

  -- A day of bills that is whole now, or no longer.
  for r in select * from (values ('insert', '(select service_provider_id, account_id, day, false as whole from added where whole)', 'new table as added'),
      ('delete', '(select service_provider_id, account_id, day, whole from removed where whole)', 'old table as removed'),
      ('update', '(select o.service_provider_id, o.account_id, o.day, o.whole from removed o join added n on n.service_provider_id = o.service_provider_id
        and n.account_id = o.account_id and n.day = o.day and n.whole <> o.whole)', 'new table as added old table as removed')) x(event, was, tables) loop
    lines := format('(select e.* from %s w join platform_entries e on e.service_provider_id = w.service_provider_id and e.account_id = w.account_id and e.kind = ''ledger''
      and e.day = w.day) t', r.was);
    execute format('create function app.add_up_bill_days_%s() returns trigger %s as $body$ begin if not exists %s then return null; end if; %s %s %s return null; end $body$',
      r.event, by_index, r.was, format(turns, r.was || ' t', 'account_id, day'), format(turns, lines, of_use),
      format(put, format(summed, format('select e.*, w.m, 0 as own, %s from %s %s %s',
        format(whole, 'case w.m when 1 then b.whole else coalesce(x.whole, b.whole) end'), format(told, lines), bill_day, format(of_day, r.was, 'x')))));
    execute format('create trigger add_up_%1$s after %1$s on platform_bill_days referencing %2$s for each statement execute function app.add_up_bill_days_%1$s()', r.event, r.tables);
  end loop;
end $make$;
-- Lines of a day of an account.
create index platform_entries_bill on platform_entries (service_provider_id, account_id, day) where kind = 'ledger' and account_id is not null;
-- A store sees the sums of what became its own by the mapping of a platform's store.
do $$
declare t text;
begin
  foreach t in array array['voucher_fresh', 'voucher_sums_folded'] loop
    execute format($f$create policy mapped on %I for select using (store_id is null and (select app.level()) = 'AE'
      and service_provider_id = (select app.provider()) and merchant_id in (select unnest(app.merchants_in_sight()))
      and app.mapped_store(service_provider_id, merchant_id, platform, platform_store_id, day) = any(coalesce((select app.stores()), '{}'::uuid[])))$f$, t);
  end loop;
end $$;

-- Takeaway: an order counts on the day that it was placed and on that of its completion.
do $make$
declare
  head constant text := 'language plpgsql security definer set search_path = pg_catalog, public, app set app.scope = ''PLATFORM||||||||''';
  named constant text[] := array[
    'm * counts as orders', 'm * (1 - counts) as cancelled', 'm * counts * odd::int as odd', 'm * counts * (refund_cents > 0)::int as refunded',
    'm * counts * original_cents as original_cents', 'm * counts * package_cents as package_cents', 'm * counts * delivery_cents as delivery_cents',
    'm * counts * shop_off_cents as shop_off_cents', 'm * counts * platform_off_cents as platform_off_cents', 'm * counts * paid_cents as paid_cents',
    'm * counts * fee_cents as fee_cents', 'm * counts * income_cents as income_cents', 'm * counts * refund_cents as refund_cents',
    'm * counts * (income_cents - shop_refund_cents) as net_cents'];
  names constant text[] := array(select split_part(n, ' as ', 2) from unnest(named) with ordinality x(n, i) order by i);
  sums constant text := array_to_string(names, ', ');
  each constant text := 'service_provider_id, merchant_id, day, platform, day_of, store_id, platform_store_id';
  summed constant text := format($f$
    select service_provider_id, merchant_id, day, platform, day_of, store_id, case when store_id is null then platform_store_id else '' end as platform_store_id, %s
    from (select e.*, (e.status <> 3)::int as counts, d.day_of, (d.at at time zone 'Asia/Shanghai')::date as day
      from (%%s) e cross join lateral (values ('placed', e.placed_at), ('completed', e.completed_at)) d(day_of, at) where d.at is not null) f
    group by 1, 2, 3, 4, 5, 6, 7$f$,
    (select string_agg(format('sum(%s)::bigint as %s', split_part(n, ' as ', 1), split_part(n, ' as ', 2)), ', ' order by i) from unnest(named) with ordinality x(n, i)));
  r record;
begin
  execute 'create view takeaway_facts with (security_invoker = true) as ' || format(summed, 'select e.*, 1 as m from takeaway_orders e');
  call app.make_sums('takeaway', 'day_of', sums, 'takeaway_orders');
  for r in select * from (values ('insert', 'select e.*, 1 as m from added e', 'new table as added'), ('delete', 'select e.*, -1 as m from removed e', 'old table as removed'),
      ('update', 'select e.*, 1 as m from added e union all select e.*, -1 from removed e', 'new table as added old table as removed')) x(event, changed, tables) loop
    execute format('create function app.add_up_takeaway_%s() returns trigger %s as $body$ begin insert into takeaway_fresh (%3$s, %4$s) select * from (%5$s) f where (%4$s) <> (%6$s);
      return null; end $body$', r.event, head, each, sums, format(summed, r.changed), (select string_agg('0', ', ') from unnest(names)));
    execute format('create trigger add_up_%1$s after %1$s on takeaway_orders referencing %2$s for each statement execute function app.add_up_takeaway_%1$s()', r.event, r.tables);
  end loop;
  create trigger empty_sums after truncate on takeaway_orders for each statement execute function app.empty_takeaway();
end $make$;
-- Platforms' stores that are mapped to none.
create index takeaway_sums_unmapped on takeaway_sums_folded (service_provider_id, day) where store_id is null;
drop procedure app.make_sums(text, text, text, text);

-- Turns that are over. @returns how many went
create function app.clear_voucher_turns(most int) returns int language sql security definer set search_path = pg_catalog, public, app set app.scope = 'PLATFORM||||||||' as $$
  with gone as (delete from voucher_turns where (service_provider_id, of) in (select service_provider_id, of from voucher_turns limit most for update skip locked) returning 1)
  select count(*)::int from gone
$$;

-- What a 门店日 asks of vouchers, from the sums.
create or replace function app.vouchers_of(provider uuid, merchant uuid, of_stores uuid[], days daterange, of_platforms text[])
  returns table (store_id uuid, day date, platform text, used int, reversed int, used_pay_cents bigint, reversed_pay_cents bigint,
    merchant_ticket_cents bigint, platform_ticket_cents bigint, fee_cents bigint, income_cents bigint, settled_cents bigint, billed int, waiting int, uneven int)
  language sql stable security definer set search_path = pg_catalog, public, app set app.scope = 'PLATFORM||||||||' as $$
  select v.at_store, v.day, v.platform, sum(v.used)::int, sum(v.reversed)::int, sum(v.used_pay_cents)::bigint, sum(v.reversed_pay_cents)::bigint,
    sum(v.merchant_ticket_cents)::bigint, sum(v.platform_ticket_cents)::bigint,
    sum(v.expected_fee_cents - v.billed_expected_fee_cents + v.billed_fee_cents)::bigint,
    sum(v.used_pay_cents - v.reversed_pay_cents + v.platform_ticket_cents - v.expected_fee_cents - v.billed_expected_cents + v.billed_goods_cents)::bigint,
    sum(v.billed_goods_cents)::bigint, sum(v.billed)::int, sum(v.waiting)::int, sum(v.odd)::int
  from (select s.*, coalesce(s.store_id, app.mapped_store(s.service_provider_id, s.merchant_id, s.platform, s.platform_store_id, s.day)) as at_store
    from voucher_sums s where s.service_provider_id = provider and s.merchant_id = merchant and s.day >= lower(days) and s.day < upper(days)
      and s.platform = any(of_platforms) and (s.store_id is null or s.store_id = any(of_stores))) v
  where v.at_store = any(of_stores) group by 1, 2, 3 having sum(v.used) + sum(v.reversed) > 0
$$;
-- Whether a use still waits for its bill: what tells so may stand under another store or none, of which a store itself sees nothing.
create function app.voucher_waits(provider uuid, merchant uuid, of_platform text, certificate text, verify text) returns boolean
  language sql stable security definer set search_path = pg_catalog, public, app set app.scope = 'PLATFORM||||||||' as $$
  select not exists (select from platform_entries x where x.service_provider_id = provider and x.merchant_id = merchant and x.platform = of_platform
    and x.kind in ('reverse', 'ledger') and x.certificate_id = certificate and x.verify_id = verify)
$$;

-- What is there already.
select upkeep.rebuild_voucher(), upkeep.rebuild_takeaway();
