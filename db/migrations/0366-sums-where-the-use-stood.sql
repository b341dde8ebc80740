-- Sums of vouchers (0351) say what 0358 says: what is taken back stands at the store where its use stood. Of facts without a store they are
-- told apart also by `map_day`, the day whose mapping holds: of a reversal that of its use, of all else its own. A use that is told after its
-- reversal moves that day, so each statement takes off all that was told of its uses, and puts down all that is told now.
do $make$
declare
  head constant text := 'language plpgsql security definer set search_path = pg_catalog, public, app set app.scope = ''PLATFORM||||||||''';
  -- Small statements over a large table: by its indexes, whatever was planned while it was small.
  by_index constant text := head || ' set enable_mergejoin = off set enable_seqscan = off';
  use constant text := '(kind in (''verify'', ''external''))';
  expected constant text := '(pay_cents + platform_ticket_cents - expected_fee_cents)';
  commission constant text := '(fee_cents + talent_cents + agency_cents + provider_cents + platform_fee_cents + operator_cents)';
  named constant text[] := array[
    '1 as facts', 'use as used', '(kind = ''external'')::int as external', 'back as reversed', 'use * pay_cents as used_pay_cents',
    'back * pay_cents as reversed_pay_cents', '(use - back) * face_cents as face_cents', '(use - back) * merchant_ticket_cents as merchant_ticket_cents',
    '(use - back) * platform_ticket_cents as platform_ticket_cents', '(use - back) * expected_fee_cents as expected_fee_cents',
    'line * ' || commission || ' as fee_cents', 'line * goods_cents as goods_cents',
    'line * (total_cents - ' || commission || ' <> goods_cents)::int as uneven',
    -- In no bill and not reversed; in a whole bill, with what that says and what was expected; waiting for a bill or its other half; odd in its bill.
    'pending as pending', 'pending * ' || expected || ' as pending_cents', 'billed as billed', 'billed * bill_fee as billed_fee_cents',
    'billed * bill_goods as billed_goods_cents', 'billed * expected_fee_cents as billed_expected_fee_cents',
    'billed * ' || expected || ' as billed_expected_cents', '(1 - line) * (1 - billed) * (not same_day)::int as waiting',
    'use * (lines > 0 and bill_goods <> bill_total - bill_fee)::int as odd'];
  names constant text[] := array(select split_part(n, ' as ', 2) from unnest(named) with ordinality x(n, i) order by i);
  sums constant text := array_to_string(names, ', ');
  each constant text := 'service_provider_id, merchant_id, day, platform, goods_kind, store_id, platform_store_id, map_day';
  -- `m` is 1 of what is told now, and -1 of what was told before: each is a world of its own.
  summed constant text := format($f$
    select service_provider_id, merchant_id, day, platform::text as platform, goods_kind, store_id,
      case when store_id is null then platform_store_id else '' end as platform_store_id,
      case when store_id is null then case when kind = 'reverse' then coalesce(used_on, day) else day end end as map_day, %1$s
    from (select w.*, use * (not taken_back and lines = 0)::int as pending,
        use * (not taken_back and lines > 0 and whole_bill and bill_goods + bill_fee + 10 >= pay_cents)::int as billed,
        coalesce(case when use = 1 then day = any(back_days) else day = any(use_days) end, false) as same_day
      from (select e.*, %2$s::int as use, (kind = 'reverse')::int as back, (kind = 'ledger')::int as line, count(*) filter (where kind = 'ledger') over k as lines,
          coalesce(bool_and(whole) filter (where kind = 'ledger') over k, false) as whole_bill,
          coalesce(sum(goods_cents) filter (where kind = 'ledger') over k, 0)::bigint as bill_goods,
          coalesce(sum(total_cents) filter (where kind = 'ledger') over k, 0)::bigint as bill_total,
          coalesce(sum(%3$s) filter (where kind = 'ledger') over k, 0)::bigint as bill_fee,
          coalesce(bool_or(kind = 'reverse') over k, false) as taken_back, array_agg(day) filter (where kind = 'reverse') over k as back_days,
          array_agg(day) filter (where %2$s) over k as use_days, min(day) filter (where %2$s) over k as used_on
        from (%%s) e window k as (partition by service_provider_id, merchant_id, platform, certificate_id, verify_id, m)) w) f
    group by 1, 2, 3, 4, 5, 6, 7, 8$f$,
    (select string_agg(format('sum(m * %s)::bigint as %s', split_part(n, ' as ', 1), split_part(n, ' as ', 2)), ', ' order by i) from unnest(named) with ordinality x(n, i)), use, commission);
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
  was text;
  r record;
