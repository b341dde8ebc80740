-- What a member shows at a till, and what is said to a phone.

-- Member codes that were read: each is good once.
create table member_codes (
  service_provider_id uuid not null,
  member_id uuid not null,
  step bigint not null,
  merchant_id uuid not null,
  at timestamptz not null,
  primary key (service_provider_id, member_id, step),
  foreign key (service_provider_id, merchant_id, member_id) references members (service_provider_id, merchant_id, id)
);
create index member_codes_at on member_codes (at);

-- 票: who stands at the till, for one order of this store within ten minutes.
create table member_tickets (
  service_provider_id uuid not null,
  token_hash bytea not null,
  merchant_id uuid not null,
  store_id uuid not null,
  member_id uuid not null,
  proof text not null check (proof in ('full', 'weak')),
  -- What it was used for: an order, a transfer.
  order_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (service_provider_id, token_hash),
  foreign key (service_provider_id, merchant_id, member_id) references members (service_provider_id, merchant_id, id)
);
create index member_tickets_ends on member_tickets (expires_at);

create index members_merged on members (service_provider_id, merged_into) where merged_into is not null;

-- Codes by SMS, as keyed hashes. Their rows are what the limits are counted from, too.
create table sms_codes (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  phone_hash bytea not null,
  -- Of the address that asked.
  from_hash bytea not null,
  code_hash bytea not null,
  tries smallint not null default 0 check (tries between 0 and 5),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);
create index sms_codes_phone on sms_codes (service_provider_id, merchant_id, phone_hash, created_at desc);
create index sms_codes_from on sms_codes (service_provider_id, merchant_id, from_hash, created_at desc);
create index sms_codes_at on sms_codes (created_at);

-- Messages on their way: recorded first, sent by a job; whose fate is unknown is asked for before it is sent again.
create table sms_messages (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  -- Phone and words, until it is over.
  sealed text,
  template text not null check (template in ('code')),
  -- 0 待发送, 1 已发送, 2 失败, 3 结果未知
  status smallint not null default 0 check (status between 0 and 3),
  why text,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (service_provider_id, id),
  check ((sealed is null) = (status in (1, 2))),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);
create index sms_messages_at on sms_messages (created_at);
insert into app.state_edges values ('sms', '0', '1'), ('sms', '0', '2'), ('sms', '0', '3'), ('sms', '3', '1'), ('sms', '3', '2'), ('sms', '3', '0');
create trigger guard_edge before update of status on sms_messages for each row execute function app.guard_edge('sms');

-- Principal that a sheet brings waits for a second person.
create table member_openings (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  member_id uuid not null,
  store_id uuid not null,
  principal_cents bigint not null check (principal_cents between 1 and 500000),
  gift_cents bigint not null check (gift_cents between 0 and 500000),
  -- 0 待确认, 1 已入账, 2 已驳回
  status smallint not null default 0 check (status between 0 and 2),
  asked_by uuid not null,
  asked_name text not null,
  created_at timestamptz not null,
  ended_by uuid,
  ended_name text,
  ended_at timestamptz,
  primary key (service_provider_id, id),
  check ((status = 0) = (ended_at is null)),
  check (ended_by <> asked_by),
  foreign key (service_provider_id, merchant_id, member_id) references members (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, store_id) references stores (service_provider_id, id)
);
create index member_openings_waiting on member_openings (service_provider_id, merchant_id, created_at) where status = 0;
insert into app.state_edges values ('member_opening', '0', '1'), ('member_opening', '0', '2');
create trigger guard_edge before update of status on member_openings for each row execute function app.guard_edge('member_opening');

do $$
declare t text;
begin
  foreach t in array array['member_codes', 'member_tickets', 'sms_codes', 'sms_messages', 'member_openings'] loop
    execute format('create policy who on %I as restrictive using ((select app.level()) in (''PLATFORM'', ''SP'', ''MCH'', ''AE''))', t);
  end loop;
end $$;
