-- 活动 (marketing.md 10): what is given for an event: 新人有礼, 生日有礼, 扫码有礼, 推荐有礼. Only the room `activities` writes these.
create table activities (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  no text not null check (no ~ '^[0-9]{10}$'),
  -- It never changes.
  kind text not null check (kind in ('new', 'birthday', 'scan', 'recommend')),
  name text not null check (length(name) between 1 and 20),
  state text not null check (state in ('UNAUDIT', 'RUNNING', 'PAUSED', 'STOPED')),
  -- The terms that are granted under.
  version int not null default 1 check (version > 0),
  -- From inclusive, to exclusive; whole Shanghai days.
  begins_at timestamptz not null,
  ends_at timestamptz not null,
  made_by uuid not null,
  made_by_name text not null,
  created_at timestamptz not null,
  decided_by uuid,
  decided_by_name text,
  decided_at timestamptz,
  -- A merchant's root may run a small one alone, with the refund password.
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
create index activities_newest on activities (service_provider_id, merchant_id, created_at desc, id desc);
create index activities_ends on activities (ends_at) where state in ('RUNNING', 'PAUSED');
create index activities_running on activities (service_provider_id, merchant_id, kind) where state = 'RUNNING';
insert into app.state_edges values ('activity', 'UNAUDIT', 'RUNNING'), ('activity', 'UNAUDIT', 'STOPED'), ('activity', 'RUNNING', 'PAUSED'),
  ('activity', 'PAUSED', 'RUNNING'), ('activity', 'RUNNING', 'STOPED'), ('activity', 'PAUSED', 'STOPED');
create trigger guard_edge before update of state on activities for each row execute function app.guard_coupon_edge('activity');

-- What is given, to whom and how often; a grant keeps the version that it was granted under.
create table activity_terms (
  service_provider_id uuid not null,
  activity_id uuid not null,
  merchant_id uuid not null,
  version int not null check (version > 0),
  terms jsonb not null,
  -- What everybody reads: at most five sentences.
  said text[] not null check (cardinality(said) between 1 and 5),
  -- The gift in a few words.
  worth text not null,
  -- The most that one place may cost.
  place_cents bigint not null check (place_cents > 0),
  -- Of what: a coupon each by campaign, and all points; balance costs itself.
  costs jsonb not null,
  sha256 bytea not null,
  by_name text not null,
  created_at timestamptz not null,
  primary key (service_provider_id, activity_id, version),
  foreign key (service_provider_id, merchant_id, activity_id) references activities (service_provider_id, merchant_id, id)
);
insert into app.append_only values ('activity_terms');

-- One row that everybody who is granted something waits for: never more than there is (18).
create table activity_budgets (
  service_provider_id uuid not null,
  activity_id uuid not null,
  merchant_id uuid not null,
  places int not null check (places between 1 and 1000000),
  taken int not null default 0 check (taken >= 0),
  budget_cents bigint not null check (budget_cents > 0),
  -- Set aside for what is owed.
  held_cents bigint not null default 0 check (held_cents >= 0),
  spent_cents bigint not null default 0 check (spent_cents >= 0),
  primary key (service_provider_id, activity_id),
  foreign key (service_provider_id, merchant_id, activity_id) references activities (service_provider_id, merchant_id, id),
  check (taken <= places),
  check (spent_cents + held_cents <= budget_cents)
) with (fillfactor = 50);

-- Pieces of a coupon that are set aside for an activity from its approval on, so that nobody else receives them.
create table activity_stock (
  service_provider_id uuid not null,
  activity_id uuid not null,
  campaign_id uuid not null,
  merchant_id uuid not null,
  -- For one place.
  each int not null check (each > 0),
  held bigint not null check (held >= 0),
  primary key (service_provider_id, activity_id, campaign_id),
  foreign key (service_provider_id, merchant_id, activity_id) references activities (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id, campaign_id) references coupon_campaigns (service_provider_id, merchant_id, id)
);
create index activity_stock_campaign on activity_stock (service_provider_id, campaign_id);

-- What somebody gets for an event: once for a human and an occasion.
create table activity_grants (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  activity_id uuid not null,
  version int not null,
  member_id uuid not null,
  -- Where it came about.
  store_id uuid not null,
  -- One human, whatever member they are: keyed hash of the phone, else of the member.
  person bytea not null,
  -- life, a day, a year, or who was invited.
  occasion text not null check (length(occasion) between 1 and 40),
  -- own, or friend: which of the two gifts of 推荐有礼.
  side text not null default 'own' check (side in ('own', 'friend')),
  -- owed 待发, review 待放行, given 已发, failed 没发成, refused 未给
  status text not null check (status in ('owed', 'review', 'given', 'failed', 'refused')),
  -- Why not, as the contract says it: gone, phone, openid, payer, device, net, shop; and in words.
  why text,
  reason text not null default '',
  cost_cents bigint not null check (cost_cents >= 0),
  at timestamptz not null,
  settled_at timestamptz,
  by_name text not null default '',
  primary key (service_provider_id, id),
  unique (service_provider_id, activity_id, person, occasion),
  foreign key (service_provider_id, activity_id, version) references activity_terms (service_provider_id, activity_id, version),
  foreign key (service_provider_id, merchant_id, member_id) references members (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id, store_id) references stores (service_provider_id, merchant_id, id),
  check ((status in ('owed', 'review')) = (settled_at is null)),
  check ((status = 'refused') <= (why is not null))
);
create index activity_grants_newest on activity_grants (service_provider_id, merchant_id, at desc, id desc);
create index activity_grants_of on activity_grants (service_provider_id, activity_id, at desc, id desc);
create index activity_grants_member on activity_grants (service_provider_id, member_id, activity_id);
create index activity_grants_owed on activity_grants (at) where status = 'owed';
insert into app.state_edges values ('activity_grant', 'owed', 'given'), ('activity_grant', 'owed', 'failed'), ('activity_grant', 'review', 'owed'),
  ('activity_grant', 'review', 'refused');
create trigger guard_edge before update of status on activity_grants for each row execute function app.guard_edge('activity_grant');

-- The things of a grant, each given once by its own id.
create table activity_gifts (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  grant_id uuid not null,
  place int not null check (place > 0),
  kind text not null check (kind in ('coupon', 'points', 'balance')),
  campaign_id uuid,
  -- One coupon, points, or cents.
  amount bigint not null check (amount > 0),
  cost_cents bigint not null check (cost_cents >= 0),
  -- 0 待发, 1 已发, 2 没发成, 3 不发了
  status smallint not null default 0 check (status between 0 and 3),
  reason text not null default '',
  coupon_id uuid,
  primary key (service_provider_id, id),
  unique (service_provider_id, grant_id, place),
  foreign key (service_provider_id, grant_id) references activity_grants (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, campaign_id) references coupon_campaigns (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, coupon_id) references coupons (service_provider_id, id),
  check ((kind = 'coupon') = (campaign_id is not null)),
  check ((kind = 'coupon' and status = 1) = (coupon_id is not null))
);

-- By what somebody is known again who comes as somebody else: keyed hashes, kept for 180 days.
create table activity_marks (
  service_provider_id uuid not null,
  merchant_id uuid not null,
  activity_id uuid not null,
  -- In which a mark is good once: life, a day, a year.
  span text not null,
  kind text not null check (kind in ('phone', 'openid', 'payer', 'device', 'net')),
  hash bytea not null,
  grant_id uuid not null,
  at timestamptz not null,
  primary key (service_provider_id, grant_id, kind, hash),
  foreign key (service_provider_id, grant_id) references activity_grants (service_provider_id, id)
);
create unique index activity_marks_once on activity_marks (service_provider_id, activity_id, span, kind, hash) where kind <> 'net';
create index activity_marks_net on activity_marks (service_provider_id, merchant_id, hash, at) where kind = 'net';
create index activity_marks_old on activity_marks (at);

-- Agents, groups and teams see none of it; a store none of the marks.
do $$
declare t text;
begin
  foreach t in array array['activities', 'activity_terms', 'activity_budgets', 'activity_stock', 'activity_grants', 'activity_gifts'] loop
    execute format('create policy who on %I as restrictive using ((select app.level()) in (''PLATFORM'', ''SP'', ''MCH'', ''AE''))', t);
  end loop;
end $$;
create policy who on activity_marks as restrictive using ((select app.level()) = 'PLATFORM');
