-- 优惠券 (marketing.md 1–3): campaigns of a merchant, their terms as versions, their stock, the coupons that were received, what orders
-- use of them, and each step of their lives. Only the room `coupons` writes these.
create function app.guard_coupon_edge() returns trigger language plpgsql security definer set search_path = pg_catalog, app as $$
begin
  if new.state is distinct from old.state and not exists (
    select 1 from app.state_edges where thing = tg_argv[0] and from_state = old.state and to_state = new.state) then
    raise exception 'no way from % to % for %', old.state, new.state, tg_argv[0] using errcode = 'ZF001';
  end if;
  return new;
end $$;

create table coupon_campaigns (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  no text not null check (no ~ '^[0-9]{10}$'),
  name text not null check (length(name) between 1 and 20),
  -- 1 全场满减, 2 全场折扣, 3 单品满减, 4 单品折扣, 5 换购. It never changes.
  kind smallint not null check (kind between 1 and 5),
  -- CASH 充值, NO_CASH 免充值; 1 服务商, 2 商户 pays for it.
  funding text not null check (funding in ('CASH', 'NO_CASH')),
  funder smallint not null check (funder in (1, 2)),
  state text not null check (state in ('UNAUDIT', 'RUNNING', 'PAUSED', 'STOPED')),
  -- The terms that coupons are received under from now on.
  version int not null default 1 check (version > 0),
  -- When it can be received: from inclusive, to exclusive.
  begins_at timestamptz not null,
  ends_at timestamptz not null,
  -- Whether customers find it in 领券中心.
  listed boolean not null,
  per_person int not null check (per_person between 1 and 100),
  per_person_day int check (per_person_day between 1 and 100),
  made_by uuid not null,
  made_by_name text not null,
  created_at timestamptz not null,
  decided_by uuid,
  decided_by_name text,
  decided_at timestamptz,
  -- A merchant's root may run a small one alone, with the refund password (25).
  alone boolean not null default false,
  stopped_at timestamptz,
  primary key (service_provider_id, id),
  unique (service_provider_id, no),
  unique (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id),
  check (begins_at < ends_at),
  check (state = 'UNAUDIT' or decided_by is not null),
  check (decided_by is distinct from made_by or decided_by is null or alone or state = 'STOPED'),
  check ((state = 'STOPED') = (stopped_at is not null))
);
create index coupon_campaigns_newest on coupon_campaigns (service_provider_id, merchant_id, created_at desc, id desc);
create index coupon_campaigns_ends on coupon_campaigns (ends_at) where state in ('RUNNING', 'PAUSED');
insert into app.state_edges values ('coupon_campaign', 'UNAUDIT', 'RUNNING'), ('coupon_campaign', 'UNAUDIT', 'STOPED'),
  ('coupon_campaign', 'RUNNING', 'PAUSED'), ('coupon_campaign', 'PAUSED', 'RUNNING'), ('coupon_campaign', 'RUNNING', 'STOPED'),
  ('coupon_campaign', 'PAUSED', 'STOPED');
create trigger guard_edge before update of state on coupon_campaigns for each row execute function app.guard_coupon_edge('coupon_campaign');

-- What a coupon is worth and where it is good; a coupon keeps the version that it was received under.
create table coupon_terms (
  service_provider_id uuid not null,
  campaign_id uuid not null,
  merchant_id uuid not null,
  version int not null check (version > 0),
  terms jsonb not null,
  -- The terms as one sentence, as everybody reads them.
  said text not null,
  -- The most that one coupon takes off.
  value_cents bigint not null check (value_cents > 0),
  sha256 bytea not null,
  by_name text not null,
  created_at timestamptz not null,
  primary key (service_provider_id, campaign_id, version),
  foreign key (service_provider_id, merchant_id, campaign_id) references coupon_campaigns (service_provider_id, merchant_id, id)
);
insert into app.append_only values ('coupon_terms');

