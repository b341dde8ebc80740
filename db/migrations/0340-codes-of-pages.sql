-- What is asked for at a merchant's page is counted by the hour.
create index sms_codes_page on sms_codes (service_provider_id, merchant_id, created_at) where purpose = 'sign-in';
