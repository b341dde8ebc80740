-- A platform's voucher that was used is printed on the store's printers, once on each.
alter table hardware_outputs add column attempt_id uuid,
  add constraint hardware_outputs_attempt foreign key (service_provider_id, attempt_id) references voucher_verifications (service_provider_id, id),
  drop constraint hardware_outputs_cause_check,
  add constraint hardware_outputs_cause_check check (cause in ('payment', 'refund', 'test', 'reprint', 'voucher')),
  drop constraint hardware_outputs_check,
  add constraint hardware_outputs_of_order check ((cause in ('test', 'voucher')) = (order_id is null)),
  add constraint hardware_outputs_of_attempt check ((cause = 'voucher') = (attempt_id is not null));
-- What was used before it was switched on for payments is not printed by it.
alter table store_hardware add column payment_since timestamptz;
create unique index hardware_outputs_voucher on hardware_outputs (service_provider_id, hardware_id, attempt_id) where attempt_id is not null;
create index voucher_verifications_settled on voucher_verifications (settled_at) where status = 1;
