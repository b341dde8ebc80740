-- 进件申请, its screen: who wrote each field last, and whether WeChat Pay lets a provider bring in 小微 merchants.
alter table dossiers add column writers jsonb not null default '{}';
create index dossiers_newest on dossiers (service_provider_id, updated_at desc, id desc);
alter table applyment_accounts add column micro boolean not null default false;
-- An agent or a team fills in too, and may not see the keys that stand beside it.
create function app.applyment_micro(provider uuid) returns boolean
  language sql stable security definer set search_path = pg_catalog, public, app set app.scope = 'PLATFORM||||||||' as $$
  select coalesce((select a.micro from applyment_accounts a where a.service_provider_id = provider), false)
$$;
