-- 待办 asks for days that a clerk proposed and nobody confirmed.
create index store_days_proposed on store_days (service_provider_id, merchant_id) where status = 'proposed';
