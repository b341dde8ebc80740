-- 团购与外卖平台 (platforms.md 2): whose application signs, what was asked and answered, and the facts that platforms hold. Only the room
-- `platforms` writes these, other rooms by its doors. What a platform holds is a claim and never stands in the ledger.
create domain app.platform as text check (value in ('dy', 'ks', 'meituan', 'koubei', 'alipay-gb', 'channels', 'ele', 'meituan-wm'));

-- A provider's own application at a platform: it signs for the merchants that chose it.
create table platform_apps (
  service_provider_id uuid not null,
  platform app.platform not null,
  app_key text not null check (length(app_key) between 1 and 64),
  secret_sealed text not null,
  -- What notices are signed with, where that is another secret.
  sign_secret_sealed text,
  revision int not null default 1 check (revision > 0),
  by_name text not null,
  updated_at timestamptz not null,
  primary key (service_provider_id, platform),
  foreign key (service_provider_id) references service_providers (id)
);

-- A merchant's account at a platform, one for each: by an application of its own, or by its provider's.
create table platform_accounts (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  platform app.platform not null,
  -- The platform's number of the merchant: 来客 account, 快手 merchant, …
  account_no text not null check (length(account_no) <= 64),
  app_of text not null check (app_of in ('merchant', 'provider')),
  app_key text,
  secret_sealed text,
  sign_secret_sealed text,
  -- 快手: what the merchant's authorisation gave, from which tokens are made.
  refresh_sealed text,
  -- What the platform takes of 用户实付 where it does not say so itself, in parts of 100,000.
  take_rate int not null default 0 check (take_rate between 0 and 100000),
  state text not null default 'active' check (state in ('active', 'paused')),
  -- The last answer that was neither a fault nor a no to our keys.
  proved_at timestamptz,
  revision int not null default 1 check (revision > 0),
  by_name text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id, platform),
  unique (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id),
  check (app_of = 'provider' or (app_key is null) = (secret_sealed is null))
);

-- Access tokens: by application where the platform gives one for each (抖音), by account where it gives one for each merchant (快手).
create table platform_tokens (
  service_provider_id uuid not null,
  platform app.platform not null,
  holder text not null,
  token_sealed text,
  refresh_sealed text,
  -- From when it is renewed, and when it ends.
  renew_at timestamptz,
  ends_at timestamptz,
  -- Whoever renews it; longer than a call lasts.
  taken_until timestamptz,
  primary key (service_provider_id, platform, holder)
);

-- Every call: written down before it is made, settled after.
create table platform_calls (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  account_id uuid not null,
  operation text not null,
  -- What it is about: an attempt, a day; never a code.
  about text not null default '',
  started_at timestamptz not null,
  ended_at timestamptz,
  outcome text check (outcome in ('ok', 'held', 'refused', 'unknown')),
  code text,
  message text,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, account_id) references platform_accounts (service_provider_id, merchant_id, id)
);
create index platform_calls_about on platform_calls (service_provider_id, about, started_at desc) where about <> '';

-- What platforms told, each once. A notice is a hint: it moves nothing by itself.
create table platform_notices (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  account_id uuid not null,
  message_id text not null,
  event text not null,
  certificate_id text not null default '',
  heard_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, account_id, message_id),
  foreign key (service_provider_id, merchant_id, account_id) references platform_accounts (service_provider_id, merchant_id, id)
);
insert into app.append_only values ('platform_notices');

-- The facts: a use, its reversal, a line of a bill, and a use that happened at the platform without us (来客 app).
create table platform_entries (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  -- None where the platform's store is mapped to none.
  store_id uuid,
  platform app.platform not null,
  account_id uuid,
  kind text not null check (kind in ('verify', 'reverse', 'ledger', 'external')),
  -- 1 团购商品, 2 代金券, 3 平台次卡; none where the platform does not say.
  goods_kind smallint check (goods_kind between 1 and 3),
  certificate_id text not null check (length(certificate_id) between 1 and 64),
  verify_id text not null check (length(verify_id) <= 64),
  -- Ours, where it was made here.
  attempt_id uuid,
  platform_order_no text not null default '',
  platform_store_id text not null default '',
  goods_id text not null default '',
  title text not null default '',
  by_name text not null default '',
  user_id uuid,
  cashier_id uuid,
  device_id uuid,
  -- 券面值, 用户实付, 商家补贴, 平台补贴, 预计佣金
  face_cents bigint not null default 0,
  pay_cents bigint not null default 0,
  merchant_ticket_cents bigint not null default 0,
  platform_ticket_cents bigint not null default 0,
  expected_fee_cents bigint not null default 0,
  -- Of a bill: 手续费, 达人, 机构, 服务商, 平台服务费, 代运营; 商家货款; the line's own total.
  fee_cents bigint not null default 0,
  talent_cents bigint not null default 0,
  agency_cents bigint not null default 0,
  provider_cents bigint not null default 0,
  platform_fee_cents bigint not null default 0,
  operator_cents bigint not null default 0,
  goods_cents bigint not null default 0,
  total_cents bigint not null default 0,
  happened_at timestamptz not null,
  -- The day it counts for, in Asia/Shanghai: of a ledger line that of the use.
  day date not null,
  -- 通兑券 has two lines under one verify_id.
  part smallint not null default 0 check (part between 0 and 99),
  added_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id, platform, kind, certificate_id, verify_id, part),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, store_id) references stores (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id, account_id) references platform_accounts (service_provider_id, merchant_id, id),
  check (kind = 'ledger' or (face_cents >= 0 and pay_cents >= 0 and merchant_ticket_cents >= 0 and platform_ticket_cents >= 0
    and expected_fee_cents >= 0 and fee_cents = 0 and goods_cents = 0))
);
create index platform_entries_day on platform_entries (service_provider_id, merchant_id, day, platform, kind);
create index platform_entries_newest on platform_entries (service_provider_id, merchant_id, happened_at desc, id desc);
insert into app.append_only values ('platform_entries');

-- Stores see the facts of their own; agents, groups and teams see none of it; tokens are nobody's to see.
do $$
declare t text;
begin
  foreach t in array array['platform_apps', 'platform_accounts', 'platform_calls', 'platform_notices', 'platform_entries'] loop
    execute format('create policy who on %I as restrictive using ((select app.level()) in (''PLATFORM'', ''SP'', ''MCH'', ''AE''))', t);
  end loop;
end $$;
create policy who on platform_tokens as restrictive using ((select app.level()) = 'PLATFORM');
