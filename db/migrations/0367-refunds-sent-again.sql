-- A refund that failed and is sent again counts to the merchant's limit of the day on which it goes out again, too: when that was last.
alter table refunds add column again_at timestamptz;
create index refunds_again on refunds (service_provider_id, merchant_id, again_at) where again_at is not null;
