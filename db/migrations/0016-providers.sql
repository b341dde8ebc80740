-- 服务商: its contract, quotas, brand with its own domain names, and what it calls its levels.
alter table service_providers
  -- Counts the edits, so that nobody overwrites what they did not see.
  add column version int not null default 1,
  add column contract_state text not null default 'signed'
    check (contract_state in ('inactive', 'pending', 'signed', 'expired', 'cancelled', 'rejected')),
  -- Both days included; without the last one it has no end.
  add column contract_from date, add column contract_until date,
  add check (contract_from <= contract_until),
  -- How many it may have, whatever their state; null means any number.
  add column merchant_quota int check (merchant_quota >= 0), add column store_quota int check (store_quota >= 0),
  add column device_quota int check (device_quota >= 0), add column account_quota int check (account_quota >= 0),
  add column favicon_url text, add column login_background_url text,
  add column colour_light text check (colour_light ~ '^#[0-9A-F]{6}$'),
  add column colour_dark text check (colour_dark ~ '^#[0-9A-F]{6}$'),
  add column icp_number text,
  add column level_names jsonb not null default '{}';

insert into app.state_edges values
  ('provider_contract', 'inactive', 'pending'), ('provider_contract', 'rejected', 'pending'),
  ('provider_contract', 'pending', 'signed'), ('provider_contract', 'pending', 'rejected'),
  ('provider_contract', 'signed', 'expired'), ('provider_contract', 'expired', 'signed'),
  ('provider_contract', 'inactive', 'cancelled'), ('provider_contract', 'pending', 'cancelled'),
  ('provider_contract', 'rejected', 'cancelled'), ('provider_contract', 'signed', 'cancelled'),
  ('provider_contract', 'expired', 'cancelled');
create function app.guard_provider_contract() returns trigger language plpgsql security definer set search_path = pg_catalog, app as $$
begin
  if new.contract_state is distinct from old.contract_state and not exists (
    select 1 from app.state_edges
    where thing = 'provider_contract' and from_state = old.contract_state and to_state = new.contract_state) then
    raise exception 'no way from % to % for a provider''s contract', old.contract_state, new.contract_state using errcode = 'ZF001';
  end if;
  return new;
end $$;
create trigger guard_contract before update of contract_state on service_providers for each row execute function app.guard_provider_contract();

-- What became of a contract, each step with who took it; without a name it was the calendar.
create table provider_contract_steps (
  service_provider_id uuid not null references service_providers (id),
  seq bigint not null generated always as identity,
  contract_state text not null,
  contract_from date, contract_until date,
  note text,
  by_name text,
  at timestamptz not null,
  primary key (service_provider_id, seq)
);
insert into app.append_only values ('provider_contract_steps');
-- Each warning is given once for each last day.
create table contract_warnings (
  service_provider_id uuid not null references service_providers (id),
  contract_until date not null,
  days_before int not null check (days_before in (30, 7, 1)),
  warned_at timestamptz not null,
  primary key (service_provider_id, contract_until, days_before)
);
insert into app.append_only values ('contract_warnings');

-- Whose a domain name is: one provider's at most. Kept by the trigger from `hosts`.
create table provider_hosts (
  host text primary key,
  service_provider_id uuid not null references service_providers (id)
);
insert into app.read_only values ('provider_hosts');
create function app.keep_provider_hosts() returns trigger language plpgsql security definer
  set search_path = pg_catalog, public, app set app.scope = 'PLATFORM||||||||' as $$
begin
  delete from provider_hosts x where x.service_provider_id = new.id and x.host <> all (new.hosts);
  insert into provider_hosts (host, service_provider_id)
    select distinct given, new.id from unnest(new.hosts) as given
    where not exists (select 1 from provider_hosts x where x.host = given and x.service_provider_id = new.id);
  return null;
end $$;
create trigger keep_hosts after insert or update of hosts on service_providers for each row execute function app.keep_provider_hosts();
select set_config('app.scope', 'PLATFORM||||||||', true);
insert into provider_hosts (host, service_provider_id) select distinct given, p.id from service_providers p, unnest(p.hosts) as given;

-- Pictures of a brand, small and checked. They are shown before anybody signs in, by their number.
create table brand_pictures (
  service_provider_id uuid not null references service_providers (id),
  id uuid not null,
  content_type text not null check (content_type in ('image/png', 'image/jpeg')),
  bytes bytea not null check (octet_length(bytes) <= 180000),
  created_at timestamptz not null,
  primary key (service_provider_id, id)
);
create unique index brand_pictures_id on brand_pictures (id);

-- How many of a kind a provider may have and has, holding its row until the transaction ends, so that whoever adds at the
-- same time waits and then counts what was added here. No row where there is no limit. It counts past the caller's scope:
-- an agent sees its own merchants only.
create function app.hold_quota(provider uuid, kind text) returns table (quota int, used int) language plpgsql security definer
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
      when 'device' then (select count(*)::int from devices x where x.service_provider_id = provider)
      else (select count(*)::int from users x where x.service_provider_id = provider) end
    from service_providers p where p.id = provider;
end $$;

-- Besides what 0003 asks of every node above an account: its provider's contract runs.
alter function app.hold_account(uuid) rename to hold_nodes;
create function app.hold_account(given uuid) returns boolean language plpgsql security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' as $$
declare provider uuid;
begin
  if not app.hold_nodes(given) then return false; end if;
  select u.service_provider_id into provider from users u where u.id = given;
  if provider is null then return true; end if;
  perform 1 from service_providers p where p.id = provider and p.contract_state = 'signed' for share;
  return found;
end $$;
