-- 异常门店: what the daily job found in the statistics, and what somebody did about it.
create table abnormal_limits (
  service_provider_id uuid primary key references service_providers (id),
  silent_days int not null default 7 check (silent_days between 1 and 60),
  drop_percent int not null default 50 check (drop_percent between 10 and 95),
  refund_percent int not null default 20 check (refund_percent between 1 and 100),
  offline_hours int not null default 24 check (offline_hours between 1 and 720),
  version int not null default 1,
  updated_at timestamptz not null
);
create table abnormal_stores (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  -- 1 无订单, 2 交易骤降, 3 退款率高, 4 设备离线
  reason smallint not null check (reason between 1 and 4),
  facts jsonb not null,
  since date not null,
  -- 0 待处理, 1 已处理, 2 已恢复
  status smallint not null default 0 check (status between 0 and 2),
  found_at timestamptz not null,
  -- The last day on which it was so.
  seen_on date not null,
  handled_at timestamptz, handled_by text, note text,
  ended_at timestamptz,
  primary key (service_provider_id, id),
  check ((status = 1) <= (handled_at is not null and note is not null)),
  check ((status = 2) = (ended_at is not null)),
  foreign key (service_provider_id, merchant_id, store_id) references stores (service_provider_id, merchant_id, id)
);
-- One of a kind at a time: what was handled and goes on is not found again.
create unique index abnormal_stores_one on abnormal_stores (service_provider_id, store_id, reason) where status < 2;
create index abnormal_stores_newest on abnormal_stores (found_at desc, id desc);
create index abnormal_stores_newest_of on abnormal_stores (service_provider_id, found_at desc, id desc);
create index abnormal_stores_open on abnormal_stores (service_provider_id, merchant_id) where status = 0;
create trigger guard_edge before update of status on abnormal_stores for each row execute function app.guard_edge('abnormal_store');
insert into app.state_edges values ('abnormal_store', '0', '1'), ('abnormal_store', '1', '0'), ('abnormal_store', '0', '2'), ('abnormal_store', '1', '2');
