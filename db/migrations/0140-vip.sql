-- VIP: levels of a merchant's members and what they are worth, terms that were bought, and 次卡. Only the room `vip` writes these.

-- The ladder and the rights are kept whole: a change is a new version, and the one before stays for whatever was decided by it.
create table vip_versions (
  service_provider_id uuid not null,
  merchant_id uuid not null,
  kind text not null check (kind in ('levels', 'rights')),
  version int not null check (version > 0),
  by_name text not null,
  created_at timestamptz not null,
  primary key (service_provider_id, merchant_id, kind, version),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);
create table vip_levels (
  service_provider_id uuid not null,
  merchant_id uuid not null,
  version int not null,
  rank smallint not null check (rank between 1 and 10),
  name text not null check (length(name) between 1 and 16),
  -- growth: points of growth in 12 months. spent: cents in 12 months. paid: it is bought.
  basis text not null check (basis in ('growth', 'spent', 'paid')),
  threshold bigint check (threshold > 0),
  price_cents bigint check (price_cents > 0),
  months smallint check (months between 1 and 36),
  primary key (service_provider_id, merchant_id, version, rank),
  check (case basis when 'paid' then threshold is null and price_cents is not null and months is not null
    else threshold is not null and price_cents is null and months is null end)
);
create table right_rules (
  service_provider_id uuid not null,
  merchant_id uuid not null,
  version int not null,
  rank smallint not null check (rank between 1 and 10),
  -- discount: what is paid, in percent (95 is 九五折). multiple: hundredths (150 is 1.5). birthday-points: points. birthday-gift: cents.
  kind text not null check (kind in ('discount', 'multiple', 'birthday-points', 'birthday-gift')),
  value int not null check (value > 0),
  primary key (service_provider_id, merchant_id, version, rank, kind),
  check (case kind when 'discount' then value between 10 and 99 when 'multiple' then value between 101 and 1000
    when 'birthday-points' then value <= 100000 else value <= 100000 end)
);

-- Where a member stands: made from orders, refunds, rules and terms, and can be made again.
create table vip_members (
  service_provider_id uuid not null,
  member_id uuid not null,
  merchant_id uuid not null,
  -- The highest that counts today; 0 is none.
  rank smallint not null check (rank between 0 and 10),
  earned_rank smallint not null check (earned_rank between 0 and 10),
  -- The first day on which the earned level is no longer kept without being reached anew.
  keep_until date,
  growth bigint not null,
  spent_cents bigint not null,
  -- What was bought and not given back, as [{rank, from, to}]: a till reads one row, and both days count.
  terms jsonb not null,
  -- The next day on which it has to be looked at.
  due_on date,
  followed_at timestamptz not null,
  primary key (service_provider_id, member_id),
  foreign key (service_provider_id, merchant_id, member_id) references members (service_provider_id, merchant_id, id)
);
create index vip_members_due on vip_members (due_on) where due_on is not null;
create index vip_members_rank on vip_members (service_provider_id, merchant_id, rank) where rank > 0;

create table level_history (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  member_id uuid not null,
  rank_from smallint not null,
  rank_to smallint not null,
  cause text not null check (cause in ('order', 'refund', 'kept', 'rules', 'term')),
  version int not null,
  order_id uuid,
  at timestamptz not null,
  primary key (service_provider_id, id),
  check (rank_from <> rank_to),
  foreign key (service_provider_id, merchant_id, member_id) references members (service_provider_id, merchant_id, id)
);
create index level_history_member on level_history (service_provider_id, member_id, at desc);

-- 付费期: one purchase of a level. A renewal begins where the one before ends; others run beside.
create table vip_terms (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  -- Where it was sold.
  store_id uuid not null,
  member_id uuid not null,
  order_id uuid not null,
  rank smallint not null check (rank between 1 and 10),
  version int not null,
  name text not null,
  price_cents bigint not null check (price_cents > 0),
  months smallint not null check (months > 0),
  -- 0 待支付, 1 有效, 2 已关闭, 3 退款中, 4 已退款, 5 已到期
  status smallint not null default 0 check (status between 0 and 5),
  first_day date,
  last_day date check (last_day >= first_day),
  paid_at timestamptz,
  refund_id uuid,
  refund_cents bigint check (refund_cents between 0 and price_cents),
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, order_id),
  check ((status in (0, 2)) or (first_day is not null and last_day is not null and paid_at is not null)),
  check (status not in (3, 4) or refund_cents is not null),
  foreign key (service_provider_id, order_id) references pay_orders (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, member_id) references members (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, store_id) references stores (service_provider_id, id)
);
create index vip_terms_member on vip_terms (service_provider_id, member_id);
create index vip_terms_newest on vip_terms (service_provider_id, merchant_id, created_at desc, id desc);
create index vip_terms_ends on vip_terms (last_day) where status = 1;
create index vip_terms_refund on vip_terms (service_provider_id, refund_id) where status = 3;
insert into app.state_edges values ('vip_term', '0', '1'), ('vip_term', '0', '2'), ('vip_term', '2', '1'), ('vip_term', '1', '3'), ('vip_term', '3', '1'),
  ('vip_term', '3', '4'), ('vip_term', '1', '4'), ('vip_term', '5', '4'), ('vip_term', '1', '5');
create trigger guard_edge before update of status on vip_terms for each row execute function app.guard_edge('vip_term');

