-- 微信门店: a store and its number at WeChat Pay.
create table wx_stores (
  service_provider_id uuid not null,
  store_id uuid not null,
  merchant_id uuid not null,
  -- The channel's number of the store; it comes with the answer or is typed in.
  wx_store_id text check (wx_store_id ~ '^[0-9]{1,20}$'),
  status text not null check (status in ('creating', 'unsure', 'failed', 'auditing', 'passed', 'rejected')),
  -- What the channel said of it last, in its own words.
  channel_state text, message text,
  synced_at timestamptz,
  created_at timestamptz not null, updated_at timestamptz not null,
  primary key (service_provider_id, store_id),
  check (status in ('creating', 'unsure', 'failed') or wx_store_id is not null),
  foreign key (service_provider_id, merchant_id, store_id) references stores (service_provider_id, merchant_id, id)
);
create unique index wx_stores_number on wx_stores (service_provider_id, merchant_id, wx_store_id) where wx_store_id is not null;
create trigger guard_edge before update of status on wx_stores for each row execute function app.guard_edge('wx_store');
insert into app.state_edges
  select 'wx_store', x.a, x.b from (values ('creating', 'unsure'), ('creating', 'failed'), ('creating', 'auditing'), ('unsure', 'creating'),
    ('unsure', 'auditing'), ('failed', 'creating'), ('failed', 'auditing'), ('auditing', 'passed'), ('auditing', 'rejected'),
    ('passed', 'rejected'), ('passed', 'auditing'), ('rejected', 'passed'), ('rejected', 'auditing')) as x(a, b);

-- 支付即服务: a member of the staff as the channel knows them.
create table guides (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  code text not null,
  name text not null, phone_sealed text not null, phone_tail text not null,
  -- Of the merchant's WeCom directory.
  corp_id text not null, wecom_user_id text not null,
  qr_code text not null, avatar text not null,
  -- The channel's number of the person.
  guide_id text,
  status text not null check (status in ('registering', 'unsure', 'failed', 'active')),
  message text,
  version int not null default 1,
  created_at timestamptz not null, updated_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id, code),
  unique (service_provider_id, store_id, wecom_user_id),
  check (status <> 'active' or guide_id is not null),
  foreign key (service_provider_id, merchant_id, store_id) references stores (service_provider_id, merchant_id, id)
);
create trigger guard_edge before update of status on guides for each row execute function app.guard_edge('guide');
insert into app.state_edges
  select 'guide', x.a, x.b from (values ('registering', 'unsure'), ('registering', 'failed'), ('registering', 'active'), ('unsure', 'registering'),
    ('failed', 'registering'), ('active', 'registering')) as x(a, b);
create index guides_newest on guides (service_provider_id, merchant_id, created_at desc, id desc);

-- What was asked of the channel about a store or its staff: written before it is sent, ended by its answer. A row without
-- an outcome is a call that nobody heard the end of.
create table store_calls (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  guide_row_id uuid,
  operation text not null check (operation in ('open-store', 'find-store', 'register-guide', 'update-guide', 'find-guide')),
  started_at timestamptz not null, ended_at timestamptz,
  outcome text check (outcome in ('ok', 'refused', 'unknown')),
  code text, message text,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, store_id) references stores (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, guide_row_id) references guides (service_provider_id, id)
);
create index store_calls_store on store_calls (service_provider_id, store_id, started_at);
