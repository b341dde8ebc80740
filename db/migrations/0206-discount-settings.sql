-- 优惠设置 (marketing.md 9): a merchant's defaults, as versions. Orders keep the figures that they were priced with in their facts.
create table discount_settings (
  service_provider_id uuid not null,
  merchant_id uuid not null,
  version int not null check (version > 0),
  -- 不同享 that a new coupon begins with.
  without text[] not null default '{}' check (without <@ array['member', 'auto', 'points']),
  -- Coupons of the whole order, and of single goods, that one order may use.
  most_whole smallint not null check (most_whole between 0 and 1),
  most_item smallint not null check (most_item between 0 and 2),
  -- 手工优惠 of one order: so many percent of what it comes to, and so many cents; null: what the cashier may.
  manual_percent smallint check (manual_percent between 0 and 100),
  manual_cents bigint check (manual_cents >= 0),
  by_name text not null,
  created_at timestamptz not null,
  primary key (service_provider_id, merchant_id, version),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);
insert into app.append_only values ('discount_settings');
