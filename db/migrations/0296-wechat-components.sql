-- 第三方平台 (platforms.md 6): a provider's own component at WeChat, to which merchants authorise their official accounts.
create table wx_components (
  service_provider_id uuid not null,
  -- Its callback address.
  id uuid not null,
  app_id text not null check (app_id ~ '^wx[0-9a-f]{16}$'),
  secret_sealed text not null,
  -- What WeChat signs with and seals under; ours to make.
  token_sealed text not null,
  aes_key_sealed text not null,
  -- component_verify_ticket: WeChat sends one every ten minutes; when it made the last one that we have, and when that came.
  ticket_sealed text,
  ticket_made_at timestamptz,
  ticket_at timestamptz,
  -- When WeChat last took secret and ticket.
  proved_at timestamptz,
  revision int not null default 1 check (revision > 0),
  by_name text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (service_provider_id),
  unique (service_provider_id, id),
  check ((ticket_sealed is null) = (ticket_at is null) and (ticket_at is null) = (ticket_made_at is null))
);

alter table wx_apps
  -- own: by its AppSecret. component: as it was authorised to the provider's component; off once that was taken back.
  add column way text not null default 'own' check (way in ('own', 'component')),
  add column auth_state text check (auth_state in ('on', 'off')),
  add column auth_at timestamptz,
  -- What was granted, by WeChat's numbers.
  add column permissions int[] not null default '{}',
  -- WeChat's original id, by which its messages name it.
  add column original_id text,
  add column may_call boolean not null generated always as (case when way = 'component' then auth_state = 'on' else secret_sealed is not null end) stored,
  add check ((way = 'component') = (auth_state is not null) and (auth_state is null) = (auth_at is null));

-- A token is that of an account or of a component. The refresh token of an authorised account stands beside the token that it makes.
alter table wx_app_tokens drop constraint wx_app_tokens_service_provider_id_app_row_fkey, add column refresh_sealed text;
-- Calls of a component belong to no account.
alter table wx_calls alter column merchant_id drop not null, alter column app_row drop not null,
  add check ((merchant_id is null) = (app_row is null));

-- One way through WeChat's page, or one of WeChat's own news that an authorisation has changed.
create table wx_authorisations (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  -- The account that it is for, or that came of it.
  app_row uuid,
  -- Whose it is; null where WeChat told by itself.
  made_by uuid,
  by_name text not null,
  -- What comes back in the address, and the code that WeChat's page was opened with: known by their hashes.
  state_hash bytea,
  pre_auth_hash bytea,
  -- The code that is changed for tokens.
  code_sealed text,
  state text not null default 'open' check (state in ('open', 'taking', 'done', 'failed')),
  why text not null default '',
  created_at timestamptz not null,
  ends_at timestamptz not null,
  taken_at timestamptz,
  ended_at timestamptz,
  primary key (service_provider_id, id),
  unique (service_provider_id, state_hash),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, app_row) references wx_apps (service_provider_id, merchant_id, id)
);
create index wx_authorisations_code on wx_authorisations (service_provider_id, pre_auth_hash) where pre_auth_hash is not null;
create index wx_authorisations_old on wx_authorisations (created_at);
call app.only_levels('wx_authorisations', array['PLATFORM', 'SP', 'MCH']);
