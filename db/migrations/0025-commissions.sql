-- 分润: how a payment's fee is shared, the claims that come of it, and their withdrawal. The product holds no money: the book
-- says what a provider owes its receivers, and the provider pays from its own account at the channel (docs/money.md).

-- 分润比例 of groups, teams and salesmen, with its history, as agent_ratios has it of agents.
create table share_ratios (
  service_provider_id uuid not null,
  seq bigint not null generated always as identity,
  business_group_id uuid, business_team_id uuid, salesman_id uuid,
  node_id uuid not null generated always as (coalesce(business_group_id, business_team_id, salesman_id)) stored,
  effective_from date not null,
  ratio int not null check (ratio between 0 and 100000),
  set_by text not null,
  created_at timestamptz not null,
  primary key (service_provider_id, seq),
  check (num_nonnulls(business_group_id, business_team_id, salesman_id) = 1),
  foreign key (service_provider_id, business_group_id) references business_groups (service_provider_id, id),
  foreign key (service_provider_id, business_team_id) references business_teams (service_provider_id, id),
  foreign key (service_provider_id, salesman_id) references salesmen (service_provider_id, id)
);
create index share_ratios_node on share_ratios (service_provider_id, node_id, seq);
insert into app.append_only values ('share_ratios');
-- The ratio of a group, a team or a salesman on a day; 0 where none was set.
create function app.share_ratio(provider uuid, node uuid, given date) returns int language sql stable
  set search_path = pg_catalog, public
  as $$ select coalesce((select ratio from share_ratios where service_provider_id = provider and node_id = node and effective_from <= given
    order by seq desc limit 1), 0) $$;
-- What a fee is shared by on a day, whoever asks: the provider's rate, the agent's where it has one of its own, and the ratios.
create function app.commission_terms(provider uuid, agent uuid, grp uuid, team uuid, salesman uuid, ch int, product text, given date)
  returns table (provider_rate int, agent_rate int, agent_ratio int, group_ratio int, team_ratio int, salesman_ratio int)
  language sql stable security definer set search_path = pg_catalog, public, app set app.scope = 'PLATFORM||||||||'
  as $$ select app.rate_on(provider, 'provider', provider, null, ch, product, given),
    case when agent is not null then app.rate_rule(provider, 'agent', agent, ch, product, given) end,
    case when agent is not null then coalesce(app.agent_ratio(provider, agent, given), 0) else 0 end,
    case when grp is not null then app.share_ratio(provider, grp, given) else 0 end,
    case when team is not null then app.share_ratio(provider, team, given) else 0 end,
    case when salesman is not null then app.share_ratio(provider, salesman, given) else 0 end $$;

-- The book of claims. Double entry, signs as in the merchants' book:
--   fees            where the shared fees come from (negative)
--   cost            what the provider owes the platform and the channel for them
--   kept            what the provider keeps
--   available       what a receiver may claim; below zero where refunds took back more than is left
--   frozen          asked for and on its way
--   paid            paid out
--   withdrawal-fee  what the provider took for paying out
create table commission_accounts (
  service_provider_id uuid not null references service_providers (id),
  id uuid not null,
  kind text not null check (kind in ('fees', 'cost', 'kept', 'available', 'frozen', 'paid', 'withdrawal-fee')),
  receiver text not null check (receiver in ('provider', 'agent', 'group', 'team', 'salesman')),
  receiver_id uuid not null,
  agent_id uuid, business_group_id uuid, business_team_id uuid, salesman_id uuid,
  balance_cents bigint not null default 0,
  floor_cents bigint,
  primary key (service_provider_id, id),
  unique (service_provider_id, receiver_id, kind),
  check (receiver_id = coalesce(agent_id, business_group_id, business_team_id, salesman_id, service_provider_id)),
  check (num_nonnulls(agent_id, business_group_id, business_team_id, salesman_id) = (receiver <> 'provider')::int),
  check ((kind in ('available', 'frozen', 'paid')) = (receiver <> 'provider')),
  check ((floor_cents is null) = (kind in ('fees', 'available'))),
  constraint ledger_floor check (floor_cents is null or balance_cents >= floor_cents)
);
create table commission_entries (
  service_provider_id uuid not null,
  id uuid not null,
  seq bigint not null generated always as identity,
  agent_id uuid, business_group_id uuid, business_team_id uuid, salesman_id uuid,
  cause text not null check (cause in ('commission', 'withdrawal-hold', 'withdrawal-release', 'withdrawal-paid', 'withdrawal-returned')),
  withdrawal_id uuid,
  occurred_at timestamptz not null,
  primary key (service_provider_id, id),
  check ((cause = 'commission') = (withdrawal_id is null))
);
create index commission_entries_newest on commission_entries (service_provider_id, seq);
-- A withdrawal is held once, and released, paid or returned once.
create unique index commission_withdrawal_once on commission_entries (service_provider_id, withdrawal_id, cause) where withdrawal_id is not null;
create table commission_postings (
  service_provider_id uuid not null,
  entry_id uuid not null,
  account_id uuid not null,
  agent_id uuid, business_group_id uuid, business_team_id uuid, salesman_id uuid,
  amount_cents bigint not null check (amount_cents <> 0),
  balance_after_cents bigint not null,
  primary key (service_provider_id, entry_id, account_id),
  foreign key (service_provider_id, entry_id) references commission_entries (service_provider_id, id),
  foreign key (service_provider_id, account_id) references commission_accounts (service_provider_id, id)
);
create index commission_postings_account on commission_postings (service_provider_id, account_id);

