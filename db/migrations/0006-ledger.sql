-- Double entry. Signs: money that a party may claim is positive, money owed by a party is negative, so that each entry sums to zero.
--   channel    what the channel holds for the merchant (negative: the channel owes it)
--   merchant   what the merchant may claim
--   fee        what the provider earned from the merchant's payments
--   refunding  reserved for refunds on their way
create table ledger_accounts (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  kind text not null check (kind in ('channel', 'merchant', 'fee', 'refunding')),
  channel smallint not null default 0,
  balance_cents bigint not null default 0,
  floor_cents bigint,
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id, kind, channel),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id),
  constraint ledger_floor check (floor_cents is null or balance_cents >= floor_cents)
);
create table ledger_entries (
  service_provider_id uuid not null,
  id uuid not null,
  -- The order in which entries came to a store; a shift ends at one.
  seq bigint not null generated always as identity,
  merchant_id uuid not null,
  store_id uuid not null,
  agent_id uuid, business_group_id uuid, business_team_id uuid, salesman_id uuid,
  cause text not null check (cause in ('payment', 'refund-reserve', 'refund', 'refund-release')),
  order_id uuid not null, refund_id uuid,
  channel smallint not null, tool smallint not null,
  occurred_at timestamptz not null,
  -- The figures that the statistics add up; zero for entries that only move a reserve.
  gross_cents bigint not null default 0, discount_cents bigint not null default 0, paid_cents bigint not null default 0,
  fee_cents bigint not null default 0, refund_cents bigint not null default 0, refund_fee_cents bigint not null default 0,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, order_id) references pay_orders (service_provider_id, id)
);
create index ledger_entries_store on ledger_entries (service_provider_id, store_id, seq);
create index ledger_entries_order on ledger_entries (service_provider_id, order_id);
create unique index ledger_payment_once on ledger_entries (service_provider_id, order_id) where cause = 'payment';
create unique index ledger_refund_once on ledger_entries (service_provider_id, refund_id) where cause = 'refund';
create table ledger_postings (
  service_provider_id uuid not null,
  entry_id uuid not null,
  account_id uuid not null,
  merchant_id uuid not null,
  amount_cents bigint not null check (amount_cents <> 0),
  balance_after_cents bigint not null,
  primary key (service_provider_id, entry_id, account_id),
  foreign key (service_provider_id, entry_id) references ledger_entries (service_provider_id, id),
  foreign key (service_provider_id, account_id) references ledger_accounts (service_provider_id, id)
);
create index ledger_postings_account on ledger_postings (service_provider_id, account_id);
create function app.start_empty() returns trigger language plpgsql as $$
begin new.balance_cents := 0; return new; end $$;
create trigger start_empty before insert on ledger_accounts for each row execute function app.start_empty();
insert into app.append_only values ('ledger_accounts'), ('ledger_entries'), ('ledger_postings');

-- A posting moves its account's balance and nothing else does: the runtime role has no right to change a balance.
create function app.post() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' as $$
begin
  update ledger_accounts set balance_cents = balance_cents + new.amount_cents
    where service_provider_id = new.service_provider_id and id = new.account_id and merchant_id = new.merchant_id
    returning balance_cents into new.balance_after_cents;
  if not found then raise exception 'no such ledger account' using errcode = 'ZF002'; end if;
  return new;
end $$;
create trigger post before insert on ledger_postings for each row execute function app.post();

-- At commit each entry must sum to zero and its figures must be what the channel's account moved.
create function app.balanced() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' as $$
declare total bigint; moved bigint; n int; e ledger_entries%rowtype;
begin
  select coalesce(sum(p.amount_cents), 0), count(*), coalesce(sum(p.amount_cents) filter (where a.kind = 'channel'), 0)
    into total, n, moved
    from ledger_postings p join ledger_accounts a on a.service_provider_id = p.service_provider_id and a.id = p.account_id
    where p.service_provider_id = new.service_provider_id and p.entry_id = new.id;
  select * into e from ledger_entries where service_provider_id = new.service_provider_id and id = new.id;
  if total <> 0 or n < 2 or moved <> e.refund_cents - e.paid_cents then
    raise exception 'ledger entry % does not balance', new.id using errcode = 'ZF002';
  end if;
  return null;
end $$;
create constraint trigger balanced after insert on ledger_entries deferrable initially deferred for each row execute function app.balanced();

create function app.frozen() returns trigger language plpgsql as $$
begin raise exception '% is never changed', tg_table_name using errcode = 'ZF003'; end $$;
create trigger frozen before update or delete on ledger_entries for each row execute function app.frozen();
create trigger frozen before update or delete on ledger_postings for each row execute function app.frozen();

