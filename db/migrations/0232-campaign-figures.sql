-- What of a campaign is out, by version and merchant: the list of campaigns added up each campaign's coupons, millions of them, for every
-- row. It is kept beside the coupons by their own statements. `slot` is of the connection: payments that use coupons of one campaign don't
-- wait for each other, nor for those who claim it. Two connections may share one: whoever moves coupons in several statements goes by
-- campaign, merchant and version, as each statement does.
create table coupon_outs (
  service_provider_id uuid not null,
  campaign_id uuid not null,
  version int not null,
  merchant_id uuid not null,
  slot int not null,
  -- Of one slot it may be negative: a coupon is received on one connection and used on another.
  count bigint not null,
  primary key (service_provider_id, campaign_id, merchant_id, version, slot),
  foreign key (service_provider_id, campaign_id, version) references coupon_terms (service_provider_id, campaign_id, version)
) with (fillfactor = 50);
create policy who on coupon_outs as restrictive using ((select app.level()) in ('PLATFORM', 'SP', 'MCH', 'AE'));
insert into app.read_only values ('coupon_outs');

create function app.count_coupons_out() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' as $$
begin
  if tg_op = 'INSERT' then
    insert into coupon_outs select n.service_provider_id, n.campaign_id, n.version, n.merchant_id, pg_backend_pid() % 64, count(*) from added n
      where n.state in ('SENDED', 'LOCKED') group by 1, 2, 3, 4 order by 1, 2, 4, 3
      on conflict (service_provider_id, campaign_id, merchant_id, version, slot) do update set count = coupon_outs.count + excluded.count;
  else
    insert into coupon_outs select x.service_provider_id, x.campaign_id, x.version, x.merchant_id, pg_backend_pid() % 64, sum(x.by)
      from (select n.service_provider_id, n.campaign_id, n.version, n.merchant_id, 1 as by from added n where n.state in ('SENDED', 'LOCKED')
        union all select o.service_provider_id, o.campaign_id, o.version, o.merchant_id, -1 from gone o where o.state in ('SENDED', 'LOCKED')) x
      group by 1, 2, 3, 4 having sum(x.by) <> 0 order by 1, 2, 4, 3
      on conflict (service_provider_id, campaign_id, merchant_id, version, slot) do update set count = coupon_outs.count + excluded.count;
  end if;
  return null;
end $$;
create function app.uncount_coupons_out() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' as $$
begin
  insert into coupon_outs select o.service_provider_id, o.campaign_id, o.version, o.merchant_id, pg_backend_pid() % 64, -count(*) from gone o
    where o.state in ('SENDED', 'LOCKED') group by 1, 2, 3, 4 order by 1, 2, 4, 3
    on conflict (service_provider_id, campaign_id, merchant_id, version, slot) do update set count = coupon_outs.count + excluded.count;
  return null;
end $$;
create trigger count_out_new after insert on coupons referencing new table as added for each statement execute function app.count_coupons_out();
create trigger count_out after update on coupons referencing new table as added old table as gone
  for each statement execute function app.count_coupons_out();
create trigger count_out_gone after delete on coupons referencing old table as gone for each statement execute function app.uncount_coupons_out();
insert into coupon_outs select service_provider_id, campaign_id, version, merchant_id, 0, count(*) from coupons
  where state in ('SENDED', 'LOCKED') group by 1, 2, 3, 4;

-- Campaigns are found by a part of their name or number as merchants are: the numbers stand beside the fence.
alter table coupon_campaigns add column found_in text not null generated always as (lower(name || E'\n' || no)) stored;
create table campaign_search (
  service_provider_id uuid not null,
  campaign_id uuid not null,
  grams bigint[] not null,
  primary key (service_provider_id, campaign_id),
  foreign key (service_provider_id, campaign_id) references coupon_campaigns (service_provider_id, id)
);
create index campaign_search_grams on campaign_search using gin (grams);
insert into app.open_tables values ('campaign_search', 'numbers that find ids of campaigns, which are read through their own fence');
insert into app.read_only values ('campaign_search');
create function app.index_campaign() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app as $$
begin
  insert into campaign_search values (new.service_provider_id, new.id, app.search_grams(array[new.name, new.no], null, null))
    on conflict (service_provider_id, campaign_id) do update set grams = excluded.grams;
  return null;
end $$;
create trigger search after insert or update of name on coupon_campaigns for each row execute function app.index_campaign();
insert into campaign_search select service_provider_id, id, app.search_grams(array[name, no], null, null) from coupon_campaigns;
-- A state that few have is found without looking through all of them.
create index coupon_campaigns_state on coupon_campaigns (service_provider_id, merchant_id, state, created_at desc, id desc);
