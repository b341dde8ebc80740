-- A use of a platform's voucher may be printed again by hand, as often as somebody asks.
alter table hardware_outputs
  drop constraint hardware_outputs_of_order,
  drop constraint hardware_outputs_of_attempt,
  add constraint hardware_outputs_of_one check (num_nonnulls(order_id, attempt_id) = case when cause = 'test' then 0 else 1 end),
  add constraint hardware_outputs_of_attempt check (case cause when 'voucher' then attempt_id is not null when 'reprint' then true else attempt_id is null end);
drop index hardware_outputs_voucher;
create unique index hardware_outputs_voucher on hardware_outputs (service_provider_id, hardware_id, attempt_id) where cause = 'voucher';
-- What was used before the merchant switched receipts on is not printed by it; as with a printer's own switch.
alter table merchant_settings add column print_receipt_since timestamptz;
