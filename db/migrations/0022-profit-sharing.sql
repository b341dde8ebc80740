-- 分账: who gets a part of a merchant's payments, by which rule, what was shared and what came back. The money goes from the
-- merchant's account at the channel to the receiver's; here stands what was asked for and what became of it.

-- A receiver stands in one group; a rule shares with one group.
create table sharing_groups (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  name text not null,
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id, name),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);
create table sharing_receivers (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  group_id uuid not null,
  -- The order in which they were added; of equal remainders the earlier one gets the cent.
  seq bigint not null generated always as identity,
  -- What the staff call it.
  alias text not null,
  type text not null check (type in ('MERCHANT_ID', 'PERSONAL_OPENID', 'PERSONAL_SUB_OPENID')),
  account text not null,
  -- Sealed for this row; its mask is what is shown.
  name_sealed text, name_masked text,
  relation text not null check (relation in ('SERVICE_PROVIDER', 'STORE', 'STAFF', 'STORE_OWNER', 'PARTNER', 'HEADQUARTER', 'BRAND',
    'DISTRIBUTOR', 'USER', 'SUPPLIER', 'CUSTOM')),
  custom_relation text,
  -- Of what may be shared, in parts per 100,000, where the rule says nothing else.
  ratio int not null check (ratio between 1 and 100000),
  state text not null default 'active' check (state in ('active', 'paused', 'removed')),
  -- What the channel said to adding it.
  bind_state text not null default 'binding' check (bind_state in ('binding', 'bound', 'unsure', 'failed')),
  bind_message text, bound_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null, updated_at timestamptz not null,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id),
  foreign key (service_provider_id, group_id) references sharing_groups (service_provider_id, id),
  check ((relation = 'CUSTOM') = (custom_relation is not null)),
  check (type <> 'MERCHANT_ID' or name_sealed is not null)
);
create unique index sharing_receivers_once on sharing_receivers (service_provider_id, merchant_id, type, account) where state <> 'removed';
create index sharing_receivers_group on sharing_receivers (service_provider_id, group_id);

create table sharing_rules (
  service_provider_id uuid not null,
  merchant_id uuid not null,
  mode text not null check (mode in ('none', 'manual', 'auto')),
  timing text not null default 'now' check (timing in ('now', 'next-day')),
  group_id uuid,
  -- By receiver, in parts per 100,000, in place of its own ratio.
  ratios jsonb not null default '{}',
  -- What is left goes to the merchant with the share; without it somebody has to let it go.
  unfreeze boolean not null default true,
  -- What the merchant lets be shared, as the channel said; parts per 100,000.
  max_ratio int check (max_ratio between 0 and 100000), max_ratio_at timestamptz,
  version int not null default 1,
  updated_at timestamptz not null, updated_by_name text not null,
  primary key (service_provider_id, merchant_id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id),
  foreign key (service_provider_id, group_id) references sharing_groups (service_provider_id, id),
  check (mode = 'none' or group_id is not null)
);

-- What of an order is reserved for shares, was shared, is on its way back, came back, and what of its refunds the merchant bears
-- because a share cannot come back. Every change is one guarded update; the check below holds whatever races.
alter table pay_orders
  add column profit_sharing boolean not null default false,
  add column unfrozen_at timestamptz,
  add column sharing_cents bigint not null default 0 check (sharing_cents >= 0),
  add column shared_cents bigint not null default 0 check (shared_cents >= 0),
  add column share_returning_cents bigint not null default 0 check (share_returning_cents >= 0),
  add column share_returned_cents bigint not null default 0 check (share_returned_cents >= 0),
  add column share_borne_cents bigint not null default 0 check (share_borne_cents >= 0),
  add constraint pay_orders_returned check (share_returned_cents + share_returning_cents <= shared_cents),
  -- Who gets a share gets it of what is the merchant's: paid less fee less what goes back (with its part of the fee).
  add constraint pay_orders_shared check (
    sharing_cents + shared_cents - share_returned_cents - share_returning_cents - share_borne_cents
      <= paid_cents - fee_cents - refunded_cents - refunding_cents + refunded_fee_cents + refunding_fee_cents or sharing_cents + shared_cents = 0);

