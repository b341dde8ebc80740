-- 微信会员卡: what WeChat is to know of our cards and their holders. One row for each is its outbox too: `rev` is what we want
-- there, `sent_rev` what arrived; whatever is sent is read when it is sent, so the last status wins. Our book is the truth.
create table wx_cards (
  service_provider_id uuid not null,
  card_id uuid not null,
  merchant_id uuid not null,
  api text not null check (api in ('open', 'brand')),
  -- Null until WeChat has named it.
  wx_card_id text check (length(wx_card_id) between 1 and 64),
  -- 1 NOT_APPROVE, 2 APPROVED, 3 APPROVE_FAIL, 4 DELETED; without a row: none
  status smallint not null default 1 check (status between 1 and 4),
  rev int not null default 1,
  sent_rev int not null default 0,
  -- 0 waits, 1 there, 2 refused, 3 nobody knows
  sync smallint not null default 0 check (sync between 0 and 3),
  tries int not null default 0,
  next_at timestamptz not null,
  why text check (length(why) <= 200),
  sent_at timestamptz,
  asked_at timestamptz,
  created_at timestamptz not null,
  primary key (service_provider_id, card_id),
  check (sent_rev <= rev),
  foreign key (service_provider_id, merchant_id, card_id) references member_cards (service_provider_id, merchant_id, id)
);
create index wx_cards_due on wx_cards (next_at) where sync in (0, 3);
create index wx_cards_review on wx_cards (asked_at) where status = 1;
create index wx_cards_newest on wx_cards (service_provider_id, merchant_id, created_at desc, card_id desc);
insert into app.state_edges values ('wx_card', '1', '2'), ('wx_card', '1', '3'), ('wx_card', '3', '1'), ('wx_card', '2', '1'), ('wx_card', '1', '4'),
  ('wx_card', '2', '3'), ('wx_card', '3', '2'), ('wx_card', '2', '4'), ('wx_card', '3', '4'), ('wx_card', '4', '1');
create trigger guard_edge before update of status on wx_cards for each row execute function app.guard_edge('wx_card');

create table wx_holders (
  service_provider_id uuid not null,
  holder_id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  card_id uuid not null,
  member_id uuid not null,
  -- 1 NOT_ACTIVATE, 2 EFFECTIVE, 3 EXPIRE, 4 UNAVAILABLE, 5 DELETE
  status smallint not null default 1 check (status between 1 and 5),
  -- What arrived there last.
  points bigint,
  stored_cents bigint,
  rev int not null default 1,
  sent_rev int not null default 0,
  sync smallint not null default 0 check (sync between 0 and 3),
  tries int not null default 0,
  next_at timestamptz not null,
  why text check (length(why) <= 200),
  sent_at timestamptz,
  primary key (service_provider_id, holder_id),
  check (sent_rev <= rev),
  foreign key (service_provider_id, holder_id) references card_holders (service_provider_id, id),
  foreign key (service_provider_id, card_id) references wx_cards (service_provider_id, card_id)
);
create index wx_holders_due on wx_holders (next_at) where sync in (0, 3);
create index wx_holders_member on wx_holders (service_provider_id, member_id);
create index wx_holders_card on wx_holders (service_provider_id, card_id);
-- Who moved in the last minutes is told.
create index value_entries_when on value_entries using brin (occurred_at);
create policy who on wx_holders as restrictive using ((select app.level()) in ('PLATFORM', 'SP', 'MCH', 'AE'));
create index member_events_when on member_events using brin (at);
