-- When the first of an account's certificates ends, so that it can be told before payments fail. Written with them; a job dates older ones.
alter table channel_accounts add column certificates_until timestamptz check (certificates_until is null or certificates is not null);
create index channel_accounts_ending on channel_accounts (service_provider_id, certificates_until) where certificates_until is not null;
