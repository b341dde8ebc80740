-- 团购券核销 (platforms.md 2, 8): goods that platforms sell for a merchant, vouchers that were brought here, and each try to use one. Only the
-- room `platforms` writes these. A whole code stands nowhere: a keyed hash, its last four, and what the platform gave for the call, sealed.
create table platform_goods (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  account_id uuid not null,
  platform app.platform not null,
  goods_id text not null check (length(goods_id) between 1 and 64),
  title text not null,
  goods_kind smallint not null check (goods_kind between 1 and 3),
  -- The platform's: 1 售卖中, 2 已下架
  status smallint not null check (status in (1, 2)),
  price_cents bigint not null check (price_cents >= 0),
  market_cents bigint not null check (market_cents >= 0),
  -- None where the platform does not tell it (a provider's application).
  stock int,
  sold int,
  -- The platform's stores that it is good at; none where it does not say.
  poi_ids text[] not null default '{}',
  -- What is to be served for it, in the merchant's own words.
  serve text not null default '' check (length(serve) <= 200),
  served_by text not null default '',
  seen_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, account_id, goods_id),
  foreign key (service_provider_id, merchant_id, account_id) references platform_accounts (service_provider_id, merchant_id, id)
);
create index platform_goods_newest on platform_goods (service_provider_id, merchant_id, platform, seen_at desc, id desc);

-- A load of an account's goods and stores, page by page.
create table platform_syncs (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  account_id uuid not null,
  -- 0 running, 1 done, 2 failed
  status smallint not null check (status in (0, 1, 2)),
  stores int not null default 0,
  goods int not null default 0,
  cursor text not null default '',
  why text not null default '',
  by_name text not null,
  next_at timestamptz,
  started_at timestamptz not null,
  ended_at timestamptz,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, account_id) references platform_accounts (service_provider_id, merchant_id, id)
);
create unique index platform_syncs_running on platform_syncs (service_provider_id, account_id) where status = 0;
create index platform_syncs_due on platform_syncs (next_at) where status = 0;

create table platform_vouchers (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  -- Where it was last brought.
  store_id uuid not null,
  account_id uuid not null,
  platform app.platform not null,
  voucher_hash bytea not null,
  tail text not null check (length(tail) <= 4),
  certificate_id text not null default '',
  goods_id text not null default '',
  title text not null,
  goods_kind smallint not null check (goods_kind between 1 and 3),
  -- 0 未核销, 1 已核销, 2 已撤销, 3 已过期, 4 已退款
  status smallint not null default 0 check (status between 0 and 4),
  times int not null default 1 check (times between 1 and 9999),
  used int not null default 0 check (used >= 0 and used <= times),
  face_cents bigint not null check (face_cents >= 0),
  pay_cents bigint not null check (pay_cents >= 0),
  merchant_ticket_cents bigint not null default 0 check (merchant_ticket_cents >= 0),
  platform_ticket_cents bigint not null default 0 check (platform_ticket_cents >= 0),
  ends_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, account_id, voucher_hash),
  foreign key (service_provider_id, merchant_id, store_id) references stores (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id, account_id) references platform_accounts (service_provider_id, merchant_id, id)
);
create index platform_vouchers_newest on platform_vouchers (service_provider_id, merchant_id, platform, updated_at desc, id desc);
create index platform_vouchers_certificate on platform_vouchers (service_provider_id, account_id, certificate_id) where certificate_id <> '';
insert into app.state_edges values ('platform_voucher', '0', '1'), ('platform_voucher', '1', '2'), ('platform_voucher', '2', '1'),
  ('platform_voucher', '0', '3'), ('platform_voucher', '2', '3'), ('platform_voucher', '0', '4'), ('platform_voucher', '1', '4'),
  ('platform_voucher', '2', '4');
create trigger guard_edge before update of status on platform_vouchers for each row execute function app.guard_edge('platform_voucher');

