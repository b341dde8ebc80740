-- 消息: what an account is told, in the top bar. Everybody at a node gets their own copy, so that reading is theirs too.
create table messages (
  owner_user_id uuid not null references users (id),
  id uuid not null,
  kind text not null,
  title text not null, body text not null,
  -- The list behind it, as an address after the #, and the item that opens that.
  href text not null, item text not null,
  -- Told once: the same thing is not said again.
  once text,
  created_at timestamptz not null,
  read_at timestamptz,
  primary key (owner_user_id, id),
  unique (owner_user_id, once)
);
create index messages_newest on messages (owner_user_id, created_at desc, id desc);
create index messages_unread on messages (owner_user_id) where read_at is null;
create index messages_age on messages (created_at);

-- Tells everybody in use at a node, whoever asks for it: the asker need not see their accounts. Without a node, the platform.
create function app.tell(to_level text, to_provider uuid, to_node uuid, given_kind text, given_title text, given_body text, given_href text,
    given_item text, given_once text, at timestamptz) returns int
  language sql volatile security definer set search_path = pg_catalog, public, app set app.scope = 'PLATFORM||||||||' as $$
  with told as (
    insert into messages (owner_user_id, id, kind, title, body, href, item, once, created_at)
      select u.id, gen_random_uuid(), given_kind, given_title, given_body, given_href, given_item, given_once, at
      from users u where u.state = 'active' and u.level = to_level and u.service_provider_id is not distinct from to_provider
        and case to_level when 'AG' then u.agent_id = to_node when 'GP' then u.business_group_id = to_node
          when 'TM' then u.business_team_id = to_node when 'SM' then u.salesman_id = to_node
          when 'MCH' then u.merchant_id = to_node else true end
    on conflict (owner_user_id, once) do nothing returning 1)
  select count(*)::int from told $$;
