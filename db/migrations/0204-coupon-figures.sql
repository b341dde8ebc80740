-- 优惠券汇总 reads what happened in some days: of a merchant by its own moments, of a provider by where those days stand in the table, which grows in their order.
create index coupon_events_days on coupon_events (service_provider_id, merchant_id, at);
create index coupon_events_at on coupon_events using brin (at) with (autosummarize = on);
