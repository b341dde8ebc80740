-- The price of an order (docs/money.md): its lines, what took something off of them, and the facts that it can be reckoned from again.
-- Only the room `pricing` writes these. An order that was placed as an amount has none of them.
create table order_lines (
  service_provider_id uuid not null,
  order_id uuid not null,
  place smallint not null check (place between 1 and 500),
  merchant_id uuid not null,
  store_id uuid not null,
  goods_no text,
  name text not null,
  units int not null check (units between 1 and 9999),
  unit_cents bigint not null check (unit_cents >= 0),
  no_discount boolean not null default false,
  freight boolean not null default false,
  -- What it comes to before tenders: its value in a refund.
  net_cents bigint not null check (net_cents between 0 and units * unit_cents),
  primary key (service_provider_id, order_id, place),
  foreign key (service_provider_id, order_id) references pay_orders (service_provider_id, id)
);
create table price_parts (
  service_provider_id uuid not null,
  order_id uuid not null,
  n smallint not null check (n > 0),
  merchant_id uuid not null,
  store_id uuid not null,
  source text not null check (source in ('voucher', 'member', 'auto', 'coupon', 'manual', 'till', 'points', 'stored', 'channel', 'short')),
  -- The contributor's own name of it; for what the merchant bears the source that it was before, too.
  ref text not null,
  name text not null,
  off_cents bigint not null check (off_cents > 0),
  provider_cents bigint not null check (provider_cents >= 0),
  merchant_cents bigint not null check (merchant_cents >= 0),
  points bigint not null default 0 check (points >= 0),
  gift_cents bigint not null default 0 check (gift_cents between 0 and off_cents),
  primary key (service_provider_id, order_id, n),
  unique (service_provider_id, order_id, source, ref),
  foreign key (service_provider_id, order_id) references pay_orders (service_provider_id, id),
  check (off_cents = provider_cents + merchant_cents)
);
create table price_part_lines (
  service_provider_id uuid not null,
  order_id uuid not null,
  n smallint not null,
  place smallint not null,
  merchant_id uuid not null,
  store_id uuid not null,
  cents bigint not null check (cents > 0),
  primary key (service_provider_id, order_id, n, place),
  foreign key (service_provider_id, order_id, n) references price_parts (service_provider_id, order_id, n),
  foreign key (service_provider_id, order_id, place) references order_lines (service_provider_id, order_id, place)
);
create table price_facts (
  service_provider_id uuid not null,
  order_id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  at timestamptz not null,
  -- Facts and wish as they were priced; text, so that what was sealed is what is read again.
  facts text not null,
  sha256 bytea not null,
  primary key (service_provider_id, order_id),
  foreign key (service_provider_id, order_id) references pay_orders (service_provider_id, id)
);
-- 400 days after the order the facts go; parts and lines stay.
create index price_facts_at on price_facts (at);
-- How a refund is cut: an amount or units of lines that were asked for, what of each tender goes back, and of each part its points and what
-- of the provider's part is not claimed. The refund's status says whether it counts.
create table price_backs (
  service_provider_id uuid not null,
  refund_id uuid not null,
  source text not null,
  ref text not null,
  order_id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  -- Of an amount and of a tender.
  cents bigint not null default 0 check (cents >= 0),
  units int not null default 0 check (units >= 0),
  points bigint not null default 0 check (points >= 0),
  provider_cents bigint not null default 0 check (provider_cents >= 0),
  primary key (service_provider_id, refund_id, source, ref),
  foreign key (service_provider_id, refund_id) references refunds (service_provider_id, id),
  foreign key (service_provider_id, order_id) references pay_orders (service_provider_id, id)
);
create index price_backs_order on price_backs (service_provider_id, order_id);

-- The columns of an order stay, as sums of its parts. What was paid is the rest; what it came to is all of them.
alter table pay_orders
  add column priced boolean not null default false,
  add column member_cents bigint not null default 0 check (member_cents >= 0),
  add column activity_cents bigint not null default 0 check (activity_cents >= 0),
  add column manual_cents bigint not null default 0 check (manual_cents >= 0),
  add column voucher_cents bigint not null default 0 check (voucher_cents >= 0),
  -- What was taken off and was gone when the order was paid: the merchant bears it.
  add column short_cents bigint not null default 0 check (short_cents >= 0);
alter table pay_orders drop constraint pay_orders_check,
  add constraint pay_orders_sum check (gross_cents = paid_cents + coupon_cents + points_cents + stored_value_cents + member_cents + activity_cents
    + manual_cents + voucher_cents + short_cents);
alter table pay_orders drop column discount_cents;
alter table pay_orders add column discount_cents bigint not null generated always as (gross_cents - paid_cents) stored;
