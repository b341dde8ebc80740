-- 数据推送 (platforms.md 7): what happened, told to a provider's own systems over HTTP in the form of Standard Webhooks. Only the room
-- `integrations` writes these, and the triggers of 0270, which write an event down in the transaction of the fact itself.
create table push_endpoints (
  service_provider_id uuid not null,
  id uuid not null,
  name text not null check (length(name) between 1 and 32),
  url text not null check (length(url) between 8 and 500),
  events text[] not null check (cardinality(events) between 1 and 40),
  -- Of which merchants it is told; null: of all, and of what belongs to no merchant.
  merchant_ids uuid[] check (cardinality(merchant_ids) between 1 and 200),
  -- Shown once. The one before it signs too until its time is over.
  secret_sealed text not null,
  secret_shown_at timestamptz,
  old_secret_sealed text,
  old_until timestamptz,
  -- paused by a person: what comes waits. disabled by us (failing, gone): what comes is kept to be sent again. removed: over.
  state text not null default 'active' check (state in ('active', 'paused', 'disabled', 'removed')),
  off_why text check (off_why in ('failing', 'gone')),
  off_at timestamptz,
  -- The last failure while nothing is wrong yet; and the second within a day, from which on all of them failed.
  failed_at timestamptz,
  failing_since timestamptz,
  -- Whose turn it was when: who waited longest is next.
  turn_at timestamptz,
  revision int not null default 1 check (revision > 0),
  by_name text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (service_provider_id, id),
  foreign key (service_provider_id) references service_providers (id),
  check ((old_secret_sealed is null) = (old_until is null)),
  check ((state = 'disabled') = (off_why is not null) and (off_why is null) = (off_at is null))
);
create index push_endpoints_newest on push_endpoints (created_at desc, id desc);
-- Payments look here. An endpoint's row is never deleted.
insert into app.state_edges values ('push_endpoint', 'active', 'paused'), ('push_endpoint', 'active', 'disabled'),
  ('push_endpoint', 'active', 'removed'), ('push_endpoint', 'paused', 'active'), ('push_endpoint', 'paused', 'removed'),
  ('push_endpoint', 'disabled', 'active'), ('push_endpoint', 'disabled', 'removed');

-- What happened, as the bytes that are sent. They never change; after 30 days they are gone and only their hash is left.
create table push_events (
  service_provider_id uuid not null,
  id uuid not null,
  type text not null,
  merchant_id uuid,
  object_id uuid not null,
  -- Grows for each object: what has a smaller one is older.
  version int not null check (version > 0),
  body text check (octet_length(body) <= 20480),
  bytes int not null,
  sha256 bytea not null,
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, object_id, version)
);
create index push_events_age on push_events (created_at);
create index push_events_bodies on push_events (created_at) where body is not null;
create function app.guard_push_event() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.body is not null or (new.service_provider_id, new.id, new.type, new.object_id, new.version, new.bytes, new.sha256, new.created_at)
    is distinct from (old.service_provider_id, old.id, old.type, old.object_id, old.version, old.bytes, old.sha256, old.created_at) then
    raise exception 'what an event says is never changed' using errcode = 'ZF003';
  end if;
  return new;
end $$;
create trigger frozen before update on push_events for each row execute function app.guard_push_event();
-- The last version of each object. Kept, so that an order that is refunded after a year does not begin at one again.
create table push_versions (
  service_provider_id uuid not null,
  object_id uuid not null,
  version int not null check (version > 0),
  primary key (service_provider_id, object_id)
);

-- One event for one endpoint.
create table push_deliveries (
  service_provider_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  type text not null,
  merchant_id uuid,
  object_id uuid not null,
  -- The number by which people know the object, where it has one.
  about text not null default '',
  state text not null check (state in ('waiting', 'retrying', 'succeeded', 'abandoned')),
  -- When it is sent next; the epoch: at once.
  next_at timestamptz not null,
  -- Who goes before whom at one endpoint: a test that a person waits for, what happened, goods (an import writes a hundred thousand), and what
  -- is sent again by hand.
  rank smallint not null generated always as (case when type = 'push.test' then 0 when replays > 0 then 3 when type like 'product.%' then 2 else 1 end) stored,
  -- Whoever sends it has it until then; a process that died gives it back so.
  taken_until timestamptz,
  -- Tries altogether, and those of this round: a replay begins a new one.
  sent int not null default 0 check (sent >= 0),
  tries int not null default 0 check (tries between 0 and sent),
  replays int not null default 0,
  -- What the last one came to.
  last_status int,
  created_at timestamptz not null,
  settled_at timestamptz,
  primary key (service_provider_id, id),
  unique (service_provider_id, event_id, endpoint_id),
  foreign key (service_provider_id, event_id) references push_events (service_provider_id, id),
  -- No foreign key to the endpoint, which is never deleted: each payment would lock the same row.
  check ((state in ('succeeded', 'abandoned')) = (settled_at is not null))
);
create index push_deliveries_due on push_deliveries (service_provider_id, endpoint_id, rank, next_at, created_at, id) where settled_at is null;
create index push_deliveries_taken on push_deliveries (service_provider_id, endpoint_id, taken_until) where taken_until is not null;
create index push_deliveries_given_up on push_deliveries (service_provider_id, endpoint_id, created_at desc, id desc) where state = 'abandoned';
create index push_deliveries_given_up_of on push_deliveries (service_provider_id, created_at desc, id desc) where state = 'abandoned';
create index push_deliveries_tests on push_deliveries (service_provider_id, endpoint_id) where settled_at is null and type = 'push.test';
create index push_deliveries_about on push_deliveries (service_provider_id, about) where about <> '';
create index push_deliveries_newest on push_deliveries (service_provider_id, endpoint_id, created_at desc, id desc) include (state);
create index push_deliveries_of on push_deliveries (service_provider_id, created_at desc, id desc);
create index push_deliveries_all on push_deliveries (created_at desc, id desc);

-- Each try: written down before it is made, settled after.
create table push_attempts (
  service_provider_id uuid not null,
  delivery_id uuid not null,
  n int not null check (n > 0),
  started_at timestamptz not null,
  ended_at timestamptz,
  -- ok, failed; lost: the process that made it did not write down how it ended.
  outcome text check (outcome in ('ok', 'failed', 'lost')),
  status int,
  -- timeout, refused (no connection), closed (an address that is not public), or none where there was an answer.
  fault text,
  ms int,
  signature text not null,
  -- What came back, its first KB; the provider's own account reads it, nobody else.
  answer text check (octet_length(answer) <= 4096),
  retry_after text check (length(retry_after) <= 64),
  primary key (service_provider_id, delivery_id, n),
  foreign key (service_provider_id, delivery_id) references push_deliveries (service_provider_id, id),
  check ((ended_at is null) = (outcome is null))
);
create index push_attempts_age on push_attempts (started_at);

do $$
declare t text;
begin
  foreach t in array array['push_endpoints', 'push_events', 'push_versions', 'push_deliveries', 'push_attempts'] loop
    call app.only_levels(t, array['PLATFORM', 'ADMIN', 'SP']);
  end loop;
end $$;
