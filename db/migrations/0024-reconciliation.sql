-- 对账: the channel's bills, what of them fits our book, and what was done about the rest.
create table bill_settings (
  service_provider_id uuid not null,
  merchant_id uuid not null,
  source text not null check (source in ('wechat', 'alipay')),
  -- Whether the bill of the day before is fetched every morning; without a row it is.
  daily boolean not null default true,
  -- A fee that differs by so much at most is taken for the same and added up in recon_days.tolerated_cents.
  fee_tolerance_cents int not null default 1 check (fee_tolerance_cents between 0 and 100),
  version int not null default 1,
  updated_at timestamptz not null,
  primary key (service_provider_id, merchant_id, source),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);

-- One try to take in one bill. At any time one of a key counts (matched), and one at most is on its way.
create table bill_files (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  source text not null check (source in ('wechat', 'alipay')),
  bill_type text not null check (bill_type in ('ALL', 'SUCCESS', 'REFUND', 'FUNDFLOW', 'TRADE')),
  day date not null,
  origin text not null check (origin in ('fetch', 'upload')),
  status text not null
    check (status in ('uploading', 'waiting', 'fetching', 'loading', 'parsed', 'matched', 'same', 'failed', 'replaced')),
  file_name text,
  -- The file lies in pieces as it came, packed or not.
  piece_count int not null default 0,
  size_bytes bigint not null default 0,
  done_bytes bigint not null default 0,
  -- Of the unpacked content: the same content is not taken in twice.
  sha256 text,
  row_count int not null default 0,
  -- What the summary row says and what the rows add up to.
  summary jsonb,
  failure text,
  -- The run of the job that is at work; an older one that comes back finds another's name here and stops.
  run_id uuid,
  attempts int not null default 0,
  -- When the run was last seen at work; one that died is begun again.
  beat_at timestamptz,
  asked_by uuid, asked_by_name text,
  created_at timestamptz not null,
  next_try_at timestamptz,
  finished_at timestamptz,
  -- Its pieces are deleted.
  forgotten boolean not null default false,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id),
  check ((status in ('matched', 'same', 'failed', 'replaced')) = (finished_at is not null))
);
create unique index bill_files_current on bill_files (service_provider_id, merchant_id, source, day, bill_type) where status = 'matched';
create unique index bill_files_at_work on bill_files (service_provider_id, merchant_id, source, day, bill_type)
  where status in ('uploading', 'waiting', 'fetching', 'loading', 'parsed');
create index bill_files_newest on bill_files (service_provider_id, merchant_id, created_at desc, id desc);
create index bill_files_stuck on bill_files (created_at) where status in ('uploading', 'waiting', 'fetching', 'loading', 'parsed');
create trigger guard_edge before update of status on bill_files for each row execute function app.guard_edge('bill_file');
insert into app.state_edges values
  ('bill_file', 'uploading', 'waiting'), ('bill_file', 'uploading', 'failed'),
  ('bill_file', 'waiting', 'fetching'), ('bill_file', 'waiting', 'loading'), ('bill_file', 'waiting', 'failed'),
  ('bill_file', 'fetching', 'waiting'), ('bill_file', 'fetching', 'loading'), ('bill_file', 'fetching', 'failed'), ('bill_file', 'fetching', 'parsed'),
  ('bill_file', 'loading', 'parsed'), ('bill_file', 'loading', 'same'), ('bill_file', 'loading', 'failed'),
  ('bill_file', 'parsed', 'matched'), ('bill_file', 'parsed', 'failed'), ('bill_file', 'matched', 'replaced');

-- The rows of a bill. No foreign key to its file: a check for each of a million rows would be a third of their load, and
-- only the loader writes here, which holds the file.
create table bill_rows (
  service_provider_id uuid not null,
  merchant_id uuid not null,
  file_id uuid not null,
  line int not null,
  -- 1 payment, 2 refund
  kind smallint not null check (kind in (1, 2)),
  at timestamptz not null,
  order_no text not null,
  refund_no text,
  channel_no text, channel_refund_no text,
  -- Of a payment SUCCESS or REVOKED; of a refund SUCCESS, PROCESSING, FAIL or CHANGE, as it was when the bill was written.
  state text not null,
  -- What was asked for: 订单金额, of a refund 申请退款金额.
  amount_cents bigint not null,
  -- What the merchant gets or gives: 应结订单金额, of a refund minus 退款金额.
  settled_cents bigint not null,
  -- Thousandths of a cent, as the channel counts; of a refund negative.
  fee_mills bigint not null,
  primary key (service_provider_id, file_id, line),
  check ((kind = 2) = (refund_no is not null))
);
create index bill_rows_order on bill_rows (service_provider_id, order_no);

-- 资金账单: every movement of the account itself.
create table bill_flows (
  service_provider_id uuid not null,
  merchant_id uuid not null,
  file_id uuid not null,
  line int not null,
  at timestamptz not null,
  flow_no text not null, business_no text, voucher_no text,
  name text not null, business_type text not null,
  -- 收入 positive, 支出 negative
  amount_cents bigint not null,
  balance_cents bigint,
  note text,
  primary key (service_provider_id, file_id, line)
);

