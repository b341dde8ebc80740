-- 免充值券: what of a merchant's discount the channel took off by itself when it was paid. The channel's order is worth so much more
-- than what it settles (应结订单金额 = 订单金额 − 免充值券), and a refund of it takes its part of them back as well.
alter table pay_orders add column free_coupon_cents bigint not null default 0,
  add constraint pay_orders_free_coupon check (free_coupon_cents between 0 and coupon_cents);
alter table refunds add column free_coupon_cents bigint not null default 0 check (free_coupon_cents >= 0);
