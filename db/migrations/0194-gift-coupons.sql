-- Coupons that come with something else: a recharge's tier, a card that is opened. Written down in that thing's own transaction, given right after by a job; what
-- can't be given says why.
create table coupon_gifts (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  member_id uuid not null,
  cause text not null check (cause in ('recharge', 'card')),
  cause_id uuid not null,
  place int not null check (place > 0),
  campaign_id uuid not null,
  -- 0 待发, 1 已发, 2 没发成, 3 已收回
  status smallint not null default 0 check (status between 0 and 3),
  reason text not null default '',
  coupon_id uuid,
  at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, cause, cause_id, place),
  foreign key (service_provider_id, merchant_id, member_id) references members (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id, campaign_id) references coupon_campaigns (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, coupon_id) references coupons (service_provider_id, id),
  check (status <> 1 or coupon_id is not null)
);
create index coupon_gifts_waiting on coupon_gifts (at) where status = 0;
create policy who on coupon_gifts as restrictive using ((select app.level()) in ('PLATFORM', 'SP', 'MCH', 'AE'));

alter table recharges add column coupon_campaign_id uuid, add column coupon_count int,
  add constraint recharges_coupons check ((coupon_campaign_id is null) = (coupon_count is null) and coupon_count between 1 and 10);

alter table card_activities add column coupon_campaign_id uuid, add column coupon_count int,
  add constraint card_activities_coupons check ((coupon_campaign_id is null) = (coupon_count is null) and coupon_count between 1 and 10),
  drop constraint card_activities_check1,
  add constraint card_activities_gives check (points > 0 or gift_cents > 0 or coupon_campaign_id is not null);
