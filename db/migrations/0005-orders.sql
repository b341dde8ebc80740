create table pay_orders (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  -- Attribution as it was when the order came in; a hand-over of the merchant does not rewrite it.
  agent_id uuid, business_group_id uuid, business_team_id uuid, salesman_id uuid,
  device_id uuid, cashier_id uuid,
  -- Our number, which the channel knows as out_trade_no; and the till's own number.
  order_no text not null,
  -- Its last 8 digits backwards, so that the last few find it through an index.
  tail text collate "C" not null generated always as (reverse(right(order_no, 8))) stored,
  till_no text,
  -- What the till asked, so that the same number with another body is refused.
  till_hash bytea,
  order_type smallint not null default 0 check (order_type between 0 and 2),
  trade_type text not null check (trade_type in ('NATIVE', 'JSAPI', 'MICROPAY')),
  pay_method text not null,
  channel smallint not null,
  tool smallint not null,
  channel_no text,
  subject text not null,
  status smallint not null default 0 check (status between 0 and 3),
  gross_cents bigint not null check (gross_cents > 0),
  coupon_cents bigint not null default 0 check (coupon_cents >= 0),
  points_cents bigint not null default 0 check (points_cents >= 0),
  stored_value_cents bigint not null default 0 check (stored_value_cents >= 0),
  discount_cents bigint not null generated always as (coupon_cents + points_cents + stored_value_cents) stored,
  paid_cents bigint not null check (paid_cents >= 0),
  fee_rate int not null check (fee_rate between 0 and 100000),
  fee_cents bigint not null default 0 check (fee_cents >= 0),
  refunding_cents bigint not null default 0 check (refunding_cents >= 0),
  refunded_cents bigint not null default 0 check (refunded_cents >= 0),
  refunding_fee_cents bigint not null default 0 check (refunding_fee_cents >= 0),
  refunded_fee_cents bigint not null default 0 check (refunded_fee_cents >= 0),
  refund_count int not null default 0 check (refund_count between 0 and 50),
  payer text,
  -- What the till needs to let the customer pay: the code to show, or the parameters of the page.
  code_url text,
  client_params jsonb,
  failure text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When an open order is looked at next; whoever looks moves it on, so that one that fails does not hold up the rest.
  next_query_at timestamptz not null,
  paid_at timestamptz,
  closed_at timestamptz,
  primary key (service_provider_id, id),
  unique (service_provider_id, order_no),
  foreign key (service_provider_id, merchant_id, store_id) references stores (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, device_id) references devices (service_provider_id, id),
  foreign key (service_provider_id, cashier_id) references cashiers (service_provider_id, id),
  check (gross_cents = paid_cents + coupon_cents + points_cents + stored_value_cents),
  check (refunded_cents + refunding_cents <= paid_cents),
  check (refunded_fee_cents + refunding_fee_cents <= fee_cents),
  check ((status in (2, 3)) = (paid_at is not null)),
  check ((status = 3) = (refunded_cents = paid_cents and refunded_cents > 0))
);
create index pay_orders_merchant on pay_orders (service_provider_id, merchant_id, created_at desc, id desc);
create index pay_orders_store on pay_orders (service_provider_id, store_id, created_at desc, id desc);
create index pay_orders_provider on pay_orders (service_provider_id, created_at desc, id desc);
create index pay_orders_agent on pay_orders (service_provider_id, agent_id, created_at desc, id desc) where agent_id is not null;
create index pay_orders_group on pay_orders (service_provider_id, business_group_id, created_at desc, id desc) where business_group_id is not null;
create index pay_orders_team on pay_orders (service_provider_id, business_team_id, created_at desc, id desc) where business_team_id is not null;
create index pay_orders_salesman on pay_orders (service_provider_id, salesman_id, created_at desc, id desc) where salesman_id is not null;
create index pay_orders_all on pay_orders (created_at desc, id desc);
create index pay_orders_id on pay_orders (id);
create index pay_orders_no on pay_orders (order_no);
create index pay_orders_channel_no on pay_orders (channel_no) where channel_no is not null;
create index pay_orders_tail on pay_orders (tail);
create unique index pay_orders_till on pay_orders (service_provider_id, till_no, store_id) where till_no is not null;
create index pay_orders_open on pay_orders (next_query_at) where status = 0;
create trigger guard_edge before update of status on pay_orders for each row execute function app.guard_edge('pay_order');
insert into app.state_edges values ('pay_order', '0', '2'), ('pay_order', '0', '1'), ('pay_order', '2', '3'),
  -- A payment that arrives after we closed the order is still money: it is taken and shown (channels.md 3.1).
  ('pay_order', '1', '2');

