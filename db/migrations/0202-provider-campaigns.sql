-- 服务商的券 (marketing.md 1): a provider's own campaign has no merchant. It covers some of its merchants, and a coupon of it belongs to the
-- merchant whose member received it.
alter table coupon_campaigns alter column merchant_id drop not null;
alter table coupon_terms alter column merchant_id drop not null;
alter table coupon_stock alter column merchant_id drop not null;
-- Without a merchant the keys over it ask nothing.
alter table coupon_terms add foreign key (service_provider_id, campaign_id) references coupon_campaigns (service_provider_id, id);
alter table coupon_stock add foreign key (service_provider_id, campaign_id) references coupon_campaigns (service_provider_id, id);
-- How many percent of what comes off the provider pays; the merchant bears the rest.
alter table coupon_campaigns add column provider_percent int not null default 0 check (provider_percent between 0 and 100),
  add constraint coupon_campaigns_funder check (case when merchant_id is null then (funder = 1) = (provider_percent > 0)
    else funder = 2 and provider_percent = 0 end);
create index coupon_campaigns_provider on coupon_campaigns (service_provider_id, created_at desc, id desc) where merchant_id is null;

-- A merchant that a provider's campaign covers. ASKED 待接受: it would bear a part and has not said yes; ACCEPTED 已参加; LEFT 不参加.
create table coupon_covers (
  service_provider_id uuid not null,
  campaign_id uuid not null,
  merchant_id uuid not null,
  state text not null check (state in ('ASKED', 'ACCEPTED', 'LEFT')),
  by_name text not null default '',
  at timestamptz not null,
  primary key (service_provider_id, campaign_id, merchant_id),
  foreign key (service_provider_id, campaign_id) references coupon_campaigns (service_provider_id, id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);
create index coupon_covers_merchant on coupon_covers (service_provider_id, merchant_id, campaign_id);
insert into app.state_edges values ('coupon_cover', 'ASKED', 'ACCEPTED'), ('coupon_cover', 'ASKED', 'LEFT'), ('coupon_cover', 'ACCEPTED', 'LEFT'),
  ('coupon_cover', 'LEFT', 'ACCEPTED');
create trigger guard_edge before update of state on coupon_covers for each row execute function app.guard_coupon_edge('coupon_cover');
create policy who on coupon_covers as restrictive using ((select app.level()) in ('PLATFORM', 'SP', 'MCH', 'AE'));

-- A merchant reads the campaigns that cover it, beside its own, once they were approved.
create policy covered on coupon_campaigns for select using (merchant_id is null and state <> 'UNAUDIT' and exists (select from coupon_covers v
  where v.service_provider_id = coupon_campaigns.service_provider_id and v.campaign_id = coupon_campaigns.id));
create policy covered on coupon_terms for select using (merchant_id is null and exists (select from coupon_campaigns c
  where c.service_provider_id = coupon_terms.service_provider_id and c.id = coupon_terms.campaign_id));
create policy covered on coupon_stock for select using (merchant_id is null and exists (select from coupon_campaigns c
  where c.service_provider_id = coupon_stock.service_provider_id and c.id = coupon_stock.campaign_id));

-- What of a use the provider pays.
alter table coupon_uses add column provider_cents bigint not null default 0 check (provider_cents between 0 and off_cents);