-- One line for each receiver of each payment and each refund (fact), with what it was worked out from. Negative: taken back.
-- Those in the middle see their own lines only; a merchant sees none, hence the names of its columns.
create table commission_lines (
  service_provider_id uuid not null,
  id uuid not null,
  entry_id uuid not null,
  fact_id uuid not null,
  fact text not null check (fact in ('payment', 'refund')),
  order_id uuid not null, refund_id uuid,
  receiver text not null check (receiver in ('cost', 'provider', 'agent', 'group', 'team', 'salesman')),
  receiver_id uuid not null,
  agent_id uuid, business_group_id uuid, business_team_id uuid, salesman_id uuid,
  order_merchant_id uuid not null, order_store_id uuid not null,
  day date not null,
  occurred_at timestamptz not null,
  -- What the fact moved, and the fee that is shared.
  fact_cents bigint not null check (fact_cents >= 0),
  fact_fee_cents bigint not null check (fact_fee_cents > 0),
  merchant_rate int not null,
  -- The receiver's own rate and ratio on the day of the payment.
  own_rate int, ratio int,
  difference_cents bigint not null,
  amount_cents bigint not null,
  -- Of the amount, cents that rounding brought.
  remainder_cents smallint not null check (remainder_cents between 0 and 2),
  primary key (service_provider_id, id),
  unique (service_provider_id, fact_id, receiver),
  foreign key (service_provider_id, entry_id) references commission_entries (service_provider_id, id),
  foreign key (service_provider_id, order_id) references pay_orders (service_provider_id, id),
  check (case fact when 'payment' then amount_cents >= difference_cents and difference_cents >= 0
    else amount_cents <= difference_cents and difference_cents <= 0 end)
);
create index commission_lines_order on commission_lines (service_provider_id, order_id);
create index commission_lines_entry on commission_lines (service_provider_id, entry_id);
create index commission_lines_receiver on commission_lines (service_provider_id, receiver_id, receiver, occurred_at desc, id desc);
create index commission_lines_newest on commission_lines (occurred_at desc, id desc);

-- The lines by receiver and day, kept by the database itself.
create table commission_daily (
  service_provider_id uuid not null,
  id uuid not null default gen_random_uuid(),
  receiver text not null, receiver_id uuid not null,
  agent_id uuid, business_group_id uuid, business_team_id uuid, salesman_id uuid,
  day date not null,
  pay_count int not null default 0, paid_cents bigint not null default 0, fee_cents bigint not null default 0,
  refund_count int not null default 0, refund_cents bigint not null default 0, fee_back_cents bigint not null default 0,
  difference_cents bigint not null default 0, ratio_cents bigint not null default 0, clawed_cents bigint not null default 0,
  net_cents bigint not null generated always as (difference_cents + ratio_cents - clawed_cents) stored,
  primary key (service_provider_id, receiver_id, receiver, day)
);
create index commission_daily_newest on commission_daily (day desc, id desc);
create index commission_daily_of on commission_daily (service_provider_id, day desc, id desc);
insert into app.read_only values ('commission_daily');

-- How far the lines of a provider have come: every day up to this one.
create table commission_progress (
  service_provider_id uuid primary key references service_providers (id),
  through date not null,
  updated_at timestamptz not null
);
-- For those below, who see how far it is and nothing else; of no provider the one that is least far.
create function app.commissions_through(provider uuid) returns date language sql stable security definer
  set search_path = pg_catalog, public, app set app.scope = 'PLATFORM||||||||'
  as $$ select min(through) from commission_progress where provider is null or service_provider_id = provider $$;