-- One row that everybody who receives waits for: never more than there are (1).
create table coupon_stock (
  service_provider_id uuid not null,
  campaign_id uuid not null,
  merchant_id uuid not null,
  total bigint not null check (total between 1 and 1000000000),
  issued bigint not null default 0 check (issued >= 0),
  -- Set aside for what is being sent.
  held bigint not null default 0 check (held >= 0),
  per_day bigint check (per_day > 0),
  -- What was issued on the last day on which anything was.
  day date,
  today bigint not null default 0,
  primary key (service_provider_id, campaign_id),
  foreign key (service_provider_id, merchant_id, campaign_id) references coupon_campaigns (service_provider_id, merchant_id, id),
  check (issued + held <= total),
  check (per_day is null or today <= per_day)
) with (fillfactor = 50);

create sequence coupon_numbers;
create table coupons (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  campaign_id uuid not null,
  version int not null,
  -- Ten digits that tell nothing: the next of `coupon_numbers`, permuted. The handle of its code.
  no text not null check (no ~ '^[0-9]{10}$'),
  member_id uuid not null,
  -- One human, whatever member they are: keyed hash of the phone, else of the member.
  person bytea not null,
  -- The how-manieth of this campaign of this human: no place is given twice.
  nth int not null check (nth > 0),
  -- By what it came, and that thing's own id: once.
  source text not null check (source in ('claim', 'send', 'package', 'activity')),
  source_id uuid not null,
  -- SENDED 可用, LOCKED 使用中, USED 已核销, EXPIRED 已过期, DELETED 已删除, DEACTIVATED 已作废
  state text not null default 'SENDED' check (state in ('SENDED', 'LOCKED', 'USED', 'EXPIRED', 'DELETED', 'DEACTIVATED')),
  valid_from timestamptz not null,
  valid_to timestamptz not null,
  -- Revoked while an order had it: 已作废 as soon as it is free.
  revoked boolean not null default false,
  order_id uuid,
  -- Where it was used.
  used_store_id uuid,
  used_at timestamptz,
  received_at timestamptz not null,
  -- The Shanghai day of it.
  received_on date not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, no),
  unique (service_provider_id, campaign_id, person, nth),
  unique (service_provider_id, campaign_id, source, source_id),
  foreign key (service_provider_id, campaign_id, version) references coupon_terms (service_provider_id, campaign_id, version),
  foreign key (service_provider_id, merchant_id, member_id) references members (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, order_id) references pay_orders (service_provider_id, id),
  check (valid_from < valid_to),
  check ((state = 'LOCKED') = (order_id is not null and used_at is null)),
  check ((state = 'USED') = (used_at is not null))
);
create index coupons_holder on coupons (service_provider_id, member_id, valid_to) where state in ('SENDED', 'LOCKED');
create index coupons_member on coupons (service_provider_id, member_id, campaign_id);
create index coupons_newest on coupons (service_provider_id, merchant_id, received_at desc, id desc);
create index coupons_provider on coupons (service_provider_id, received_at desc, id desc);
-- What is still out of a campaign, by the version it was received under.
create index coupons_out on coupons (service_provider_id, campaign_id, version) where state in ('SENDED', 'LOCKED');
create index coupons_ends on coupons (valid_to) where state = 'SENDED';
create index coupons_order on coupons (service_provider_id, order_id) where order_id is not null;
insert into app.state_edges values
  ('coupon', 'SENDED', 'LOCKED'), ('coupon', 'SENDED', 'USED'), ('coupon', 'SENDED', 'EXPIRED'), ('coupon', 'SENDED', 'DELETED'),
  ('coupon', 'SENDED', 'DEACTIVATED'), ('coupon', 'EXPIRED', 'USED'), ('coupon', 'LOCKED', 'USED'), ('coupon', 'LOCKED', 'SENDED'),
  ('coupon', 'LOCKED', 'EXPIRED'), ('coupon', 'LOCKED', 'DEACTIVATED'), ('coupon', 'USED', 'SENDED'), ('coupon', 'USED', 'EXPIRED'),
  ('coupon', 'USED', 'DEACTIVATED');
