-- 进件 (platforms.md 5): what merchants open accounts with, their pictures, and how each application stands at WeChat Pay. Only the room
-- `applyment` writes these. Whatever a merchant says of itself is sealed.

-- The provider's own merchant number as 服务商: it submits, and signs for the merchants that are opened.
create table applyment_accounts (
  service_provider_id uuid not null primary key,
  app_id text not null,
  mch_id text not null check (mch_id ~ '^\d{8,12}$'),
  cert_serial text not null,
  private_key_sealed text not null, private_key_tail text not null,
  api_v3_key_sealed text not null,
  platform_keys jsonb not null,
  base_url text not null,
  version int not null default 1 check (version > 0),
  by_name text not null,
  updated_at timestamptz not null,
  foreign key (service_provider_id) references service_providers (id)
);

-- 开户资料: one of each merchant; `versions` counts for each path how often it was written.
create table dossiers (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  content_sealed text not null,
  versions jsonb not null default '{}',
  -- Of the licence's number, to find the same one again.
  licence_hash bytea,
  version int not null default 1 check (version > 0),
  by_name text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id),
  unique (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);
create index dossiers_licence on dossiers (service_provider_id, licence_hash) where licence_hash is not null;

-- Pictures, private; gone 180 days after the end.
create table applyment_files (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  sha256 bytea not null,
  size_bytes int not null check (size_bytes between 1 and 2097152),
  by_name text not null,
  created_at timestamptz not null,
  gone_at timestamptz,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);
create index applyment_files_merchant on applyment_files (service_provider_id, merchant_id, created_at desc);

-- A picture at the channel, under one merchant number; without a media_id it was begun and nobody heard the end.
create table applyment_media (
  service_provider_id uuid not null,
  file_id uuid not null,
  mch_id text not null,
  merchant_id uuid not null,
  media_id text,
  begun_at timestamptz not null,
  primary key (service_provider_id, file_id, mch_id),
  foreign key (service_provider_id, file_id) references applyment_files (service_provider_id, id)
);

create table applyments (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  -- The number that submits, and the code under which the channel knows it: given with the first sending, the same for good.
  mch_id text, code text check (code ~ '^\w{8,124}$'),
  applyment_id text,
  -- APPLYMENT_STATE_… of WeChat Pay, without its beginning.
  state text not null default 'EDITTING' check (state in ('EDITTING', 'AUDITING', 'REJECTED', 'TO_BE_CONFIRMED', 'TO_BE_SIGNED', 'SIGNING', 'FINISHED', 'CANCELED')),
  state_at timestamptz not null,
  -- What was handed in last, and who has to sign it, masked.
  content_sealed text not null,
  short_name text not null,
  admin_name text not null, admin_phone text not null,
  rounds int not null default 1 check (rounds > 0),
  submitted_at timestamptz not null,
  -- It is to be sent; it was sent and nobody heard the end; what the channel refused it with until that is asked about.
  unsent boolean not null default true,
  unheard boolean not null default false,
  sent_at timestamptz,
  refusal text,
  media_again boolean not null default false,
  sign_url text, message text not null default '',
  rejected jsonb not null default '[]',
  sub_mch_id text check (sub_mch_id ~ '^\d{8,12}$'),
  -- Another number stood in the merchant's channel settings, which stays.
  other_number boolean not null default false,
  turn int not null default 0,
  asked int not null default 0, asked_at timestamptz, slow_s int not null default 0,
  next_at timestamptz,
  voided_at timestamptz,
  -- Nothing moved for sixty days, or it moved after it was voided here.
  alarm boolean not null default false,
  by_name text not null,
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, code),
  unique (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id),
  check ((mch_id is null) = (code is null)),
  check (state <> 'FINISHED' or sub_mch_id is not null)
);
-- One at a time.
create unique index applyments_living on applyments (service_provider_id, merchant_id) where state not in ('FINISHED', 'CANCELED');
create index applyments_newest on applyments (service_provider_id, merchant_id, created_at desc, id desc);
create index applyments_due on applyments (next_at) where next_at is not null;
-- The channel is asked now and then and may have gone several steps meanwhile; what is over stays so.
insert into app.state_edges
  select 'applyment', a, b from unnest(array['EDITTING', 'AUDITING', 'REJECTED', 'TO_BE_CONFIRMED', 'TO_BE_SIGNED', 'SIGNING']) a,
    unnest(array['EDITTING', 'AUDITING', 'REJECTED', 'TO_BE_CONFIRMED', 'TO_BE_SIGNED', 'SIGNING', 'FINISHED', 'CANCELED']) b where a <> b;
create trigger guard_edge before update of state on applyments for each row execute function app.guard_coupon_edge('applyment');

create table applyment_events (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  applyment_id uuid not null,
  at timestamptz not null,
  kind text not null check (kind in ('submitted', 'refused', 'state', 'other-number', 'voided', 'alarm')),
  state text not null,
  round int not null,
  said text not null default '' check (length(said) <= 2000),
  rejected jsonb not null default '[]',
  -- Of a submission: what was handed in.
  content_sealed text,
  by_name text,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, applyment_id) references applyments (service_provider_id, merchant_id, id)
);
insert into app.append_only values ('applyment_events');
create index applyment_events_of on applyment_events (service_provider_id, applyment_id, at);

-- Each call, written down before it is made.
create table applyment_calls (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  applyment_id uuid not null,
  operation text not null check (operation in ('upload', 'submit', 'query')),
  started_at timestamptz not null,
  ended_at timestamptz,
  outcome text check (outcome in ('ok', 'refused', 'unknown')),
  code text, message text,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, applyment_id) references applyments (service_provider_id, merchant_id, id),
  check ((ended_at is null) = (outcome is null))
);
create index applyment_calls_of on applyment_calls (service_provider_id, applyment_id, started_at desc);

-- Stores and groups see none of it; the keys are the provider's own.
call app.only_levels('applyment_accounts', array['PLATFORM', 'SP']);
do $$
declare t text;
begin
  foreach t in array array['dossiers', 'applyment_files', 'applyment_media', 'applyments', 'applyment_events', 'applyment_calls'] loop
    call app.only_levels(t, array['PLATFORM', 'SP', 'AG', 'TM', 'SM', 'MCH']);
  end loop;
end $$;