create table sharing_orders (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  agent_id uuid, business_group_id uuid, business_team_id uuid, salesman_id uuid,
  order_id uuid not null,
  -- A share of a payment, or 完结: letting the merchant have what is left.
  kind text not null check (kind in ('share', 'unfreeze')),
  mode text not null check (mode in ('manual', 'auto')),
  share_no text not null,
  -- 0 待分账, 1 处理中, 2 已完成, 3 失败
  status smallint not null default 0 check (status between 0 and 3),
  -- Fixed when the amount is reserved: what the ratios were applied to, and what they came to.
  base_cents bigint, amount_cents bigint not null default 0 check (amount_cents >= 0),
  shared_cents bigint not null default 0 check (shared_cents >= 0),
  returned_cents bigint not null default 0 check (returned_cents >= 0),
  unfreeze boolean not null,
  -- From when it goes by itself; null waits for somebody.
  due_at timestamptz,
  next_query_at timestamptz,
  attempts int not null default 0,
  -- A number that the channel has closed cannot be used again; ours stays, and the tries after the first add -2, -3 …
  channel_try smallint not null default 1,
  channel_no text, failure text,
  requested_by uuid, requested_by_name text not null,
  created_at timestamptz not null, sent_at timestamptz, finished_at timestamptz,
  primary key (service_provider_id, id),
  unique (service_provider_id, share_no),
  foreign key (service_provider_id, order_id) references pay_orders (service_provider_id, id),
  check (returned_cents <= shared_cents and shared_cents <= amount_cents)
);
create unique index sharing_orders_first on sharing_orders (service_provider_id, order_id) where status = 0;
create index sharing_orders_order on sharing_orders (service_provider_id, order_id);
create index sharing_orders_merchant on sharing_orders (service_provider_id, merchant_id, created_at desc, id desc);
create index sharing_orders_provider on sharing_orders (service_provider_id, created_at desc, id desc);
create index sharing_orders_all on sharing_orders (created_at desc, id desc);
create index sharing_orders_due on sharing_orders (due_at) where status = 0;
create index sharing_orders_waiting on sharing_orders (next_query_at) where status = 1;
create index sharing_orders_no on sharing_orders (share_no);
create index sharing_orders_id on sharing_orders (id);
create trigger guard_edge before update of status on sharing_orders for each row execute function app.guard_edge('sharing');
insert into app.state_edges values ('sharing', '0', '1'), ('sharing', '1', '2'), ('sharing', '1', '3'), ('sharing', '3', '1');

-- Each receiver's part, as the receiver was then.
create table sharing_lines (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  sharing_id uuid not null,
  try smallint not null,
  position smallint not null,
  receiver_id uuid not null,
  type text not null, account text not null, alias text not null, name_masked text, relation text not null, custom_relation text,
  ratio int not null, amount_cents bigint not null check (amount_cents > 0),
  result text not null default 'pending' check (result in ('pending', 'success', 'closed')),
  fail_reason text, detail_no text, finished_at timestamptz,
  returning_cents bigint not null default 0 check (returning_cents >= 0),
  returned_cents bigint not null default 0 check (returned_cents >= 0),
  -- What cannot come back, and the merchant bears.
  borne_cents bigint not null default 0 check (borne_cents >= 0),
  primary key (service_provider_id, id),
  unique (service_provider_id, sharing_id, try, position),
  foreign key (service_provider_id, sharing_id) references sharing_orders (service_provider_id, id),
  foreign key (service_provider_id, receiver_id) references sharing_receivers (service_provider_id, id),
  check (returning_cents + returned_cents + borne_cents <= case result when 'success' then amount_cents else 0 end)
);

