-- Who did what, to what, before and after; added in the same transaction as the change, never changed.
create table audit_log (
  id uuid primary key,
  service_provider_id uuid, merchant_id uuid,
  at timestamptz not null,
  user_id uuid, actor_user_id uuid, login text,
  endpoint text not null, title text not null,
  target_kind text, target_id text,
  detail jsonb not null default '{}',
  ip text, trace_id text
);
create index audit_log_tenant on audit_log (service_provider_id, at desc);
create index audit_log_at on audit_log (at);
insert into app.append_only values ('audit_log');
insert into app.open_tables values ('audit_log', 'fenced by its own policies below: anybody adds, each level reads its own');
alter table audit_log enable row level security;
alter table audit_log force row level security;
create policy add on audit_log for insert with check (true);
create policy look on audit_log for select using (case (select split_part(current_setting('app.scope', true), '|', 1))
  when 'PLATFORM' then true when 'ADMIN' then true
  when 'SP' then service_provider_id = (select nullif(split_part(current_setting('app.scope', true), '|', 2), '')::uuid)
  when 'MCH' then service_provider_id = (select nullif(split_part(current_setting('app.scope', true), '|', 2), '')::uuid) and merchant_id = (select nullif(split_part(current_setting('app.scope', true), '|', 7), '')::uuid)
  else false end);

-- The tamper-evident seal over the audit log: one chain for each tenant, written by a job after the fact.
create table audit_seals (
  tenant text not null, seq bigint not null, audit_id uuid not null unique, hash bytea not null, sealed_at timestamptz not null,
  primary key (tenant, seq)
);
insert into app.append_only values ('audit_seals');
insert into app.open_tables values ('audit_seals', 'hashes only; written and read by the sealing job');

-- The same key with the same body gets the first answer again; with another body it is refused. Same transaction as the effect.
create table idempotency_keys (
  actor text not null, key text not null, endpoint text not null, body_hash bytea not null,
  answer jsonb, created_at timestamptz not null,
  primary key (actor, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
insert into app.open_tables values ('idempotency_keys', 'keyed by the caller; the row is reached only with the caller''s own identity');
