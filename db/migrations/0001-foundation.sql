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

-- The parts of the scope. PL/pgSQL, because a function in SQL is unfolded into every statement that a fence touches and
-- planned there each time; called once for each statement, by the sub-selects of the fence.
create function app.level() returns text language plpgsql stable parallel safe as $$
begin return split_part(current_setting('app.scope', true), '|', 1); end $$;
create function app.provider() returns uuid language plpgsql stable parallel safe as $$
begin return nullif(split_part(current_setting('app.scope', true), '|', 2), ''); end $$;
create function app.stores() returns uuid[] language plpgsql stable parallel safe as $$
begin return nullif(split_part(current_setting('app.scope', true), '|', 8), ''); end $$;
-- The id of the scope's own node; nil for those who see everything; none without a scope.
create function app.own_id() returns uuid language plpgsql stable parallel safe as $$
declare scope text := current_setting('app.scope', true);
begin
  return case split_part(scope, '|', 1) when 'PLATFORM' then '00000000-0000-0000-0000-000000000000' when 'ADMIN' then '00000000-0000-0000-0000-000000000000'
    when 'SP' then split_part(scope, '|', 2) when 'AG' then split_part(scope, '|', 3) when 'GP' then split_part(scope, '|', 4)
    when 'TM' then split_part(scope, '|', 5) when 'SM' then split_part(scope, '|', 6) when 'MCH' then split_part(scope, '|', 7)
    when 'AE' then split_part(scope, '|', 7) end;
end $$;
-- The merchants that a scope sees by attribution, for tables without such columns; none means all.
create function app.merchants_of(level text, provider uuid, own uuid) returns uuid[] language plpgsql stable security definer
  set search_path = pg_catalog, public set app.scope = 'PLATFORM||||||||' as $$
begin
  return array(select m.merchant_id from public.merchants m where m.service_provider_id = provider and own = case level
    when 'AG' then m.agent_id when 'GP' then m.business_group_id when 'TM' then m.business_team_id when 'SM' then m.salesman_id end);
end $$;
create function app.merchants_in_sight() returns uuid[] language plpgsql stable as $$
declare level text := app.level();
begin
  return case when level in ('PLATFORM', 'ADMIN', 'SP') then null when level in ('MCH', 'AE') then array[app.own_id()]
    else app.merchants_of(level, app.provider(), app.own_id()) end;
end $$;

-- Puts row-level security on one table, from the columns it has. The lower levels see a row by its own attribution
-- column where it has one, else through the merchants that they may see. Each part of the scope stands in the rule once:
-- planning the sub-selects is most of what a fence costs.
create procedure app.fence(t regclass) language plpgsql as $$
declare
  nil constant text := '''00000000-0000-0000-0000-000000000000''::uuid';
  has text[] := array(select attname from pg_attribute where attrelid = t and attnum > 0 and not attisdropped);
  sure text[] := array(select attname from pg_attribute where attrelid = t and attnum > 0 and not attisdropped and attnotnull);
  own text := '';
  node record;
  rule text;
begin
  execute format('alter table %s enable row level security', t);
  execute format('alter table %s force row level security', t);
  execute format('drop policy if exists fence on %s', t);
  if 'owner_user_id' = any(has) then
    rule := '(select app.level()) = ''PLATFORM'' or owner_user_id = (select nullif(split_part(current_setting(''app.scope'', true), ''|'', 9), '''')::uuid)';
  else
    if not 'service_provider_id' = any(sure) then
      raise exception 'table % has no service_provider_id and is not on the list app.open_tables', t;
    end if;
    if 'merchant_id' = any(sure) and not 'agent_id' = any(has) then
      own := '(select app.own_id()) is not null';
      -- Rows and not an array: they are hashed once, where an array of 10,000 would be walked for every row.
      rule := '((select app.level()) in (''PLATFORM'', ''ADMIN'', ''SP'') or merchant_id in (select unnest(app.merchants_in_sight())))';
    else
      for node in select * from (values ('MCH', 'merchant_id'), ('AE', 'merchant_id'), ('SP', 'service_provider_id'), ('AG', 'agent_id'),
          ('GP', 'business_group_id'), ('TM', 'business_team_id'), ('SM', 'salesman_id')) as x(level, name) loop
        if node.name = any(has) then own := own || format(' when %L then %s', node.level, node.name); end if;
      end loop;
      own := format('(select app.own_id()) = case (select app.level())%s when ''PLATFORM'' then %s when ''ADMIN'' then %s end', own, nil, nil);
      rule := 'true';
    end if;
    if 'store_id' = any(has) then
      rule := rule || case when 'store_id' = any(sure) then ' and store_id = any(coalesce((select app.stores()), array[store_id]))'
        else format(' and coalesce(store_id, %1$s) = any(coalesce((select app.stores()), array[coalesce(store_id, %1$s)]))', nil) end;
    end if;
    rule := format('case when %s then service_provider_id = coalesce((select app.provider()), service_provider_id) and %s else false end', own, rule);
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
