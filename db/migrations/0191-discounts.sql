-- 优惠规则 (marketing.md 5 step 2, 9): what comes off by itself at the till, within a budget, and each use of it. Only the room `discounts`
-- writes these.
create table discount_rules (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  name text not null check (length(name) between 1 and 20),
  -- 1 首单立减, 2 每满减, 3 会员日, 4 随机立减. It never changes.
  kind smallint not null check (kind between 1 and 4),
  state text not null default 'active' check (state in ('active', 'paused')),
  -- What it takes off and when, as the contract says it.
  terms jsonb not null,
  -- As one sentence, as everybody reads it.
  said text not null,
  -- Of the rules of one group the more urgent stands; the higher, the more urgent.
  group_name text not null default '' check (length(group_name) <= 16),
  priority int not null check (priority between 0 and 999),
  -- Once a human.
  once boolean not null,
  -- Fixed when it is made, and only ever more: none is no limit.
  budget_cents bigint check (budget_cents > 0),
  revision int not null default 1,
  made_by_name text not null,
  changed_by_name text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id, name),
  unique (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);
create index discount_rules_urgent on discount_rules (service_provider_id, merchant_id, priority desc, id);

-- What rules with a budget have spent, holds of open orders counted (18).
create table discount_budgets (
  service_provider_id uuid not null,
  rule_id uuid not null,
  merchant_id uuid not null,
  budget_cents bigint not null check (budget_cents > 0),
  spent_cents bigint not null default 0 check (spent_cents >= 0),
  primary key (service_provider_id, rule_id),
  foreign key (service_provider_id, merchant_id, rule_id) references discount_rules (service_provider_id, merchant_id, id),
  check (spent_cents <= budget_cents)
) with (fillfactor = 50);

-- Each use: HELD by an open order, TAKEN by a paid one; RELEASED when it closed, RETURNED by a whole refund, BORNE where the budget or the
-- one time was gone when the money came.
create table discount_uses (
  service_provider_id uuid not null,
  id uuid not null,
  order_id uuid not null,
  rule_id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  member_id uuid,
  -- One human, of rules that are good once: keyed hash of the phone, else the member.
  person bytea,
  state text not null check (state in ('HELD', 'TAKEN', 'RELEASED', 'RETURNED', 'BORNE')),
  off_cents bigint not null check (off_cents > 0),
  at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, order_id, rule_id),
  foreign key (service_provider_id, merchant_id, rule_id) references discount_rules (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, order_id) references pay_orders (service_provider_id, id)
);
create unique index discount_uses_once on discount_uses (service_provider_id, rule_id, person) where person is not null and state in ('HELD', 'TAKEN');
create index discount_uses_newest on discount_uses (service_provider_id, merchant_id, at desc, id desc);
create index discount_uses_rule on discount_uses (service_provider_id, rule_id, at desc, id desc);
insert into app.state_edges values ('discount_use', 'HELD', 'TAKEN'), ('discount_use', 'HELD', 'RELEASED'), ('discount_use', 'RELEASED', 'TAKEN'),
  ('discount_use', 'RELEASED', 'BORNE'), ('discount_use', 'TAKEN', 'RETURNED');
create trigger guard_edge before update of state on discount_uses for each row execute function app.guard_coupon_edge('discount_use');

-- Agents, groups and teams see none of it.
do $$
declare t text;
begin
  foreach t in array array['discount_rules', 'discount_budgets', 'discount_uses'] loop
    execute format('create policy who on %I as restrictive using ((select app.level()) in (''PLATFORM'', ''SP'', ''MCH'', ''AE''))', t);
  end loop;
end $$;
