-- 远程命令: what a device is to do, counted within the device, so that it does a number once however often it hears of it.
alter table devices
  add column command_no int not null default 0,
  add column storage_total_mb int check (storage_total_mb >= 0),
  add column storage_free_mb int check (storage_free_mb between 0 and storage_total_mb),
  -- The latest heartbeats by their signed moments, newest first: what came is not taken again (heartbeat.ts).
  add column beats bigint[] not null default '{}';
-- A heartbeat changes no index and finds room beside its row.
alter table devices set (fillfactor = 80);
create table device_commands (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  device_id uuid not null,
  number int not null,
  kind text not null check (kind in ('restart', 'refresh-config', 'screenshot', 'upload-log')),
  -- 0 待送达, 1 已送达, 2 已完成, 3 失败, 4 已取消, 5 已过期
  status smallint not null default 0 check (status between 0 and 5),
  user_id uuid,
  by_name text not null,
  -- What the device said of it.
  words text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  delivered_at timestamptz,
  finished_at timestamptz,
  primary key (service_provider_id, id),
  unique (service_provider_id, device_id, number),
  foreign key (service_provider_id, merchant_id, store_id) references stores (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, device_id) references devices (service_provider_id, id)
);
create index device_commands_open on device_commands (expires_at) where status in (0, 1);
create index device_commands_age on device_commands (created_at);
create trigger guard_edge before update of status on device_commands for each row execute function app.guard_edge('device_command');
-- What was delivered may still be reported when its time is over.
insert into app.state_edges values ('device_command', '0', '1'), ('device_command', '0', '4'), ('device_command', '0', '5'),
  ('device_command', '1', '2'), ('device_command', '1', '3'), ('device_command', '1', '5'), ('device_command', '5', '2'), ('device_command', '5', '3');

-- The picture or log that a device brought for a command; kept for days.
create table device_files (
  service_provider_id uuid not null,
  command_id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  content_type text not null check (content_type in ('image/png', 'image/jpeg', 'text/plain')),
  bytes bytea not null check (length(bytes) <= 200000),
  created_at timestamptz not null,
  primary key (service_provider_id, command_id),
  foreign key (service_provider_id, command_id) references device_commands (service_provider_id, id)
);
create index device_files_age on device_files (created_at);

-- 离线提醒: a stretch of silence that was told, and when it was over.
create table device_outages (
  service_provider_id uuid not null,
  device_id uuid not null,
  -- The last heartbeat before it.
  since timestamptz not null,
  merchant_id uuid not null,
  store_id uuid not null,
  told_at timestamptz not null,
  ended_at timestamptz,
  primary key (service_provider_id, device_id, since),
  foreign key (service_provider_id, merchant_id, store_id) references stores (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, device_id) references devices (service_provider_id, id)
);
create unique index device_outages_open on device_outages (service_provider_id, device_id) where ended_at is null;
create index device_outages_age on device_outages (told_at);

-- Tells everybody in use who sees a store: those of it and those of its merchant that are not narrowed to other stores.
create function app.tell_store(to_provider uuid, to_merchant uuid, to_store uuid, given_kind text, given_title text, given_body text, given_href text,
    given_item text, given_once text, at timestamptz) returns int
  language sql volatile security definer set search_path = pg_catalog, public, app set app.scope = 'PLATFORM||||||||' as $$
  with told as (
    insert into messages (owner_user_id, id, kind, title, body, href, item, once, created_at)
      select u.id, gen_random_uuid(), given_kind, given_title, given_body, given_href, given_item, given_once, at
      from users u where u.state = 'active' and u.level in ('MCH', 'AE') and u.service_provider_id = to_provider and u.merchant_id = to_merchant
        and (split_part(app.scope_of(u), '|', 8) = '' or to_store = any(split_part(app.scope_of(u), '|', 8)::uuid[]))
    on conflict (owner_user_id, once) do nothing returning 1)
  select count(*)::int from told $$;
