-- The two fences' second one. A transaction carries its scope in one setting, `app.scope`:
--   level|provider|agent|group|team|salesman|merchant|{stores}|user
-- After a commit PostgreSQL leaves an empty string there, not null, hence nullif everywhere: no scope, no rows.
create schema app;

create function app.part(n int) returns text language sql stable parallel safe
  as $$ select nullif(split_part(current_setting('app.scope', true), '|', n), '') $$;
create function app.level() returns text language sql stable parallel safe as $$ select app.part(1) $$;
create function app.provider() returns uuid language sql stable parallel safe as $$ select app.part(2)::uuid $$;
create function app.agent() returns uuid language sql stable parallel safe as $$ select app.part(3)::uuid $$;
create function app.business_group() returns uuid language sql stable parallel safe as $$ select app.part(4)::uuid $$;
create function app.business_team() returns uuid language sql stable parallel safe as $$ select app.part(5)::uuid $$;
create function app.salesman() returns uuid language sql stable parallel safe as $$ select app.part(6)::uuid $$;
create function app.merchant() returns uuid language sql stable parallel safe as $$ select app.part(7)::uuid $$;
create function app.stores() returns uuid[] language sql stable parallel safe as $$ select app.part(8)::uuid[] $$;
create function app.user_id() returns uuid language sql stable parallel safe as $$ select app.part(9)::uuid $$;

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

-- Puts row-level security on one table, from the columns it has. The lower levels see a row by its own attribution
-- column where it has one, else through the merchants that they may see.
create procedure app.fence(t regclass) language plpgsql as $$
declare
  has text[] := array(select attname from pg_attribute where attrelid = t and attnum > 0 and not attisdropped);
  own text := 'service_provider_id = (select app.provider())';
  through_merchants text;
  stores text := 'true';
  rule text;
begin
  execute format('alter table %s enable row level security', t);
  execute format('alter table %s force row level security', t);
  execute format('drop policy if exists fence on %s', t);
  if 'owner_user_id' = any(has) then
    rule := $r$ (select app.level()) = 'PLATFORM' or owner_user_id = (select app.user_id()) $r$;
  else
    if not 'service_provider_id' = any(has) then
      raise exception 'table % has no service_provider_id and is not on the list app.open_tables', t;
    end if;
    through_merchants := case when 'merchant_id' = any(has)
      then 'merchant_id in (select m.merchant_id from public.merchants m)' else 'false' end;
    if 'store_id' = any(has) then
      stores := '((select app.stores()) is null or store_id = any((select app.stores())::uuid[]))';
    end if;
    rule := format($r$ case (select app.level())
      when 'PLATFORM' then true
      when 'ADMIN' then true
      when 'SP' then %1$s
      when 'AG' then %1$s and %2$s
      when 'GP' then %1$s and %3$s
      when 'TM' then %1$s and %4$s
      when 'SM' then %1$s and %5$s
      when 'MCH' then %1$s and %6$s and %7$s
      when 'AE' then %1$s and %6$s and %7$s
      else false end $r$,
      own,
      case when 'agent_id' = any(has) then 'agent_id = (select app.agent())' else through_merchants end,
      case when 'business_group_id' = any(has) then 'business_group_id = (select app.business_group())' else through_merchants end,
      case when 'business_team_id' = any(has) then 'business_team_id = (select app.business_team())' else through_merchants end,
      case when 'salesman_id' = any(has) then 'salesman_id = (select app.salesman())' else through_merchants end,
      case when 'merchant_id' = any(has) then 'merchant_id = (select app.merchant())' else 'false' end,
      stores);
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
