-- The tree of ownership: provider → merchant → store → device. Agent, group, team and salesman are attribution:
-- columns on the merchant as of now. Each node's own column (agents.agent_id …) repeats its id so that one fence fits all.
create table service_providers (
  id uuid primary key,
  service_provider_id uuid not null generated always as (id) stored,
  number text not null unique,
  name text not null,
  short_name text not null,
  contact_name text, contact_phone text,
  fee_rate int not null default 380 check (fee_rate between 0 and 100000),
  brand_title text, logo_url text, little_logo_url text, feedback_url text,
  hosts text[] not null default '{}',
  state text not null default 'active' check (state in ('active', 'disabled')),
  created_at timestamptz not null default now()
);

create table agents (
  service_provider_id uuid not null references service_providers (id),
  id uuid not null,
  agent_id uuid not null generated always as (id) stored,
  name text not null, contact_name text, contact_phone text, region text,
  profit_ratio int not null default 0 check (profit_ratio between 0 and 100000),
  state text not null default 'active' check (state in ('active', 'disabled')),
  created_at timestamptz not null default now(),
  primary key (service_provider_id, id)
);
create table business_groups (
  service_provider_id uuid not null references service_providers (id),
  id uuid not null,
  business_group_id uuid not null generated always as (id) stored,
  name text not null, leader text,
  state text not null default 'active' check (state in ('active', 'disabled')),
  created_at timestamptz not null default now(),
  primary key (service_provider_id, id)
);
create table business_teams (
  service_provider_id uuid not null references service_providers (id),
  id uuid not null,
  business_team_id uuid not null generated always as (id) stored,
  business_group_id uuid,
  name text not null, leader text,
  state text not null default 'active' check (state in ('active', 'disabled')),
  created_at timestamptz not null default now(),
  primary key (service_provider_id, id),
  foreign key (service_provider_id, business_group_id) references business_groups (service_provider_id, id)
);
create table salesmen (
  service_provider_id uuid not null references service_providers (id),
  id uuid not null,
  salesman_id uuid not null generated always as (id) stored,
  agent_id uuid, business_group_id uuid, business_team_id uuid,
  name text not null, phone text,
  state text not null default 'active' check (state in ('active', 'disabled')),
  created_at timestamptz not null default now(),
  primary key (service_provider_id, id),
  foreign key (service_provider_id, agent_id) references agents (service_provider_id, id),
  foreign key (service_provider_id, business_group_id) references business_groups (service_provider_id, id),
  foreign key (service_provider_id, business_team_id) references business_teams (service_provider_id, id)
);
create table merchants (
  service_provider_id uuid not null references service_providers (id),
  id uuid not null,
  merchant_id uuid not null generated always as (id) stored,
  number text not null,
  name text not null, short_name text not null,
  trade text, province text, city text, address text,
  agent_id uuid, business_group_id uuid, business_team_id uuid, salesman_id uuid,
  contact_name text, contact_phone text, service_phone text, logo_url text,
  fee_rate int not null default 380 check (fee_rate between 0 and 100000),
  -- Above it a refund waits for approval; null means never.
  refund_approval_above_cents bigint check (refund_approval_above_cents >= 0),
  state text not null default 'active' check (state in ('active', 'disabled')),
  opened_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  primary key (service_provider_id, id),
  unique (service_provider_id, number),
  foreign key (service_provider_id, agent_id) references agents (service_provider_id, id),
  foreign key (service_provider_id, business_group_id) references business_groups (service_provider_id, id),
  foreign key (service_provider_id, business_team_id) references business_teams (service_provider_id, id),
  foreign key (service_provider_id, salesman_id) references salesmen (service_provider_id, id)
);
create index merchants_id on merchants (id);
create index merchants_agent on merchants (service_provider_id, agent_id) where agent_id is not null;
create index merchants_group on merchants (service_provider_id, business_group_id) where business_group_id is not null;
create index merchants_team on merchants (service_provider_id, business_team_id) where business_team_id is not null;
create index merchants_salesman on merchants (service_provider_id, salesman_id) where salesman_id is not null;