-- One gift of a right for a member and a period: a year, a month.
create table right_grants (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  member_id uuid not null,
  kind text not null check (kind in ('birthday-points', 'birthday-gift')),
  period text not null check (period ~ '^\d{4}(-\d{2})?$'),
  rank smallint not null check (rank between 1 and 10),
  version int not null,
  value int not null check (value > 0),
  at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, member_id, kind, period),
  foreign key (service_provider_id, merchant_id, member_id) references members (service_provider_id, merchant_id, id)
);

-- 次卡: what is sold, a card of a member, and each use of one.
create table times_products (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  name text not null check (length(name) between 1 and 32),
  times int not null check (times between 1 and 999),
  gift_times int not null check (gift_times between 0 and 999),
  price_cents bigint not null check (price_cents > 0),
  -- What one use costs without the card: by it a customer who gives the card back pays what was used.
  single_price_cents bigint not null check (single_price_cents > 0),
  days int not null check (days between 1 and 3650),
  -- Where it is good; none named: everywhere.
  store_ids uuid[] not null default '{}',
  state text not null default 'active' check (state in ('active', 'disabled')),
  revision int not null default 1,
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id, name),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);
create index times_products_newest on times_products (service_provider_id, merchant_id, created_at desc, id desc);

create table times_cards (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  -- Where it was sold, and who owes it.
  store_id uuid not null,
  card_no text not null check (card_no ~ '^\d{12}$'),
  member_id uuid not null,
  order_id uuid not null,
  product_id uuid not null,
  name text not null,
  times int not null,
  gift_times int not null,
  left_times int not null,
  price_cents bigint not null,
  single_price_cents bigint not null,
  -- What of the price is used: price × used ÷ all, and nothing else ever.
  earned_cents bigint not null default 0,
  days int not null,
  store_ids uuid[] not null,
  -- 0 待支付, 1 使用中, 2 已用完, 3 已过期, 4 退款中, 5 已退款, 6 已关闭
  status smallint not null default 0 check (status between 0 and 6),
  first_day date,
  last_day date check (last_day >= first_day),
  paid_at timestamptz,
  refund_id uuid,
  refund_reason smallint check (refund_reason between 1 and 3),
  refund_cents bigint check (refund_cents between 0 and price_cents),
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id, card_no),
  unique (service_provider_id, order_id),
  check (left_times between 0 and times + gift_times),
  check (earned_cents = (2 * price_cents * (times + gift_times - left_times) + times + gift_times) / (2 * (times + gift_times))),
  check ((status in (0, 6)) or (first_day is not null and last_day is not null and paid_at is not null)),
  check (status not in (4, 5) or (refund_cents is not null and refund_reason is not null)),
  check (status <> 2 or left_times = 0),
  check (status not in (1, 3) or left_times > 0),
  foreign key (service_provider_id, order_id) references pay_orders (service_provider_id, id),
  foreign key (service_provider_id, product_id) references times_products (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, member_id) references members (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, store_id) references stores (service_provider_id, id)
);
create index times_cards_member on times_cards (service_provider_id, member_id);
create index times_cards_newest on times_cards (service_provider_id, merchant_id, created_at desc, id desc);
create index times_cards_ends on times_cards (last_day) where status = 1;
create index times_cards_refund on times_cards (service_provider_id, refund_id) where status = 4;
insert into app.state_edges values ('times_card', '0', '1'), ('times_card', '0', '6'), ('times_card', '6', '1'), ('times_card', '1', '2'),
  ('times_card', '1', '3'), ('times_card', '2', '1'), ('times_card', '3', '1'), ('times_card', '1', '4'), ('times_card', '3', '4'),
  ('times_card', '4', '1'), ('times_card', '4', '3'), ('times_card', '4', '5'), ('times_card', '1', '5'), ('times_card', '3', '5'),
  ('times_card', '2', '5');
create trigger guard_edge before update of status on times_cards for each row execute function app.guard_edge('times_card');

create table times_uses (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  -- Where it was used; and of the card what a store may read that did not sell it.
  store_id uuid not null,
  card_id uuid not null,
  card_no text not null,
  name text not null,
  sold_store_id uuid not null,
  member_id uuid not null,
  times int not null check (times > 0),
  value_cents bigint not null check (value_cents >= 0),
  device_id uuid,
  by_name text not null,
  at timestamptz not null,
  reversed_at timestamptz,
  reversed_by text,
  -- What of the price a reversal took back: by what was used then, so that price × used ÷ all holds after it too.
  reversed_value_cents bigint check (reversed_value_cents >= 0),
  primary key (service_provider_id, id),
  check (num_nonnulls(reversed_at, reversed_by, reversed_value_cents) in (0, 3)),
  foreign key (service_provider_id, card_id) references times_cards (service_provider_id, id),
  foreign key (service_provider_id, store_id) references stores (service_provider_id, id)
);
create index times_uses_card on times_uses (service_provider_id, card_id);
create index times_uses_newest on times_uses (service_provider_id, merchant_id, at desc, id desc);

insert into app.append_only values ('vip_versions'), ('vip_levels'), ('right_rules'), ('level_history'), ('right_grants');
-- Agents, groups and teams see no member, whatever they ask.
do $$
declare t text;
begin
  foreach t in array array['vip_members', 'level_history', 'vip_terms', 'right_grants', 'times_cards', 'times_uses'] loop
    execute format('create policy who on %I as restrictive using ((select app.level()) in (''PLATFORM'', ''SP'', ''MCH'', ''AE''))', t);
  end loop;
end $$;
