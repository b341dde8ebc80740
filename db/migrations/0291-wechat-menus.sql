-- 自定义菜单 (platforms.md 6): the menu below an official account's conversation: a draft here, and what WeChat has, as it was read or written last.
create table wx_menus (
  service_provider_id uuid not null,
  app_row uuid not null,
  merchant_id uuid not null,
  draft jsonb not null,
  revision int not null default 1 check (revision > 0),
  by_name text not null,
  updated_at timestamptz not null,
  -- Null: never read.
  live jsonb,
  live_at timestamptz,
  -- A publication that went out, and what is known of its end.
  publish_state text not null default 'none' check (publish_state in ('none', 'asked', 'done', 'failed', 'unknown')),
  publish_why text not null default '',
  published_at timestamptz,
  published_by_name text not null default '',
  primary key (service_provider_id, app_row),
  foreign key (service_provider_id, merchant_id, app_row) references wx_apps (service_provider_id, merchant_id, id)
);
call app.only_levels('wx_menus', array['PLATFORM', 'SP', 'MCH']);
