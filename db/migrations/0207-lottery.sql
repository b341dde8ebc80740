-- 摇一摇 (marketing.md 10): a draw that anybody can recheck. Only the room `lottery` writes these. How a draw is worked out: docs/lottery.md.
create table lotteries (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  no text not null check (no ~ '^[0-9]{10}$'),
  name text not null check (length(name) between 1 and 20),
  state text not null check (state in ('UNAUDIT', 'RUNNING', 'PAUSED', 'STOPED')),
  version int not null default 1 check (version > 0),
  -- From inclusive, to exclusive; whole Shanghai days.
  begins_at timestamptz not null,
  ends_at timestamptz not null,
  -- The begin of the chain of seeds, published with the rules; the rest is in lottery_chains.
  seed0 bytea check (length(seed0) = 32),
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
  check (state not in ('RUNNING', 'PAUSED') or seed0 is not null),
  check (decided_by is distinct from made_by or decided_by is null or alone or state = 'STOPED'),
  check ((state = 'STOPED') = (stopped_at is not null))
);
create index lotteries_newest on lotteries (service_provider_id, merchant_id, created_at desc, id desc);
create index lotteries_ends on lotteries (ends_at) where state in ('RUNNING', 'PAUSED');
insert into app.state_edges values ('lottery', 'UNAUDIT', 'RUNNING'), ('lottery', 'UNAUDIT', 'STOPED'), ('lottery', 'RUNNING', 'PAUSED'),
  ('lottery', 'PAUSED', 'RUNNING'), ('lottery', 'RUNNING', 'STOPED'), ('lottery', 'PAUSED', 'STOPED');
create trigger guard_edge before update of state on lotteries for each row execute function app.guard_coupon_edge('lottery');

-- The rules, by version; after the approval there is no other.
create table lottery_terms (
  service_provider_id uuid not null,
  lottery_id uuid not null,
  merchant_id uuid not null,
  version int not null check (version > 0),
  terms jsonb not null,
  said text[] not null check (cardinality(said) between 1 and 6),
  -- What one piece of each prize costs at most, in the order of the prizes; and of all of them.
  costs bigint[] not null,
  -- Each prize in a few words, in their order.
  words text[] not null,
  most_cents bigint not null check (most_cents > 0),
  sha256 bytea not null,
  by_name text not null,
  created_at timestamptz not null,
  primary key (service_provider_id, lottery_id, version),
  foreign key (service_provider_id, merchant_id, lottery_id) references lotteries (service_provider_id, merchant_id, id)
);
insert into app.append_only values ('lottery_terms');

-- What there is of each prize and what is drawn of it (20). Made when the lottery is approved.
create table lottery_prizes (
  service_provider_id uuid not null,
  lottery_id uuid not null,
  merchant_id uuid not null,
  place smallint not null check (place between 1 and 8),
  kind text not null check (kind in ('coupon', 'points', 'balance', 'goods')),
  campaign_id uuid,
  -- Coupons, points or cents of one piece.
  amount bigint not null check (amount > 0),
  cost_cents bigint not null check (cost_cents >= 0),
  stock int not null check (stock between 1 and 1000000),
  drawn int not null default 0 check (drawn >= 0),
  -- Coupons that are set aside for what is neither drawn nor given.
  held bigint not null default 0 check (held >= 0),
  primary key (service_provider_id, lottery_id, place),
  foreign key (service_provider_id, merchant_id, lottery_id) references lotteries (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id, campaign_id) references coupon_campaigns (service_provider_id, merchant_id, id),
  check (drawn <= stock),
  check ((kind = 'coupon') = (campaign_id is not null)),
  check (kind = 'coupon' or held = 0)
) with (fillfactor = 50);
create index lottery_prizes_campaign on lottery_prizes (service_provider_id, campaign_id) where campaign_id is not null;

-- One row that everybody who draws waits for: the last number, the last hash, and the money.
create table lottery_counts (
  service_provider_id uuid not null,
  lottery_id uuid not null,
  merchant_id uuid not null,
  draws bigint not null default 0 check (draws >= 0),
  last_hash bytea not null check (length(last_hash) = 32),
  budget_cents bigint not null check (budget_cents > 0),
  -- For prizes that are owed.
  held_cents bigint not null default 0 check (held_cents >= 0),
  spent_cents bigint not null default 0 check (spent_cents >= 0),
  primary key (service_provider_id, lottery_id),
  foreign key (service_provider_id, merchant_id, lottery_id) references lotteries (service_provider_id, merchant_id, id),
  check (spent_cents + held_cents <= budget_cents)
) with (fillfactor = 50);

-- The end of the chain, sealed: every seed follows from it. Nobody but the platform's own jobs reads it.
create table lottery_chains (
  service_provider_id uuid not null,
  lottery_id uuid not null,
  merchant_id uuid not null,
  days int not null check (days between 1 and 366),
  last_sealed text not null,
  -- So many seeds are published.
  published int not null default 0 check (published between 0 and days),
  primary key (service_provider_id, lottery_id),
  foreign key (service_provider_id, merchant_id, lottery_id) references lotteries (service_provider_id, merchant_id, id)
);
-- Seeds of days that are over.
create table lottery_seeds (
  service_provider_id uuid not null,
  lottery_id uuid not null,
  merchant_id uuid not null,
  -- 1 is the first day.
  n int not null check (n > 0),
  day date not null,
  seed bytea not null check (length(seed) = 32),
  published_at timestamptz not null,
  primary key (service_provider_id, lottery_id, n),
  unique (service_provider_id, lottery_id, day),
  foreign key (service_provider_id, merchant_id, lottery_id) references lotteries (service_provider_id, merchant_id, id)
);
insert into app.append_only values ('lottery_seeds');

