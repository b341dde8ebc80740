-- The two fences' second one. A transaction carries its scope in one setting, `app.scope`:
--   level|provider|agent|group|team|salesman|merchant|{stores}|user
-- After a commit PostgreSQL leaves an empty string there, not null, hence nullif everywhere: no scope, no rows.
create schema app;


-- Tables that hold no tenant's rows, each with the reason why it needs no fence.
create table app.open_tables (name text primary key, why text not null);
-- Tables that are only ever added to.
create table app.append_only (name text primary key);
-- Tables that only the database's own functions write.
create table app.read_only (name text primary key);

-- The states that a thing may move between (domain.md, Status values and transitions).
create table app.state_edges (
  thing text not null, from_state text not null, to_state text not null,
  primary key (thing, from_state, to_state)
);
create function app.guard_edge() returns trigger language plpgsql security definer set search_path = pg_catalog, app as $$
begin
  if new.status is distinct from old.status and not exists (
    select 1 from app.state_edges
    where thing = tg_argv[0] and from_state = old.status::text and to_state = new.status::text) then
    raise exception 'no way from % to % for %', old.status, new.status, tg_argv[0] using errcode = 'ZF001';
  end if;
  return new;
end $$;

-- Whether the scope sees a merchant: its policy says so. For the levels that see by attribution, on tables without such columns.
create function app.sees_merchant(provider uuid, given uuid) returns boolean language plpgsql stable set search_path = pg_catalog, public as $$
begin
  return exists (select 1 from public.merchants m where m.service_provider_id = provider and m.id = given);
end $$;

-- Puts row-level security on one table, from the columns it has. The lower levels see a row by its own attribution
-- column where it has one, else through the merchants that they may see. The parts of the scope are written out where they
-- are used, and as few as possible stand in a sub-select of their own: planning them is most of what a fence costs.
create procedure app.fence(t regclass) language plpgsql as $$
declare
  has text[] := array(select attname from pg_attribute where attrelid = t and attnum > 0 and not attisdropped);
  level text := $r$(select split_part(current_setting('app.scope', true), '|', 1))$r$;
  part text := $r$nullif(split_part(current_setting('app.scope', true), '|', %s), '')::uuid$r$;
  own text := format('service_provider_id = (select ' || part || ')', 2);
  mine text := format('service_provider_id = ' || part, 2);
  through_merchants text;
  stores text := 'true';
  rule text;
begin
  execute format('alter table %s enable row level security', t);
  execute format('alter table %s force row level security', t);
  execute format('drop policy if exists fence on %s', t);
  if 'owner_user_id' = any(has) then
    rule := format('%s = ''PLATFORM'' or owner_user_id = (select ' || part || ')', level, 9);
  else
    if not 'service_provider_id' = any(has) then
      raise exception 'table % has no service_provider_id and is not on the list app.open_tables', t;
    end if;
    through_merchants := case when 'merchant_id' = any(has) then 'app.sees_merchant(service_provider_id, merchant_id)' else 'false' end;
    if 'store_id' = any(has) then
      stores := $r$(split_part(current_setting('app.scope', true), '|', 8) = '' or store_id = any(nullif(split_part(current_setting('app.scope', true), '|', 8), '')::uuid[]))$r$;
    end if;
    rule := format($r$ case %1$s
      when 'PLATFORM' then true
      when 'ADMIN' then true
      when 'SP' then %2$s
      when 'MCH' then %2$s and %3$s and %4$s
      when 'AE' then %9$s and %3$s and %4$s
      when 'AG' then %9$s and %5$s
      when 'GP' then %9$s and %6$s
      when 'TM' then %9$s and %7$s
      when 'SM' then %9$s and %8$s
      else false end $r$,
      level, own,
      case when 'merchant_id' = any(has) then format('merchant_id = (select ' || part || ')', 7) else 'false' end,
      stores,
      case when 'agent_id' = any(has) then format('agent_id = ' || part, 3) else through_merchants end,
      case when 'business_group_id' = any(has) then format('business_group_id = ' || part, 4) else through_merchants end,
      case when 'business_team_id' = any(has) then format('business_team_id = ' || part, 5) else through_merchants end,
      case when 'salesman_id' = any(has) then format('salesman_id = ' || part, 6) else through_merchants end,
      mine);
  end if;
  execute format('create policy fence on %s using (%s) with check (%s)', t, rule, rule);
end $$;

-- Runs after all migrations: every table is fenced or stands on the list with its reason; the runtime role owns
-- nothing and may do no more than it needs.
create procedure app.after_each_table(runtime_role text) language plpgsql as $$
declare t record;
begin
  execute format('grant usage on schema public, app to %I', runtime_role);
  execute format('grant execute on all functions in schema app to %I', runtime_role);
  execute format('grant select on app.state_edges to %I', runtime_role);
  execute format('grant usage, select on all sequences in schema public to %I', runtime_role);
  for t in select c.oid::regclass as name, c.relname from pg_class c
           where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') loop
    continue when t.relname = 'schema_migrations';
    if not exists (select 1 from app.open_tables where name = t.relname) then call app.fence(t.name); end if;
    if exists (select 1 from app.read_only where name = t.relname) then
      execute format('grant select on %s to %I', t.name, runtime_role);
      execute format('revoke insert, update, delete, truncate on %s from %I', t.name, runtime_role);
    elsif exists (select 1 from app.append_only where name = t.relname) then
      execute format('grant select, insert on %s to %I', t.name, runtime_role);
      execute format('revoke update, delete, truncate on %s from %I', t.name, runtime_role);
    else
      execute format('grant select, insert, update, delete on %s to %I', t.name, runtime_role);
    end if;
  end loop;
end $$;
