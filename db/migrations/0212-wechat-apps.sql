-- 公众号 (platforms.md 6): a merchant's own official account, who follows it and what WeChat told of that. Only the room `wechat` writes these.
create table wx_apps (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  -- WeChat's number of the account.
  app_id text not null check (app_id ~ '^wx[0-9a-f]{16}$'),
  name text not null check (length(name) between 1 and 30),
  -- 1 服务号, 2 订阅号
  kind smallint not null check (kind in (1, 2)),
  state text not null default 'active' check (state in ('active', 'paused')),
  -- What WeChat signs with and seals its messages under; ours to make, and new ones end the old.
  token_sealed text not null,
  aes_key_sealed text not null,
  -- WeChat asked for the address and took the answer; the last genuine message.
  verified_at timestamptz,
  heard_at timestamptz,
  revision int not null default 1 check (revision > 0),
  by_name text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, app_id),
  unique (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);
create index wx_apps_newest on wx_apps (service_provider_id, merchant_id, created_at desc, id desc);

-- Who follows, or did.
create table wx_fans (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  app_row uuid not null,
  -- The openid: found by its keyed hash, and sealed.
  openid_hash bytea not null,
  openid_sealed text not null,
  following boolean not null,
  -- When they first followed, as far as we heard; null where they followed before anybody listened.
  first_at timestamptz,
  -- The last event by its own time: an older one that comes late changes nothing.
  changed_at timestamptz not null,
  -- The member that they turned out to be: once, by an identity or by their own sign-in.
  member_id uuid,
  primary key (service_provider_id, id),
  unique (service_provider_id, app_row, openid_hash),
  foreign key (service_provider_id, merchant_id, app_row) references wx_apps (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id, member_id) references members (service_provider_id, merchant_id, id)
);
create index wx_fans_member on wx_fans (service_provider_id, member_id) where member_id is not null;

-- What WeChat told, once for each: openid, its time and its kind.
create table wx_fan_events (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  app_row uuid not null,
  fan_id uuid not null,
  event text not null check (event in ('subscribe', 'unsubscribe')),
  event_key text not null default '',
  occurred_at timestamptz not null,
  heard_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, fan_id, occurred_at, event, event_key),
  foreign key (service_provider_id, merchant_id, app_row) references wx_apps (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, fan_id) references wx_fans (service_provider_id, id)
);
insert into app.append_only values ('wx_fan_events');

-- Stores, agents, groups and teams see none of it.
do $$
declare t text;
begin
  foreach t in array array['wx_apps', 'wx_fans', 'wx_fan_events'] loop
    execute format('create policy who on %I as restrictive using ((select app.level()) in (''PLATFORM'', ''SP'', ''MCH''))', t);
  end loop;
end $$;

-- 粉丝券 is one more kind of activity.
alter table activities drop constraint activities_kind_check;
alter table activities add constraint activities_kind_check check (kind in ('new', 'birthday', 'scan', 'recommend', 'fans'));
