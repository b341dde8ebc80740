-- 会员卡: the face that a merchant's members hold. What they hold on it (points, stored value) is the member's, not the card's.
-- Only the room `member-cards` writes these.
create table card_pictures (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  bytes bytea not null,
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);
create index card_pictures_newest on card_pictures (service_provider_id, merchant_id, created_at);

create table member_cards (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  -- WeChat takes ten characters.
  name text not null check (length(name) between 1 and 10),
  tone text not null check (tone in ('COLOR010', 'COLOR020', 'COLOR030', 'COLOR040', 'COLOR050', 'COLOR060', 'COLOR070', 'COLOR080', 'COLOR081',
    'COLOR082', 'COLOR090', 'COLOR100')),
  logo_id uuid,
  background_id uuid,
  notice text not null default '' check (length(notice) <= 32),
  phone text not null default '' check (length(phone) <= 20),
  -- The rights in words, as the customer reads them.
  rights text not null default '' check (length(rights) <= 500),
  -- auto: it is open as soon as it is held. form: once the form is filled in.
  activation text not null default 'auto' check (activation in ('auto', 'form')),
  -- One digit a field in the contract's order, 0 关 1 选填 2 必填; the phone comes first, and a member is known by it.
  form text not null check (form ~ '^2[012]{10}$'),
  -- Serves every store; else those of its places.
  everywhere boolean not null default true,
  ends_on date,
  -- 0 初始, 1 已创建, 2 已启用, 3 已暂停, 4 已重启, 5 已过期
  status smallint not null default 0 check (status between 0 and 5),
  holders int not null default 0 check (holders >= 0),
  revision int not null default 1,
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id, id),
  unique (service_provider_id, merchant_id, name),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id),
  foreign key (service_provider_id, logo_id) references card_pictures (service_provider_id, id),
  foreign key (service_provider_id, background_id) references card_pictures (service_provider_id, id)
);
create index member_cards_newest on member_cards (service_provider_id, merchant_id, created_at desc, id desc);
create index member_cards_newest_of on member_cards (service_provider_id, created_at desc, id desc);
create index member_cards_ends on member_cards (ends_on) where status in (1, 2, 3, 4);
insert into app.state_edges values ('member_card', '0', '1'), ('member_card', '1', '0'), ('member_card', '1', '2'), ('member_card', '2', '3'),
  ('member_card', '3', '4'), ('member_card', '4', '3'), ('member_card', '1', '5'), ('member_card', '2', '5'), ('member_card', '3', '5'),
  ('member_card', '4', '5');
create trigger guard_edge before update of status on member_cards for each row execute function app.guard_edge('member_card');

-- Where a card serves that does not serve everywhere: an area, as it is on the day, or one store.
create table card_places (
  service_provider_id uuid not null,
  card_id uuid not null,
  kind text not null check (kind in ('area', 'store')),
  place_id uuid not null,
  merchant_id uuid not null,
  primary key (service_provider_id, card_id, kind, place_id),
  foreign key (service_provider_id, merchant_id, card_id) references member_cards (service_provider_id, merchant_id, id)
);
create index card_places_place on card_places (service_provider_id, kind, place_id);

-- 绑定: who joins there gets this card. One place hands out one card.
create table card_bindings (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  card_id uuid not null,
  kind text not null check (kind in ('store', 'device', 'mini-program')),
  -- A store's or a device's id, or the mini program's appid.
  target text not null check (length(target) <= 40),
  -- What a mini program is called; stores and devices have names of their own.
  title text not null default '' check (length(title) <= 32),
  by_name text not null,
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id, kind, target),
  foreign key (service_provider_id, merchant_id, card_id) references member_cards (service_provider_id, merchant_id, id)
);
create index card_bindings_newest on card_bindings (service_provider_id, merchant_id, created_at desc, id desc);
create index card_bindings_card on card_bindings (service_provider_id, card_id);

