-- 业务员, 业务集团, 业务团队: edits are counted.
alter table salesmen add column version int not null default 1;
alter table business_groups add column version int not null default 1;
alter table business_teams add column version int not null default 1;
create index salesmen_newest on salesmen (created_at desc, id desc);
create index salesmen_newest_of on salesmen (service_provider_id, created_at desc, id desc);
create index salesmen_team on salesmen (service_provider_id, business_team_id) where business_team_id is not null;
create index salesmen_agent on salesmen (service_provider_id, agent_id) where agent_id is not null;
create index business_groups_newest on business_groups (created_at desc, id desc);
create index business_groups_newest_of on business_groups (service_provider_id, created_at desc, id desc);
create index business_teams_newest on business_teams (created_at desc, id desc);
create index business_teams_newest_of on business_teams (service_provider_id, created_at desc, id desc);
create index business_teams_group on business_teams (service_provider_id, business_group_id) where business_group_id is not null;

-- 预约移交: what becomes of a merchant's attribution on a day to come. One row for each merchant, so that whoever sees the
-- merchant sees it; those that were decided together carry one batch_id.
create table merchant_assignments (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  batch_id uuid not null,
  effective_from date not null,
  -- What it sets: what is not named stays, and what is named without an id is taken away.
  sets text[] not null check (cardinality(sets) > 0 and sets <@ array['agent', 'team', 'salesman']),
  to_agent_id uuid, to_business_team_id uuid, to_salesman_id uuid,
  -- 0 待生效, 1 已生效, 2 已取消, 3 未能生效
  status smallint not null default 0 check (status between 0 and 3),
  why text,
  set_by uuid not null references users (id), set_by_name text not null,
  -- The level of whoever decided: nobody below undoes it.
  set_level text not null check (set_level in ('ADMIN', 'SP', 'AG', 'GP', 'TM')),
  created_at timestamptz not null, closed_at timestamptz,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id),
  foreign key (service_provider_id, to_agent_id) references agents (service_provider_id, id),
  foreign key (service_provider_id, to_business_team_id) references business_teams (service_provider_id, id),
  foreign key (service_provider_id, to_salesman_id) references salesmen (service_provider_id, id)
);
-- A merchant has one decision to come; a newer one takes its place.
create unique index merchant_assignments_pending on merchant_assignments (service_provider_id, merchant_id) where status = 0;
create index merchant_assignments_due on merchant_assignments (effective_from) where status = 0;
create index merchant_assignments_batch on merchant_assignments (service_provider_id, batch_id);
create index merchant_assignments_failed on merchant_assignments (service_provider_id, closed_at) where status = 3;
create trigger guard_edge before update of status on merchant_assignments for each row execute function app.guard_edge('merchant_assignment');
insert into app.state_edges values ('merchant_assignment', '0', '1'), ('merchant_assignment', '0', '2'), ('merchant_assignment', '0', '3');

-- 代理商合同. 0 未启用, 1 待审核, 2 已签约, 3 过期, 4 注销, 5 驳回. Only who is signed signs in. Agents that are there already
-- have a contract without an end.
alter table agents
  add column status smallint not null default 2 check (status between 0 and 5),
  add column contract_from date, add column contract_until date,
  add column contract_why text,
  add check (contract_until >= contract_from);
create index agents_ending on agents (contract_until) where status = 2 and contract_until is not null;
create trigger guard_edge before update of status on agents for each row execute function app.guard_edge('agent');
insert into app.state_edges values ('agent', '0', '1'), ('agent', '1', '2'), ('agent', '1', '5'), ('agent', '5', '1'), ('agent', '2', '3'),
  ('agent', '3', '2'), ('agent', '0', '4'), ('agent', '1', '4'), ('agent', '2', '4'), ('agent', '3', '4'), ('agent', '5', '4');
-- How much of the fees a provider's agents may get at most.
alter table service_providers add column agent_ratio_limit int not null default 100000 check (agent_ratio_limit between 0 and 100000);

-- As in 0003, and an agent has to be signed as well as open.
create or replace function app.hold_account(given uuid) returns boolean language plpgsql security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' as $$
declare u users%rowtype; s salesmen%rowtype; team uuid; grp uuid; agent uuid;
begin
  select * into u from users where id = given and state = 'active' for share;
  if not found then return false; end if;
  if u.service_provider_id is null then return true; end if;
  perform 1 from service_providers where id = u.service_provider_id and state = 'active' for share;
  if not found then return false; end if;
  if u.merchant_id is not null then
    perform 1 from merchants where service_provider_id = u.service_provider_id and id = u.merchant_id and state = 'active' for share;
    return found;
  end if;
  if u.salesman_id is not null then
    select * into s from salesmen where service_provider_id = u.service_provider_id and id = u.salesman_id and state = 'active' for share;
    if not found then return false; end if;
  end if;
  agent := coalesce(u.agent_id, s.agent_id);
  team := coalesce(u.business_team_id, s.business_team_id);
  grp := coalesce(u.business_group_id, s.business_group_id);
  if agent is not null then
    perform 1 from agents where service_provider_id = u.service_provider_id and id = agent and state = 'active' and status = 2 for share;
    if not found then return false; end if;
  end if;
  if team is not null then
    select coalesce(t.business_group_id, grp) into grp from business_teams t
      where t.service_provider_id = u.service_provider_id and t.id = team and t.state = 'active' for share;
    if not found then return false; end if;
  end if;
  if grp is not null then
    perform 1 from business_groups where service_provider_id = u.service_provider_id and id = grp and state = 'active' for share;
    return found;
  end if;
  return true;
end $$;
