-- When a platform first told of an order: the day that lacks it while it is not fetched. `wanted_at` moves with every asking, this never.
alter table takeaway_fetches add column told_at timestamptz;
update takeaway_fetches set told_at = wanted_at;
alter table takeaway_fetches alter column told_at set not null;

-- An order that nobody could fetch may have been completed on the day on which it was told of or on any day since, and one that was told of in
-- the first hour the day before. One that a sheet brought, or that somebody gave up, is missing no more; one that is there and is asked about
-- again counts on its own day. By platform: what is done about it differs.
drop function app.stray_takeaway(uuid, uuid, daterange);
create function app.stray_takeaway(provider uuid, merchant uuid, days daterange) returns table (day date, kind text, platform text, count int)
  language sql stable security definer set search_path = pg_catalog, public, app set app.scope = 'PLATFORM||||||||' as $$
  select x.day, x.kind, x.platform, count(*)::int from (
    select (o.completed_at at time zone 'Asia/Shanghai')::date as day, 'unmapped' as kind, o.platform::text as platform from takeaway_orders o
      where o.service_provider_id = provider and o.merchant_id = merchant and o.store_id is null and o.status <> 3
        and o.completed_at >= lower(days)::timestamp at time zone 'Asia/Shanghai' and o.completed_at < upper(days)::timestamp at time zone 'Asia/Shanghai'
    union all
    select missed.day::date, 'unfetched', a.platform::text from takeaway_fetches f
      join platform_accounts a on a.service_provider_id = f.service_provider_id and a.id = f.account_id
      left join takeaway_orders k on k.service_provider_id = f.service_provider_id and k.merchant_id = f.merchant_id and k.platform = a.platform
        and k.platform_order_id = f.platform_order_id
      cross join lateral (select (f.told_at at time zone 'Asia/Shanghai' - interval '1 hour')::date as first, (f.told_at at time zone 'Asia/Shanghai')::date as day) told
      cross join lateral generate_series(greatest(lower(days), told.first)::timestamp,
        case when k.id is null then upper(days) - 1 else least(upper(days) - 1, told.day) end::timestamp, interval '1 day') missed (day)
      where f.service_provider_id = provider and f.merchant_id = merchant
        and (f.next_at is not null or f.outcome in ('refused', 'unknown') and k.id is null)) x
  group by 1, 2, 3
$$;
