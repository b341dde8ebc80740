-- Advertisements: what may be shown (materials, looked at before they play), what is shown where and when (ads), and what was shown (plays).
-- A provider owns its own; what has no provider is the platform's. `owner_id` says the same without a null, so that a reference
-- from one owner's ad to another's material can't stand.
create table ad_materials (
  id uuid primary key,
  service_provider_id uuid references service_providers (id),
  owner_id uuid not null generated always as (coalesce(service_provider_id, '00000000-0000-0000-0000-000000000000'::uuid)) stored,
  name text not null,
  -- 1 图片, 2 视频
  kind smallint not null check (kind in (1, 2)),
  content_type text not null check (content_type in ('image/png', 'image/jpeg', 'video/mp4')),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size_bytes bigint not null check (size_bytes > 0),
  width int not null check (width > 0), height int not null check (height > 0),
  -- A video's length.
  duration_ms int check (duration_ms > 0),
  -- Keys in the file store; another content has another key.
  file_key text not null, thumb_key text,
  -- 0 未审核, 1 已通过, 2 不确定, 3 已拒绝 (domain.md, Status values)
  status smallint not null default 0 check (status between 0 and 3),
  reason text,
  -- What was looked at when it passed: another content does not play under its word.
  approved_sha256 text,
  audited_by text, audited_at timestamptz,
  revision int not null default 1,
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  removed_at timestamptz,
  unique (owner_id, id),
  check ((kind = 2) = (content_type = 'video/mp4')),
  check ((kind = 2) = (duration_ms is not null)),
  check (status <> 1 or approved_sha256 = sha256)
);
create index ad_materials_newest on ad_materials (owner_id, created_at desc, id desc);
create index ad_materials_all on ad_materials (created_at desc, id desc);
-- The same content once for each owner.
create unique index ad_materials_content on ad_materials (owner_id, sha256) where removed_at is null;
insert into app.state_edges values
  ('ad_material', '0', '1'), ('ad_material', '0', '2'), ('ad_material', '0', '3'), ('ad_material', '2', '1'), ('ad_material', '2', '3'),
  -- Another content was uploaded.
  ('ad_material', '1', '0'), ('ad_material', '2', '0'), ('ad_material', '3', '0');
create trigger guard_edge before update of status on ad_materials for each row execute function app.guard_edge('ad_material');

-- Who said what of which content.
create table ad_material_audits (
  id uuid primary key,
  owner_id uuid not null, material_id uuid not null,
  sha256 text not null,
  status smallint not null check (status between 0 and 3),
  reason text,
  user_id uuid, by_name text not null,
  at timestamptz not null,
  foreign key (owner_id, material_id) references ad_materials (owner_id, id)
);
create index ad_material_audits_material on ad_material_audits (material_id, at desc, id desc);
insert into app.append_only values ('ad_material_audits');

