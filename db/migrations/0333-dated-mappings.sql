-- 其他门店: a mapping holds from a day on, and what was before keeps the store that it had (platforms.md 2). Where a platform's store stands, as
-- far as the platform tells.
alter table other_stores
  -- From when the present mapping holds, or none does; null: as long as there are facts.
  add column mapped_from date,
  add column address text not null default '',
  add column latitude double precision check (latitude between -90 and 90),
  add column longitude double precision check (longitude between -180 and 180),
  add constraint other_stores_place check ((latitude is null) = (longitude is null));

-- Each mapping from its first day through the one before the next: null where it was mapped to none.
create table other_store_spans (
  service_provider_id uuid not null,
  merchant_id uuid not null,
  platform text not null,
  platform_store_id text not null,
  from_day date not null,
  store_id uuid,
  primary key (service_provider_id, merchant_id, platform, platform_store_id, from_day),
  foreign key (service_provider_id, merchant_id, platform, platform_store_id)
    references other_stores (service_provider_id, merchant_id, platform, platform_store_id) on delete cascade,
  foreign key (service_provider_id, merchant_id, store_id) references stores (service_provider_id, merchant_id, id)
);
insert into other_store_spans
  select service_provider_id, merchant_id, platform, platform_store_id, '-infinity', mapped_store_id from other_stores where mapped_store_id is not null;
create function app.keep_mapping() returns trigger language plpgsql set search_path = pg_catalog, public, app as $$
declare begun date := coalesce(new.mapped_from, '-infinity');
begin
  if tg_op = 'INSERT' and new.mapped_store_id is null then return null; end if;
  if tg_op = 'UPDATE' and new.mapped_store_id is not distinct from old.mapped_store_id and new.mapped_from is not distinct from old.mapped_from then return null; end if;
  delete from other_store_spans s where s.service_provider_id = new.service_provider_id and s.merchant_id = new.merchant_id
    and s.platform = new.platform and s.platform_store_id = new.platform_store_id and s.from_day >= begun;
  insert into other_store_spans values (new.service_provider_id, new.merchant_id, new.platform, new.platform_store_id, begun, new.mapped_store_id);
  return null;
end $$;
create trigger keep_mapping after insert or update of mapped_store_id, mapped_from on other_stores for each row execute function app.keep_mapping();

-- The store of a fact that a platform holds: its own, else the one that the platform's store was mapped to on its day.
create function app.mapped_store(provider uuid, merchant uuid, of_platform text, shop text, on_day date) returns uuid
  language sql stable security definer set search_path = pg_catalog, public, app set app.scope = 'PLATFORM||||||||' as $$
  select s.store_id from other_store_spans s where s.service_provider_id = provider and s.merchant_id = merchant and s.platform = of_platform
    and s.platform_store_id = shop and s.from_day <= on_day order by s.from_day desc limit 1
$$;
-- The last closed 门店日 of some stores from a day on: what stands in it keeps its store.
create function app.closed_since(provider uuid, merchant uuid, of_stores uuid[], since date) returns date
  language sql stable security definer set search_path = pg_catalog, public, app set app.scope = 'PLATFORM||||||||' as $$
  select max(d.day) from store_days d where d.service_provider_id = provider and d.merchant_id = merchant and d.store_id = any(of_stores)
    and d.day >= since and d.status = 'closed'
$$;
drop policy mapped on platform_entries;
create policy mapped on platform_entries for select using (store_id is null and (select app.level()) = 'AE'
  and service_provider_id = (select app.provider()) and merchant_id in (select unnest(app.merchants_in_sight()))
  and app.mapped_store(service_provider_id, merchant_id, platform::text, platform_store_id, day) = any(coalesce((select app.stores()), '{}'::uuid[])));
create or replace function app.vouchers_of(provider uuid, merchant uuid, of_stores uuid[], days daterange, of_platforms text[])
  returns table (store_id uuid, day date, platform text, used int, reversed int, used_pay_cents bigint, reversed_pay_cents bigint,
    merchant_ticket_cents bigint, platform_ticket_cents bigint, fee_cents bigint, income_cents bigint, settled_cents bigint, billed int, waiting int, uneven int)
  language sql stable security definer set search_path = pg_catalog, public, app set app.scope = 'PLATFORM||||||||' as $$
  with x as materialized (
    select e.*, coalesce(e.store_id, app.mapped_store(e.service_provider_id, e.merchant_id, e.platform::text, e.platform_store_id, e.day)) as at_store,
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
drop function app.mapped_store(uuid, uuid, text, text);