-- Statistics are added up from ledger entries by the database itself, in the entry's own transaction:
-- one definition of every figure. `takings` answers by hour, channel and tool for each owner; `takings_daily` ranks stores and merchants.
-- A provider's row is spread over 8 slots so that a thousand shops do not wait for one lock.
create table takings (
  service_provider_id uuid not null,
  owner_kind text not null,
  owner_id uuid not null,
  agent_id uuid, business_group_id uuid, business_team_id uuid, salesman_id uuid, merchant_id uuid, store_id uuid,
  day date not null, hour smallint not null,
  channel smallint not null, tool smallint not null, slot smallint not null,
  pay_count int not null default 0, gross_cents bigint not null default 0, discount_cents bigint not null default 0,
  paid_cents bigint not null default 0, fee_cents bigint not null default 0,
  refund_count int not null default 0, refund_cents bigint not null default 0, refund_fee_cents bigint not null default 0,
  primary key (service_provider_id, owner_kind, owner_id, day, hour, channel, tool, slot)
);
create index takings_platform on takings (owner_kind, day);
create table takings_daily (
  service_provider_id uuid not null,
  day date not null,
  merchant_id uuid not null, store_id uuid not null,
  agent_id uuid, business_group_id uuid, business_team_id uuid, salesman_id uuid,
  pay_count int not null default 0, paid_cents bigint not null default 0, fee_cents bigint not null default 0,
  refund_count int not null default 0, refund_cents bigint not null default 0, refund_fee_cents bigint not null default 0,
  unique nulls not distinct (service_provider_id, day, store_id, merchant_id, agent_id, business_group_id, business_team_id, salesman_id)
);
create index takings_daily_day on takings_daily (day);
create index takings_daily_merchant on takings_daily (service_provider_id, merchant_id, day);

create function app.add_up() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' as $$
declare
  at_shanghai timestamp := new.occurred_at at time zone 'Asia/Shanghai';
  d date := at_shanghai::date;
  h smallint := extract(hour from at_shanghai);
  s smallint := abs(hashtext(new.store_id::text) % 8);
  paid int := case when new.cause = 'payment' then 1 else 0 end;
  refunded int := case when new.cause = 'refund' then 1 else 0 end;
begin
  insert into takings as t (service_provider_id, owner_kind, owner_id, agent_id, business_group_id, business_team_id, salesman_id,
      merchant_id, store_id, day, hour, channel, tool, slot,
      pay_count, gross_cents, discount_cents, paid_cents, fee_cents, refund_count, refund_cents, refund_fee_cents)
    select new.service_provider_id, o.kind, o.id,
      case when o.kind = 'agent' then o.id end, case when o.kind = 'group' then o.id end, case when o.kind = 'team' then o.id end,
      case when o.kind = 'salesman' then o.id end, case when o.kind in ('merchant', 'store') then new.merchant_id end,
      case when o.kind = 'store' then o.id end,
      d, h, new.channel, new.tool, case when o.kind in ('merchant', 'store') then 0 else s end,
      paid, new.gross_cents, new.discount_cents, new.paid_cents, new.fee_cents, refunded, new.refund_cents, new.refund_fee_cents
    from (values (1, 'store', new.store_id), (2, 'merchant', new.merchant_id), (3, 'salesman', new.salesman_id),
      (4, 'team', new.business_team_id), (5, 'group', new.business_group_id), (6, 'agent', new.agent_id),
      (7, 'provider', new.service_provider_id)) as o(n, kind, id)
    where o.id is not null order by o.n
  on conflict (service_provider_id, owner_kind, owner_id, day, hour, channel, tool, slot) do update set
    pay_count = t.pay_count + excluded.pay_count, gross_cents = t.gross_cents + excluded.gross_cents,
    discount_cents = t.discount_cents + excluded.discount_cents, paid_cents = t.paid_cents + excluded.paid_cents,
    fee_cents = t.fee_cents + excluded.fee_cents, refund_count = t.refund_count + excluded.refund_count,
    refund_cents = t.refund_cents + excluded.refund_cents, refund_fee_cents = t.refund_fee_cents + excluded.refund_fee_cents;
  insert into takings_daily as t (service_provider_id, day, merchant_id, store_id, agent_id, business_group_id, business_team_id, salesman_id,
      pay_count, paid_cents, fee_cents, refund_count, refund_cents, refund_fee_cents)
    values (new.service_provider_id, d, new.merchant_id, new.store_id, new.agent_id, new.business_group_id, new.business_team_id,
      new.salesman_id, paid, new.paid_cents, new.fee_cents, refunded, new.refund_cents, new.refund_fee_cents)
  on conflict (service_provider_id, day, store_id, merchant_id, agent_id, business_group_id, business_team_id, salesman_id) do update set
    pay_count = t.pay_count + excluded.pay_count, paid_cents = t.paid_cents + excluded.paid_cents,
    fee_cents = t.fee_cents + excluded.fee_cents, refund_count = t.refund_count + excluded.refund_count,
    refund_cents = t.refund_cents + excluded.refund_cents, refund_fee_cents = t.refund_fee_cents + excluded.refund_fee_cents;
  return null;
end $$;
create trigger add_up after insert on ledger_entries for each row when (new.cause in ('payment', 'refund')) execute function app.add_up();

-- Only the database's own functions write these.
insert into app.read_only values ('takings'), ('takings_daily');

-- Plans that a connection made while these tables were empty read them whole; fresh statistics have them made anew.
-- The server does so by itself within minutes; whoever writes thousands of rows at once asks for it.
create function app.analyze_facts() returns void language plpgsql security definer set search_path = pg_catalog, public, app as $$
begin
  analyze pay_orders; analyze order_events; analyze refunds; analyze ledger_accounts; analyze ledger_entries; analyze ledger_postings;
  analyze takings; analyze takings_daily;
end $$;
