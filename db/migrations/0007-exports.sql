create table export_files (
  owner_user_id uuid not null references users (id),
  id uuid not null,
  -- The scope that asked, so that the job sees what its maker saw and no more.
  scope text not null,
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
  attempt int not null default 1,
  created_at timestamptz not null, finished_at timestamptz, expires_at timestamptz not null,
  primary key (owner_user_id, id)
);
create index export_files_newest on export_files (owner_user_id, created_at desc, id desc);
create index export_files_expiry on export_files (expires_at) where status in (1, 2);
create trigger guard_edge before update of status on export_files for each row execute function app.guard_edge('export_file');
insert into app.state_edges values ('export_file', '0', '1'), ('export_file', '0', '2'), ('export_file', '2', '0'),
  ('export_file', '1', '3'), ('export_file', '2', '3');
