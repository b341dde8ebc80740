-- What was moved from another member or brought along, the newest first: its 退卡 begins in a list of its own. Nothing in these indexes ever
-- changes, so that drawing of a lot stays as cheap as it was.
create index value_lots_other on value_lots (service_provider_id, merchant_id, created_at desc, id desc) where order_id is null and principal_cents > 0;
create index value_lots_other_of on value_lots (service_provider_id, created_at desc, id desc) where order_id is null and principal_cents > 0;
