-- 商户: what a merchant is found by, its papers and settlement account, its switches and limits, and lists of new ones.
alter table merchants
  -- Initials of the names, written by whoever writes the names: the database knows no pinyin.
  add column pinyin text not null default '',
  -- Every single character and pair of neighbours of whatever it may be found by; kept by the trigger below.
  add column search text[] not null default '{}',
  add column licence_no text, add column legal_person text,
  add column settle_bank text, add column settle_holder text,
  add column settle_account_sealed text, add column settle_account_tail text,
  -- Counts the edits, so that nobody overwrites what they did not see.
  add column version int not null default 1;

create function app.grams(given text[]) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct gram), '{}') from (
    select substr(lower(word), place, size) as gram
    from unnest(given) as word, generate_series(1, length(word)) as place, generate_series(1, 2) as size) as all_grams $$;
create function app.merchants_search() returns trigger language plpgsql as $$
begin
  new.search := app.grams(array[new.name, new.short_name, new.number, new.contact_phone, new.pinyin]);
  return new;
end $$;
create trigger search before insert or update of name, short_name, number, contact_phone, pinyin on merchants
  for each row execute function app.merchants_search();
select set_config('app.scope', 'PLATFORM||||||||', true);
update merchants set number = number;
create index merchants_search on merchants using gin (search);
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
