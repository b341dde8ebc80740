-- The log of configuration changes is a provider's through and through; what the platform changed stands under nil, as its version does
-- (config_versions).
update config_changes set service_provider_id = '00000000-0000-0000-0000-000000000000' where service_provider_id is null;
alter table config_changes alter column service_provider_id set not null, drop constraint config_changes_pkey, add primary key (service_provider_id, id);
