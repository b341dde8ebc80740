-- 外卖 (platforms.md 3): orders of takeaway platforms as they tell them, what they told of, and what is to be asked for. Only the room
-- `takeaway` writes these. Nobody's phone, name or address stands in any of them. What a platform holds is a claim and in no ledger.
create table takeaway_orders (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  -- The own store that the platform's was mapped to; none until it is.
  store_id uuid,
  platform text not null check (platform in ('ele', 'meituan-wm', 'tb-flash', 'jd-flash', 'other')),
  platform_order_id text not null check (platform_order_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  platform_store_id text not null default '' check (length(platform_store_id) <= 64),
  platform_store_name text not null default '' check (length(platform_store_name) <= 64),
  -- The number of the day that shop and rider call it by.
  day_no text not null default '' check (length(day_no) <= 16),
  -- 1 进行中, 2 已完成, 3 已取消
  status smallint not null check (status between 1 and 3),
  placed_at timestamptz not null,
  completed_at timestamptz,
  -- The platform's own time of what was told last; of two of the same state the later counts.
  changed_at timestamptz not null,
  -- [{name, count, cents}]
  lines jsonb not null default '[]' check (jsonb_typeof(lines) = 'array' and jsonb_array_length(lines) <= 200),
  original_cents bigint not null check (original_cents >= 0),
  package_cents bigint not null check (package_cents >= 0),
  delivery_cents bigint not null check (delivery_cents >= 0),
  shop_off_cents bigint not null check (shop_off_cents >= 0),
  platform_off_cents bigint not null check (platform_off_cents >= 0),
  paid_cents bigint not null check (paid_cents >= 0),
  fee_cents bigint not null check (fee_cents >= 0),
  -- What the platform says that it pays out.
  income_cents bigint not null,
  -- The same out of the parts; none where they are not all there.
  parts_cents bigint,
  -- What went back to the customer, and what of it the shop bears.
  refund_cents bigint not null default 0 check (refund_cents >= 0),
  shop_refund_cents bigint not null default 0 check (shop_refund_cents between 0 and refund_cents),
  odd boolean not null generated always as (parts_cents is not null and parts_cents <> income_cents) stored,
  source text not null check (source in ('platform', 'sheet')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id, platform, platform_order_id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, store_id) references stores (service_provider_id, merchant_id, id)
);
create index takeaway_orders_placed on takeaway_orders (service_provider_id, merchant_id, placed_at desc, id desc);
create index takeaway_orders_newest on takeaway_orders (service_provider_id, placed_at desc, id desc);
create index takeaway_orders_completed on takeaway_orders (service_provider_id, merchant_id, completed_at desc, id desc) where completed_at is not null;
create index takeaway_orders_unmapped on takeaway_orders (service_provider_id, merchant_id, platform, platform_store_id) where store_id is null;
-- Late news never takes an order back (3): only forward, whoever writes.
insert into app.state_edges values ('takeaway_order', '1', '2'), ('takeaway_order', '1', '3'), ('takeaway_order', '2', '3');
create trigger guard_edge before update of status on takeaway_orders for each row execute function app.guard_edge('takeaway_order');

-- What platforms told, each once. Nobody proved who told it: it moves nothing, and makes us ask.
create table takeaway_events (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  account_id uuid not null,
  platform text not null,
  message_id text not null check (length(message_id) between 1 and 64),
  kind text not null check (length(kind) <= 32),
  platform_order_id text not null default '' check (length(platform_order_id) <= 64),
  heard_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, account_id, message_id),
  foreign key (service_provider_id, merchant_id, account_id) references platform_accounts (service_provider_id, merchant_id, id)
);
insert into app.append_only values ('takeaway_events');

-- What is to be asked of a platform: one row an order, written down before the call and settled after it.
create table takeaway_fetches (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  account_id uuid not null,
  platform_order_id text not null check (platform_order_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  wanted_at timestamptz not null,
  asked_at timestamptz,
  answered_at timestamptz,
  tries int not null default 0 check (tries >= 0),
  -- Null: nothing to be done any more.
  next_at timestamptz,
  outcome text check (outcome in ('ok', 'none', 'refused', 'unknown')),
  why text not null default '' check (length(why) <= 200),
  primary key (service_provider_id, id),
  unique (service_provider_id, account_id, platform_order_id),
  foreign key (service_provider_id, merchant_id, account_id) references platform_accounts (service_provider_id, merchant_id, id)
);
create index takeaway_fetches_due on takeaway_fetches (next_at) where next_at is not null;
create index takeaway_fetches_waiting on takeaway_fetches (service_provider_id, account_id) where next_at is not null;

-- 列对应: which heading of a sheet that somebody else designed is which column of ours; kept for the merchant's next one. Only the room
-- `imports` writes it.
create table import_columns (
  service_provider_id uuid not null,
  merchant_id uuid not null,
  source text not null check (length(source) <= 64),
  -- Whose sheet it is.
  sheet_of text not null check (length(sheet_of) between 1 and 32),
  -- {our column: their heading}
  headings jsonb not null check (jsonb_typeof(headings) = 'object'),
  by_name text not null,
  updated_at timestamptz not null,
  primary key (service_provider_id, merchant_id, source, sheet_of),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);

-- Stores see the orders of their own; agents, groups and teams see none of it.
create policy who on takeaway_orders as restrictive using ((select app.level()) in ('PLATFORM', 'SP', 'MCH', 'AE'));
do $$
declare t text;
begin
  foreach t in array array['takeaway_events', 'takeaway_fetches', 'import_columns'] loop
    execute format('create policy who on %I as restrictive using ((select app.level()) in (''PLATFORM'', ''SP'', ''MCH''))', t);
  end loop;
end $$;