-- 分账回退: what a receiver gives back before a refund goes out.
create table sharing_returns (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  agent_id uuid, business_group_id uuid, business_team_id uuid, salesman_id uuid,
  order_id uuid not null, refund_id uuid not null, sharing_id uuid not null, line_id uuid not null,
  return_no text not null,
  -- 0 待回退, 1 处理中, 2 已回退, 3 失败, 4 已取消, 5 商户承担: nobody is asked
  status smallint not null default 0 check (status between 0 and 5),
  borne boolean not null default false check (case when borne then status in (4, 5) else status <> 5 end),
  amount_cents bigint not null check (amount_cents > 0),
  channel_try smallint not null default 1,
  attempts int not null default 0,
  channel_no text, failure text,
  next_query_at timestamptz,
  requested_by_name text not null,
  created_at timestamptz not null, finished_at timestamptz,
  primary key (service_provider_id, id),
  unique (service_provider_id, return_no),
  foreign key (service_provider_id, order_id) references pay_orders (service_provider_id, id),
  foreign key (service_provider_id, refund_id) references refunds (service_provider_id, id),
  foreign key (service_provider_id, sharing_id) references sharing_orders (service_provider_id, id),
  foreign key (service_provider_id, line_id) references sharing_lines (service_provider_id, id)
);
create index sharing_returns_refund on sharing_returns (service_provider_id, refund_id);
create index sharing_returns_sharing on sharing_returns (service_provider_id, sharing_id);
create index sharing_returns_merchant on sharing_returns (service_provider_id, merchant_id, created_at desc, id desc);
create index sharing_returns_provider on sharing_returns (service_provider_id, created_at desc, id desc);
create index sharing_returns_all on sharing_returns (created_at desc, id desc);
create index sharing_returns_waiting on sharing_returns (next_query_at) where status = 1;
create index sharing_returns_no on sharing_returns (return_no);
create index sharing_returns_id on sharing_returns (id);
create trigger guard_edge before update of status on sharing_returns for each row execute function app.guard_edge('share_return');
insert into app.state_edges values ('share_return', '0', '1'), ('share_return', '0', '4'), ('share_return', '1', '2'), ('share_return', '1', '3'),
  -- With the refund that needs them: asked again, or given up for the merchant to bear.
  ('share_return', '3', '0'), ('share_return', '4', '0'), ('share_return', '3', '5'), ('share_return', '5', '4'), ('share_return', '4', '5');

-- What was asked of the channel about shares: written before it is sent, ended by its answer. A row without an outcome is a
-- call that nobody heard the end of.
create table sharing_calls (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  sharing_id uuid, return_id uuid, receiver_id uuid,
  operation text not null check (operation in ('share', 'query-share', 'unfreeze', 'share-return', 'query-return', 'add-receiver', 'remove-receiver', 'max-ratio')),
  number text not null,
  started_at timestamptz not null, ended_at timestamptz,
  outcome text check (outcome in ('ok', 'refused', 'unknown')),
  code text, message text,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, sharing_id) references sharing_orders (service_provider_id, id),
  foreign key (service_provider_id, return_id) references sharing_returns (service_provider_id, id),
  foreign key (service_provider_id, receiver_id) references sharing_receivers (service_provider_id, id)
);
create index sharing_calls_number on sharing_calls (service_provider_id, number, started_at);

-- The book: what is reserved for shares (`sharing`), and what receivers are to give back (`returning`, negative: they owe it).
alter table ledger_accounts drop constraint ledger_accounts_kind_check,
  add constraint ledger_accounts_kind_check check (kind in ('channel', 'merchant', 'fee', 'refunding', 'sharing', 'returning'));
alter table ledger_entries drop constraint ledger_entries_cause_check,
  add constraint ledger_entries_cause_check check (cause in ('payment', 'refund-reserve', 'refund', 'refund-release',
    'share-reserve', 'share', 'share-release', 'share-return-reserve', 'share-return', 'share-return-release')),
  add column share_id uuid, add column share_return_id uuid,
  add column shared_cents bigint not null default 0, add column share_returned_cents bigint not null default 0,
  add constraint ledger_entries_share check ((cause in ('share-reserve', 'share', 'share-release')) = (share_id is not null)
    and (cause in ('share-return-reserve', 'share-return', 'share-return-release')) = (share_return_id is not null));
create unique index ledger_share_once on ledger_entries (service_provider_id, share_id) where cause = 'share';
create unique index ledger_share_return_once on ledger_entries (service_provider_id, share_return_id) where cause = 'share-return';

-- A share leaves the merchant's account at the channel as a refund does; a return comes back to it.
create or replace function app.balanced() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' as $$
declare total bigint; moved bigint; n int; e ledger_entries%rowtype;
begin
  select coalesce(sum(p.amount_cents), 0), count(*), coalesce(sum(p.amount_cents) filter (where a.kind = 'channel'), 0)
    into total, n, moved
    from ledger_postings p join ledger_accounts a on a.service_provider_id = p.service_provider_id and a.id = p.account_id
    where p.service_provider_id = new.service_provider_id and p.entry_id = new.id;
  select * into e from ledger_entries where service_provider_id = new.service_provider_id and id = new.id;
  if total <> 0 or n < 2 or moved <> e.refund_cents - e.paid_cents + e.shared_cents - e.share_returned_cents then
    raise exception 'ledger entry % does not balance', new.id using errcode = 'ZF002';
  end if;
  return null;
end $$;
