-- 人工登记结果: what people found out of a share or a return that the channel does not answer for. One says it, with evidence, another confirms
-- it, and then it is taken as the channel's answer. The channel is asked on: where it says otherwise later, that stands here and is told.
create table sharing_records (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  sharing_id uuid, return_id uuid,
  -- Under which number the channel was asked.
  channel_try smallint not null,
  number text not null,
  result text not null check (result in ('done', 'failed')),
  -- Of a share: the lines whose receivers got theirs.
  line_ids uuid[] not null default '{}',
  channel_no text, happened_on date not null, note text not null,
  -- settled: the book was moved by it; overtaken: the channel answered before.
  state text not null default 'waiting' check (state in ('waiting', 'confirmed', 'settled', 'rejected', 'overtaken')),
  by_user uuid not null, by_name text not null,
  created_at timestamptz not null,
  decided_by uuid, decided_by_name text, decided_at timestamptz, decision_note text,
  -- When the channel is asked next, when it answered after all, and how that differs.
  next_ask_at timestamptz, answered_at timestamptz, difference text,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, sharing_id) references sharing_orders (service_provider_id, id),
  foreign key (service_provider_id, return_id) references sharing_returns (service_provider_id, id),
  check ((sharing_id is null) <> (return_id is null)),
  check (result = 'failed' or channel_no is not null),
  check (state not in ('confirmed', 'settled', 'rejected') or decided_by is not null),
  check (decided_by is null or decided_by <> by_user)
);
create index sharing_records_share on sharing_records (service_provider_id, sharing_id, created_at) where sharing_id is not null;
create index sharing_records_return on sharing_records (service_provider_id, return_id, created_at) where return_id is not null;
create index sharing_records_id on sharing_records (id);
create index sharing_records_ask on sharing_records (next_ask_at) where state = 'settled' and answered_at is null;
-- One waits at a time, and one counts.
create unique index sharing_records_open on sharing_records (service_provider_id, number) where state in ('waiting', 'confirmed', 'settled');