begin
  -- In the order of whoever writes, folds and reads: nobody is in the middle of it, and none waits for another.
  lock table platform_entries, platform_bill_days in share row exclusive mode;
  perform pg_advisory_xact_lock(hashtext('fold_voucher'));
  lock table voucher_sums_folded, voucher_totals_folded, voucher_fresh in access exclusive mode;
  drop view voucher_facts, voucher_sums;
  alter table voucher_fresh add column map_day date;
  alter table voucher_sums_folded add column map_day date;
  execute (select format('alter table voucher_sums_folded drop constraint %I', conname) from pg_constraint where conrelid = 'voucher_sums_folded'::regclass and contype = 'u');
  execute format('alter table voucher_sums_folded add constraint voucher_sums_folded_each unique nulls not distinct (%s)', each);
  execute format('create view voucher_sums with (security_invoker = true) as select %1$s, %2$s from voucher_sums_folded union all select %1$s, %2$s from voucher_fresh', each, sums);
  execute 'create view voucher_facts with (security_invoker = true) as ' || format(summed, format('select e.*, 1 as m, %s from platform_entries e %s', now, bill_day));
  for r in select f from unnest(array['app.fold_voucher(int)', 'upkeep.rebuild_voucher()', 'app.unlike_voucher()']::regprocedure[]) f loop
    was := pg_get_functiondef(r.f);
    if position('store_id, platform_store_id' in was) = 0 then raise exception '% tells sums apart in another way', r.f; end if;
    execute replace(was, 'store_id, platform_store_id', 'store_id, platform_store_id, map_day');
  end loop;

  for r in select * from (values ('insert', 'added', nobody, 'added'), ('delete', nobody, 'removed', 'removed'),
      ('update', 'added', 'removed', '(select * from added union all select * from removed) c')) x(event, added, removed, changed) loop
    execute format('create or replace function app.add_up_vouchers_%s() returns trigger %s as $body$ begin if not exists (select from %s) then return null; end if; %s %s %s return null; end $body$',
      r.event, by_index, r.changed, format(turns, format('(select * from %s where kind = ''ledger'' and account_id is not null) t', r.changed), 'account_id, day'),
      format(turns, r.changed, of_use), format(put, format(summed, format($f$
        select e.*, w.m, %4$s from %1$s %5$s where w.m = 1 or e.id not in (select id from %2$s)
        union all select e.*, -1, %4$s from (select * from %3$s) e %5$s$f$, format(told, r.changed), r.added, r.removed, now, bill_day))));
  end loop;
  -- A day of bills that is whole now, or no longer.
  for r in select * from (values ('insert', '(select service_provider_id, account_id, day, false as whole from added where whole)'),
      ('delete', '(select service_provider_id, account_id, day, whole from removed where whole)'),
      ('update', '(select o.service_provider_id, o.account_id, o.day, o.whole from removed o join added n on n.service_provider_id = o.service_provider_id
        and n.account_id = o.account_id and n.day = o.day and n.whole <> o.whole)')) x(event, was) loop
    lines := format('(select e.* from %s w join platform_entries e on e.service_provider_id = w.service_provider_id and e.account_id = w.account_id and e.kind = ''ledger''
      and e.day = w.day) t', r.was);
    execute format('create or replace function app.add_up_bill_days_%s() returns trigger %s as $body$ begin if not exists %s then return null; end if; %s %s %s return null; end $body$',
      r.event, by_index, r.was, format(turns, r.was || ' t', 'account_id, day'), format(turns, lines, of_use),
      format(put, format(summed, format('select e.*, w.m, %s from %s %s %s',
        format(whole, 'case w.m when 1 then b.whole else coalesce(x.whole, b.whole) end'), format(told, lines), bill_day, format(of_day, r.was, 'x')))));
  end loop;
  -- A store sees the sums of what became its own by the mapping of a platform's store.
  for r in select unnest(array['voucher_fresh', 'voucher_sums_folded']) as t loop
    execute format('drop policy mapped on %I', r.t);
    execute format($f$create policy mapped on %I for select using (store_id is null and (select app.level()) = 'AE'
      and service_provider_id = (select app.provider()) and merchant_id in (select unnest(app.merchants_in_sight()))
      and app.mapped_store(service_provider_id, merchant_id, platform, platform_store_id, map_day) = any(coalesce((select app.stores()), '{}'::uuid[])))$f$, r.t);
  end loop;
end $make$;

-- Days of bills that are gone all at once: nothing says any more which bills came whole.
create function app.add_up_vouchers_anew() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app set app.scope = 'PLATFORM||||||||' as $$
begin
  if exists (select from platform_entries) then perform upkeep.rebuild_voucher(); end if;
  return null;
end $$;
create trigger add_up_anew after truncate on platform_bill_days for each statement execute function app.add_up_vouchers_anew();

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
  from (select s.*, coalesce(s.store_id, app.mapped_store(s.service_provider_id, s.merchant_id, s.platform, s.platform_store_id, s.map_day)) as at_store
    from voucher_sums s where s.service_provider_id = provider and s.merchant_id = merchant and s.day >= lower(days) and s.day < upper(days)
      and s.platform = any(of_platforms) and (s.store_id is null or s.store_id = any(of_stores))) v
  where v.at_store = any(of_stores) group by 1, 2, 3 having sum(v.used) + sum(v.reversed) > 0
$$;

-- What is there already.
select upkeep.rebuild_voucher();