-- A file on its way, in pieces; it is the uploader's alone.
create table ad_uploads (
  id uuid primary key,
  owner_user_id uuid not null,
  file_name text not null,
  size_bytes bigint not null check (size_bytes > 0),
  piece_count int not null default 0,
  done_bytes bigint not null default 0,
  status text not null default 'uploading' check (status in ('uploading', 'taken', 'cancelled')),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index ad_uploads_expired on ad_uploads (expires_at);

create table ads (
  id uuid primary key,
  service_provider_id uuid references service_providers (id),
  owner_id uuid not null generated always as (coalesce(service_provider_id, '00000000-0000-0000-0000-000000000000'::uuid)) stored,
  name text not null,
  -- 0 暂停, 1 启用
  status smallint not null default 0 check (status in (0, 1)),
  -- Shanghai days, the last one included.
  starts_on date not null, ends_on date not null,
  -- 1 Monday to 7 Sunday.
  weekdays smallint[] not null check (cardinality(weekdays) between 1 and 7 and weekdays <@ array[1, 2, 3, 4, 5, 6, 7]::smallint[]),
  -- Pairs of minutes of the day, the second excluded: [[540, 720]] is 9:00 to 12:00.
  periods jsonb not null check (jsonb_typeof(periods) = 'array' and jsonb_array_length(periods) between 1 and 12),
  -- The highest that is in its period plays; 9 is the platform's.
  priority smallint not null check (priority between 1 and 9),
  -- How often it comes in a round of those of the same priority.
  weight smallint not null check (weight between 1 and 10),
  -- Empty is all.
  models text[] not null default '{}',
  -- Codes of provinces or cities of the store; empty is all.
  regions text[] not null default '{}',
  revision int not null default 1,
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  removed_at timestamptz,
  unique (owner_id, id),
  check (ends_on >= starts_on),
  check (priority < 9 or service_provider_id is null)
);
create index ads_newest on ads (owner_id, created_at desc, id desc);
create index ads_all on ads (created_at desc, id desc);

-- What an ad shows, in this order.
create table ad_items (
  owner_id uuid not null,
  ad_id uuid not null,
  place smallint not null,
  material_id uuid not null,
  -- How long a picture stays; without it as the ad configuration of the device says. A video takes its own length.
  seconds smallint check (seconds between 1 and 300),
  primary key (ad_id, place),
  unique (ad_id, material_id),
  foreign key (owner_id, ad_id) references ads (owner_id, id),
  foreign key (owner_id, material_id) references ad_materials (owner_id, id)
);
create index ad_items_material on ad_items (material_id);

-- Under which nodes of the tree it plays (spec.md section 3), named as config_overrides names them.
create table ad_targets (
  owner_id uuid not null,
  ad_id uuid not null,
  item_type smallint not null check (item_type between 0 and 4),
  item_id uuid not null,
  service_provider_id uuid, merchant_id uuid, store_id uuid, device_id uuid,
  primary key (ad_id, item_id),
  foreign key (owner_id, ad_id) references ads (owner_id, id),
  check (device_id is not distinct from case when item_type = 0 then item_id end),
  check (case item_type
    when 4 then item_id = '00000000-0000-0000-0000-000000000000' and service_provider_id is null and merchant_id is null and store_id is null
    when 3 then item_id = service_provider_id and merchant_id is null and store_id is null
    when 2 then service_provider_id is not null and item_id = merchant_id and store_id is null
    when 1 then service_provider_id is not null and merchant_id is not null and item_id = store_id
    else service_provider_id is not null and merchant_id is not null and store_id is not null end),
  -- A provider's ads stay in its own tree.
  check (owner_id = '00000000-0000-0000-0000-000000000000' or owner_id is not distinct from service_provider_id),
  foreign key (service_provider_id) references service_providers (id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, store_id) references stores (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id, store_id, device_id) references devices (service_provider_id, merchant_id, store_id, id) on update cascade
);
create index ad_targets_node on ad_targets (item_id);

-- What was shown. Devices number their plays, and the same one counts once. One partition for each Shanghai day.
create table ad_plays (
  day date not null,
  device_id uuid not null,
  play_id uuid not null,
  service_provider_id uuid not null, merchant_id uuid not null, store_id uuid not null,
  ad_id uuid not null, material_id uuid not null,
  started_at timestamptz not null,
  ms int not null check (ms between 0 and 3600000),
  finished boolean not null,
  received_at timestamptz not null,
  primary key (day, device_id, play_id)
) partition by range (day);
-- Its sums, which stay when the rows are gone.
create table ad_plays_daily (
  service_provider_id uuid not null,
  day date not null,
  device_id uuid not null,
  ad_id uuid not null, material_id uuid not null,
  merchant_id uuid not null, store_id uuid not null,
  plays int not null, finished int not null, ms bigint not null,
  last_at timestamptz not null,
  primary key (service_provider_id, day, device_id, ad_id, material_id)
) with (fillfactor = 80);
create index ad_plays_daily_ad on ad_plays_daily (ad_id, day);
create index ad_plays_daily_device on ad_plays_daily (device_id, day);
create index ad_plays_daily_merchant on ad_plays_daily (service_provider_id, merchant_id, day);

-- The platform's ads and materials are read from below, since they play there; written is only one's own.
insert into app.open_tables values
  ('ad_materials', 'fenced by its own policies below: what the platform owns has no provider'),
  ('ad_material_audits', 'fenced by its own policies below: what the platform owns has no provider'),
  ('ads', 'fenced by its own policies below: what the platform owns has no provider'),
  ('ad_items', 'fenced by its own policies below: what the platform owns has no provider'),
  ('ad_targets', 'fenced by its own policies below: what the platform owns has no provider');
do $$
declare t text;
begin
  foreach t in array array['ad_materials', 'ad_material_audits', 'ads', 'ad_items', 'ad_targets'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format($p$create policy fence on %I using (
      case (select app.level()) when 'PLATFORM' then true when 'ADMIN' then true when 'SP' then owner_id = (select app.provider()) else false end)$p$, t);
    continue when t = 'ad_material_audits';
    execute format($p$create policy look on %I for select using (
      case when (select app.own_id()) is null then false else owner_id in ('00000000-0000-0000-0000-000000000000', (select app.provider())) %s end)$p$, t,
      -- Where else an ad plays is nobody's business below.
      case t when 'ad_targets' then $w$and (service_provider_id is null or service_provider_id = (select app.provider()))
        and (merchant_id is null or (select app.level()) in ('PLATFORM', 'ADMIN', 'SP') or merchant_id in (select unnest(app.merchants_in_sight())))
        and (store_id is null or store_id = any(coalesce((select app.stores()), array[store_id])))$w$ else '' end);
  end loop;
end $$;
