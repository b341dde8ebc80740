-- 收银员: what one may do at a till, when one works, and at which device. No limit is null.
alter table cashiers
  -- 0 不分班, 1 早班, 2 中班, 3 晚班
  add column shift smallint not null default 0 check (shift between 0 and 3),
  add column pay_most_cents bigint check (pay_most_cents > 0),
  add column refund_most_cents bigint check (refund_most_cents >= 0),
  add column refund_day_cents bigint check (refund_day_cents >= 0),
  add column revision int not null default 1;
create index cashiers_newest on cashiers (service_provider_id, merchant_id, created_at desc, id desc);

-- A cashier works at one device at a time: the one that was there first keeps its cashier.
update devices d set cashier_id = null where cashier_id is not null and exists (
  select 1 from devices x where x.service_provider_id = d.service_provider_id and x.cashier_id = d.cashier_id and (x.created_at, x.id) < (d.created_at, d.id));
create unique index devices_cashier on devices (service_provider_id, cashier_id) where cashier_id is not null;

-- Who gave the money back at the till, for that cashier's own limits.
alter table refunds add column cashier_id uuid;
alter table refunds add foreign key (service_provider_id, cashier_id) references cashiers (service_provider_id, id);
create index refunds_cashier on refunds (service_provider_id, cashier_id, created_at) where cashier_id is not null;

-- A cashier's own pay code, beside the one of the store.
alter table pay_codes add column cashier_id uuid;
alter table pay_codes add foreign key (service_provider_id, store_id, cashier_id) references cashiers (service_provider_id, store_id, id);
drop index pay_codes_store;
create unique index pay_codes_store on pay_codes (service_provider_id, store_id) where state = 'active' and cashier_id is null;
create unique index pay_codes_cashier on pay_codes (service_provider_id, cashier_id) where state = 'active' and cashier_id is not null;
