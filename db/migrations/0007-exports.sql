create sequence export_queue;
create table export_files (
  owner_user_id uuid not null references users (id),
  id uuid not null,
  -- What its owner could see when it was asked for. The job runs in it, and only while it is still what the owner may see.
  scope text not null,
  -- The tenant whose queue it stands in; null is the platform's own.
  service_provider_id uuid,
  name text not null,
  source text not null,
  filter jsonb not null, columns jsonb not null,
  format text not null check (format in ('xlsx', 'csv')),
  status smallint not null default 0 check (status between 0 and 3),
  rows_done bigint not null default 0, rows_total bigint,
  size_bytes bigint, file_key text,
  failure text,
  cancel_asked boolean not null default false,
  -- How often its owner asked for it.
  attempt int not null default 1,
  -- Its place in the queue; a retry goes to the end.
  queue_no bigint not null default nextval('export_queue'), queued_at timestamptz not null,
  -- Who writes it now: a run holds it until the lease ends and lengthens the lease while it lives.
  run_id uuid, lease_until timestamptz,
  -- How often it was begun since it was asked for.
  runs int not null default 0,
  created_at timestamptz not null, finished_at timestamptz, expires_at timestamptz not null,
  primary key (owner_user_id, id),
  check ((status = 1) <= (file_key is not null and size_bytes is not null and finished_at is not null)),
  check ((status = 2) <= (failure is not null))
);
create index export_files_newest on export_files (owner_user_id, created_at desc, id desc);
create index export_files_queue on export_files (service_provider_id, queue_no) where status = 0;
create index export_files_expiry on export_files (expires_at) where status in (1, 2);
create trigger guard_edge before update of status on export_files for each row execute function app.guard_edge('export_file');
insert into app.state_edges values ('export_file', '0', '1'), ('export_file', '0', '2'), ('export_file', '2', '0'),
  ('export_file', '1', '3'), ('export_file', '2', '3');

-- One download each, within a minute, for one user.
create table export_tickets (
  ticket_hash bytea primary key,
  owner_user_id uuid not null,
  export_id uuid not null,
  -- Who really asked, when somebody above had logged in as the owner.
  actor_user_id uuid,
  expires_at timestamptz not null,
  used_at timestamptz,
  foreign key (owner_user_id, export_id) references export_files (owner_user_id, id)
);
create index export_tickets_expiry on export_tickets (expires_at);

-- How many exports of the tenant are unfinished and stand before a place; without one, how many in all. Its users see
-- their own files only, but stand in one queue.
create function app.exports_before(provider uuid, place bigint) returns int language sql stable security definer
  set search_path = pg_catalog, public, app set app.scope = 'PLATFORM||||||||'
  as $$ select count(*)::int from export_files
    where status = 0 and service_provider_id is not distinct from provider and (place is null or queue_no < place) $$;

-- What waits for somebody on the home page.
create index refunds_failed on refunds (service_provider_id, merchant_id) where status = 3;
create index refunds_to_approve on refunds (service_provider_id, merchant_id) where status = 0;