-- 对账日: one day of a merchant at one channel, both sides of it.
create table recon_days (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  source text not null check (source in ('wechat', 'alipay')),
  day date not null,
  status text not null default 'open' check (status in ('open', 'closed')),
  -- Payments by the day they were made, refunds by the day they were sent to the channel.
  ours_pay_count int not null default 0, ours_pay_cents bigint not null default 0,
  ours_refund_count int not null default 0, ours_refund_cents bigint not null default 0,
  ours_fee_cents bigint not null default 0,
  bill_pay_count int not null default 0, bill_pay_cents bigint not null default 0,
  bill_refund_count int not null default 0, bill_refund_cents bigint not null default 0,
  bill_fee_mills bigint not null default 0,
  -- What the bill says is settled to the merchant: 应结 less refunds less fee.
  settled_cents bigint not null default 0,
  matched_count int not null default 0,
  -- Rows that fit an order of the day before or after.
  boundary_count int not null default 0,
  tolerated_cents bigint not null default 0,
  -- The bill is whole: payments and refunds are there.
  has_bill boolean not null default false,
  -- Kept by the database itself.
  difference_count int not null default 0,
  open_count int not null default 0 check (open_count >= 0),
  -- Goes up with every match: who closes has seen the newest.
  version int not null default 0,
  matched_at timestamptz,
  closed_at timestamptz, closed_by uuid, closed_by_name text,
  reopened_at timestamptz, reopened_by_name text, reopen_reason text,
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id, source, day),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id),
  -- A day is not closed over something that nobody has resolved, whoever comes first.
  constraint recon_days_closed check (status = 'open' or (open_count = 0 and has_bill and closed_at is not null))
);
create index recon_days_newest on recon_days (day desc, id desc);
create index recon_days_provider on recon_days (service_provider_id, day desc, id desc);
create trigger guard_edge before update of status on recon_days for each row execute function app.guard_edge('recon_day');
insert into app.state_edges values ('recon_day', 'open', 'closed'), ('recon_day', 'closed', 'open');

create table recon_differences (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  day_id uuid not null,
  source text not null, day date not null,
  kind smallint not null check (kind in (1, 2)),
  class text not null check (class in ('amount', 'fee', 'status', 'channel-only', 'ours-only')),
  -- Our number of the payment or refund, and which of several rows with it.
  number text not null,
  nth int not null default 1,
  order_id uuid, refund_id uuid, store_id_of uuid,
  order_no text not null,
  file_id uuid, line int,
  channel_no text,
  ours_at timestamptz, ours_status smallint, ours_cents bigint, ours_fee_cents bigint,
  bill_at timestamptz, bill_state text, bill_cents bigint, bill_fee_mills bigint,
  -- What is known of it besides: nobody knows it, it is not paid here, it stands twice in the bill, it is of another day, it is just before midnight.
  hint text check (hint in ('unknown', 'unpaid', 'twice', 'other-day', 'midnight')),
  status text not null default 'open' check (status in ('open', 'proposed', 'resolved')),
  resolution text check (resolution in ('repaired', 'written-off', 'linked', 'unknown', 'vanished')),
  reason text,
  -- What the channel answered when it was asked last.
  answer text,
  linked_id uuid,
  -- Who looks for the owner of a payment that nobody knows.
  looker text,
  proposed_by uuid, proposed_by_name text, proposed_at timestamptz,
  resolved_by uuid, resolved_by_name text, resolved_at timestamptz,
  found_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, day_id, kind, number, nth),
  foreign key (service_provider_id, day_id) references recon_days (service_provider_id, id),
  check ((status = 'resolved') = (resolution is not null and resolved_at is not null)),
  check (status <> 'proposed' or (proposed_by is not null and reason is not null)),
  -- Written off by a second person.
  constraint recon_second_person check (resolution is distinct from 'written-off' or (reason is not null and resolved_by <> proposed_by) is true),
  check ((resolution = 'linked') is not true or linked_id is not null),
  check ((resolution = 'unknown') is not true or looker is not null)
);
create index recon_differences_newest on recon_differences (service_provider_id, day desc, id desc);
create index recon_differences_all on recon_differences (day desc, id desc);
create index recon_differences_order on recon_differences (service_provider_id, order_no);
create trigger guard_edge before update of status on recon_differences for each row execute function app.guard_edge('recon_difference');
insert into app.state_edges values ('recon_difference', 'open', 'proposed'), ('recon_difference', 'proposed', 'open'),
  ('recon_difference', 'proposed', 'resolved'), ('recon_difference', 'open', 'resolved'), ('recon_difference', 'resolved', 'open');

-- The day counts its differences itself, one update for each statement: a bad bill may bring a million.
create function app.count_new_differences() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' as $$
begin
  update recon_days d set difference_count = d.difference_count + x.n, open_count = d.open_count + x.open
    from (select service_provider_id, day_id, count(*) as n, count(*) filter (where status <> 'resolved') as open from fresh group by 1, 2) x
    where d.service_provider_id = x.service_provider_id and d.id = x.day_id;
  return null;
end $$;
create trigger count_new after insert on recon_differences referencing new table as fresh
  for each statement execute function app.count_new_differences();
create function app.count_changed_differences() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' as $$
begin
  update recon_days d set open_count = d.open_count + x.open
    from (select service_provider_id, day_id, sum(n) as open from (
        select service_provider_id, day_id, 1 as n from fresh where status <> 'resolved'
        union all select service_provider_id, day_id, -1 from stale where status <> 'resolved') moved group by 1, 2 having sum(n) <> 0) x
    where d.service_provider_id = x.service_provider_id and d.id = x.day_id;
  return null;
end $$;
create trigger count_changed after update on recon_differences referencing old table as stale new table as fresh
  for each statement execute function app.count_changed_differences();
