-- 云打印机 and 云喇叭: what stands in a store and is reached through its maker's cloud.

-- The platform's own accounts at the makers. The secret is an AES-256-GCM envelope bound to its row; so is the token that
-- one of them hands out for it.
create table device_vendors (
  vendor text primary key check (vendor in ('feie', 'yilian', 'borui')),
  account text not null,
  secret_sealed text not null,
  base_url text not null,
  token_sealed text,
  token_until timestamptz,
  updated_at timestamptz not null
);
insert into app.open_tables values ('device_vendors', 'fenced by its own policy below: the platform alone, none of it is a tenant''s');
alter table device_vendors enable row level security;
alter table device_vendors force row level security;
create policy fence on device_vendors using ((select app.level()) = 'PLATFORM') with check ((select app.level()) = 'PLATFORM');

create table store_hardware (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  kind text not null check (kind in ('printer', 'speaker')),
  vendor text not null,
  sn text not null,
  name text not null,
  -- A printer's key: sealed for this row, never read back; its end is what is shown.
  key_sealed text, key_tail text,
  template text check (template in ('full', 'brief')),
  paper_mm smallint check (paper_mm in (58, 80)),
  copies smallint check (copies between 1 and 5),
  volume smallint check (volume between 0 and 100),
  -- The maker's interface differs by model; it is printed on the speaker.
  protocol smallint check (protocol between 1 and 9),
  on_payment boolean not null default true,
  on_refund boolean not null default false,
  state text not null default 'bound' check (state in ('bound', 'unbound')),
  -- What the maker said last: 0 离线, 1 在线, 2 缺纸或故障.
  online smallint check (online between 0 and 2),
  checked_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  unbound_at timestamptz,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, store_id) references stores (service_provider_id, merchant_id, id),
  check (case kind
    when 'printer' then vendor in ('feie', 'yilian') and key_sealed is not null and template is not null and paper_mm is not null and copies is not null
    else vendor = 'borui' and volume is not null and protocol is not null end),
  check ((state = 'unbound') = (unbound_at is not null))
);
-- One device stands in one store at a time.
create unique index store_hardware_sn on store_hardware (vendor, sn) where state = 'bound';
create index store_hardware_store on store_hardware (service_provider_id, store_id) where state = 'bound';
create index store_hardware_newest on store_hardware (service_provider_id, merchant_id, kind, created_at desc, id desc) where state = 'bound';
create index store_hardware_check on store_hardware (checked_at nulls first) where state = 'bound' and kind = 'printer';
create index store_hardware_id on store_hardware (id);

-- What a device was to print or say: written down before it is sent, settled after. The unique index makes it once for each
-- payment and refund and device; a test and a reprint are asked for by hand and may come again.
create table hardware_outputs (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  hardware_id uuid not null,
  kind text not null check (kind in ('printer', 'speaker')),
  cause text not null check (cause in ('payment', 'refund', 'test', 'reprint')),
  order_id uuid, refund_id uuid,
  -- 0 待发送, 1 发送中, 2 已发送, 3 失败, 4 结果未知
  status smallint not null default 0 check (status between 0 and 4),
  tries smallint not null default 0,
  vendor_no text, message text,
  by_name text,
  created_at timestamptz not null,
  sent_at timestamptz,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, hardware_id) references store_hardware (service_provider_id, id),
  foreign key (service_provider_id, order_id) references pay_orders (service_provider_id, id),
  foreign key (service_provider_id, refund_id) references refunds (service_provider_id, id),
  check ((cause = 'test') = (order_id is null)),
  check ((cause = 'refund') = (refund_id is not null))
);
create unique index hardware_outputs_once on hardware_outputs (service_provider_id, hardware_id, coalesce(refund_id, order_id)) where cause in ('payment', 'refund');
create index hardware_outputs_device on hardware_outputs (service_provider_id, hardware_id, created_at desc, id desc);
create index hardware_outputs_newest on hardware_outputs (service_provider_id, merchant_id, created_at desc, id desc);
create trigger guard_edge before update of status on hardware_outputs for each row execute function app.guard_edge('hardware_output');
insert into app.state_edges values ('hardware_output', '0', '1'), ('hardware_output', '0', '3'),
  ('hardware_output', '1', '0'), ('hardware_output', '1', '2'), ('hardware_output', '1', '3'), ('hardware_output', '1', '4');
