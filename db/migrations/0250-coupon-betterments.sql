-- Better terms for a campaign that gives out (marketing.md 1): asked for by one, decided by another. Who had a coupon before keeps what it said.
create table coupon_betterments (
  service_provider_id uuid not null,
  campaign_id uuid not null,
  n int not null check (n > 0),
  merchant_id uuid not null,
  -- 0 待审核, 1 已通过, 2 没有通过, 3 已撤回
  status smallint not null default 0 check (status between 0 and 3),
  -- The version of the terms that it makes better.
  version int not null,
  terms text not null,
  said text not null,
  value_cents bigint not null check (value_cents > 0),
  asked_by uuid not null,
  asked_by_name text not null,
  asked_at timestamptz not null,
  decided_by uuid,
  decided_by_name text,
  decided_at timestamptz,
  primary key (service_provider_id, campaign_id, n),
  foreign key (service_provider_id, merchant_id, campaign_id) references coupon_campaigns (service_provider_id, merchant_id, id),
  check ((status = 0) = (decided_at is null))
);
create unique index coupon_betterments_open on coupon_betterments (service_provider_id, campaign_id) where status = 0;
call app.only_levels('coupon_betterments', array['PLATFORM', 'SP', 'MCH', 'AE']);
