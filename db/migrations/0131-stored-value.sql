-- 储值: rules, recharges, card refunds, transfers, corrections. Only the room `stored-value` writes these.

-- 储值规则, by version; a recharge keeps the one it was sold under.
create table recharge_rules (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  version int not null check (version > 0),
  -- [{ "amount_cents", "gift_cents", "points", "most" }], the smallest amount first.
  tiers jsonb not null,
  mode text not null check (mode in ('ratio', 'principal-first', 'gift-first')),
  -- Whether other amounts than the tiers' may be paid in.
  any_amount boolean not null,
  -- What a customer's own wish pays back: prices before discounts (Art. 19), or as the merchant's reason.
  wish_pays text not null check (wish_pays in ('less-used', 'as-merchant')),
  -- Above: whose id number is not known cannot recharge; cash and transfers ask for a second person.
  id_card_above_cents bigint not null check (id_card_above_cents >= 0),
  second_above_cents bigint not null check (second_above_cents >= 0),
  first_day date,
  last_day date check (last_day >= first_day),
  made_by_name text not null,
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id, version),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);
insert into app.append_only values ('recharge_rules');

create table recharges (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  member_id uuid not null,
  -- 0 收银, by an order; 1 现金, 2 转账.
  way smallint not null check (way in (0, 1, 2)),
  -- 0 待支付, 1 已关闭, 2 已到账, 3 待审核, 4 已驳回, 5 已原路退回 (the member had left before the money came).
  status smallint not null check (status between 0 and 5),
  order_id uuid,
  request_id uuid,
  rule_id uuid,
  -- The tier's amount; null for an amount of one's own.
  tier_cents bigint check (tier_cents > 0),
  principal_cents bigint not null check (principal_cents > 0),
  gift_cents bigint not null check (gift_cents >= 0),
  points bigint not null check (points >= 0),
  mode text not null check (mode in ('ratio', 'principal-first', 'gift-first')),
  lot_id uuid,
  note text not null default '' check (length(note) <= 100),
  asked_by uuid,
  asked_by_name text not null,
  decided_by uuid,
  decided_by_name text,
  created_at timestamptz not null,
  paid_at timestamptz,
  primary key (service_provider_id, id),
  check ((way = 0) = (order_id is not null)),
  check ((status = 2) = (lot_id is not null)),
  check ((status in (2, 5)) = (paid_at is not null)),
  foreign key (service_provider_id, order_id) references pay_orders (service_provider_id, id),
  foreign key (service_provider_id, lot_id) references value_lots (service_provider_id, id),
  foreign key (service_provider_id, rule_id) references recharge_rules (service_provider_id, id),
  foreign key (service_provider_id, store_id) references stores (service_provider_id, id)
);
create unique index recharges_order on recharges (service_provider_id, order_id) where order_id is not null;
create unique index recharges_request on recharges (service_provider_id, request_id) where request_id is not null;
create unique index recharges_lot on recharges (service_provider_id, lot_id) where lot_id is not null;
create index recharges_newest on recharges (service_provider_id, merchant_id, created_at desc, id desc);
create index recharges_newest_of on recharges (service_provider_id, created_at desc, id desc);
create index recharges_member on recharges (service_provider_id, member_id, status);
insert into app.state_edges values ('recharge', '0', '1'), ('recharge', '0', '2'), ('recharge', '1', '2'), ('recharge', '0', '5'), ('recharge', '1', '5'),
  ('recharge', '3', '2'), ('recharge', '3', '4');
create trigger guard_edge before update of status on recharges for each row execute function app.guard_edge('recharge');

