-- 券包 (marketing.md 9): coupons of several campaigns that are received together, for nothing or for a price; all of them or none.
create table packages (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  no text not null check (no ~ '^[0-9]{10}$'),
  name text not null check (length(name) between 1 and 20),
  note text not null default '' check (length(note) <= 200),
  -- Nothing: free.
  price_cents bigint check (price_cents between 1 and 10000000),
  state text not null check (state in ('UNAUDIT', 'RUNNING', 'PAUSED', 'STOPED')),
  -- When it can be received: from inclusive, to exclusive.
  begins_at timestamptz not null,
  ends_at timestamptz not null,
  per_person int not null check (per_person between 1 and 100),
  per_person_day int check (per_person_day between 1 and 100),
  per_day bigint check (per_day > 0),
  -- The row that everybody who receives waits for: never more than there are. Held is what open orders have.
  total bigint not null check (total between 1 and 1000000),
  issued bigint not null default 0 check (issued >= 0),
  held bigint not null default 0 check (held >= 0),
  -- How many went out on the last day on which any did.
  day date,
  today bigint not null default 0 check (today >= 0),
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
  check (issued + held <= total),
  check (state = 'UNAUDIT' or decided_by is not null),
  check (decided_by is distinct from made_by or decided_by is null or alone or state = 'STOPED'),
  check ((state = 'STOPED') = (stopped_at is not null))
) with (fillfactor = 50);
create index packages_newest on packages (service_provider_id, merchant_id, created_at desc, id desc);
create index packages_ends on packages (ends_at) where state in ('RUNNING', 'PAUSED');
insert into app.state_edges values ('package', 'UNAUDIT', 'RUNNING'), ('package', 'UNAUDIT', 'STOPED'), ('package', 'RUNNING', 'PAUSED'),
  ('package', 'PAUSED', 'RUNNING'), ('package', 'RUNNING', 'STOPED'), ('package', 'PAUSED', 'STOPED');
create trigger guard_edge before update of state on packages for each row execute function app.guard_coupon_edge('package');

-- What is in it. It never changes.
create table package_items (
  service_provider_id uuid not null,
  package_id uuid not null,
  campaign_id uuid not null,
  merchant_id uuid not null,
  -- As whoever made it put them.
  place int not null check (place > 0),
  count int not null check (count between 1 and 20),
  primary key (service_provider_id, package_id, campaign_id),
  foreign key (service_provider_id, merchant_id, package_id) references packages (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id, campaign_id) references coupon_campaigns (service_provider_id, merchant_id, id)
);
create index package_items_campaign on package_items (service_provider_id, campaign_id);
insert into app.append_only values ('package_items');

-- One package that somebody received or buys.
create table package_gets (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  package_id uuid not null,
  member_id uuid not null,
  -- One human, as in `coupons`.
  person bytea not null,
  -- The how-manieth of this package of this human; none where nothing was given.
  nth int check (nth > 0),
  -- The same asked for again is the same.
  request_id uuid not null,
  -- 0 待支付, 1 已发放, 2 已关闭, 3 退款中, 4 已退款, 5 已退回 (paid too late, so that nothing was left to give)
  status smallint not null check (status between 0 and 5),
  -- 0: free.
  price_cents bigint not null check (price_cents >= 0),
  order_id uuid,
  refund_id uuid,
  refund_cents bigint check (refund_cents >= 0),
  -- The Shanghai day on which it was asked for.
  asked_on date not null,
  created_at timestamptz not null,
  got_at timestamptz,
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id, id),
  unique (service_provider_id, request_id),
  unique (service_provider_id, package_id, person, nth),
  unique (service_provider_id, order_id),
  foreign key (service_provider_id, merchant_id, package_id) references packages (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id, member_id) references members (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, order_id) references pay_orders (service_provider_id, id),
  foreign key (service_provider_id, refund_id) references refunds (service_provider_id, id),
  check ((price_cents > 0) = (order_id is not null)),
  check ((status in (2, 5)) = (nth is null)),
  check ((status in (1, 3, 4)) = (got_at is not null)),
  check (status not in (3, 4) or refund_id is not null)
);
create index package_gets_newest on package_gets (service_provider_id, merchant_id, created_at desc, id desc);
create index package_gets_package on package_gets (service_provider_id, package_id, asked_on);
create index package_gets_member on package_gets (service_provider_id, member_id, package_id);
create index package_gets_back on package_gets (service_provider_id, refund_id) where status = 3;
insert into app.state_edges values ('package_get', '0', '1'), ('package_get', '0', '2'), ('package_get', '0', '5'), ('package_get', '2', '1'),
  ('package_get', '2', '5'), ('package_get', '1', '3'), ('package_get', '3', '1'), ('package_get', '3', '4'), ('package_get', '1', '4');
create trigger guard_edge before update of status on package_gets for each row execute function app.guard_edge('package_get');

-- Each coupon of it. A piece is set aside for each while its order is open.
create table package_coupons (
  service_provider_id uuid not null,
  get_id uuid not null,
  place int not null check (place > 0),
  -- What its coupon is given by.
  id uuid not null generated always as (md5(get_id::text || ':' || place)::uuid) stored,
  merchant_id uuid not null,
  campaign_id uuid not null,
  -- The most that it takes off, and its share of the price by that.
  value_cents bigint not null check (value_cents > 0),
  share_cents bigint not null check (share_cents >= 0),
  coupon_id uuid,
  -- It went back with the price.
  returned boolean not null default false,
  primary key (service_provider_id, get_id, place),
  foreign key (service_provider_id, merchant_id, get_id) references package_gets (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id, campaign_id) references coupon_campaigns (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, coupon_id) references coupons (service_provider_id, id),
  check (not returned or coupon_id is not null)
);
create index package_coupons_campaign on package_coupons (service_provider_id, campaign_id) where coupon_id is null;
create unique index package_coupons_coupon on package_coupons (service_provider_id, coupon_id) where coupon_id is not null;

-- What goes back with a package is set aside until the money is there, also what is over: a late payment could still use that.
insert into app.state_edges values ('coupon', 'EXPIRED', 'LOCKED');

-- Agents, groups and teams see none of it.
do $$
declare t text;
begin
  foreach t in array array['packages', 'package_items', 'package_gets', 'package_coupons'] loop
    execute format('create policy who on %I as restrictive using ((select app.level()) in (''PLATFORM'', ''SP'', ''MCH'', ''AE''))', t);
  end loop;
end $$;
