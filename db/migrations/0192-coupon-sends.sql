-- 批量发券 (marketing.md 9): whom a coupon is sent to, frozen into rows when the task is made; each row is sent once, whatever stops it.
alter table coupons drop constraint coupons_source_check,
  add constraint coupons_source_check check (source in ('claim', 'send', 'package', 'activity', 'gift'));

create table send_tasks (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  name text not null check (length(name) between 1 and 40),
  campaign_id uuid not null,
  -- 0 发送中, 1 已暂停, 2 已完成, 3 已取消
  status smallint not null default 0 check (status between 0 and 3),
  paused_why text not null default '',
  -- The list as it was asked for: the same again is asked about.
  mark text not null,
  starts_at timestamptz not null,
  owner_id uuid not null,
  owner_name text not null,
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id, campaign_id) references coupon_campaigns (service_provider_id, merchant_id, id)
);
create index send_tasks_newest on send_tasks (service_provider_id, merchant_id, created_at desc, id desc);
create index send_tasks_campaign on send_tasks (service_provider_id, campaign_id);

-- One for each member of a task, which is what makes it once. Whom nobody knows has no member.
create table send_rows (
  service_provider_id uuid not null,
  task_id uuid not null,
  place int not null check (place > 0),
  -- What its coupon is given by.
  id uuid not null generated always as (md5(task_id::text || ':' || place)::uuid) stored,
  merchant_id uuid not null,
  member_no text not null,
  member_id uuid,
  -- 0 待发, 1 已发, 2 失败, 3 跳过. A piece is set aside for each row that waits.
  status smallint not null default 0 check (status between 0 and 3),
  reason text not null default '',
  coupon_id uuid,
  primary key (service_provider_id, task_id, place),
  unique (service_provider_id, task_id, member_id),
  foreign key (service_provider_id, merchant_id, task_id) references send_tasks (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id, member_id) references members (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, coupon_id) references coupons (service_provider_id, id),
  check ((status = 1) = (coupon_id is not null)),
  check (member_id is not null or status = 3)
);
create index send_rows_waiting on send_rows (service_provider_id, task_id, place) where status = 0;
create index send_rows_status on send_rows (service_provider_id, task_id, status, place);
create index send_rows_coupon on send_rows (service_provider_id, coupon_id) where coupon_id is not null;

do $$
declare t text;
begin
  foreach t in array array['send_tasks', 'send_rows'] loop
    execute format('create policy who on %I as restrictive using ((select app.level()) in (''PLATFORM'', ''SP'', ''MCH'', ''AE''))', t);
  end loop;
end $$;
