-- 合并会员 where no phone can say yes: one person asks, another decides.
create table member_merges (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  -- Who goes, and who stays.
  member_id uuid not null,
  into_id uuid not null,
  reason text not null,
  -- 0 待审核, 1 已合并, 2 已驳回
  status smallint not null default 0 check (status between 0 and 2),
  asked_by uuid not null,
  asked_name text not null,
  created_at timestamptz not null,
  ended_by uuid,
  ended_name text,
  ended_at timestamptz,
  primary key (service_provider_id, id),
  check ((status = 0) = (ended_at is null)),
  check (status <> 1 or ended_by <> asked_by),
  foreign key (service_provider_id, merchant_id, member_id) references members (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id, into_id) references members (service_provider_id, merchant_id, id)
);
create unique index member_merges_waiting on member_merges (service_provider_id, member_id) where status = 0;
create index member_merges_open on member_merges (service_provider_id, merchant_id, created_at) where status = 0;
insert into app.state_edges values ('member_merge', '0', '1'), ('member_merge', '0', '2');
create trigger guard_edge before update of status on member_merges for each row execute function app.guard_edge('member_merge');
call app.only_levels('member_merges', array['PLATFORM', 'SP', 'MCH']);
