-- 设备台账: the things themselves, from the day they come to the day they are thrown away, whoever holds them. A thing that is in
-- use at a store is a row of `devices` too; what that row did stays when the thing moves on.
alter table devices drop constraint devices_state_check;
-- unbound: back in stock, retired: left the provider for good, under whose name its past stays.
alter table devices add constraint devices_state_check check (state in ('active', 'disabled', 'unbound', 'retired'));
alter table devices drop constraint devices_sn_key;
create unique index devices_sn on devices (sn) where state <> 'retired';
alter table devices add column revision int not null default 1;

create table equipment (
  id uuid primary key,
  sn text not null unique,
  model text not null,
  batch text,
  -- Who holds it: nobody named is the platform, a provider alone has it in stock, a merchant has it in stock or in use.
  service_provider_id uuid, merchant_id uuid,
  -- 0 在库, 1 使用中, 2 维修中, 3 已报废
  state smallint not null default 0 check (state between 0 and 3),
  device_id uuid,
  created_at timestamptz not null,
  moved_at timestamptz not null,
  foreign key (service_provider_id) references service_providers (id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id),
  foreign key (service_provider_id, device_id) references devices (service_provider_id, id),
  check (merchant_id is null or service_provider_id is not null),
  check ((state = 1) = (device_id is not null)),
  check (state <> 1 or merchant_id is not null)
);
create index equipment_newest on equipment (created_at desc, id desc);
create index equipment_provider on equipment (service_provider_id, created_at desc, id desc);
create index equipment_merchant on equipment (service_provider_id, merchant_id, created_at desc, id desc) where merchant_id is not null;
create unique index equipment_device on equipment (service_provider_id, device_id) where device_id is not null;
insert into app.open_tables values ('equipment', 'fenced by its own policies below: what the platform holds has no provider');
alter table equipment enable row level security;
alter table equipment force row level security;
create policy fence on equipment using (
  case (select app.level()) when 'PLATFORM' then true when 'ADMIN' then true
    when 'SP' then service_provider_id = (select app.provider())
    when 'MCH' then service_provider_id = (select app.provider()) and merchant_id = (select app.own_id()) and (select app.stores()) is null
    else false end);

-- Where it came from and where it went. Whoever held it before or after sees the move.
create table equipment_moves (
  id uuid primary key,
  equipment_id uuid not null references equipment (id),
  kind text not null check (kind in ('intake', 'issue', 'return', 'repair', 'repaired', 'bind', 'unbind', 'retire')),
  from_provider_id uuid, from_merchant_id uuid,
  to_provider_id uuid, to_merchant_id uuid, store_id uuid,
  note text,
  user_id uuid,
  by_name text not null,
  at timestamptz not null
);
create index equipment_moves_piece on equipment_moves (equipment_id, at desc, id desc);
insert into app.append_only values ('equipment_moves');
insert into app.open_tables values ('equipment_moves', 'fenced by its own policy below: a move has two sides');
alter table equipment_moves enable row level security;
alter table equipment_moves force row level security;
create policy fence on equipment_moves using (
  case (select app.level()) when 'PLATFORM' then true when 'ADMIN' then true
    when 'SP' then (select app.provider()) in (from_provider_id, to_provider_id)
    when 'MCH' then (select app.own_id()) in (from_merchant_id, to_merchant_id) and (select app.stores()) is null
    else false end);

-- Moves a thing from where the caller saw it, which may be out of the caller's sight afterwards; false where it was elsewhere by then.
-- Whether the caller may do so is decided before (domains/devices, equipment-rules.ts) on what row-level security showed it.
create function app.move_equipment(piece uuid, from_state int, from_provider uuid, from_merchant uuid, to_state int, to_provider uuid, to_merchant uuid,
  device uuid, moved timestamptz) returns boolean language plpgsql security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' as $$
begin
  update equipment set state = to_state, service_provider_id = to_provider, merchant_id = to_merchant, device_id = device, moved_at = moved
    where id = piece and state = from_state and service_provider_id is not distinct from from_provider and merchant_id is not distinct from from_merchant;
  return found;
end $$;

-- What is in use already.
insert into equipment (id, sn, model, service_provider_id, merchant_id, state, device_id, created_at, moved_at)
  select id, sn, model, service_provider_id, merchant_id, 1, id, created_at, created_at from devices;

-- A provider's quota counts what is in use.
create or replace function app.hold_quota(provider uuid, kind text) returns table (quota int, used int) language plpgsql security definer
  set search_path = pg_catalog, public, app set app.scope = 'PLATFORM||||||||' as $$
declare most int;
begin
  select case kind when 'merchant' then p.merchant_quota when 'store' then p.store_quota when 'device' then p.device_quota
    when 'account' then p.account_quota end into most from service_providers p where p.id = provider;
  if most is null then return; end if;
  perform 1 from service_providers p where p.id = provider for no key update;
  return query select
    case kind when 'merchant' then p.merchant_quota when 'store' then p.store_quota when 'device' then p.device_quota else p.account_quota end,
    case kind when 'merchant' then (select count(*)::int from merchants x where x.service_provider_id = provider)
      when 'store' then (select count(*)::int from stores x where x.service_provider_id = provider)
      when 'device' then (select count(*)::int from devices x where x.service_provider_id = provider and x.state in ('active', 'disabled'))
      else (select count(*)::int from users x where x.service_provider_id = provider) end
    from service_providers p where p.id = provider;
end $$;
