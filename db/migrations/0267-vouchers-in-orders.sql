-- 平台券 in a bill (platforms.md 2, 8): the order that a use stands in is a column of the use, so that it is in one at most. A closed order lets it
-- go; one that is taken back keeps its order, for the record.
alter table voucher_verifications
  add column order_id uuid,
  add constraint voucher_verifications_order foreign key (service_provider_id, order_id) references pay_orders (service_provider_id, id),
  add constraint voucher_verifications_order_state check (order_id is null or status in (1, 5, 6));
create index voucher_verifications_order on voucher_verifications (service_provider_id, order_id) where order_id is not null;

-- What a refund does with each voucher of its order: it is taken back first, or it stays and why.
create table voucher_backs (
  service_provider_id uuid not null,
  refund_id uuid not null,
  attempt_id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  order_id uuid not null,
  -- 0 to be taken back, 1 taken back, 2 the platform said no or it was too late, 3 kept by whoever asked
  state smallint not null check (state between 0 and 3),
  message text not null default '' check (length(message) <= 200),
  at timestamptz not null,
  primary key (service_provider_id, refund_id, attempt_id),
  foreign key (service_provider_id, refund_id) references refunds (service_provider_id, id),
  foreign key (service_provider_id, attempt_id) references voucher_verifications (service_provider_id, id),
  foreign key (service_provider_id, order_id) references pay_orders (service_provider_id, id)
);
create unique index voucher_backs_open on voucher_backs (service_provider_id, attempt_id) where state = 0;
create index voucher_backs_order on voucher_backs (service_provider_id, order_id);
call app.only_levels('voucher_backs', array['PLATFORM', 'SP', 'MCH', 'AE']);

-- A refund that waits, 待审批, until its vouchers are taken back at their platform, or will not be.
alter table refunds drop constraint refunds_waits_for_check,
  add constraint refunds_waits_for_check check (waits_for in ('red', 'red-audit', 'red-failed', 'voucher'));
-- Each night the parts of such orders are compared with the uses.
create index pay_orders_vouchers on pay_orders (service_provider_id) where voucher_cents > 0;
