-- Inherited configuration: a value that stands at a node holds for everything below it until a nearer node has its own.
-- The tree is device (0) → store (1) → merchant (2) → provider (3) → platform (4), spec.md section 3.

alter table devices add constraint devices_place unique (service_provider_id, merchant_id, store_id, id);

-- One value of one node. `save_id` names the save that put it there, so that who saves next can be told of it.
create table config_overrides (
  namespace text not null check (namespace in ('device', 'ad')),
  item_type smallint not null check (item_type between 0 and 4),
  item_id uuid not null,
  ckey text not null,
  value jsonb not null check (jsonb_typeof(value) in ('string', 'number', 'boolean')),
  service_provider_id uuid, merchant_id uuid, store_id uuid, device_id uuid,
  save_id uuid not null,
  changed_by text not null,
  changed_at timestamptz not null,
  primary key (namespace, item_id, ckey),
  check (device_id is not distinct from case when item_type = 0 then item_id end),
  check (case item_type
    when 4 then item_id = '00000000-0000-0000-0000-000000000000' and service_provider_id is null and merchant_id is null and store_id is null
    when 3 then item_id = service_provider_id and merchant_id is null and store_id is null
    when 2 then service_provider_id is not null and item_id = merchant_id and store_id is null
    when 1 then service_provider_id is not null and merchant_id is not null and item_id = store_id
    else service_provider_id is not null and merchant_id is not null and store_id is not null end),
  foreign key (service_provider_id) references service_providers (id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, store_id) references stores (service_provider_id, merchant_id, id),
  -- A device that moves within its merchant takes its own values along.
  foreign key (service_provider_id, merchant_id, store_id, device_id) references devices (service_provider_id, merchant_id, store_id, id) on update cascade
);
create index config_overrides_key on config_overrides (namespace, ckey, service_provider_id);
insert into app.open_tables values ('config_overrides', 'fenced by its own policies below: what stands above a node is part of what holds at it');
alter table config_overrides enable row level security;
alter table config_overrides force row level security;
-- The values of one's own provider and of the platform are read from below; written is only one's own tree.
create policy look on config_overrides for select using (
  case when (select app.own_id()) is null then false
    when service_provider_id is null then true
    else service_provider_id = coalesce((select app.provider()), service_provider_id)
      and (merchant_id is null or (select app.level()) in ('PLATFORM', 'ADMIN', 'SP') or merchant_id in (select unnest(app.merchants_in_sight())))
      and (store_id is null or store_id = any(coalesce((select app.stores()), array[store_id]))) end);
create policy fence on config_overrides using (
  case (select app.level()) when 'PLATFORM' then true when 'ADMIN' then true
    when 'SP' then service_provider_id = (select app.provider())
    when 'MCH' then service_provider_id = (select app.provider()) and merchant_id = (select app.own_id())
      and ((select app.stores()) is null or store_id = any(coalesce((select app.stores()), '{}'::uuid[])))
    else false end);

-- Who changed what from what, per save. A value that is null is no value of its own.
create table config_changes (
  id uuid primary key,
  save_id uuid not null,
  undoes uuid,
  namespace text not null check (namespace in ('device', 'ad')),
  item_type smallint not null check (item_type between 0 and 4),
  item_id uuid not null,
  ckey text not null,
  from_value jsonb, to_value jsonb,
  service_provider_id uuid, merchant_id uuid, store_id uuid,
  user_id uuid,
  changed_by text not null,
  changed_at timestamptz not null
);
create index config_changes_node on config_changes (namespace, item_id, changed_at desc, id desc);
create index config_changes_save on config_changes (save_id);
create index config_changes_undoes on config_changes (undoes) where undoes is not null;
insert into app.append_only values ('config_changes');
insert into app.open_tables values ('config_changes', 'fenced by its own policy below: rows of the platform have no provider');
alter table config_changes enable row level security;
alter table config_changes force row level security;
create policy fence on config_changes using (
  case (select app.level()) when 'PLATFORM' then true when 'ADMIN' then true
    when 'SP' then service_provider_id = (select app.provider())
    when 'MCH' then service_provider_id = (select app.provider()) and merchant_id = (select app.own_id())
      and ((select app.stores()) is null or store_id = any(coalesce((select app.stores()), '{}'::uuid[])))
    else false end);

-- Counts the saves below a provider, and under nil those of the platform: devices that wait for a change look here. The row
-- is also what two saves at once meet at.
create table config_versions (
  namespace text not null check (namespace in ('device', 'ad')),
  service_provider_id uuid not null,
  version bigint not null default 1,
  primary key (namespace, service_provider_id)
);
insert into app.open_tables values ('config_versions', 'holds numbers alone, which whoever saves counts up, also the platform for everybody');

-- Pictures of a configuration, by an unguessable number, which devices and screens ask for without a session.
create table config_pictures (
  id uuid primary key,
  content_type text not null check (content_type in ('image/png', 'image/jpeg')),
  bytes bytea not null check (length(bytes) <= 200000),
  user_id uuid not null,
  created_at timestamptz not null
);
create index config_pictures_user on config_pictures (user_id, created_at);
insert into app.open_tables values ('config_pictures', 'shown to whoever knows the number; whoever signed in may add one');
