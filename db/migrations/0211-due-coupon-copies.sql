-- What is due is looked for batch by batch: codes that wait for a batch which WeChat has not made stand in nobody's way.
drop index coupon_copies_due;
create index coupon_copies_due on coupon_copies (service_provider_id, campaign_id, next_at) where next_at is not null;
