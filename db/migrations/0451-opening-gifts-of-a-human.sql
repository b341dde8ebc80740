-- By what somebody is known again who opens a card as somebody else: keyed hashes. Of one activity each is there once.
create table card_marks (
  service_provider_id uuid not null,
  merchant_id uuid not null,
  activity_id uuid not null,
  kind text not null check (kind in ('phone', 'openid', 'device')),
  hash bytea not null,
  gift_id uuid not null,
  at timestamptz not null,
  primary key (service_provider_id, activity_id, kind, hash),
  foreign key (service_provider_id, activity_id) references card_activities (service_provider_id, id),
  foreign key (service_provider_id, gift_id) references card_gifts (service_provider_id, id)
);
create index card_marks_old on card_marks (at) where kind <> 'phone';
insert into card_marks (service_provider_id, merchant_id, activity_id, kind, hash, gift_id, at)
  select g.service_provider_id, g.merchant_id, g.activity_id, case i.kind when 'phone' then 'phone' else 'openid' end, i.subject_hash, g.id, g.at
  from card_gifts g join member_identities i on i.service_provider_id = g.service_provider_id and i.member_id = g.member_id
  where i.kind in ('phone', 'openid', 'alipay') on conflict do nothing;

-- Whom an activity was about, and who got nothing.
create table card_refusals (
  service_provider_id uuid not null,
  merchant_id uuid not null,
  activity_id uuid not null,
  member_id uuid not null,
  store_id uuid not null,
  why text not null check (why in ('gone', 'phone', 'openid', 'device')),
  at timestamptz not null,
  primary key (service_provider_id, activity_id, member_id),
  foreign key (service_provider_id, activity_id) references card_activities (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, member_id) references members (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, store_id) references stores (service_provider_id, id)
);
insert into app.append_only values ('card_refusals');
create policy who on card_marks as restrictive using ((select app.level()) = 'PLATFORM');
call app.only_levels('card_refusals', array['PLATFORM', 'SP', 'MCH', 'AE']);
