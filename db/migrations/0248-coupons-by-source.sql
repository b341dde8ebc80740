-- The same rule as before, by what tells most first: as (campaign, source, …) it competed with the index of a campaign's people, and where
-- statistics were young a plan read the whole campaign for each of them.
alter table coupons drop constraint coupons_service_provider_id_campaign_id_source_source_id_key;
alter table coupons add unique (service_provider_id, source_id, source, campaign_id);
