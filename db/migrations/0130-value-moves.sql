-- What a lot loses otherwise than to orders: paid back by law (退卡), moved to another member, corrected. And every change of what is owed
-- by lot, folded by day each minute, so that liability, consumption across stores and the book are one figure.
select app.make_book('value', '{"principal": 0, "principal-held": 0, "gift": 0, "gift-held": 0,
    "points": 0, "points-pending": 0, "points-held": 0, "points-debt": null,
    "sold": null, "granted": null, "opening": null, "earned": null, "gift-used": null,
    "points-issued": null, "points-opening": null, "points-used": null, "points-cleared": null, "points-adjusted": null,
    "returned": null, "forfeited": null, "gift-void": null, "adjusted": null, "transferred": null}', '{merchant_id, owner_id}',
  flows => '{sold, granted, opening, earned, gift-used, points-issued, points-opening, points-used, points-cleared, points-adjusted,
    returned, forfeited, gift-void, adjusted, transferred}',
  units => '{"points": "points", "points-pending": "points", "points-held": "points", "points-debt": "points", "points-issued": "points",
    "points-opening": "points", "points-used": "points", "points-cleared": "points",
    "points-adjusted": "points"}');
alter table value_entries
  drop constraint value_entries_cause,
  add constraint value_entries_cause check (cause in ('recharge', 'opening', 'gift', 'stored-hold', 'stored-take', 'stored-release', 'stored-back',
    'card-refund-hold', 'card-refund-release', 'card-refund', 'stored-transfer', 'stored-adjust', 'birthday',
    'points-earned', 'points-opening', 'points-given', 'points-hold', 'points-take', 'points-release', 'points-back', 'points-claw', 'points-ripe', 'points-clear',
    'points-adjust', 'points-task'));

alter table value_lots
  -- When it was first sold; a part that was moved to another member keeps it, and where it came from.
  add column sold_at timestamptz,
  add column from_lot uuid,
  -- Set aside for a card refund; gone by one, by a transfer or a correction.
  add column held_principal_cents bigint not null default 0 check (held_principal_cents >= 0),
  add column held_gift_cents bigint not null default 0 check (held_gift_cents >= 0),
  add column cut_principal_cents bigint not null default 0 check (cut_principal_cents >= 0),
  add column cut_gift_cents bigint not null default 0 check (cut_gift_cents >= 0),
  add constraint value_lots_principal check (principal_left_cents + held_principal_cents + cut_principal_cents <= principal_cents),
  add constraint value_lots_gift check (gift_left_cents + held_gift_cents + cut_gift_cents <= gift_cents),
  add foreign key (service_provider_id, from_lot) references value_lots (service_provider_id, id);
update value_lots set sold_at = created_at;
alter table value_lots alter column sold_at set not null;
create index value_lots_order on value_lots (service_provider_id, order_id) where order_id is not null;

-- Of each lot, what was added to it or is gone for good: what is only set aside is still owed and has no row.
create table value_moves (
  service_provider_id uuid not null,
  id uuid not null,
  -- The order in which they came about.
  seq bigint not null generated always as identity,
  merchant_id uuid not null,
  member_id uuid not null,
  lot_id uuid not null,
  cause text not null,
  cause_id uuid not null,
  order_id uuid,
  refund_id uuid,
  -- Where it happened, and who sold the lot. Neither is the fence's store: a store sees what of its own is spent elsewhere.
  at_store_id uuid not null,
  sold_store_id uuid not null,
  sold_month date not null,
  principal_cents bigint not null,
  gift_cents bigint not null,
  at timestamptz not null,
  primary key (service_provider_id, id),
  check (principal_cents <> 0 or gift_cents <> 0),
  foreign key (service_provider_id, lot_id) references value_lots (service_provider_id, id)
);
create index value_moves_newest on value_moves (service_provider_id, merchant_id, at desc, id desc);
create index value_moves_member on value_moves (service_provider_id, member_id, seq);
create index value_moves_lot on value_moves (service_provider_id, lot_id);
insert into app.append_only values ('value_moves');
insert into value_moves (service_provider_id, id, merchant_id, member_id, lot_id, cause, cause_id, order_id, at_store_id, sold_store_id,
    sold_month, principal_cents, gift_cents, at)
  select service_provider_id, id, merchant_id, member_id, id, 'recharge', coalesce(order_id, id), order_id, sold_store_id, sold_store_id,
    date_trunc('month', created_at at time zone 'Asia/Shanghai'), principal_cents, gift_cents, created_at from value_lots;

-- Moves that no day's sum holds yet.
create table value_fresh (
  service_provider_id uuid not null,
  move_id uuid not null,
  merchant_id uuid not null,
  day date not null,
  at_store_id uuid not null,
  sold_store_id uuid not null,
  sold_month date not null,
  cause text not null,
  principal_cents bigint not null,
  gift_cents bigint not null,
  primary key (service_provider_id, move_id)
);
create table value_daily (
  service_provider_id uuid not null,
  merchant_id uuid not null,
  day date not null,
  at_store_id uuid not null,
  sold_store_id uuid not null,
  sold_month date not null,
  cause text not null,
  principal_cents bigint not null,
  gift_cents bigint not null,
  count bigint not null,
  primary key (service_provider_id, merchant_id, day, at_store_id, sold_store_id, sold_month, cause)
);
create function app.value_fresh() returns trigger language plpgsql set search_path = pg_catalog, public, app as $$
begin
  insert into value_fresh values (new.service_provider_id, new.id, new.merchant_id, (new.at at time zone 'Asia/Shanghai')::date,
    new.at_store_id, new.sold_store_id, new.sold_month, new.cause, new.principal_cents, new.gift_cents);
  return null;
end $$;
create trigger fresh after insert on value_moves for each row execute function app.value_fresh();
insert into value_fresh select service_provider_id, id, merchant_id, (at at time zone 'Asia/Shanghai')::date, at_store_id, sold_store_id, sold_month,
  cause, principal_cents, gift_cents from value_moves;

-- Agents, groups and teams see nothing of members, whatever they ask.
do $$
declare t text;
begin
  foreach t in array array['value_moves', 'value_fresh', 'value_daily'] loop
    execute format('create policy who on %I as restrictive using ((select app.level()) in (''PLATFORM'', ''SP'', ''MCH'', ''AE''))', t);
    -- A store sees what it sold and what was spent there.
    execute format('create policy stores on %I as restrictive using ((select app.stores()) is null
      or at_store_id = any(coalesce((select app.stores()), ''{}''::uuid[])) or sold_store_id = any(coalesce((select app.stores()), ''{}''::uuid[])))', t);
  end loop;
end $$;
