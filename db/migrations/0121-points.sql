-- 积分规则: how points are earned, spent and end, as versions; what was earned keeps its own. Only the room `points` writes these.
create table point_rules (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  version int not null check (version > 0),
  rule jsonb not null,
  -- The rule as a sentence, as it was read by whoever saved it.
  said text not null,
  by_name text not null,
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id, version),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);
insert into app.append_only values ('point_rules');

-- What an order earned, and what of it is kept after its refunds. One for an order.
create table point_earnings (
  service_provider_id uuid not null,
  order_id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  member_id uuid not null,
  rule_id uuid not null,
  -- The Shanghai day of the payment: the cap of a day goes by it.
  paid_on date not null,
  base_cents bigint not null check (base_cents >= 0),
  multiple int not null check (multiple between 0 and 1000),
  earned bigint not null check (earned >= 0),
  kept bigint not null check (kept between 0 and earned),
  primary key (service_provider_id, order_id),
  foreign key (service_provider_id, merchant_id, member_id) references members (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, rule_id) references point_rules (service_provider_id, id),
  foreign key (service_provider_id, order_id) references pay_orders (service_provider_id, id)
);
create index point_earnings_day on point_earnings (service_provider_id, member_id, paid_on);

-- 积分调整: added or deducted by hand; above the merchant's line it waits for another person.
create table point_adjustments (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  member_id uuid not null,
  points bigint not null check (points <> 0),
  reason text not null check (reason in ('comfort', 'correct', 'event', 'gift', 'cheat', 'other')),
  note text not null check (length(note) between 1 and 100),
  -- 0 待审核, 1 已生效, 2 已驳回.
  status smallint not null check (status in (0, 1, 2)),
  -- What came of it: a deduction takes at most what is there.
  done_points bigint not null default 0,
  asked_by uuid not null,
  asked_by_name text not null,
  decided_by uuid,
  decided_by_name text,
  created_at timestamptz not null,
  decided_at timestamptz,
  primary key (service_provider_id, id),
  check (abs(done_points) <= abs(points) and (done_points = 0 or status = 1)),
  check (decided_by is distinct from asked_by or decided_by is null),
  foreign key (service_provider_id, merchant_id, member_id) references members (service_provider_id, merchant_id, id)
);
create index point_adjustments_newest on point_adjustments (service_provider_id, merchant_id, created_at desc, id desc);
insert into app.state_edges values ('point_adjustment', '0', '1'), ('point_adjustment', '0', '2');
create trigger guard_edge before update of status on point_adjustments for each row execute function app.guard_edge('point_adjustment');

-- 批量积分任务: a sheet or a filter, frozen into rows when it was made.
create table point_tasks (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  name text not null check (length(name) between 1 and 40),
  reason text not null check (reason in ('comfort', 'correct', 'event', 'gift', 'cheat', 'other')),
  -- The sheet's or the filter's own mark: the same once more is asked about first.
  mark text not null,
  -- 0 执行中, 1 已暂停, 2 已完成.
  status smallint not null check (status in (0, 1, 2)),
  -- Why it stopped by itself.
  paused_why text not null default '',
  owner_id uuid not null,
  owner_name text not null,
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);
create index point_tasks_newest on point_tasks (service_provider_id, merchant_id, created_at desc, id desc);
create index point_tasks_mark on point_tasks (service_provider_id, merchant_id, mark);
insert into app.state_edges values ('point_task', '0', '1'), ('point_task', '0', '2'), ('point_task', '1', '0'), ('point_task', '2', '0');
create trigger guard_edge before update of status on point_tasks for each row execute function app.guard_edge('point_task');
create table point_task_rows (
  service_provider_id uuid not null,
  task_id uuid not null,
  -- Whose entry in the book it is.
  id uuid not null,
  merchant_id uuid not null,
  place int not null check (place > 0),
  -- As the sheet named the member.
  member_no text not null,
  member_id uuid,
  points bigint not null check (points > 0),
  -- 0 待发, 1 已发, 2 失败.
  status smallint not null default 0 check (status in (0, 1, 2)),
  failure text not null default '',
  primary key (service_provider_id, id),
  unique (service_provider_id, task_id, member_id),
  unique (service_provider_id, task_id, place),
  foreign key (service_provider_id, task_id) references point_tasks (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, member_id) references members (service_provider_id, merchant_id, id),
  check (status <> 1 or member_id is not null)
);
create index point_task_rows_waiting on point_task_rows (service_provider_id, task_id, place) where status = 0;
insert into app.state_edges values ('point_task_row', '0', '1'), ('point_task_row', '0', '2'), ('point_task_row', '2', '0');
create trigger guard_edge before update of status on point_task_rows for each row execute function app.guard_edge('point_task_row');

-- 积分清零: a preview that was frozen before, and what came of it.
create table point_clears (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  kind text not null check (kind in ('yearly', 'now')),
  -- 0 待审核, 1 已预告, 2 已清零, 3 已驳回, 4 已取消.
  status smallint not null check (status between 0 and 4),
  -- The last day on which these points are good; of one that waits for another person not known yet.
  ends_on date,
  frozen_at timestamptz,
  reason text not null default '' check (length(reason) <= 100),
  asked_by uuid,
  asked_by_name text not null,
  decided_by uuid,
  decided_by_name text,
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  check (status not in (1, 2) or (ends_on is not null and frozen_at is not null)),
  check (asked_by is null or decided_by is distinct from asked_by),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);
create unique index point_clears_yearly on point_clears (service_provider_id, merchant_id, ends_on) where kind = 'yearly';
create unique index point_clears_now on point_clears (service_provider_id, merchant_id) where kind = 'now' and status in (0, 1);
create index point_clears_newest on point_clears (service_provider_id, merchant_id, created_at desc, id desc);
insert into app.state_edges values ('point_clear', '0', '1'), ('point_clear', '0', '3'), ('point_clear', '1', '2'), ('point_clear', '1', '4');
create trigger guard_edge before update of status on point_clears for each row execute function app.guard_edge('point_clear');
create table point_clear_rows (
  service_provider_id uuid not null,
  clear_id uuid not null,
  lot_id uuid not null,
  merchant_id uuid not null,
  member_id uuid not null,
  -- What was there when it was frozen, and when the lot would have ended.
  points bigint not null check (points > 0),
  would_end_on date,
  primary key (service_provider_id, clear_id, lot_id),
  foreign key (service_provider_id, clear_id) references point_clears (service_provider_id, id),
  foreign key (service_provider_id, lot_id) references point_lots (service_provider_id, id)
);
create index point_clear_rows_most on point_clear_rows (service_provider_id, clear_id, points desc, lot_id);
create index point_clear_rows_lot on point_clear_rows (service_provider_id, lot_id);
insert into app.append_only values ('point_clear_rows');

-- Agents, groups and teams see nothing of members.
do $$
declare t text;
begin
  foreach t in array array['point_rules', 'point_earnings', 'point_adjustments', 'point_tasks', 'point_task_rows', 'point_clears', 'point_clear_rows'] loop
    execute format('create policy who on %I as restrictive using ((select app.level()) in (''PLATFORM'', ''SP'', ''MCH'', ''AE''))', t);
  end loop;
end $$;
