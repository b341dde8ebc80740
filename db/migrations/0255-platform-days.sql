-- How far a day of an account has come: uses and bill. One that did not come whole is taken again each night of its eight days.
create table platform_bill_days (
  service_provider_id uuid not null,
  account_id uuid not null,
  day date not null,
  merchant_id uuid not null,
  whole boolean not null,
  -- What is missing, in words; empty of a whole one.
  why text not null default '',
  taken_at timestamptz not null,
  primary key (service_provider_id, account_id, day),
  foreign key (service_provider_id, merchant_id, account_id) references platform_accounts (service_provider_id, merchant_id, id)
);
call app.only_levels('platform_bill_days', array['PLATFORM', 'SP', 'MCH', 'AE']);

-- Lines of a bill are known again by the platform's own number: several stand under one verify_id, in any order, on any page.
alter table platform_entries add column line_no text not null default '' check (length(line_no) <= 64);
create unique index platform_entries_line on platform_entries (service_provider_id, account_id, line_no) where kind = 'ledger' and line_no <> '';
