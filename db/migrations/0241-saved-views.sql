-- A view of a list: an address with a name, never data. The platform's own have nil for a provider.
-- Whoever made it sees it; a shared one is seen by everybody at the same node of the tree (a store's people: by the merchant's).
create table saved_views (
  service_provider_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  -- The node it is shared at: app.own_id() of whoever made it.
  node_id uuid not null,
  -- The screen's address, and the list on it by the path of its call.
  path text not null,
  list text not null,
  name text not null,
  filters jsonb not null,
  -- Days that move with the calendar; then `filters` holds no from and to.
  days text check (days in ('today', 'yesterday', 'last7', 'last30', 'past7', 'past30', 'week', 'lastWeek', 'month', 'lastMonth')),
  sort text,
  columns jsonb,
  shared boolean not null default false,
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, user_id, path, list, name)
);
create index saved_views_shared on saved_views (service_provider_id, node_id) where shared;

-- Somebody gets the rows of a view as a file, each day or each week. It is theirs alone, of a shared view too.
create table view_subscriptions (
  service_provider_id uuid not null,
  user_id uuid not null,
  view_id uuid not null,
  every text not null check (every in ('day', 'week')),
  source text not null,
  columns jsonb not null,
  next_at timestamptz not null,
  created_at timestamptz not null,
  primary key (service_provider_id, user_id, view_id),
  foreign key (service_provider_id, view_id) references saved_views (service_provider_id, id) on delete cascade
);
create index view_subscriptions_due on view_subscriptions (next_at);

create function app.own_user() returns uuid language plpgsql stable parallel safe as $$
begin return nullif(split_part(current_setting('app.scope', true), '|', 9), ''); end $$;

insert into app.open_tables values
  ('saved_views', 'fenced by its own policy: whoever made it, and where it is shared everybody at its node'),
  ('view_subscriptions', 'fenced by its own policy: whoever subscribed');
alter table saved_views enable row level security;
alter table saved_views force row level security;
create policy fence on saved_views using ((select app.level()) = 'PLATFORM'
  or service_provider_id = coalesce((select app.provider()), '00000000-0000-0000-0000-000000000000'::uuid)
    and (user_id = (select app.own_user()) or shared and node_id = (select app.own_id())));
alter table view_subscriptions enable row level security;
alter table view_subscriptions force row level security;
create policy fence on view_subscriptions using ((select app.level()) = 'PLATFORM'
  or service_provider_id = coalesce((select app.provider()), '00000000-0000-0000-0000-000000000000'::uuid)
    and user_id = (select app.own_user()));

-- What a subscription had made: its owner is told when it is there.
alter table export_files add column told text;
