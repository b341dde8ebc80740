-- What waits for people: bills that failed; terms that end, of one merchant.
create index bill_files_failed on bill_files (service_provider_id, merchant_id, created_at) where status = 'failed';
create index vip_terms_ending on vip_terms (service_provider_id, merchant_id, last_day) where status = 1;
