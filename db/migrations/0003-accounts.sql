create table users (
  id uuid primary key,
  login text not null,
  root_login text not null,
  first_name text not null,
  avatar text,
  phone_sealed text,
  password_hash text not null,
  must_change_password boolean not null default false,
  -- A one-time password, given by a reset, ends by itself.
  password_expires_at timestamptz,
  totp_sealed text,
  -- The last time step that was used, so that a code opens once.
  totp_step bigint,
  level text not null check (level in ('ADMIN', 'SP', 'AG', 'GP', 'TM', 'SM', 'MCH', 'AE')),
  role text not null check (role in ('ROLE_ADMIN', 'ROLE_ServiceProvider', 'ROLE_Agent', 'ROLE_BusinessGroup',
    'ROLE_BusinessTeam', 'ROLE_Merchants', 'ROLE_Area', 'ROLE_Employee')),
  service_provider_id uuid references service_providers (id),
  agent_id uuid, business_group_id uuid, business_team_id uuid, salesman_id uuid, merchant_id uuid,
  position_id uuid,
  -- A merchant's sub-account that sees only its user_stores; without it an empty list would mean all stores.
  narrowed boolean not null default false,
  state text not null default 'active' check (state in ('active', 'disabled')),
  last_login_at timestamptz,
  created_by uuid,
  created_at timestamptz not null default now(),
  -- Each level carries exactly its own node.
  check ((level = 'ADMIN') = (service_provider_id is null)),
  check ((level = 'AG') = (agent_id is not null)),
  check ((level = 'GP') = (business_group_id is not null)),
  check ((level = 'TM') = (business_team_id is not null)),
  check ((level = 'SM') = (salesman_id is not null)),
  check ((level in ('MCH', 'AE')) = (merchant_id is not null)),
  check (role = any (case level when 'ADMIN' then '{ROLE_ADMIN}' when 'SP' then '{ROLE_ServiceProvider}' when 'AG' then '{ROLE_Agent}'
    when 'GP' then '{ROLE_BusinessGroup}' when 'MCH' then '{ROLE_Merchants}' when 'AE' then '{ROLE_Area,ROLE_Employee}'
    else '{ROLE_BusinessTeam}' end::text[])),
  unique (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, agent_id) references agents (service_provider_id, id),
  foreign key (service_provider_id, business_group_id) references business_groups (service_provider_id, id),
  foreign key (service_provider_id, business_team_id) references business_teams (service_provider_id, id),
  foreign key (service_provider_id, salesman_id) references salesmen (service_provider_id, id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);
create unique index users_login on users (lower(login));
create index users_provider on users (service_provider_id, id);
create index users_merchant on users (service_provider_id, merchant_id) where merchant_id is not null;
create index users_root on users (root_login);

-- The stores of an employee, or the part of the stores that a merchant's sub-account may see.
create table user_stores (
  service_provider_id uuid not null, merchant_id uuid not null, user_id uuid not null, store_id uuid not null,
  primary key (service_provider_id, user_id, store_id),
  foreign key (service_provider_id, merchant_id, user_id) references users (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id, store_id) references stores (service_provider_id, merchant_id, id)
);
create table user_areas (
  service_provider_id uuid not null, merchant_id uuid not null, user_id uuid not null, area_id uuid not null,
  primary key (service_provider_id, user_id, area_id),
  foreign key (service_provider_id, merchant_id, user_id) references users (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id, area_id) references areas (service_provider_id, merchant_id, id)
);
create index user_stores_user on user_stores (user_id);
create index user_areas_user on user_areas (user_id);

-- 岗位: a named subset of the items that its root account holds.
create table positions (
  id uuid primary key,
  root_user_id uuid not null references users (id),
  root_login text not null,
  name text not null,
  items text[] not null,
  created_at timestamptz not null default now(),
  unique (root_user_id, name),
  unique (root_login, id)
);
-- A sub-account holds a position of its own root, never a stranger's.
alter table users add foreign key (root_login, position_id) references positions (root_login, id);

create table sessions (
  token_hash bytea primary key,
  id uuid not null unique,
  user_id uuid not null references users (id),
  -- Who really acts, when somebody above logged in as this user.
  actor_user_id uuid references users (id),
  remember boolean not null default false,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  idle_ms bigint not null,
  expires_at timestamptz not null,
  ip text, device text,
  ended_at timestamptz, ended_why text
);
create index sessions_user on sessions (user_id) where ended_at is null;
create index sessions_actor on sessions (actor_user_id) where ended_at is null and actor_user_id is not null;

create table qr_requests (
  id_hash bytea primary key,
  verifier_hash bytea not null,
  match_number text not null,
  ip text, device text,
  state text not null default 'waiting' check (state in ('waiting', 'scanned', 'confirmed', 'refused', 'used')),
  user_id uuid references users (id),
  created_at timestamptz not null, expires_at timestamptz not null
);
create table login_tickets (
  ticket_hash bytea primary key,
  kind text not null check (kind in ('auto', 'stamp')),
  user_id uuid not null references users (id),
  issued_by uuid references users (id),
  -- Sealed with the ticket: whoever redeems it must name the same.
  service_provider_id uuid, business_team_id uuid,
  created_at timestamptz not null, expires_at timestamptz not null, used_at timestamptz
);
-- Failures by account and network, for slowing and locking.
create table login_failures (
  key text primary key, count int not null, first_at timestamptz not null, last_at timestamptz not null, locked_until timestamptz
);
-- Where an account has signed in from before: there an attacker elsewhere can't lock it out.
create table login_networks (
  user_id uuid not null references users (id), network text not null, last_at timestamptz not null,
  primary key (user_id, network)
);
create table captchas (id uuid primary key, answer_hash bytea not null, expires_at timestamptz not null);
create table preferences (
  owner_user_id uuid not null references users (id), key text not null, value jsonb not null, updated_at timestamptz not null default now(),
  primary key (owner_user_id, key)
);
insert into app.open_tables values
  ('users', 'fenced by its own policy below'), ('positions', 'fenced by its own policy below'),
  ('sessions', 'read by token before a scope exists; reached only through the accounts domain'),
  ('qr_requests', 'read by an unguessable number before a scope exists'),
  ('login_tickets', 'read by an unguessable number before a scope exists'),
  ('login_failures', 'written before a scope exists; holds keys and counts'),
  ('login_networks', 'read and written before a scope exists; reached only through the accounts domain'),
  ('captchas', 'written before a scope exists');

alter table users enable row level security;
alter table users force row level security;
-- Of the three levels in the middle each sees the accounts of the nodes that it sees: salesmen, teams and merchants are
-- fenced themselves, so that one sub-select of each serves all three.
create policy fence on users using (
  id = (select nullif(split_part(current_setting('app.scope', true), '|', 9), '')::uuid) or (select split_part(current_setting('app.scope', true), '|', 1)) in ('PLATFORM', 'ADMIN') or service_provider_id = (select nullif(split_part(current_setting('app.scope', true), '|', 2), '')::uuid) and case
    when (select split_part(current_setting('app.scope', true), '|', 1)) = 'SP' then true
    when (select split_part(current_setting('app.scope', true), '|', 1)) = 'MCH' then merchant_id = (select nullif(split_part(current_setting('app.scope', true), '|', 7), '')::uuid)
    when (select split_part(current_setting('app.scope', true), '|', 1)) in ('AG', 'GP', 'TM') then agent_id = (select nullif(split_part(current_setting('app.scope', true), '|', 3), '')::uuid) or business_group_id = (select nullif(split_part(current_setting('app.scope', true), '|', 4), '')::uuid)
      or business_team_id in (select t.business_team_id from business_teams t)
      or salesman_id in (select s.salesman_id from salesmen s) or merchant_id in (select m.merchant_id from merchants m)
    else false end);
alter table positions enable row level security;
alter table positions force row level security;
create policy fence on positions using ((select split_part(current_setting('app.scope', true), '|', 1)) = 'PLATFORM' or root_user_id = (select nullif(split_part(current_setting('app.scope', true), '|', 9), '')::uuid));

-- What an account may see, as text. A session gets it when it opens; a job of somebody's gets it again when it runs.
create function app.scope_of(u users) returns text language plpgsql stable set search_path = pg_catalog, public, app as $$
declare store_ids uuid[];
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
  return concat(u.level, '|', u.service_provider_id, '|', u.agent_id, '|', u.business_group_id, '|', u.business_team_id, '|',
    u.salesman_id, '|', u.merchant_id, '|', store_ids, '|', u.id);
end $$;

-- Opens the session of a token: checks it, computes the scope, sets it for this transaction and answers who it is.
-- One round trip, and the only place where a scope comes from. Answers no row for a dead or unknown token.
create function app.open_session(given_hash bytea, given_now timestamptz) returns table (
  session_id uuid, user_id uuid, actor_user_id uuid, login text, root_login text, first_name text, avatar text, level text, role text,
  position_items text[], scope text, seen_at timestamptz, expires_at timestamptz, actor_login text
) language plpgsql set search_path = pg_catalog, public, app as $$
declare s record;
begin
  perform set_config('app.scope', 'PLATFORM||||||||', true);
  select x.id as sid, x.user_id as uid, x.actor_user_id as aid, x.seen_at as seen, x.expires_at as ends, u.*, p.items as pitems, a.login as alogin,
    app.scope_of(u) as found_scope
    into s
    from sessions x join users u on u.id = x.user_id left join positions p on p.id = u.position_id left join users a on a.id = x.actor_user_id
    where x.token_hash = given_hash and x.ended_at is null and x.expires_at > given_now
      and x.seen_at + x.idle_ms * interval '1 millisecond' > given_now and u.state = 'active';
  if not found then
    perform set_config('app.scope', '', true);
    return;
  end if;
  perform set_config('app.scope', s.found_scope, true);
  return query select s.sid, s.uid, s.aid, s.login, s.root_login, s.first_name, s.avatar, s.level, s.role, s.pitems, s.found_scope, s.seen,
    s.ends, s.alogin;
end $$;

-- Whether an account and every node above it are open, holding all of them until the transaction ends: whoever disables
-- one of them waits, and then finds the session that was made here.
create function app.hold_account(given uuid) returns boolean language plpgsql security definer set search_path = pg_catalog, public, app
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
    perform 1 from agents where service_provider_id = u.service_provider_id and id = agent and state = 'active' for share;
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

-- The login of somebody above who acts for an account: the one thing about them that the account may know.
create function app.login_of(given uuid) returns text language sql stable security definer
  set search_path = pg_catalog, public, app set app.scope = 'PLATFORM||||||||'
  as $$ select login from users where id = given $$;