create index ledger_entries_facts on ledger_entries (service_provider_id, occurred_at, id) where cause in ('payment', 'refund');
insert into app.append_only values ('commission_accounts'), ('commission_entries'), ('commission_postings'), ('commission_lines');
create trigger start_empty before insert on commission_accounts for each row execute function app.start_empty();
create trigger frozen before update or delete on commission_entries for each row execute function app.frozen();
create trigger frozen before update or delete on commission_postings for each row execute function app.frozen();
create trigger frozen before update or delete on commission_lines for each row execute function app.frozen();

-- Providers' terms of withdrawal and their account at the channel. Without a row the columns' defaults hold.
create table payout_settings (
  service_provider_id uuid primary key references service_providers (id),
  version int not null default 1,
  min_cents bigint not null default 100 check (min_cents > 0),
  fee_fixed_cents bigint not null default 0 check (fee_fixed_cents >= 0),
  fee_rate int not null default 0 check (fee_rate between 0 and 100000),
  -- How many days what was earned waits before it may be withdrawn.
  freeze_days int not null default 0 check (freeze_days between 0 and 90),
  -- Up to it nobody has to approve; 0: always somebody.
  unapproved_up_to_cents bigint not null default 0 check (unapproved_up_to_cents >= 0),
  -- When it may be asked for: 1 Monday to 7 Sunday, and hours of the day.
  weekdays smallint[] not null default '{1,2,3,4,5,6,7}' check (weekdays <@ array[1,2,3,4,5,6,7]::smallint[] and cardinality(weekdays) > 0),
  from_hour smallint not null default 0 check (from_hour between 0 and 23),
  to_hour smallint not null default 24 check (to_hour between 1 and 24),
  -- The provider's own merchant number; secrets are sealed for this row.
  app_id text, mch_id text, cert_serial text, scene_id text, base_url text,
  private_key_sealed text, private_key_tail text, secrets_at timestamptz,
  platform_keys jsonb not null default '{}',
  set_by_name text not null,
  updated_at timestamptz not null,
  check (from_hour < to_hour)
);
-- The terms, for those below who may not see the rest.
create function app.payout_terms(provider uuid) returns table (min_cents bigint, fee_fixed_cents bigint, fee_rate int, freeze_days int,
    unapproved_up_to_cents bigint, weekdays smallint[], from_hour smallint, to_hour smallint, pays_wechat boolean)
  language sql stable security definer set search_path = pg_catalog, public, app set app.scope = 'PLATFORM||||||||'
  as $$ select s.min_cents, s.fee_fixed_cents, s.fee_rate, s.freeze_days, s.unapproved_up_to_cents, s.weekdays, s.from_hour, s.to_hour,
      s.private_key_sealed is not null from payout_settings s where s.service_provider_id = provider
    union all select 100, 0, 0, 0, 0, '{1,2,3,4,5,6,7}', 0::smallint, 24::smallint, false
      where not exists (select 1 from payout_settings s where s.service_provider_id = provider) $$;

-- The first of the days whose earnings still wait on a day; where nothing waits, none.
create function app.commissions_wait_from(provider uuid, today date) returns date language sql stable
  set search_path = pg_catalog, public, app
  as $$ select case when t.freeze_days = 0 then 'infinity'::date else today - t.freeze_days end from app.payout_terms(provider) t $$;

-- A posting moves its account's balance and nothing else does. What is asked for has to be there, less what still waits.
create function app.commission_post() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' as $$
declare a commission_accounts%rowtype; e commission_entries%rowtype; waiting bigint;
begin
  update commission_accounts set balance_cents = balance_cents + new.amount_cents
    where service_provider_id = new.service_provider_id and id = new.account_id returning * into a;
  if not found then raise exception 'no such commission account' using errcode = 'ZF002'; end if;
  if (new.agent_id, new.business_group_id, new.business_team_id, new.salesman_id)
      is distinct from (a.agent_id, a.business_group_id, a.business_team_id, a.salesman_id) then
    raise exception 'a posting is its account''s owner''s' using errcode = 'ZF002';
  end if;
  new.balance_after_cents := a.balance_cents;
  if a.kind = 'available' then
    select * into e from commission_entries where service_provider_id = new.service_provider_id and id = new.entry_id;
    if e.cause = 'withdrawal-hold' then
      select coalesce(sum(d.difference_cents + d.ratio_cents), 0) into waiting from commission_daily d
        where d.service_provider_id = a.service_provider_id and d.receiver_id = a.receiver_id and d.receiver = a.receiver
          and d.day >= app.commissions_wait_from(a.service_provider_id, (e.occurred_at at time zone 'Asia/Shanghai')::date);
      if a.balance_cents < waiting then
        raise exception 'not so much may be withdrawn' using errcode = '23514', constraint = 'ledger_floor';
      end if;
    end if;
  end if;
  return new;
