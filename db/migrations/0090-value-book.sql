-- The third book (docs/money.md): what members hold at a merchant, paid for, given and in points. Only the room `value-book` writes
-- these. An account belongs to a member, or, of a flow, to the merchant; `owner_id` is either.
select app.make_book('value', '{"principal": 0, "principal-held": 0, "gift": 0, "gift-held": 0,
    "points": 0, "points-pending": 0, "points-held": 0, "points-debt": null,
    "sold": null, "granted": null, "opening": null, "earned": null, "gift-used": null,
    "points-issued": null, "points-opening": null, "points-used": null, "points-cleared": null}', '{merchant_id, owner_id}',
  flows => '{sold, granted, opening, earned, gift-used, points-issued, points-opening, points-used, points-cleared}',
  units => '{"points": "points", "points-pending": "points", "points-held": "points", "points-debt": "points", "points-issued": "points",
    "points-opening": "points", "points-used": "points", "points-cleared": "points"}');
alter table value_entries
  add column store_id uuid,
  add column order_id uuid,
  add column refund_id uuid,
  add constraint value_entries_cause check (cause in ('recharge', 'opening', 'stored-hold', 'stored-take', 'stored-release', 'stored-back',
    'points-earned', 'points-opening', 'points-hold', 'points-take', 'points-release', 'points-back', 'points-claw', 'points-ripe', 'points-clear'));
create index value_entries_owner on value_entries (service_provider_id, merchant_id, owner_id, seq desc);
create index value_entries_order on value_entries (service_provider_id, order_id) where order_id is not null;

-- A debt is never more than paid off, and who has points owes none.
create function app.value_debt() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' as $$
begin
  if new.balance_after > 0 and exists (select from value_accounts
      where service_provider_id = new.service_provider_id and id = new.account_id and kind = 'points-debt') then
    raise exception 'more was paid off than is owed' using errcode = 'ZF002';
  end if;
  return new;
end $$;
-- After post: triggers of one kind go by name.
create trigger pre_debt before insert on value_postings for each row execute function app.value_debt();

-- 充值批次: one recharge or opening balance. What is left of it is what its member can spend; an order sets parts of it aside.
create table value_lots (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  member_id uuid not null,
  -- Who sold it, and so owes it: a till elsewhere spends it too.
  sold_store_id uuid not null,
  -- How a spending is cut into principal and gift; it stays as it was sold.
  mode text not null check (mode in ('ratio', 'principal-first', 'gift-first')),
  principal_cents bigint not null check (principal_cents >= 0),
  gift_cents bigint not null check (gift_cents >= 0),
  principal_left_cents bigint not null check (principal_left_cents between 0 and principal_cents),
  gift_left_cents bigint not null check (gift_left_cents between 0 and gift_cents),
  order_id uuid,
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  check (principal_cents + gift_cents > 0),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id),
  foreign key (service_provider_id, sold_store_id) references stores (service_provider_id, id)
);
create index value_lots_member on value_lots (service_provider_id, merchant_id, member_id, created_at, id);

-- What an order drew of a lot. One living row for an order and a lot.
create table value_draws (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  member_id uuid not null,
  order_id uuid not null,
  lot_id uuid not null,
  -- 0 set aside, 1 released, 2 taken.
  status smallint not null check (status in (0, 1, 2)),
  -- The order in which the lots were drawn.
  place smallint not null check (place > 0),
  principal_cents bigint not null check (principal_cents >= 0),
  gift_cents bigint not null check (gift_cents >= 0),
  returned_principal_cents bigint not null default 0 check (returned_principal_cents between 0 and principal_cents),
  returned_gift_cents bigint not null default 0 check (returned_gift_cents between 0 and gift_cents),
  primary key (service_provider_id, id),
  check (principal_cents + gift_cents > 0),
  check (status = 2 or returned_principal_cents + returned_gift_cents = 0),
  foreign key (service_provider_id, lot_id) references value_lots (service_provider_id, id),
  foreign key (service_provider_id, order_id) references pay_orders (service_provider_id, id)
);
create unique index value_draws_living on value_draws (service_provider_id, order_id, lot_id) where status <> 1;
create index value_draws_lot on value_draws (service_provider_id, lot_id);
insert into app.state_edges values ('value_draw', '0', '1'), ('value_draw', '0', '2');
create trigger guard_edge before update of status on value_draws for each row execute function app.guard_edge('value_draw');

-- 积分批次.
create table point_lots (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  member_id uuid not null,
  points bigint not null check (points > 0),
  left_points bigint not null check (left_points between 0 and points),
  -- 待入账: its points stand in the account `points-pending` until a run or a spending after that day moved them.
  pending boolean not null,
  usable_from date not null,
  -- The last day on which they are good; null for ever.
  expires_on date check (expires_on >= usable_from),
  order_id uuid,
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);
create index point_lots_member on point_lots (service_provider_id, merchant_id, member_id) where left_points > 0;
create index point_lots_ends on point_lots (expires_on) where left_points > 0;
create index point_lots_pending on point_lots (usable_from) where pending and left_points > 0;

create table point_draws (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  member_id uuid not null,
  order_id uuid not null,
  lot_id uuid not null,
  status smallint not null check (status in (0, 1, 2)),
  place smallint not null check (place > 0),
  points bigint not null check (points > 0),
  returned_points bigint not null default 0 check (returned_points between 0 and points),
  primary key (service_provider_id, id),
  check (status = 2 or returned_points = 0),
  foreign key (service_provider_id, lot_id) references point_lots (service_provider_id, id),
  foreign key (service_provider_id, order_id) references pay_orders (service_provider_id, id)
);
create unique index point_draws_living on point_draws (service_provider_id, order_id, lot_id) where status <> 1;
insert into app.state_edges values ('point_draw', '0', '1'), ('point_draw', '0', '2');
create trigger guard_edge before update of status on point_draws for each row execute function app.guard_edge('point_draw');
