-- One request number is one call of one ticket, and a number of a use belongs to one attempt: the database says so (platforms.md 8).
drop index voucher_verifications_request;
create unique index voucher_verifications_request on voucher_verifications (service_provider_id, merchant_id, request_id, place);
create unique index voucher_verifications_use on voucher_verifications (service_provider_id, account_id, verify_id)
  where status in (1, 5, 6);
-- Who took a use back.
alter table voucher_verifications add column cancel_user_id uuid, add column cancel_cashier_id uuid, add column cancel_device_id uuid;
-- The platform prolonged a voucher that was over.
insert into app.state_edges values ('platform_voucher', '3', '0'), ('platform_voucher', '3', '1');
