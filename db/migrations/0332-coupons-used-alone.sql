-- Coupons that were used up without an order, as a desk lists them.
create index coupon_events_alone on coupon_events (service_provider_id, merchant_id, at) where cause = 'self';
