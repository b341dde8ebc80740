-- 微信承载 (marketing.md 4): a campaign may stand at WeChat as well, as 商家券 or 代金券. Our rows decide, WeChat mirrors; whatever is to be told
-- there is written down here first, and told by a job. Only the room `coupons` writes these.
alter table coupon_campaigns add column carrier text not null default 'NONE' check (carrier in ('NONE', 'busifavor', 'favor')),
  -- A batch there belongs to one merchant.
  add constraint coupon_campaigns_carrier check (carrier = 'NONE' or merchant_id is not null);

-- A campaign's batch (批次) at WeChat.
create table coupon_mirrors (
  service_provider_id uuid not null,
  campaign_id uuid not null,
  merchant_id uuid not null,
  -- What WeChat calls it, and when it was made; nothing until then.
  stock_id text check (length(stock_id) between 1 and 20),
  stocked_at timestamptz,
  -- Where it stands there and how many it may give out, as WeChat said last.
  there text check (there in ('waiting', 'running', 'paused', 'stopped')),
  total bigint,
  -- The call whose end nobody has heard yet, its number and its content's moment; asked about before anything else is.
  op text check (op in ('create', 'budget', 'start', 'pause', 'restart')),
  op_no text,
  op_at timestamptz,
  op_total bigint,
  -- Calls that are over: the next number.
  turn int not null default 0,
  -- What was changed on our side meanwhile.
  rev int not null default 0,
  tries int not null default 0,
  -- When something is to be told; nothing: it is as we want it, or a refusal stands.
  next_at timestamptz,
  why text check (length(why) <= 200),
  -- When the two were compared last.
  checked_at timestamptz,
  primary key (service_provider_id, campaign_id),
  foreign key (service_provider_id, merchant_id, campaign_id) references coupon_campaigns (service_provider_id, merchant_id, id),
  check ((stock_id is null) = (stocked_at is null) and (stock_id is null) = (there is null) and (stock_id is null) = (total is null)),
  check ((op is null) = (op_no is null) and (op is null) = (op_at is null))
);
create index coupon_mirrors_due on coupon_mirrors (next_at) where next_at is not null;
create index coupon_mirrors_compare on coupon_mirrors (checked_at) where stock_id is not null;

-- A coupon's own code in that batch.
create table coupon_copies (
  service_provider_id uuid not null,
  coupon_id uuid not null,
  merchant_id uuid not null,
  campaign_id uuid not null,
  -- NONE: not uploaded yet; else as WeChat said last.
  there text not null default 'NONE' check (there in ('NONE', 'SENDED', 'USED', 'DEACTIVATED')),
  op text check (op in ('codes', 'use', 'return', 'deactivate')),
  op_no text,
  op_at timestamptz,
  turn int not null default 0,
  rev int not null default 0,
  tries int not null default 0,
  next_at timestamptz,
  why text check (length(why) <= 200),
  checked_at timestamptz,
  primary key (service_provider_id, coupon_id),
  foreign key (service_provider_id, coupon_id) references coupons (service_provider_id, id),
  foreign key (service_provider_id, campaign_id) references coupon_mirrors (service_provider_id, campaign_id),
  check ((op is null) = (op_no is null) and (op is null) = (op_at is null))
);
create index coupon_copies_due on coupon_copies (next_at) where next_at is not null;
create index coupon_copies_campaign on coupon_copies (service_provider_id, campaign_id, checked_at);

-- Each call, written down before it is made.
create table coupon_calls (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  campaign_id uuid not null,
  -- Nothing where it is about the batch or about several codes.
  coupon_id uuid,
  operation text not null,
  number text not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  outcome text check (outcome in ('ok', 'refused', 'unknown')),
  code text,
  message text,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, campaign_id) references coupon_mirrors (service_provider_id, campaign_id),
  check ((ended_at is null) = (outcome is null))
);
create index coupon_calls_campaign on coupon_calls (service_provider_id, campaign_id, started_at desc);

-- 同步差异: what differs between us and WeChat, and since when; over where `gone_at` says so.
create table coupon_differences (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  campaign_id uuid not null,
  coupon_id uuid,
  -- The call that was refused or has no answer, or what a comparison found: total, code-count, sent, stock-state, coupon.
  kind text not null,
  ours text not null,
  theirs text not null,
  -- WeChat's own word or number, for another try.
  seen text not null default '',
  reason text not null,
  since timestamptz not null,
  checked_by_name text not null default '',
  checked_at timestamptz,
  gone_at timestamptz,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, campaign_id) references coupon_mirrors (service_provider_id, campaign_id),
  foreign key (service_provider_id, coupon_id) references coupons (service_provider_id, id)
);
create unique index coupon_differences_once on coupon_differences (service_provider_id, campaign_id, coupon_id, kind) nulls not distinct
  where gone_at is null;
create index coupon_differences_newest on coupon_differences (service_provider_id, merchant_id, since desc, id desc) where gone_at is null;

-- Agents, groups and teams see none of it.
do $$
declare t text;
begin
  foreach t in array array['coupon_mirrors', 'coupon_copies', 'coupon_calls', 'coupon_differences'] loop
    execute format('create policy who on %I as restrictive using ((select app.level()) in (''PLATFORM'', ''SP'', ''MCH'', ''AE''))', t);
  end loop;
end $$;