create table voucher_verifications (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  account_id uuid not null,
  platform app.platform not null,
  voucher_id uuid not null,
  voucher_hash bytea not null,
  -- The how many-th use of it.
  nth int not null check (nth >= 1),
  -- Those of one call; one prepare is one verify.
  batch_id uuid not null,
  place smallint not null check (place between 0 and 99),
  request_id uuid not null,
  -- 0 核销中, 1 成功, 2 失败, 3 待查询, 4 平台核实中, 5 撤销中, 6 已撤销
  status smallint not null default 0 check (status between 0 and 6),
  poi_id text not null,
  platform_order_no text not null default '',
  -- What the platform gave for this call; gone once it is over.
  ask_sealed text,
  certificate_id text not null default '',
  verify_id text,
  expected_fee_cents bigint not null default 0 check (expected_fee_cents >= 0),
  user_id uuid,
  cashier_id uuid,
  device_id uuid,
  by_name text not null,
  ip text not null default '',
  started_at timestamptz not null,
  verified_at timestamptz,
  settled_at timestamptz,
  -- How often was asked since nobody knew, when it is asked again (none: a person has to look), until when the platform may hold it.
  tries int not null default 0,
  -- A call ended without a word: the platform may have done it.
  unheard boolean not null default false,
  next_at timestamptz,
  held_until timestamptz,
  code text not null default '',
  message text not null default '',
  -- 撤销: through when, and who asked for it why.
  cancel_until timestamptz,
  can_cancel boolean not null default true,
  cancel_at timestamptz,
  cancel_by_name text not null default '',
  cancel_reason text not null default '',
  cancel_message text not null default '',
  reversed_at timestamptz,
  -- 人工核对: what one person found; another confirms it.
  found_used boolean,
  found_verify_id text,
  found_by uuid,
  found_by_name text not null default '',
  found_at timestamptz,
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id, batch_id, place),
  foreign key (service_provider_id, merchant_id, store_id) references stores (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id, account_id) references platform_accounts (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, voucher_id) references platform_vouchers (service_provider_id, id),
  check (status not in (1, 5, 6) or (verify_id is not null and verified_at is not null)),
  check (status <> 6 or reversed_at is not null)
);
-- The database refuses a second till before any call goes out.
create unique index voucher_verifications_living on voucher_verifications (service_provider_id, platform, account_id, voucher_hash, nth)
  where status in (0, 1, 3, 4, 5);
create index voucher_verifications_request on voucher_verifications (service_provider_id, merchant_id, request_id);
create index voucher_verifications_voucher on voucher_verifications (service_provider_id, voucher_id, started_at desc);
create index voucher_verifications_newest on voucher_verifications (service_provider_id, merchant_id, started_at desc, id desc);
create index voucher_verifications_due on voucher_verifications (next_at) where next_at is not null;
insert into app.state_edges values ('voucher_verification', '0', '1'), ('voucher_verification', '0', '2'), ('voucher_verification', '0', '3'),
  ('voucher_verification', '0', '4'), ('voucher_verification', '3', '1'), ('voucher_verification', '3', '2'), ('voucher_verification', '4', '1'),
  ('voucher_verification', '4', '2'), ('voucher_verification', '1', '5'), ('voucher_verification', '5', '6'), ('voucher_verification', '5', '1');
create trigger guard_edge before update of status on voucher_verifications for each row execute function app.guard_edge('voucher_verification');

do $$
declare t text;
begin
  foreach t in array array['platform_goods', 'platform_syncs', 'platform_vouchers', 'voucher_verifications'] loop
    execute format('create policy who on %I as restrictive using ((select app.level()) in (''PLATFORM'', ''SP'', ''MCH'', ''AE''))', t);
  end loop;
end $$;
-- The platform's store that stands for one of ours when several do (several POI are mapped to it).
alter table other_stores add column is_primary boolean not null default false;
create unique index other_stores_primary on other_stores (service_provider_id, merchant_id, platform, mapped_store_id)
  where is_primary and mapped_store_id is not null;