create trigger guard_edge before update of state on coupons for each row execute function app.guard_coupon_edge('coupon');

-- What an order does with a coupon. HELD, TAKEN; RELEASED when it closed, RETURNED by a whole refund, BORNE by the merchant where it was
-- gone when the money came.
create table coupon_uses (
  service_provider_id uuid not null,
  order_id uuid not null,
  coupon_id uuid not null,
  merchant_id uuid not null,
  state text not null check (state in ('HELD', 'TAKEN', 'RELEASED', 'RETURNED', 'BORNE')),
  off_cents bigint not null check (off_cents > 0),
  at timestamptz not null,
  primary key (service_provider_id, order_id, coupon_id),
  foreign key (service_provider_id, coupon_id) references coupons (service_provider_id, id),
  foreign key (service_provider_id, order_id) references pay_orders (service_provider_id, id)
);
create unique index coupon_uses_once on coupon_uses (service_provider_id, coupon_id) where state in ('HELD', 'TAKEN');
insert into app.state_edges values ('coupon_use', 'HELD', 'TAKEN'), ('coupon_use', 'HELD', 'RELEASED'), ('coupon_use', 'HELD', 'BORNE'),
  ('coupon_use', 'RELEASED', 'TAKEN'), ('coupon_use', 'RELEASED', 'BORNE'), ('coupon_use', 'TAKEN', 'RETURNED');
create trigger guard_edge before update of state on coupon_uses for each row execute function app.guard_coupon_edge('coupon_use');

-- A coupon's life, step by step.
create table coupon_events (
  service_provider_id uuid not null,
  -- In the order in which they came about: those of one coupon wait for each other.
  seq bigint not null generated always as identity,
  merchant_id uuid not null,
  coupon_id uuid not null,
  from_state text,
  to_state text not null,
  -- claim, order, paid, closed, refund, ended, revoked, deleted, lengthened
  cause text not null,
  order_id uuid,
  refund_id uuid,
  by_name text not null default '',
  at timestamptz not null,
  primary key (service_provider_id, seq),
  foreign key (service_provider_id, coupon_id) references coupons (service_provider_id, id)
);
create index coupon_events_coupon on coupon_events (service_provider_id, coupon_id, seq);
insert into app.append_only values ('coupon_events');

-- Codes that were read at a till: each is good once.
create table coupon_codes (
  service_provider_id uuid not null,
  merchant_id uuid not null,
  coupon_id uuid not null,
  step bigint not null,
  -- The store that read it may price with it again for a while.
  store_id uuid not null,
  at timestamptz not null,
  primary key (service_provider_id, coupon_id, step),
  foreign key (service_provider_id, coupon_id) references coupons (service_provider_id, id)
);

-- Codes that were wrong, by minute: of a store, and of the number that they named. A guess costs a minute after a few.
create table coupon_code_faults (
  service_provider_id uuid not null,
  merchant_id uuid not null,
  -- The store's id, or the ten digits.
  key text not null,
  minute timestamptz not null,
  count int not null check (count > 0),
  primary key (service_provider_id, merchant_id, key, minute)
);
create index coupon_code_faults_old on coupon_code_faults (minute);

-- Agents, groups and teams see none of it.
do $$
declare t text;
begin
  foreach t in array array['coupon_campaigns', 'coupon_terms', 'coupon_stock', 'coupons', 'coupon_uses', 'coupon_events', 'coupon_codes',
    'coupon_code_faults'] loop
    execute format('create policy who on %I as restrictive using ((select app.level()) in (''PLATFORM'', ''SP'', ''MCH'', ''AE''))', t);
  end loop;
end $$;
