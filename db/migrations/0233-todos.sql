-- What waits for a person (待办) is found without reading what does not: few rows wait of many.
create index sharing_orders_missed on sharing_orders (service_provider_id, merchant_id) where status in (2, 3) and amount_cents > shared_cents;
create index sharing_returns_failed on sharing_returns (service_provider_id, merchant_id) where status = 3;
create index sharing_records_undecided on sharing_records (service_provider_id, merchant_id) where state = 'waiting';
create index withdrawals_with_people on withdrawals (service_provider_id) where status in (0, 2);
create index activity_grants_in_review on activity_grants (service_provider_id, merchant_id) where status = 'review';
create index point_adjustments_undecided on point_adjustments (service_provider_id, merchant_id) where status = 0;
create index value_adjusts_undecided on value_adjusts (service_provider_id, merchant_id) where status = 0;
create index recharges_undecided on recharges (service_provider_id, merchant_id) where status = 3;
create index invoice_applications_undecided on invoice_applications (service_provider_id, merchant_id) where status = 0;
create index invoices_failed on invoices (service_provider_id, merchant_id) where status in (3, 6);
create index mall_orders_to_ship on mall_orders (service_provider_id, merchant_id) where status = 1;
create index voucher_verifications_unknown on voucher_verifications (service_provider_id, merchant_id)
  where status in (3, 4, 5) and next_at is null;
