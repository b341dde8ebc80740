-- What a root account holds, with all of its sub-accounts, where somebody above narrowed it; null means all of its level's items.
alter table users add column granted text[];

-- Whether somebody who acts for an account of the provider's tree may change things; without a row nobody may.
create table acting_policies (
  service_provider_id uuid primary key references service_providers (id),
  writes boolean not null,
  changed_by uuid not null references users (id),
  changed_at timestamptz not null
);

create index login_failures_account on login_failures (split_part(key, '|', 1));
-- Until when an account can't sign in from some network; null where none is closed to it (guard-attempts.ts).
create function app.locked_until(given text, at timestamptz) returns timestamptz language sql stable set search_path = pg_catalog, public as $$
  select max(x.until) from (
    select case when f.key like 'u:%' then case when f.count >= 12 then f.first_at + interval '1 hour' end else f.locked_until end as until
    from login_failures f,
      translate(rtrim(encode(sha256(convert_to(lower(given), 'UTF8')), 'base64'), '='), '+/', '-_') as tag
    where split_part(f.key, '|', 1) in ('a:' || tag, 'u:' || tag)) x
  where x.until > at
$$;

-- A sub-account never sees more stores than its root sees, whatever its own list says.
create or replace function app.scope_of(u users) returns text language plpgsql stable set search_path = pg_catalog, public, app as $$
declare store_ids uuid[]; r users%rowtype; roots uuid[];
begin
  if u.level = 'AE' then
    store_ids := array(
      select us.store_id from user_stores us where us.user_id = u.id
      union
      select ast.store_id from user_areas ua join area_stores ast
        on ast.service_provider_id = ua.service_provider_id and ast.area_id = ua.area_id where ua.user_id = u.id
      order by 1);
  elsif u.level = 'MCH' and u.narrowed then
    store_ids := array(select us.store_id from user_stores us where us.user_id = u.id order by us.store_id);
  end if;
  if u.merchant_id is not null and u.login <> u.root_login then
    select * into r from users x where lower(x.login) = lower(u.root_login);
    if r.narrowed then
      roots := array(select us.store_id from user_stores us where us.user_id = r.id order by us.store_id);
      store_ids := case when store_ids is null then roots else array(select unnest(store_ids) intersect select unnest(roots) order by 1) end;
    end if;
  end if;
  return concat(u.level, '|', u.service_provider_id, '|', u.agent_id, '|', u.business_group_id, '|', u.business_team_id, '|',
    u.salesman_id, '|', u.merchant_id, '|', store_ids, '|', u.id);
end $$;

-- The items of an account's root: what it and its sub-accounts are narrowed to.
create function app.granted_of(u users) returns text[] language sql stable set search_path = pg_catalog, public as $$
  select case when u.login = u.root_login then u.granted else (select r.granted from users r where lower(r.login) = lower(u.root_login)) end
$$;

-- As in 0003, and besides what the root is narrowed to, and whether a session that acts for somebody may change anything.
drop function app.open_session(bytea, timestamptz);
create function app.open_session(given_hash bytea, given_now timestamptz) returns table (
  session_id uuid, user_id uuid, actor_user_id uuid, login text, root_login text, first_name text, avatar text, level text, role text,
  position_items text[], root_items text[], may_write boolean, scope text, seen_at timestamptz, expires_at timestamptz, actor_login text
) language plpgsql set search_path = pg_catalog, public, app as $$
declare s record;
begin
  perform set_config('app.scope', 'PLATFORM||||||||', true);
  select x.id as sid, x.user_id as uid, x.actor_user_id as aid, x.seen_at as seen, x.expires_at as ends, u.*, p.items as pitems, a.login as alogin,
    app.scope_of(u) as found_scope, app.granted_of(u) as gitems,
    x.actor_user_id is null or coalesce((select ap.writes from acting_policies ap where ap.service_provider_id = u.service_provider_id), false) as writes
    into s
    from sessions x join users u on u.id = x.user_id left join positions p on p.id = u.position_id left join users a on a.id = x.actor_user_id
    where x.token_hash = given_hash and x.ended_at is null and x.expires_at > given_now
      and x.seen_at + x.idle_ms * interval '1 millisecond' > given_now and u.state = 'active';
  if not found then
    perform set_config('app.scope', '', true);
    return;
  end if;
  perform set_config('app.scope', s.found_scope, true);
  return query select s.sid, s.uid, s.aid, s.login, s.root_login, s.first_name, s.avatar, s.level, s.role, s.pitems, s.gitems, s.writes,
    s.found_scope, s.seen, s.ends, s.alogin;
end $$;
