-- A play counts where its ad could have been shown: what an ad was while it was enabled is written down before it changes, for as
-- long as a device may still tell of it.
alter table ads add column enabled_at timestamptz;
create table ads_past (
  id uuid primary key,
  owner_id uuid not null,
  ad_id uuid not null,
  -- Unknown for what was enabled before this was written down.
  since timestamptz,
  until timestamptz not null,
  starts_on date not null, ends_on date not null,
  weekdays smallint[] not null,
  periods jsonb not null,
  models text[] not null,
  regions text[] not null,
  -- [{ item_type, item_id }]
  targets jsonb not null,
  materials uuid[] not null,
  foreign key (owner_id, ad_id) references ads (owner_id, id) on delete cascade
);
create index ads_past_ad on ads_past (ad_id, until);
create index ads_past_until on ads_past (until);
insert into app.open_tables values ('ads_past', 'fenced by its own policies below: what the platform owns has no provider');
alter table ads_past enable row level security;
alter table ads_past force row level security;
create policy fence on ads_past using (
  case (select app.level()) when 'PLATFORM' then true when 'ADMIN' then true when 'SP' then owner_id = (select app.provider()) else false end);
create policy look on ads_past for select using (
  case when (select app.own_id()) is null then false else owner_id in ('00000000-0000-0000-0000-000000000000', (select app.provider())) end);

-- What could not have been shown is kept, and counted apart.
alter table ad_plays add column verified boolean not null default true;
alter table ad_plays_daily add column unverified int not null default 0;
