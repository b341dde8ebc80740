-- A desk looks every three seconds at what has no result yet.
create index voucher_verifications_open on voucher_verifications (service_provider_id, store_id) where status in (0, 3, 4, 5);
