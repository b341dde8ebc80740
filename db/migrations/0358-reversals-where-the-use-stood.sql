-- What is taken back stands at the store where its use stood, whatever the platform's shop was mapped to meanwhile: the day whose mapping holds
-- for a fact. Its own day stays the one on which it counts.
create function app.day_at_store(provider uuid, merchant uuid, of_platform text, of_kind text, certificate text, verify text, on_day date)
  returns date language sql stable security definer set search_path = pg_catalog, public, app set app.scope = 'PLATFORM||||||||' as $$
  select case when of_kind <> 'reverse' then on_day else coalesce((select min(u.day) from platform_entries u
    where u.service_provider_id = provider and u.merchant_id = merchant and u.platform = of_platform::app.platform
      and u.kind in ('verify', 'external') and u.certificate_id = certificate and u.verify_id = verify), on_day) end
$$;
drop policy mapped on platform_entries;
create policy mapped on platform_entries for select using (store_id is null and (select app.level()) = 'AE'
  and service_provider_id = (select app.provider()) and merchant_id in (select unnest(app.merchants_in_sight()))
  and app.mapped_store(service_provider_id, merchant_id, platform::text, platform_store_id,
    app.day_at_store(service_provider_id, merchant_id, platform::text, kind::text, certificate_id, verify_id, day)) = any(coalesce((select app.stores()), '{}'::uuid[])));
create or replace function app.vouchers_of(provider uuid, merchant uuid, of_stores uuid[], days daterange, of_platforms text[])
  returns table (store_id uuid, day date, platform text, used int, reversed int, used_pay_cents bigint, reversed_pay_cents bigint,
    merchant_ticket_cents bigint, platform_ticket_cents bigint, fee_cents bigint, income_cents bigint, settled_cents bigint, billed int, waiting int, uneven int)
  language sql stable security definer set search_path = pg_catalog, public, app set app.scope = 'PLATFORM||||||||' as $$
  with x as materialized (
    select e.*, coalesce(e.store_id, app.mapped_store(e.service_provider_id, e.merchant_id, e.platform::text, e.platform_store_id,
      app.day_at_store(e.service_provider_id, e.merchant_id, e.platform::text, e.kind::text, e.certificate_id, e.verify_id, e.day))) as at_store,
      e.pay_cents + e.platform_ticket_cents - e.expected_fee_cents as expected, case e.kind when 'reverse' then -1 else 1 end as sign
    from platform_entries e where e.service_provider_id = provider and e.merchant_id = merchant and e.day >= lower(days) and e.day < upper(days)
      and e.kind in ('verify', 'external', 'reverse') and e.platform::text = any(of_platforms) and (e.store_id is null or e.store_id = any(of_stores))),
  u as (
    select x.*, l.lines, l.goods, l.fee, l.goods <> l.total - l.fee as odd, o.back, o.same_day,
      x.sign = 1 and not o.back and l.lines > 0 and l.whole and l.goods + l.fee + 10 >= x.pay_cents as billed
    from x
    left join lateral (select count(*) as lines, sum(e.goods_cents) as goods, sum(e.total_cents) as total,
        sum(e.fee_cents + e.talent_cents + e.agency_cents + e.provider_cents + e.platform_fee_cents + e.operator_cents) as fee,
        bool_and(e.platform::text <> 'dy' or e.account_id is null or coalesce(b.whole, false)) as whole
      from platform_entries e
        left join platform_bill_days b on b.service_provider_id = e.service_provider_id and b.account_id = e.account_id and b.day = e.day
      where x.sign = 1 and e.service_provider_id = provider and e.merchant_id = merchant and e.platform = x.platform and e.kind = 'ledger'
        and e.certificate_id = x.certificate_id and e.verify_id = x.verify_id) l on true
    -- The other half of it: the reversal of a use, the use of a reversal.
    cross join lateral (select count(*) > 0 as back, coalesce(bool_or(e.day = x.day), false) as same_day from platform_entries e
      where e.service_provider_id = provider and e.merchant_id = merchant and e.platform = x.platform
        and e.kind = any(case x.sign when 1 then array['reverse'] else array['verify', 'external'] end)
        and e.certificate_id = x.certificate_id and e.verify_id = x.verify_id) o
    where x.at_store = any(of_stores))
  select u.at_store, u.day, u.platform::text, count(*) filter (where u.sign = 1)::int, count(*) filter (where u.sign = -1)::int,
    coalesce(sum(u.pay_cents) filter (where u.sign = 1), 0)::bigint, coalesce(sum(u.pay_cents) filter (where u.sign = -1), 0)::bigint,
    sum(u.sign * u.merchant_ticket_cents)::bigint, sum(u.sign * u.platform_ticket_cents)::bigint,
    sum(case when u.billed then u.fee else u.sign * u.expected_fee_cents end)::bigint, sum(case when u.billed then u.goods else u.sign * u.expected end)::bigint,
    coalesce(sum(u.goods) filter (where u.billed), 0)::bigint, count(*) filter (where u.billed)::int,
    count(*) filter (where not u.billed and not u.same_day)::int, count(*) filter (where u.lines > 0 and u.odd)::int
  from u group by 1, 2, 3
$$;
