-- 批量导入: a sheet of new things, which belongs to whoever uploaded it.
create table imports (
  owner_user_id uuid not null references users (id),
  id uuid not null,
  -- What its owner could see when it was uploaded. The job runs in it, and only while it is still what the owner may see.
  scope text not null,
  source text not null,
  file_name text not null,
  -- 0 待导入, 1 导入中, 2 已完成, 3 已停止
  status smallint not null default 0 check (status between 0 and 3),
  failure text,
  -- From where its owner started it: the audit rows of the job say so.
  asked_from text,
  created_at timestamptz not null, finished_at timestamptz, expires_at timestamptz not null,
  primary key (owner_user_id, id),
  check ((status in (2, 3)) = (finished_at is not null))
);
create index imports_newest on imports (owner_user_id, source, created_at desc, id desc);
create index imports_running on imports (created_at) where status = 1;
create index imports_expiry on imports (expires_at) where status <> 1;
create trigger guard_edge before update of status on imports for each row execute function app.guard_edge('import');
insert into app.state_edges values ('import', '0', '1'), ('import', '1', '2'), ('import', '1', '3'), ('import', '2', '1'), ('import', '3', '1');

create table import_rows (
  owner_user_id uuid not null,
  import_id uuid not null,
  -- Its line in the sheet.
  line int not null check (line > 0),
  -- What it is called where it is listed.
  title text not null,
  -- What stands in the sheet, by column; forgotten when the thing is made, for it holds personal data.
  cells jsonb not null,
  -- 0 有误, 1 可导入, 2 已创建, 3 已存在
  status smallint not null check (status between 0 and 3),
  errors jsonb not null default '{}',
  made_id uuid,
  -- The first password of its account was told, once.
  told boolean not null default false,
  primary key (owner_user_id, import_id, line),
  check ((status = 2) = (made_id is not null)),
  check ((status = 0) = (errors <> '{}')),
  foreign key (owner_user_id, import_id) references imports (owner_user_id, id) on delete cascade
);
create index import_rows_status on import_rows (owner_user_id, import_id, status, line);
-- What is made is made: nothing leads back from 2.
create trigger guard_edge before update of status on import_rows for each row execute function app.guard_edge('import_row');
insert into app.state_edges values ('import_row', '0', '1'), ('import_row', '1', '0'), ('import_row', '0', '3'), ('import_row', '3', '0'),
  ('import_row', '1', '3'), ('import_row', '3', '1'), ('import_row', '1', '2');

-- Which of these names are taken by anybody, also by accounts that the asker does not see: names are unique everywhere.
create function app.logins_taken(names text[]) returns text[] language sql stable security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' as $$ select coalesce(array_agg(lower(login)), '{}') from users where lower(login) = any(names) $$;
