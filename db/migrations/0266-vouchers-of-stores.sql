-- The store of a fact that a platform holds: its own, else the one that the platform's store is mapped to by now. Facts never change, so what
-- came before its store was mapped is found like this.
create function app.mapped_store(provider uuid, merchant uuid, of_platform text, shop text) returns uuid
  language sql stable security definer set search_path = pg_catalog, public, app set app.scope = 'PLATFORM||||||||' as $$
  select o.mapped_store_id from other_stores o
  where o.service_provider_id = provider and o.merchant_id = merchant and o.platform = of_platform and o.platform_store_id = shop
$$;
-- A store sees those that became its own.
create policy mapped on platform_entries for select using (store_id is null and (select app.level()) = 'AE'
  and service_provider_id = (select app.provider()) and merchant_id in (select unnest(app.merchants_in_sight()))
  and app.mapped_store(service_provider_id, merchant_id, platform::text, platform_store_id) = any(coalesce((select app.stores()), '{}'::uuid[])));

-- Vouchers of stores on days, by platform. What a bill pays is looked for use by use, wherever its lines stand: under another day, another
-- store or none, of which a store itself sees nothing. A use is in a bill where that bill came whole (Douyin's comes page by page) and its
-- lines are not less than what the customer paid: a 通兑券 has two.
create function app.vouchers_of(provider uuid, merchant uuid, of_stores uuid[], days daterange, of_platforms text[])
  returns table (store_id uuid, day date, platform text, used int, reversed int, used_pay_cents bigint, reversed_pay_cents bigint,
    merchant_ticket_cents bigint, platform_ticket_cents bigint, fee_cents bigint, income_cents bigint, settled_cents bigint, billed int, waiting int, uneven int)
  language sql stable security definer set search_path = pg_catalog, public, app set app.scope = 'PLATFORM||||||||' as $$
  with x as materialized (
    select e.*, coalesce(e.store_id, app.mapped_store(e.service_provider_id, e.merchant_id, e.platform::text, e.platform_store_id)) as at_store,
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

-- Payments of a store whose end nobody knows yet; the parts of orders that vouchers paid.
create index pay_orders_open_of_store on pay_orders (service_provider_id, store_id) where status = 0;
create index pay_orders_vouchers_of_store on pay_orders (service_provider_id, store_id, paid_at) where voucher_cents > 0;
