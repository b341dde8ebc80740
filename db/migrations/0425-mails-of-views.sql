-- Whoever subscribed to a view may be told by mail too that its file is there.
alter table view_subscriptions add column mail text check (length(mail) <= 100);
alter table export_files add column mail text;

-- Mails on their way: recorded with what they tell of, and that they are asked for before they are. What nobody knows the end of is not sent again.
create table mails (
  -- Nil for the platform's own people.
  service_provider_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  address text not null,
  subject text not null, body text not null,
  -- 0 待发送, 1 已发送, 2 失败, 3 发送中
  status smallint not null default 0 check (status between 0 and 3),
  tries smallint not null default 0,
  next_at timestamptz not null,
  asked_at timestamptz,
  why text,
  -- What it tells of: the same thing is not told twice.
  once text not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (service_provider_id, id),
  unique (service_provider_id, user_id, once),
  check ((status in (1, 2)) = (ended_at is not null)),
  check ((status = 3) <= (asked_at is not null))
);
create index mails_due on mails (next_at) where status in (0, 3);
create index mails_ended on mails (ended_at) where status in (1, 2);
insert into app.state_edges values ('mail', '0', '3'), ('mail', '3', '0'), ('mail', '3', '1'), ('mail', '3', '2');
create trigger guard_edge before update of status on mails for each row execute function app.guard_edge('mail');
insert into app.open_tables values ('mails', 'fenced by its own policy: whoever is told');
alter table mails enable row level security;
alter table mails force row level security;
create policy fence on mails using ((select app.level()) = 'PLATFORM'
  or service_provider_id = coalesce((select app.provider()), '00000000-0000-0000-0000-000000000000'::uuid)
    and user_id = (select app.own_user()));
