-- 作废一次发放 (marketing.md 1): what was sent by mistake is taken back, on another person's word, with a reason that its holders read.
create table send_revokes (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  task_id uuid not null,
  reason text not null check (length(reason) between 2 and 100),
  -- 0 待确认, 1 作废中, 2 已完成, 3 已驳回
  status smallint not null default 0 check (status between 0 and 3),
  asked_by uuid not null,
  asked_by_name text not null,
  asked_at timestamptz not null,
  decided_by uuid,
  decided_by_name text not null default '',
  decided_at timestamptz,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, task_id) references send_tasks (service_provider_id, merchant_id, id),
  check ((status = 0) = (decided_by is null)),
  check (decided_by is distinct from asked_by)
);
create unique index send_revokes_once on send_revokes (service_provider_id, task_id) where status < 3;
create policy who on send_revokes as restrictive using ((select app.level()) in ('PLATFORM', 'SP', 'MCH', 'AE'));
