-- The code of an authorisation can be changed for tokens once: it is kept before it goes out, and what nobody answered is ended.
alter table wx_authorisations
  -- The person who set out came back with the code: only then an account is turned on.
  add column came_at timestamptz,
  -- The code went out for tokens, and no answer has come.
  add column asked_at timestamptz;
create index wx_authorisations_going on wx_authorisations (taken_at)
  where state in ('open', 'taking') and (code_sealed is not null or grant_sealed is not null);
create index wx_authorisations_app on wx_authorisations (service_provider_id, app_row, ended_at) where ended_at is not null;
-- When WeChat was last asked what an authorised account granted; null: it has to be asked.
alter table wx_apps add column facts_at timestamptz;
create index wx_apps_facts on wx_apps (facts_at nulls first) where auth_state = 'on';
