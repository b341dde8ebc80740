-- What a keyword is compared with, as one text: four comparisons in lower case were most of what a search cost.
alter table merchants add column found_in text not null
  generated always as (lower(name || E'\n' || short_name || E'\n' || pinyin || E'\n' || number)) stored;
alter table stores add column found_in text not null
  generated always as (lower(name || E'\n' || short_name || E'\n' || pinyin || E'\n' || number)) stored;

-- Whose merchant a store belongs to, as the merchant has it now: an agent with ten thousand merchants finds its stores
-- by an index, where its merchants would be gathered for each statement.
alter table stores add column agent_id uuid, add column business_group_id uuid, add column business_team_id uuid, add column salesman_id uuid;
create function app.attribute_store() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' as $$
begin
  select m.agent_id, m.business_group_id, m.business_team_id, m.salesman_id into new.agent_id, new.business_group_id, new.business_team_id, new.salesman_id
    from merchants m where m.service_provider_id = new.service_provider_id and m.id = new.merchant_id for share;
  return new;
end $$;
create trigger attribute before insert or update of merchant_id, agent_id, business_group_id, business_team_id, salesman_id on stores
  for each row execute function app.attribute_store();
create function app.attribute_stores() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' as $$
begin
  update stores s set agent_id = new.agent_id where s.service_provider_id = new.service_provider_id and s.merchant_id = new.id;
  return null;
end $$;
create trigger attribute after update of agent_id, business_group_id, business_team_id, salesman_id on merchants
  for each row when ((old.agent_id, old.business_group_id, old.business_team_id, old.salesman_id)
    is distinct from (new.agent_id, new.business_group_id, new.business_team_id, new.salesman_id)) execute function app.attribute_stores();
select set_config('app.scope', 'PLATFORM||||||||', true);
update stores set agent_id = null;
create index stores_agent on stores (service_provider_id, agent_id, created_at desc, id desc) where agent_id is not null;
create index stores_group on stores (service_provider_id, business_group_id, created_at desc, id desc) where business_group_id is not null;
create index stores_team on stores (service_provider_id, business_team_id, created_at desc, id desc) where business_team_id is not null;
create index stores_salesman on stores (service_provider_id, salesman_id, created_at desc, id desc) where salesman_id is not null;

-- Found in the list's own order, so that a page is cut without sorting all that an agent has.
drop index merchants_agent, merchants_group, merchants_team, merchants_salesman;
create index merchants_agent on merchants (service_provider_id, agent_id, opened_at desc, id desc) where agent_id is not null;
create index merchants_group on merchants (service_provider_id, business_group_id, opened_at desc, id desc) where business_group_id is not null;
create index merchants_team on merchants (service_provider_id, business_team_id, opened_at desc, id desc) where business_team_id is not null;
create index merchants_salesman on merchants (service_provider_id, salesman_id, opened_at desc, id desc) where salesman_id is not null;
