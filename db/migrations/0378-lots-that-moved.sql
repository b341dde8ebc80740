-- 退卡 of what was moved is reckoned with the lots that it came from, and what a recharge gave with all the lots that went of it.
create index value_lots_from on value_lots (service_provider_id, from_lot) where from_lot is not null;
-- What was moved may be gift alone by its mode, and is worth its share of what was paid for all the same.
drop index value_lots_other;
drop index value_lots_other_of;
create index value_lots_other on value_lots (service_provider_id, merchant_id, created_at desc, id desc)
  where order_id is null and (principal_cents > 0 or from_lot is not null);
create index value_lots_other_of on value_lots (service_provider_id, created_at desc, id desc)
  where order_id is null and (principal_cents > 0 or from_lot is not null);