-- Each draw, in the order in which they were made; never changed, each with the hash of the one before.
create table lottery_draws (
  service_provider_id uuid not null,
  id uuid not null,
  lottery_id uuid not null,
  merchant_id uuid not null,
  draw_no bigint not null check (draw_no > 0),
  day date not null,
  member_id uuid not null,
  -- One human in this lottery: a keyed hash, as 公示 shows it.
  person bytea not null check (length(person) = 32),
  -- The n-th of the day, and what the phone sent: the request's own id.
  nth int not null check (nth > 0),
  nonce uuid not null,
  -- 0 to 999,999, the prize in whose range it falls, and the prize that it won; 0 is 谢谢参与.
  roll int not null check (roll between 0 and 999999),
  hit smallint not null check (hit between 0 and 8),
  prize smallint not null check (prize in (0, hit)),
  at timestamptz not null,
  prev_hash bytea not null,
  hash bytea not null check (length(hash) = 32),
  primary key (service_provider_id, lottery_id, draw_no),
  unique (service_provider_id, id),
  unique (service_provider_id, lottery_id, nonce),
  unique (service_provider_id, lottery_id, person, day, nth),
  foreign key (service_provider_id, merchant_id, lottery_id) references lotteries (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id, member_id) references members (service_provider_id, merchant_id, id)
);
create index lottery_draws_member on lottery_draws (service_provider_id, member_id, lottery_id, day);
create index lottery_draws_won on lottery_draws (service_provider_id, lottery_id, draw_no desc) where prize > 0;
insert into app.append_only values ('lottery_draws');

-- What somebody won: one for a draw.
create table lottery_wins (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  lottery_id uuid not null,
  draw_no bigint not null,
  place smallint not null,
  member_id uuid not null,
  kind text not null check (kind in ('coupon', 'points', 'balance', 'goods')),
  amount bigint not null check (amount > 0),
  cost_cents bigint not null check (cost_cents >= 0),
  -- 0 待发 or 待领, 1 已发 or 已领, 2 没发成, 3 过期没领
  status smallint not null default 0 check (status between 0 and 3),
  reason text not null default '',
  coupon_id uuid,
  -- Goods: what the customer shows, until when, and where and by whom it was handed over.
  code text check (code ~ '^[0-9]{10}$'),
  until timestamptz,
  handed_store_id uuid,
  by_name text not null default '',
  at timestamptz not null,
  settled_at timestamptz,
  primary key (service_provider_id, id),
  unique (service_provider_id, lottery_id, draw_no),
  foreign key (service_provider_id, lottery_id, draw_no) references lottery_draws (service_provider_id, lottery_id, draw_no),
  foreign key (service_provider_id, lottery_id, place) references lottery_prizes (service_provider_id, lottery_id, place),
  foreign key (service_provider_id, merchant_id, handed_store_id) references stores (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, coupon_id) references coupons (service_provider_id, id),
  check ((kind = 'goods') = (code is not null)),
  check ((kind = 'goods') = (until is not null)),
  check ((kind = 'coupon' and status = 1) = (coupon_id is not null)),
  check ((kind = 'goods' and status = 1) = (handed_store_id is not null)),
  check ((status = 0) = (settled_at is null))
);
create unique index lottery_wins_code on lottery_wins (service_provider_id, merchant_id, code) where code is not null;
create index lottery_wins_owed on lottery_wins (at) where status = 0 and kind <> 'goods';
create index lottery_wins_until on lottery_wins (until) where status = 0 and kind = 'goods';
create index lottery_wins_coupon on lottery_wins (service_provider_id, coupon_id) where coupon_id is not null;
insert into app.state_edges values ('lottery_win', '0', '1'), ('lottery_win', '0', '2'), ('lottery_win', '0', '3');
create trigger guard_edge before update of status on lottery_wins for each row execute function app.guard_edge('lottery_win');

-- 加奖: more of a prize, from which draw on.
create table lottery_raises (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  lottery_id uuid not null,
  place smallint not null,
  from_stock int not null,
  to_stock int not null,
  after_no bigint not null check (after_no >= 0),
  by_name text not null,
  at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, lottery_id, place, to_stock),
  foreign key (service_provider_id, lottery_id, place) references lottery_prizes (service_provider_id, lottery_id, place),
  check (to_stock > from_stock)
);
insert into app.append_only values ('lottery_raises');

-- 员工名单: whose phone this is can't draw (总局令 32 号: no inside winners). The keyed hash of the phone, as members have it.
create table lottery_staff (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  subject_hash bytea not null,
  name text not null check (length(name) between 1 and 20),
  phone_tail text not null check (phone_tail ~ '^[0-9]{4}$'),
  by_name text not null,
  at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id, subject_hash),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);

-- What a lottery gives is a coupon of its own source.
alter table coupons drop constraint coupons_source_check,
  add constraint coupons_source_check check (source in ('claim', 'send', 'package', 'activity', 'gift', 'lottery'));

do $$
declare t text;
begin
  foreach t in array array['lotteries', 'lottery_terms', 'lottery_prizes', 'lottery_counts', 'lottery_seeds', 'lottery_draws', 'lottery_wins', 'lottery_raises',
    'lottery_staff'] loop
    execute format('create policy who on %I as restrictive using ((select app.level()) in (''PLATFORM'', ''SP'', ''MCH'', ''AE''))', t);
  end loop;
end $$;
create policy who on lottery_chains as restrictive using ((select app.level()) = 'PLATFORM');
