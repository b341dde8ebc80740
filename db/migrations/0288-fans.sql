-- 粉丝 (platforms.md 6): where followers come from, each follow from its beginning to its end, and WeChat's own list of them.

-- 渠道码: a QR code of an account with a scene of its own.
create table wx_fan_channels (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  app_row uuid not null,
  kind text not null check (kind in ('store', 'employee', 'table', 'campaign')),
  -- Whose it is: a store's own, its employee's or table's; of a campaign none.
  store_id uuid,
  name text not null check (length(name) between 1 and 30),
  -- What WeChat says back: random, and tells nothing.
  scene text not null check (scene ~ '^[A-Za-z0-9]{24}$'),
  -- Null: for good.
  days smallint check (days between 1 and 30),
  -- 0 asked for, 1 there, 2 refused
  status smallint not null default 0 check (status between 0 and 2),
  why text not null default '',
  -- What the code says, and until when.
  url text,
  ends_at timestamptz,
  by_name text not null,
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, app_row, scene),
  unique (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id, app_row) references wx_apps (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id, store_id) references stores (service_provider_id, merchant_id, id),
  check ((kind = 'campaign') = (store_id is null)),
  check ((status = 1) <= (url is not null))
);
create index wx_fan_channels_newest on wx_fan_channels (service_provider_id, merchant_id, created_at desc, id desc);

alter table wx_fan_events
  drop constraint wx_fan_events_event_check,
  -- scan: somebody who follows scanned a code. listed, missing: WeChat's list has them, or has them no more.
  add constraint wx_fan_events_event_check check (event in ('subscribe', 'unsubscribe', 'scan', 'listed', 'missing')),
  add column channel_id uuid,
  -- WeChat's subscribe_scene, where no code of ours brought them.
  add column scene text,
  -- Of what was listed: since when WeChat says that they follow.
  add column follow_at timestamptz,
  add foreign key (service_provider_id, merchant_id, channel_id) references wx_fan_channels (service_provider_id, merchant_id, id);

alter table wx_fans
  -- The first source, for good; and that of the last follow.
  add column first_channel uuid,
  add column first_scene text,
  add column last_channel uuid,
  add column last_scene text,
  -- When the first and the last follow began, as far as anybody knows, and when they left.
  add column first_follow timestamptz,
  add column last_follow timestamptz,
  add column left_at timestamptz,
  -- When we first heard of them, by an event or the list.
  add column known_at timestamptz,
  add foreign key (service_provider_id, merchant_id, first_channel) references wx_fan_channels (service_provider_id, merchant_id, id),
  add foreign key (service_provider_id, merchant_id, last_channel) references wx_fan_channels (service_provider_id, merchant_id, id);

-- Each follow, made anew from a follower's events by every event of theirs.
create table wx_follows (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  app_row uuid not null,
  fan_id uuid not null,
  -- Null: before anybody listened.
  from_at timestamptz,
  to_at timestamptz,
  -- The first day at whose end they follow, and the first at whose end they do not; in Asia/Shanghai.
  from_day date not null,
  to_day date,
  channel_id uuid,
  scene text,
  -- The store of the code.
  store_id uuid,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, app_row) references wx_apps (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, fan_id) references wx_fans (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, channel_id) references wx_fan_channels (service_provider_id, merchant_id, id),
  check ((to_at is null) = (to_day is null)),
  check (to_day >= from_day and (from_at is null or to_at >= from_at))
);
create index wx_follows_fan on wx_follows (service_provider_id, fan_id);
create unique index wx_follows_open on wx_follows (service_provider_id, fan_id) where to_day is null;
create index wx_follows_from on wx_follows (service_provider_id, merchant_id, from_day);
create index wx_follows_to on wx_follows (service_provider_id, merchant_id, to_day) where to_day is not null;

-- Those who are known already.
insert into wx_follows (service_provider_id, id, merchant_id, app_row, fan_id, from_at, to_at, from_day, to_day)
  select e.service_provider_id, e.id, e.merchant_id, e.app_row, e.fan_id, e.occurred_at, o.at,
    (e.occurred_at at time zone 'Asia/Shanghai')::date, (o.at at time zone 'Asia/Shanghai')::date
  from (select e.*, lag(event) over (partition by service_provider_id, fan_id order by occurred_at, heard_at, id) as before from wx_fan_events e) e
  cross join lateral (select min(u.occurred_at) as at from wx_fan_events u where u.service_provider_id = e.service_provider_id and u.fan_id = e.fan_id
    and u.event = 'unsubscribe' and u.occurred_at >= e.occurred_at) o
  where e.event = 'subscribe' and e.before is distinct from 'subscribe';
update wx_fans f set first_follow = w.first, last_follow = w.last, left_at = case when f.following then null else w.ended end
  from (select service_provider_id, fan_id, min(from_at) as first, max(from_at) as last, max(to_at) as ended from wx_follows group by 1, 2) w
  where w.service_provider_id = f.service_provider_id and w.fan_id = f.id;
update wx_fans f set known_at = coalesce(
  (select min(e.heard_at) from wx_fan_events e where e.service_provider_id = f.service_provider_id and e.fan_id = f.id), f.changed_at);
alter table wx_fans alter column known_at set not null;
create index wx_fans_newest on wx_fans (service_provider_id, merchant_id, known_at desc, id desc);

-- 同步粉丝: a reading of WeChat's whole list. What it read takes hold at once and whole, or not at all.
create table wx_fan_syncs (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  app_row uuid not null,
  -- 0 runs, 1 done, 2 came to nothing
  status smallint not null default 0 check (status between 0 and 2),
  -- How many WeChat says there are, how many were read, how many are new, how many of them were asked about.
  total int not null default 0,
  listed int not null default 0,
  unknown int not null default 0,
  asked int not null default 0,
  -- What it changed.
  added int not null default 0,
  returned int not null default 0,
  gone int not null default 0,
  why text not null default '',
  by_name text not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, app_row) references wx_apps (service_provider_id, merchant_id, id)
);
create unique index wx_fan_syncs_one on wx_fan_syncs (service_provider_id, app_row) where status = 0;
create index wx_fan_syncs_last on wx_fan_syncs (service_provider_id, app_row, started_at desc);

-- What a sync has read so far; gone once it is over.
create table wx_fan_list (
  service_provider_id uuid not null,
  sync_id uuid not null,
  openid_hash bytea not null,
  -- The id and the seal that they get if they are new.
  fan_id uuid not null,
  openid_sealed text not null,
  -- Whether WeChat has to be asked about them, and was.
  ask boolean not null default false,
  follow_at timestamptz,
  channel_id uuid,
  scene text,
  primary key (service_provider_id, sync_id, openid_hash),
  foreign key (service_provider_id, sync_id) references wx_fan_syncs (service_provider_id, id)
);
create index wx_fan_list_ask on wx_fan_list (service_provider_id, sync_id, openid_hash) where ask;

-- Stores, agents, groups and teams see none of it; what a sync reads is nobody's to see.
do $$
declare t text;
begin
  foreach t in array array['wx_fan_channels', 'wx_follows', 'wx_fan_syncs'] loop
    call app.only_levels(t::regclass, array['PLATFORM', 'SP', 'MCH']);
  end loop;
end $$;
create policy who on wx_fan_list as restrictive using ((select app.level()) = 'PLATFORM');
