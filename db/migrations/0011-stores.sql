-- 门店: what a store is found by, where it lies, when it is open; groups of stores.
alter table stores
  add column district text,
  add column latitude double precision check (latitude between -90 and 90),
  add column longitude double precision check (longitude between -180 and 180),
  add constraint stores_place check ((latitude is null) = (longitude is null)),
  -- Seven entries, Monday first: {from, to} or null where it is closed. Null: nobody has told.
  add column opening jsonb check (jsonb_array_length(opening) = 7),
  -- Initials of the names, written by whoever writes the names: the database knows no pinyin.
  add column pinyin text not null default '',
  -- Counts the edits, so that nobody overwrites what they did not see.
  add column version int not null default 1;
select set_config('app.scope', 'PLATFORM||||||||', true);
update stores set opening = (select jsonb_agg(day) from (select jsonb_build_object('from', left(hours, 5), 'to', right(hours, 5)) as day from generate_series(1, 7)) as week)
  where hours ~ '^\d\d:\d\d-\d\d:\d\d$';
alter table stores drop column hours;
drop index stores_merchant;
create index stores_newest on stores (created_at desc, id desc);
create index stores_newest_of on stores (service_provider_id, created_at desc, id desc);
create index stores_newest_in on stores (service_provider_id, merchant_id, created_at desc, id desc);

-- Numbers of whatever a store may be found by. A table of its own without a fence: behind row-level security PostgreSQL
-- uses an index for leakproof operators alone, and array containment is none. It holds no more than numbers, and what they
-- find is read through the fence of stores.
create table store_search (
  service_provider_id uuid not null,
  store_id uuid not null,
  grams bigint[] not null,
  primary key (service_provider_id, store_id),
  foreign key (service_provider_id, store_id) references stores (service_provider_id, id)
);
create index store_search_grams on store_search using gin (grams);
insert into app.open_tables values ('store_search', 'numbers that find ids of stores, which are read through their own fence');
insert into app.read_only values ('store_search');
create function app.index_store() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app as $$
begin
  insert into store_search values (new.service_provider_id, new.id, app.search_grams(array[new.name, new.short_name, new.number], new.pinyin, new.phone))
    on conflict (service_provider_id, store_id) do update set grams = excluded.grams;
  return null;
end $$;
create trigger search after insert or update of name, short_name, number, phone, pinyin on stores
  for each row execute function app.index_store();
update stores set number = number;

-- 门店分组: a merchant's own names for some of its stores; a store may be in several.
create table store_groups (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  name text not null,
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id, name),
  unique (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);
create table store_group_members (
  service_provider_id uuid not null,
  group_id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  primary key (service_provider_id, group_id, store_id),
  foreign key (service_provider_id, merchant_id, group_id) references store_groups (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id, store_id) references stores (service_provider_id, merchant_id, id)
);
create index store_group_members_store on store_group_members (service_provider_id, store_id);
create unique index areas_name on areas (service_provider_id, merchant_id, name);
create index area_stores_store on area_stores (service_provider_id, store_id);
create index user_stores_store on user_stores (service_provider_id, store_id);