-- 退卡: a whole lot paid back by law. The sums stand as they were when it was asked for, and nothing shrinks later: the lot is held.
create table card_refunds (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  -- Of the store that sold the lot.
  store_id uuid not null,
  member_id uuid not null,
  lot_id uuid not null,
  request_id uuid not null,
  -- 1 七日无理由, 2 商家原因, 3 顾客原因
  reason smallint not null check (reason in (1, 2, 3)),
  -- 0 待审核, 1 退款中, 2 已退卡, 3 退款失败, 4 已驳回, 5 已撤回
  status smallint not null check (status between 0 and 5),
  -- 0 原路, 1 线下
  way smallint not null check (way in (0, 1)),
  principal_cents bigint not null check (principal_cents >= 0),
  gift_cents bigint not null check (gift_cents >= 0),
  used_cents bigint not null check (used_cents >= 0),
  held_principal_cents bigint not null check (held_principal_cents >= 0),
  held_gift_cents bigint not null check (held_gift_cents >= 0),
  -- What the customer gets.
  pays_cents bigint not null check (pays_cents >= 0),
  points bigint not null check (points >= 0),
  order_id uuid,
  refund_id uuid,
  note text not null check (length(note) <= 100),
  due_on date not null,
  failure text,
  -- Offline: who says it was paid and by what paper; another confirms it.
  evidence text check (length(evidence) <= 200),
  proved_by uuid,
  proved_by_name text,
  asked_by uuid not null,
  asked_by_name text not null,
  decided_by uuid,
  decided_by_name text,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (service_provider_id, id),
  check (pays_cents <= principal_cents),
  check (decided_by is distinct from asked_by or status = 5),
  check ((way = 0) = (order_id is not null)),
  foreign key (service_provider_id, lot_id) references value_lots (service_provider_id, id),
  foreign key (service_provider_id, order_id) references pay_orders (service_provider_id, id),
  foreign key (service_provider_id, refund_id) references refunds (service_provider_id, id),
  foreign key (service_provider_id, store_id) references stores (service_provider_id, id)
);
create unique index card_refunds_request on card_refunds (service_provider_id, request_id);
create unique index card_refunds_open on card_refunds (service_provider_id, lot_id) where status in (0, 1);
create index card_refunds_lot on card_refunds (service_provider_id, lot_id);
create unique index card_refunds_refund on card_refunds (service_provider_id, refund_id) where refund_id is not null;
create index card_refunds_newest on card_refunds (service_provider_id, merchant_id, created_at desc, id desc);
create index card_refunds_newest_of on card_refunds (service_provider_id, created_at desc, id desc);
create index card_refunds_out on card_refunds (service_provider_id, id) where status = 1;
-- 3 to 2: the channel did it after all.
insert into app.state_edges values ('card_refund', '0', '1'), ('card_refund', '0', '2'), ('card_refund', '0', '4'), ('card_refund', '0', '5'), ('card_refund', '1', '2'),
  ('card_refund', '1', '3'), ('card_refund', '3', '2');
create trigger guard_edge before update of status on card_refunds for each row execute function app.guard_edge('card_refund');

-- 余额转移, between two members of a merchant, both at the till.
create table value_transfers (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  request_id uuid not null,
  member_id uuid not null,
  to_member_id uuid not null,
  principal_cents bigint not null check (principal_cents >= 0),
  gift_cents bigint not null check (gift_cents >= 0),
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, request_id),
  check (member_id <> to_member_id),
  check (principal_cents + gift_cents > 0),
  foreign key (service_provider_id, store_id) references stores (service_provider_id, id)
);
create index value_transfers_newest on value_transfers (service_provider_id, merchant_id, created_at desc, id desc);
insert into app.append_only values ('value_transfers');

-- 改余额.
create table value_adjusts (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  request_id uuid not null,
  member_id uuid not null,
  -- 1 加赠送, 2 减赠送, 3 减本金
  kind smallint not null check (kind in (1, 2, 3)),
  -- 0 待审核, 1 已生效, 2 已驳回
  status smallint not null check (status in (0, 1, 2)),
  cents bigint not null check (cents > 0),
  reason smallint not null check (reason between 1 and 5),
  note text not null check (length(note) <= 100),
  asked_by uuid not null,
  asked_by_name text not null,
  decided_by uuid,
  decided_by_name text,
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, request_id),
  check (kind <> 3 or status = 0 or decided_by is distinct from asked_by),
  foreign key (service_provider_id, store_id) references stores (service_provider_id, id)
);
create index value_adjusts_newest on value_adjusts (service_provider_id, merchant_id, created_at desc, id desc);
insert into app.state_edges values ('value_adjust', '0', '1'), ('value_adjust', '0', '2');
create trigger guard_edge before update of status on value_adjusts for each row execute function app.guard_edge('value_adjust');

do $$
declare t text;
begin
  foreach t in array array['recharge_rules', 'recharges', 'card_refunds', 'value_transfers', 'value_adjusts'] loop
    execute format('create policy who on %I as restrictive using ((select app.level()) in (''PLATFORM'', ''SP'', ''MCH'', ''AE''))', t);
  end loop;
end $$;
