-- Discounts that the channel took off a payment, and who bears each, as the transaction said when it was settled.
-- What left the payer's pocket is what was paid less these.
create table order_promotions (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  order_id uuid not null,
  -- The channel's number of the coupon.
  coupon_no text not null,
  name text not null,
  -- NOCASH is taken off what the merchant receives, CASH was prepaid.
  type text not null check (type in ('CASH', 'NOCASH')),
  amount_cents bigint not null check (amount_cents >= 0),
  channel_cents bigint not null check (channel_cents >= 0),
  merchant_cents bigint not null check (merchant_cents >= 0),
  other_cents bigint not null check (other_cents >= 0),
  primary key (service_provider_id, id),
  foreign key (service_provider_id, order_id) references pay_orders (service_provider_id, id)
);
create index order_promotions_order on order_promotions (service_provider_id, order_id);
insert into app.append_only values ('order_promotions');
