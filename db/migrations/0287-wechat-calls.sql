-- 凭据 of an official account: WeChat's own secret of it, the one access token made from that, and every call that was made under it.
alter table wx_apps
  -- AppSecret, and when it was typed; the last answer that was no refusal of it.
  add column secret_sealed text,
  add column secret_at timestamptz,
  add column proved_at timestamptz,
  add check ((secret_sealed is null) = (secret_at is null));

create table wx_app_tokens (
  service_provider_id uuid not null,
  app_row uuid not null,
  token_sealed text,
  -- When it ends by itself.
  ends_at timestamptz,
  -- Whoever asks WeChat for the next one; longer than a call lasts.
  taken_until timestamptz,
  -- WeChat gives a token by force 20 times a day, 30 s apart.
  forced_at timestamptz,
  forced_day date,
  forced_count int not null default 0,
  primary key (service_provider_id, app_row),
  foreign key (service_provider_id, app_row) references wx_apps (service_provider_id, id)
);
create policy who on wx_app_tokens as restrictive using ((select app.level()) = 'PLATFORM');

-- Every call: written down before it is made, settled after. Never a body, never a token.
create table wx_calls (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  app_row uuid not null,
  path text not null check (length(path) <= 64),
  started_at timestamptz not null,
  ended_at timestamptz,
  outcome text check (outcome in ('ok', 'refused', 'unknown')),
  code int,
  message text,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, app_row) references wx_apps (service_provider_id, merchant_id, id)
);
create index wx_calls_started on wx_calls (started_at);
call app.only_levels('wx_calls', array['PLATFORM', 'SP', 'MCH']);