create table refunds (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  agent_id uuid, business_group_id uuid, business_team_id uuid, salesman_id uuid,
  order_id uuid not null,
  refund_no text not null,
  -- The caller's own number of the request: in its store one number is one refund, for ever. Another store's is no concern of theirs.
  request_id uuid not null,
  refund_type smallint not null check (refund_type in (1, 2)),
  status smallint not null check (status between 0 and 4),
  amount_cents bigint not null check (amount_cents > 0),
  -- It had to wait for somebody's approval.
  above_limit boolean not null default false,
  -- What of the fee comes back; fixed when the amount is reserved.
  fee_cents bigint not null default 0 check (fee_cents >= 0),
  reason text not null,
  requested_by uuid, requested_by_name text not null, device_id uuid,
  decided_by uuid, decided_by_name text, decided_at timestamptz, decision_note text,
  channel_refund_no text, channel_status text, failure text,
  -- The channel wants a new number after it closed a refund; ours stays, and the tries after the first add -2, -3 …
  channel_try smallint not null default 1,
  attempts int not null default 0,
  next_query_at timestamptz,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (service_provider_id, id),
  unique (service_provider_id, refund_no),
  unique (service_provider_id, store_id, request_id),
  foreign key (service_provider_id, order_id) references pay_orders (service_provider_id, id)
);
create index refunds_merchant on refunds (service_provider_id, merchant_id, created_at desc, id desc);
create index refunds_store on refunds (service_provider_id, store_id, created_at desc, id desc);
create index refunds_provider on refunds (service_provider_id, created_at desc, id desc);
create index refunds_agent on refunds (service_provider_id, agent_id, created_at desc, id desc) where agent_id is not null;
create index refunds_group on refunds (service_provider_id, business_group_id, created_at desc, id desc) where business_group_id is not null;
create index refunds_team on refunds (service_provider_id, business_team_id, created_at desc, id desc) where business_team_id is not null;
create index refunds_salesman on refunds (service_provider_id, salesman_id, created_at desc, id desc) where salesman_id is not null;
create index refunds_all on refunds (created_at desc, id desc);
create index refunds_order on refunds (service_provider_id, order_id);
create index refunds_id on refunds (id);
create index refunds_no on refunds (refund_no);
create index refunds_waiting on refunds (next_query_at) where status = 1;
create index refunds_approval on refunds (service_provider_id, merchant_id, created_at desc, id desc) where above_limit;
create trigger guard_edge before update of status on refunds for each row execute function app.guard_edge('refund');
insert into app.state_edges values ('refund', '0', '1'), ('refund', '0', '4'), ('refund', '1', '2'), ('refund', '1', '3'), ('refund', '3', '1');

-- What happened to an order and its refunds, in order; the timeline of the details.
create table order_events (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  order_id uuid not null,
  refund_id uuid,
  -- The order in which we learned of things; the channel's own moments have whole seconds only.
  seq bigint not null generated always as identity,
  at timestamptz not null,
  kind text not null,
  note text not null,
  by_name text,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, order_id) references pay_orders (service_provider_id, id)
);
create index order_events_order on order_events (service_provider_id, order_id, seq);
insert into app.append_only values ('order_events');

-- Each call to a channel: written before, settled after. `unknown` waits for a query; it is never guessed.
create table channel_calls (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  order_id uuid not null, refund_id uuid,
  operation text not null,
  -- The number that the channel was asked with.
  number text not null,
  outcome text check (outcome in ('ok', 'refused', 'unknown')),
  code text, message text,
  started_at timestamptz not null, ended_at timestamptz,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, order_id) references pay_orders (service_provider_id, id)
);
create index channel_calls_order on channel_calls (service_provider_id, order_id, started_at);

-- Notifications as they came, once each. Duplicates meet the primary key.
create table channel_inbox (
  service_provider_id uuid not null,
  merchant_id uuid not null,
  channel smallint not null,
  event_id text not null,
  kind text not null,
  order_no text, refund_no text,
  body jsonb not null,
  received_at timestamptz not null,
  result text not null,
  primary key (service_provider_id, channel, event_id)
);
create index channel_inbox_age on channel_inbox (received_at);
insert into app.append_only values ('channel_inbox');

-- A notification's address names its setting.
create index channel_settings_id on channel_settings (id);

-- 交班: what a store, or one cashier of it, took between two handovers. A shift is a stretch of the ledger's own order,
-- not of a clock, so that a payment on its way during the handover falls into exactly one of the two.
create table handovers (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  cashier_id uuid,
  after_seq bigint not null, up_to_seq bigint not null,
  from_at timestamptz, to_at timestamptz not null,
  figures jsonb not null,
  note text,
  handed_by uuid not null, handed_by_name text not null,
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, store_id) references stores (service_provider_id, merchant_id, id),
  check (after_seq < up_to_seq)
);
create unique index handovers_once on handovers (service_provider_id, store_id, coalesce(cashier_id, '00000000-0000-0000-0000-000000000000'), after_seq);
create index handovers_newest on handovers (service_provider_id, merchant_id, created_at desc, id desc);
insert into app.append_only values ('handovers');