-- 授权: what the level below may change. MCH is what the provider leaves to the merchant (all of it where nothing stands here),
-- AE what the merchant gives to its stores (nothing where nothing stands here, and never more than it has).
create table card_grants (
  service_provider_id uuid not null,
  card_id uuid not null,
  level text not null check (level in ('MCH', 'AE')),
  merchant_id uuid not null,
  rights text[] not null check (rights <@ array['face', 'form', 'gift', 'stores', 'pause']),
  by_name text not null,
  updated_at timestamptz not null,
  primary key (service_provider_id, card_id, level),
  foreign key (service_provider_id, merchant_id, card_id) references member_cards (service_provider_id, merchant_id, id)
);

-- One holding for a member and a card.
create table card_holders (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  card_id uuid not null,
  member_id uuid not null,
  code text not null check (code ~ '^[0-9]{12}$'),
  way text not null check (way in ('till', 'office', 'sheet', 'page')),
  by_name text not null,
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, card_id, member_id),
  unique (service_provider_id, merchant_id, code),
  foreign key (service_provider_id, merchant_id, card_id) references member_cards (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id, member_id) references members (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, store_id) references stores (service_provider_id, id)
);
create index card_holders_member on card_holders (service_provider_id, member_id);
create index card_holders_newest on card_holders (service_provider_id, merchant_id, created_at desc, id desc);
create index card_holders_card on card_holders (service_provider_id, card_id, created_at desc, id desc);

-- 开卡活动: what whoever opens a card gets, and how much there is of it.
create table card_activities (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  card_id uuid not null,
  name text not null check (length(name) between 1 and 32),
  points int not null check (points between 0 and 100000),
  -- Days that the points are good for; null for ever.
  points_days int check (points_days between 1 and 3650),
  gift_cents bigint not null check (gift_cents between 0 and 100000),
  first_day date not null,
  last_day date not null,
  -- How many may get it, and how much balance may be given in all.
  most_count int not null check (most_count between 1 and 1000000),
  budget_cents bigint check (budget_cents > 0),
  given_count int not null default 0,
  given_points bigint not null default 0,
  given_cents bigint not null default 0,
  -- 0 未开始, 1 进行中, 2 已暂停, 3 已结束
  status smallint not null default 0 check (status between 0 and 3),
  revision int not null default 1,
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id, name),
  check (last_day >= first_day),
  check (points > 0 or gift_cents > 0),
  check ((gift_cents > 0) = (budget_cents is not null)),
  check (given_count between 0 and most_count),
  check (given_cents between 0 and coalesce(budget_cents, 0)),
  foreign key (service_provider_id, merchant_id, card_id) references member_cards (service_provider_id, merchant_id, id)
);
create index card_activities_newest on card_activities (service_provider_id, merchant_id, created_at desc, id desc);
create index card_activities_card on card_activities (service_provider_id, card_id) where status = 1;
create index card_activities_ends on card_activities (last_day) where status in (0, 1, 2);
insert into app.state_edges values ('card_activity', '0', '1'), ('card_activity', '1', '2'), ('card_activity', '2', '1'), ('card_activity', '0', '3'),
  ('card_activity', '1', '3'), ('card_activity', '2', '3');
create trigger guard_edge before update of status on card_activities for each row execute function app.guard_edge('card_activity');

create table card_gifts (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  activity_id uuid not null,
  holder_id uuid not null,
  member_id uuid not null,
  points int not null,
  gift_cents bigint not null,
  at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, activity_id, member_id),
  foreign key (service_provider_id, activity_id) references card_activities (service_provider_id, id),
  foreign key (service_provider_id, holder_id) references card_holders (service_provider_id, id),
  foreign key (service_provider_id, store_id) references stores (service_provider_id, id)
);
create index card_gifts_newest on card_gifts (service_provider_id, activity_id, at desc, id desc);

insert into app.append_only values ('card_gifts'), ('card_holders');
-- Agents, groups and teams see no member, whatever they ask.
do $$
declare t text;
begin
  foreach t in array array['card_holders', 'card_gifts'] loop
    execute format('create policy who on %I as restrictive using ((select app.level()) in (''PLATFORM'', ''SP'', ''MCH'', ''AE''))', t);
  end loop;
end $$;