-- What a merchant's channel needs; secrets are AES-256-GCM envelopes bound to this row (kit/server/crypto.ts).
create table channel_settings (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  channel smallint not null default 0,
  mode text not null check (mode in ('direct', 'partner')),
  app_id text not null, mch_id text not null, sub_mch_id text,
  cert_serial text not null,
  private_key_sealed text not null, api_v3_key_sealed text not null,
  platform_keys jsonb not null default '{}',
  base_url text not null,
  state text not null default 'active' check (state in ('active', 'disabled')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id, channel),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);
create index channel_settings_mch on channel_settings (mch_id, sub_mch_id);

create table stores (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null generated always as (id) stored,
  number text not null,
  name text not null, short_name text not null,
  province text, city text, address text, phone text, hours text,
  state text not null default 'active' check (state in ('active', 'disabled')),
  created_at timestamptz not null default now(),
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id, id),
  unique (service_provider_id, number),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);
create index stores_id on stores (id);
create index stores_merchant on stores (service_provider_id, merchant_id);

create table areas (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  name text not null,
  created_at timestamptz not null default now(),
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);
create table area_stores (
  service_provider_id uuid not null,
  area_id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  primary key (service_provider_id, area_id, store_id),
  foreign key (service_provider_id, merchant_id, area_id) references areas (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id, store_id) references stores (service_provider_id, merchant_id, id)
);

create table cashiers (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  code text not null,
  name text not null,
  state text not null default 'active' check (state in ('active', 'disabled')),
  created_at timestamptz not null default now(),
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id, code),
  unique (service_provider_id, store_id, id),
  foreign key (service_provider_id, merchant_id, store_id) references stores (service_provider_id, merchant_id, id)
);
create index cashiers_store on cashiers (service_provider_id, store_id);

create table devices (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  sn text not null unique,
  model text not null,
  name text not null,
  cashier_mode smallint not null default 2 check (cashier_mode in (1, 2, 3)),
  cashier_id uuid,
  -- The key that the device signs with, sealed like every secret.
  key_sealed text not null,
  version text,
  last_seen_at timestamptz,
  state text not null default 'active' check (state in ('active', 'disabled')),
  created_at timestamptz not null default now(),
  primary key (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, store_id) references stores (service_provider_id, merchant_id, id),
  -- The cashier at a device works in the device's store.
  foreign key (service_provider_id, store_id, cashier_id) references cashiers (service_provider_id, store_id, id)
);
create index devices_store on devices (service_provider_id, store_id);
create table device_nonces (
  device_id uuid not null, nonce text not null, at timestamptz not null default now(),
  primary key (device_id, nonce)
);
create index device_nonces_at on device_nonces (at);
insert into app.open_tables values
  ('device_nonces', 'read before the device is known; holds random strings only'),
  ('service_providers', 'fenced by its own policies below: each level reads its own provider');
alter table service_providers enable row level security;
alter table service_providers force row level security;
create policy look on service_providers for select using (
  (select split_part(current_setting('app.scope', true), '|', 1)) in ('PLATFORM', 'ADMIN') or id = (select nullif(split_part(current_setting('app.scope', true), '|', 2), '')::uuid));
create policy fence on service_providers using (
  (select split_part(current_setting('app.scope', true), '|', 1)) in ('PLATFORM', 'ADMIN') or ((select split_part(current_setting('app.scope', true), '|', 1)) = 'SP' and id = (select nullif(split_part(current_setting('app.scope', true), '|', 2), '')::uuid)));

-- The name of a merchant or store that a past order belongs to, for an agent whose merchant has since been handed over.
create function app.past_name(kind text, provider uuid, given uuid) returns text language sql stable security definer
  set search_path = pg_catalog, public, app set app.scope = 'PLATFORM||||||||'
  as $$ select case kind when 'merchant' then (select short_name from merchants where service_provider_id = provider and id = given)
    when 'store' then (select short_name from stores where service_provider_id = provider and id = given) end $$;