end $$;
create trigger post before insert on commission_postings for each row execute function app.commission_post();

-- At commit each entry sums to zero, and one of commissions moved for each receiver what its lines say.
create function app.commission_balanced() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' as $$
declare total bigint; n int; wrong int := 0;
begin
  select coalesce(sum(p.amount_cents), 0), count(*) into total, n
    from commission_postings p where p.service_provider_id = new.service_provider_id and p.entry_id = new.id;
  if new.cause = 'commission' then
    select count(*) into wrong from (
      select case l.receiver when 'cost' then 'cost' when 'provider' then 'kept' else 'available' end as kind, l.receiver_id, sum(l.amount_cents) as cents
        from commission_lines l where l.service_provider_id = new.service_provider_id and l.entry_id = new.id group by 1, 2
      union all
      select 'fees', new.service_provider_id, -sum(l.amount_cents)
        from commission_lines l where l.service_provider_id = new.service_provider_id and l.entry_id = new.id) s
      full join (select a.kind, a.receiver_id, p.amount_cents as cents from commission_postings p join commission_accounts a
          on a.service_provider_id = p.service_provider_id and a.id = p.account_id
        where p.service_provider_id = new.service_provider_id and p.entry_id = new.id) p using (kind, receiver_id)
      where coalesce(s.cents, 0) <> coalesce(p.cents, 0);
  end if;
  if total <> 0 or (n < 2 and new.cause <> 'commission') or wrong > 0 then
    raise exception 'commission entry % does not balance', new.id using errcode = 'ZF002';
  end if;
  return null;
end $$;
create constraint trigger balanced after insert on commission_entries deferrable initially deferred for each row execute function app.commission_balanced();

create function app.add_up_commissions() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' as $$
begin
  insert into commission_daily as d (service_provider_id, receiver, receiver_id, agent_id, business_group_id, business_team_id, salesman_id, day,
      pay_count, paid_cents, fee_cents, refund_count, refund_cents, fee_back_cents, difference_cents, ratio_cents, clawed_cents)
    select service_provider_id, receiver, receiver_id, agent_id, business_group_id, business_team_id, salesman_id, day,
      count(*) filter (where fact = 'payment'), coalesce(sum(fact_cents) filter (where fact = 'payment'), 0), coalesce(sum(fact_fee_cents) filter (where fact = 'payment'), 0),
      count(*) filter (where fact = 'refund'), coalesce(sum(fact_cents) filter (where fact = 'refund'), 0), coalesce(sum(fact_fee_cents) filter (where fact = 'refund'), 0),
      coalesce(sum(difference_cents) filter (where fact = 'payment'), 0), coalesce(sum(amount_cents - difference_cents) filter (where fact = 'payment'), 0),
      coalesce(-sum(amount_cents) filter (where fact = 'refund'), 0)
    from added group by 1, 2, 3, 4, 5, 6, 7, 8 order by 1, 3, 2, 8
  on conflict (service_provider_id, receiver_id, receiver, day) do update set
    pay_count = d.pay_count + excluded.pay_count, paid_cents = d.paid_cents + excluded.paid_cents, fee_cents = d.fee_cents + excluded.fee_cents,
    refund_count = d.refund_count + excluded.refund_count, refund_cents = d.refund_cents + excluded.refund_cents,
    fee_back_cents = d.fee_back_cents + excluded.fee_back_cents, difference_cents = d.difference_cents + excluded.difference_cents,
    ratio_cents = d.ratio_cents + excluded.ratio_cents, clawed_cents = d.clawed_cents + excluded.clawed_cents;
  return null;
end $$;
create trigger add_up after insert on commission_lines referencing new table as added for each statement execute function app.add_up_commissions();

