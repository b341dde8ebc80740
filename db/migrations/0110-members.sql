-- 会员: a person at one merchant; merchants never share one, stores of a merchant do. Only the room `members`
-- writes these. Names, phones and the form are sealed; what they are searched by is keyed hashes.
create table members (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  -- Ten digits, also the handle of the member code.
  no text not null check (no ~ '^[0-9]{10}$'),
  -- 0 准会员, known by an openid or an unconfirmed phone: earns, neither recharges nor spends. 1 会员.
  stage smallint not null check (stage in (0, 1)),
  -- 1 正常, 2 冻结, 3 注销中, 4 已注销, 5 已合并
  status smallint not null default 1 check (status between 1 and 5),
  -- 1 收银端, 2 后台, 3 导入, 4 支付, 5 会员页
  source smallint not null check (source between 1 and 5),
  name_sealed text,
  name_hash bytea,
  phone_sealed text,
  -- Of the last four digits.
  tail_hash bytea,
  phone_confirmed_at timestamptz,
  id_card_sealed text,
  birthday date,
  birthday_changed_on date,
  -- What else the card's form asks: sex, address, e-mail and the like.
  form_sealed text,
  remark text not null default '' check (length(remark) <= 200),
  tags text[] not null default '{}' check (cardinality(tags) <= 20),
  merged_into uuid,
  -- Counted up when codes shown before must no longer be good.
  code_version int not null default 1,
  pin_hash text,
  pin_wrong smallint not null default 0,
  pin_locked_until timestamptz,
  revision int not null default 1,
  created_at timestamptz not null,
  close_asked_at timestamptz,
  closed_at timestamptz,
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id, id),
  unique (service_provider_id, merchant_id, no),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, merged_into) references members (service_provider_id, merchant_id, id),
  check ((status = 5) = (merged_into is not null)),
  check ((status = 4) = (closed_at is not null)),
  check (status <> 3 or close_asked_at is not null),
  -- Who left is nobody any more.
  check (status not in (4, 5) or num_nonnulls(name_sealed, name_hash, phone_sealed, tail_hash, id_card_sealed, birthday, form_sealed, pin_hash) = 0)
);
create index members_newest on members (service_provider_id, merchant_id, created_at desc, id desc);
create index members_newest_of on members (service_provider_id, created_at desc, id desc);
create index members_name on members (service_provider_id, merchant_id, name_hash) where name_hash is not null;
create index members_tail on members (service_provider_id, merchant_id, tail_hash) where tail_hash is not null;
create index members_closing on members (close_asked_at) where status = 3;
insert into app.state_edges values ('member', '1', '2'), ('member', '2', '1'), ('member', '1', '3'), ('member', '3', '1'), ('member', '3', '4'),
  ('member', '1', '5');
create trigger guard_edge before update of status on members for each row execute function app.guard_edge('member');

-- By what one is known: the same at a merchant is the same member. Two who come at once are decided by this key.
create table member_identities (
  service_provider_id uuid not null,
  merchant_id uuid not null,
  kind text not null check (kind in ('phone', 'openid', 'alipay', 'card', 'outer')),
  subject_hash bytea not null,
  member_id uuid not null,
  verified_at timestamptz,
  created_at timestamptz not null,
  primary key (service_provider_id, merchant_id, kind, subject_hash),
  foreign key (service_provider_id, merchant_id, member_id) references members (service_provider_id, merchant_id, id)
);
create index member_identities_member on member_identities (service_provider_id, member_id);

-- The stores that see a member: the one where it came to be, and those it was at.
create table member_stores (
  service_provider_id uuid not null,
  member_id uuid not null,
  store_id uuid not null,
  merchant_id uuid not null,
  home boolean not null,
  first_at timestamptz not null,
  primary key (service_provider_id, member_id, store_id),
  foreign key (service_provider_id, merchant_id, member_id) references members (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, store_id) references stores (service_provider_id, id)
);
create unique index member_stores_home on member_stores (service_provider_id, member_id) where home;
create index member_stores_store on member_stores (service_provider_id, store_id, member_id);

-- What was agreed to, by the version of its text.
create table member_consents (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  member_id uuid not null,
  kind text not null check (kind in ('privacy', 'guardian')),
  version smallint not null check (version > 0),
  -- Where it was given: till, office, page or sheet.
  way text not null check (way in ('till', 'office', 'page', 'sheet')),
  at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, member_id, kind, version),
  foreign key (service_provider_id, merchant_id, member_id) references members (service_provider_id, merchant_id, id)
);
insert into app.append_only values ('member_consents');

-- The timeline of a member, without anything personal.
create table member_events (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  member_id uuid not null,
  kind text not null check (kind in ('joined', 'confirmed', 'identified', 'changed', 'revealed', 'frozen', 'unfrozen', 'pin-set', 'pin-locked',
    'phone-changed', 'merged', 'close-asked', 'close-withdrawn', 'closed', 'balance', 'points', 'note')),
  said text not null default '' check (length(said) <= 200),
  by_name text not null,
  at timestamptz not null,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, member_id) references members (service_provider_id, merchant_id, id)
);
create index member_events_member on member_events (service_provider_id, member_id, at desc, id desc);
insert into app.append_only values ('member_events');

-- What a member spent and how often it came: made from the books, and can be made again.
create table member_totals (
  service_provider_id uuid not null,
  member_id uuid not null,
  merchant_id uuid not null,
  spent_cents bigint not null default 0,
  visits int not null default 0,
  growth bigint not null default 0,
  last_visit_at timestamptz,
  primary key (service_provider_id, member_id),
  foreign key (service_provider_id, merchant_id, member_id) references members (service_provider_id, merchant_id, id)
);
create index member_totals_spent on member_totals (service_provider_id, merchant_id, spent_cents desc, member_id desc);
create index member_totals_visit on member_totals (service_provider_id, merchant_id, last_visit_at desc, member_id desc);

-- What the rules on prepaid cards want kept of who left: sealed, with a day on which it goes, used for nothing else.
create table member_archive (
  service_provider_id uuid not null,
  member_id uuid not null,
  merchant_id uuid not null,
  kept_sealed text not null,
  keep_until date not null,
  primary key (service_provider_id, member_id),
  foreign key (service_provider_id, merchant_id, member_id) references members (service_provider_id, merchant_id, id)
);
create index member_archive_ends on member_archive (keep_until);

-- Agents, groups and teams see no member, whatever they ask.
do $$
declare t text;
begin
  foreach t in array array['members', 'member_identities', 'member_stores', 'member_consents', 'member_events', 'member_totals', 'member_archive'] loop
    execute format('create policy who on %I as restrictive using ((select app.level()) in (''PLATFORM'', ''SP'', ''MCH'', ''AE''))', t);
  end loop;
end $$;
