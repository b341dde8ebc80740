-- 群发消息 (platforms.md 6): what an official account sends to many of its followers, in batches, each once. Only the room `wechat` writes these.
create table wx_notes (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  app_row uuid not null,
  name text not null check (length(name) between 1 and 40),
  state text not null default 'draft'
    check (state in ('draft', 'review', 'ready', 'sending', 'confirming', 'sent', 'partly', 'failed', 'cancelled')),
  kind text not null check (kind in ('text', 'picture', 'article')),
  content jsonb not null,
  -- Whom it is for, as it was asked for; the list is frozen into rows when sending begins.
  audience jsonb not null,
  -- Null: as soon as somebody approves it.
  starts_at timestamptz,
  paused boolean not null default false,
  -- Why it was turned down, or failed before anything was sent.
  why text not null default '',
  revision int not null default 1 check (revision > 0),
  made_by uuid not null,
  made_by_name text not null,
  decided_by uuid,
  decided_by_name text not null default '',
  decided_at timestamptz,
  frozen_at timestamptz,
  -- In the frozen list.
  people int,
  ended_at timestamptz,
  -- What WeChat calls the picture or article, for three days.
  media_id text,
  media_at timestamptz,
  clicks int not null default 0 check (clicks >= 0),
  clicked_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id, app_row) references wx_apps (service_provider_id, merchant_id, id),
  -- Nobody approves their own.
  check (decided_by is null or decided_by <> made_by),
  check (state in ('draft', 'review', 'cancelled') or decided_by is not null)
);
create index wx_notes_newest on wx_notes (service_provider_id, merchant_id, created_at desc, id desc);
create index wx_notes_going on wx_notes (service_provider_id, id) where state in ('ready', 'sending', 'confirming');

insert into app.state_edges values
  ('wx_note', 'draft', 'review'), ('wx_note', 'review', 'draft'), ('wx_note', 'review', 'ready'), ('wx_note', 'draft', 'cancelled'),
  ('wx_note', 'review', 'cancelled'), ('wx_note', 'ready', 'cancelled'), ('wx_note', 'ready', 'sending'), ('wx_note', 'ready', 'failed'),
  ('wx_note', 'sending', 'confirming'), ('wx_note', 'sending', 'sent'), ('wx_note', 'sending', 'partly'), ('wx_note', 'sending', 'failed'),
  ('wx_note', 'confirming', 'sent'), ('wx_note', 'confirming', 'partly'), ('wx_note', 'confirming', 'failed'),
  ('wx_note', 'partly', 'sending'), ('wx_note', 'failed', 'sending');
create trigger guard_edge before update of state on wx_notes for each row execute function app.guard_coupon_edge('wx_note');

-- One call of mass/send; its id is the clientmsgid, and WeChat sends a clientmsgid once.
create table wx_note_batches (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  app_row uuid not null,
  note_id uuid not null,
  place int not null check (place > 0),
  -- To all by mass/sendall; else to the followers of the list who have this batch.
  everybody boolean not null default false,
  -- waiting; asked: the call went out and its end is not known; accepted: WeChat took it; sent; failed; void: no admin said yes in time.
  state text not null default 'waiting' check (state in ('waiting', 'asked', 'accepted', 'sent', 'failed', 'void')),
  people int not null check (people > 0),
  -- The month (or, for 订阅号, the day) in which its followers' quota was taken.
  period date,
  msg_id text,
  tries int not null default 0,
  asked_at timestamptz,
  accepted_at timestamptz,
  settled_at timestamptz,
  next_at timestamptz not null,
  -- As WeChat tells in its event; null where only mass/get was heard, which tells no figures.
  sent int,
  filtered int,
  errors int,
  reason text not null default '',
  -- Another batch took its followers over, to try again.
  replaced boolean not null default false,
  deleted_at timestamptz,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, note_id) references wx_notes (service_provider_id, merchant_id, id),
  check (state not in ('accepted', 'sent', 'void') or msg_id is not null),
  check (state = 'waiting' or asked_at is not null)
);
create index wx_note_batches_note on wx_note_batches (service_provider_id, note_id, place);
create index wx_note_batches_message on wx_note_batches (service_provider_id, app_row, msg_id) where msg_id is not null;
create index wx_note_batches_asked on wx_note_batches (service_provider_id, app_row, asked_at) where asked_at is not null;

insert into app.state_edges values
  ('wx_note_batch', 'waiting', 'asked'), ('wx_note_batch', 'waiting', 'failed'), ('wx_note_batch', 'asked', 'accepted'),
  ('wx_note_batch', 'asked', 'failed'), ('wx_note_batch', 'accepted', 'sent'), ('wx_note_batch', 'accepted', 'failed'),
  ('wx_note_batch', 'accepted', 'void');
create trigger guard_edge before update of state on wx_note_batches for each row execute function app.guard_coupon_edge('wx_note_batch');

-- The frozen list. Who had nothing left of their quota stands in it without a batch.
create table wx_note_fans (
  service_provider_id uuid not null,
  note_id uuid not null,
  fan_id uuid not null,
  merchant_id uuid not null,
  batch_id uuid,
  primary key (service_provider_id, note_id, fan_id),
  foreign key (service_provider_id, merchant_id, note_id) references wx_notes (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, fan_id) references wx_fans (service_provider_id, id),
  foreign key (service_provider_id, batch_id) references wx_note_batches (service_provider_id, id)
);
create index wx_note_fans_batch on wx_note_fans (service_provider_id, batch_id) where batch_id is not null;

-- How many a follower was sent in a month (订阅号: on a day), by our own count.
create table wx_fan_quota (
  service_provider_id uuid not null,
  fan_id uuid not null,
  period date not null,
  merchant_id uuid not null,
  used smallint not null check (used >= 0),
  primary key (service_provider_id, fan_id, period),
  foreign key (service_provider_id, fan_id) references wx_fans (service_provider_id, id)
);

-- MASSSENDJOBFINISH as it came, once for each message; it may come before the answer to the call.
create table wx_mass_results (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  app_row uuid not null,
  msg_id text not null check (length(msg_id) between 1 and 32),
  status text not null,
  sent int not null,
  filtered int not null,
  errors int not null,
  heard_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, app_row, msg_id),
  foreign key (service_provider_id, merchant_id, app_row) references wx_apps (service_provider_id, merchant_id, id)
);
insert into app.append_only values ('wx_mass_results');

create table wx_note_pictures (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  bytes bytea not null,
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);
create index wx_note_pictures_newest on wx_note_pictures (service_provider_id, merchant_id, created_at desc);

-- Stores, agents, groups and teams see none of it.
do $$
declare t text;
begin
  foreach t in array array['wx_notes', 'wx_note_batches', 'wx_note_fans', 'wx_fan_quota', 'wx_mass_results', 'wx_note_pictures'] loop
    call app.only_levels(t::regclass, array['PLATFORM', 'SP', 'MCH']);
  end loop;
end $$;
