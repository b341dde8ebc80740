-- 优惠券汇总 reads what happened in some days, of a merchant or of a provider, and what of a merchant is out.
create index coupon_events_days on coupon_events (service_provider_id, merchant_id, at);
create index coupon_events_at on coupon_events (service_provider_id, at);
create index coupons_out_merchant on coupons (service_provider_id, merchant_id, campaign_id, version) where state in ('SENDED', 'LOCKED');
