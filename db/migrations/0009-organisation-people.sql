-- 代理商: edits are counted, and the profit ratio has a history: each row says from which day on it holds.
alter table agents add column version int not null default 1;
create index agents_newest on agents (created_at desc, id desc);
create index agents_newest_of on agents (service_provider_id, created_at desc, id desc);

-- Of the rows that have begun by a day, the one set last holds for it: a newer decision takes the place of one still to come.
-- A row begins on the day it is set or later, so that no past day changes.
create table agent_ratios (
  service_provider_id uuid not null,
  agent_id uuid not null,
  seq bigint not null generated always as identity,
  effective_from date not null,
  profit_ratio int not null check (profit_ratio between 0 and 100000),
  set_by text,
  created_at timestamptz not null,
  primary key (service_provider_id, agent_id, seq),
  foreign key (service_provider_id, agent_id) references agents (service_provider_id, id)
);
insert into app.append_only values ('agent_ratios');
select set_config('app.scope', 'PLATFORM||||||||', true);
insert into agent_ratios (service_provider_id, agent_id, effective_from, profit_ratio, created_at)
  select service_provider_id, id, '1970-01-01', profit_ratio, created_at from agents;
alter table agents drop column profit_ratio;

-- The ratio of an agent on a day, for whoever sees the agent.
create function app.agent_ratio(provider uuid, agent uuid, given date) returns int language sql stable
  set search_path = pg_catalog, public
  as $$ select profit_ratio from agent_ratios where service_provider_id = provider and agent_id = agent and effective_from <= given
    order by seq desc limit 1 $$;