-- 收款账户: where a receiver wants its money. Number and name are sealed; a new one may be paid to after a day.
create table payout_accounts (
  service_provider_id uuid not null,
  id uuid not null,
  receiver text not null check (receiver in ('agent', 'group', 'team', 'salesman')),
  receiver_id uuid not null,
  agent_id uuid, business_group_id uuid, business_team_id uuid, salesman_id uuid,
  method text not null check (method in ('wechat', 'bank')),
  bank_name text,
  number_sealed text not null, holder_sealed text not null,
  number_mask text not null, holder_mask text not null,
  added_by_name text not null,
  created_at timestamptz not null, usable_at timestamptz not null, removed_at timestamptz,
  primary key (service_provider_id, id),
  check ((method = 'bank') = (bank_name is not null)),
  check (num_nonnulls(agent_id, business_group_id, business_team_id, salesman_id) = 1),
  check (receiver_id = coalesce(agent_id, business_group_id, business_team_id, salesman_id))
);
create index payout_accounts_of on payout_accounts (service_provider_id, receiver_id) where removed_at is null;

-- 提现. 0 待审核, 1 已驳回, 2 打款中, 3 已到账, 4 打款失败, 5 已取消, 6 已退回 (it came back after it had been paid).
create table withdrawals (
  service_provider_id uuid not null,
  id uuid not null,
  withdrawal_no text not null,
  request_id uuid not null,
  receiver text not null check (receiver in ('agent', 'group', 'team', 'salesman')),
  receiver_id uuid not null,
  agent_id uuid, business_group_id uuid, business_team_id uuid, salesman_id uuid,
  status smallint not null check (status between 0 and 6),
  amount_cents bigint not null check (amount_cents > 0),
  fee_cents bigint not null check (fee_cents >= 0),
  net_cents bigint not null generated always as (amount_cents - fee_cents) stored check (amount_cents > fee_cents),
  -- The payee as it was asked for: sealed for this row, with a hash that the payout is held against.
  method text not null check (method in ('wechat', 'bank')),
  bank_name text, number_mask text not null, holder_mask text not null, payee_sealed text not null, payee_hash bytea not null,
  needs_approval boolean not null,
  applied_by uuid not null, applied_by_name text not null,
  decided_by uuid, decided_by_name text, decided_at timestamptz, decision_note text,
  channel_no text, channel_state text, failure text,
  -- A bank transfer's own number, and who wrote it down.
  evidence text, recorded_by_name text,
  next_query_at timestamptz,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (service_provider_id, id),
  unique (service_provider_id, withdrawal_no),
  unique (service_provider_id, receiver_id, request_id),
  check (num_nonnulls(agent_id, business_group_id, business_team_id, salesman_id) = 1),
  check (receiver_id = coalesce(agent_id, business_group_id, business_team_id, salesman_id))
);
create index withdrawals_newest on withdrawals (created_at desc, id desc);
create index withdrawals_of on withdrawals (service_provider_id, created_at desc, id desc);
create index withdrawals_receiver on withdrawals (service_provider_id, receiver_id, created_at desc, id desc);
create index withdrawals_due on withdrawals (next_query_at) where status = 2 and next_query_at is not null;
create trigger guard_edge before update of status on withdrawals for each row execute function app.guard_edge('withdrawal');
insert into app.state_edges values ('withdrawal', '0', '1'), ('withdrawal', '0', '2'), ('withdrawal', '0', '5'), ('withdrawal', '2', '3'),
  ('withdrawal', '2', '4'), ('withdrawal', '3', '6');
alter table commission_entries add foreign key (service_provider_id, withdrawal_id) references withdrawals (service_provider_id, id);
-- What was asked for stays as it was asked for.
create function app.guard_withdrawal() returns trigger language plpgsql as $$
begin
  if (new.receiver_id, new.amount_cents, new.fee_cents, new.method, new.payee_sealed, new.payee_hash, new.applied_by, new.withdrawal_no)
    is distinct from (old.receiver_id, old.amount_cents, old.fee_cents, old.method, old.payee_sealed, old.payee_hash, old.applied_by, old.withdrawal_no) then
    raise exception 'what a withdrawal asks for is never changed' using errcode = 'ZF003';
  end if;
  return new;
end $$;
create trigger guard_withdrawal before update on withdrawals for each row execute function app.guard_withdrawal();

-- Each call to the channel about a withdrawal: written before, settled after.
create table payout_calls (
  service_provider_id uuid not null,
  id uuid not null,
  withdrawal_id uuid not null,
  operation text not null check (operation in ('transfer', 'query')),
  outcome text check (outcome in ('ok', 'refused', 'unknown')),
  code text, message text,
  started_at timestamptz not null, ended_at timestamptz,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, withdrawal_id) references withdrawals (service_provider_id, id)
);
create index payout_calls_of on payout_calls (service_provider_id, withdrawal_id, started_at);
