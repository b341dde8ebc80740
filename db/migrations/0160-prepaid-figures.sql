-- What was sold beforehand, by the moment of its payment, and what of it went back: few rows beside the goods.
create index pay_orders_prepaid on pay_orders (service_provider_id, merchant_id, paid_at) where purpose <> 0 and paid_at is not null;
create index pay_orders_prepaid_back on pay_orders (service_provider_id, merchant_id) where purpose <> 0 and value_refunded_cents > 0;
