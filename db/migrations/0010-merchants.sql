-- 商户: what a merchant is found by, its papers and settlement account, its switches and limits, and lists of new ones.
alter table merchants
  -- Initials of the names, written by whoever writes the names: the database knows no pinyin.
  add column pinyin text not null default '',
  add column licence_no text, add column legal_person text,
  add column settle_bank text, add column settle_holder text,
  add column settle_account_sealed text, add column settle_account_tail text,
  -- Counts the edits, so that nobody overwrites what they did not see.
  add column version int not null default 1;

-- What a text is found by, as numbers: pairs of neighbouring characters of names, number and initials, a character alone
-- being a pair with nothing after it; every four digits in a row, which tell more than pairs of ten digits can; the last
-- four of the phone. kit/server/found-by.ts makes the same numbers.
create function app.search_grams(names text[], pinyin text, phone text) returns bigint[] language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct gram), '{}') from (
    select ascii(substr(lower(word), place, 1)) * 1114112::bigint + case when size = 2 then ascii(substr(lower(word), place + 1, 1)) else 0 end as gram
    from unnest(names || pinyin) as word, generate_series(1, length(word)) as place, generate_series(1, 2) as size
    union all
    select 2000000000000 + substr(word, place, 4)::int from unnest(names) as word, generate_series(1, length(word) - 3) as place
      where substr(word, place, 4) ~ '^[0-9]{4}$'
    union all
    select 3000000000000 + right(phone, 4)::int where right(phone, 4) ~ '^[0-9]{4}$') as all_grams $$;
-- A table of its own without a fence: behind row-level security PostgreSQL uses an index for leakproof operators alone, and
-- array containment is none. It holds no more than numbers, and what they find is read through the fence of merchants.
create table merchant_search (
  service_provider_id uuid not null,
  merchant_id uuid not null,
  grams bigint[] not null,
  primary key (service_provider_id, merchant_id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);
create index merchant_search_grams on merchant_search using gin (grams);
insert into app.open_tables values ('merchant_search', 'numbers that find ids of merchants, which are read through their own fence');
insert into app.read_only values ('merchant_search');
create function app.index_merchant() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app as $$
begin
  insert into merchant_search values (new.service_provider_id, new.id, app.search_grams(array[new.name, new.short_name, new.number], new.pinyin, new.contact_phone))
    on conflict (service_provider_id, merchant_id) do update set grams = excluded.grams;
  return null;
end $$;
create trigger search after insert or update of name, short_name, number, contact_phone, pinyin on merchants
  for each row execute function app.index_merchant();
select set_config('app.scope', 'PLATFORM||||||||', true);
update merchants set number = number;
create index merchants_newest on merchants (opened_at desc, id desc);
create index merchants_newest_of on merchants (service_provider_id, opened_at desc, id desc);
create index merchants_name on merchants (service_provider_id, name);

-- What is shown of the secrets, which are never read back, and what the channel said of them.
alter table channel_settings
  add column api_v3_key_tail text, add column private_key_tail text,
  add column secrets_at timestamptz,
  add column verified_at timestamptz,
  add column verify_outcome text check (verify_outcome in ('ok', 'refused', 'unknown')),
  add column verify_message text;

-- A merchant without a row here goes by the columns' defaults.
create table merchant_settings (
  service_provider_id uuid not null,
  merchant_id uuid not null,
  member_at_pay boolean not null default true,
  print_receipt boolean not null default true,
  speaker boolean not null default true,
  profit_sharing boolean not null default false,
  refund_daily_limit_cents bigint check (refund_daily_limit_cents > 0),
  refund_password_hash text,
  refund_password_at timestamptz,
  version int not null default 1,
  updated_at timestamptz not null,
  primary key (service_provider_id, merchant_id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);

-- 提醒补全: somebody above asked the merchant to fill in what is missing.
create table merchant_reminders (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  missing text[] not null,
  by_name text not null,
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);
create index merchant_reminders_newest on merchant_reminders (service_provider_id, merchant_id, created_at desc);
