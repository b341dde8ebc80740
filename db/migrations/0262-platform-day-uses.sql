-- Uses as the platform itself has them on record for a day: one side of the day's 对账 (platforms.md 2). Replaced as a whole when a day comes
-- again; where it does not come whole, what it had stays. Only the room `platforms` writes here.
create table platform_day_uses (
  service_provider_id uuid not null,
  account_id uuid not null,
  day date not null,
  certificate_id text not null check (length(certificate_id) between 1 and 64),
  verify_id text not null check (length(verify_id) between 1 and 64),
  merchant_id uuid not null,
  platform_store_id text not null default '',
  goods_id text not null default '',
  face_cents bigint not null check (face_cents >= 0),
  pay_cents bigint not null check (pay_cents >= 0),
  merchant_ticket_cents bigint not null check (merchant_ticket_cents >= 0),
  platform_ticket_cents bigint not null check (platform_ticket_cents >= 0),
  used_at timestamptz not null,
  reversed boolean not null,
  -- Where the platform says when.
  reversed_at timestamptz,
  primary key (service_provider_id, account_id, day, certificate_id, verify_id),
  foreign key (service_provider_id, merchant_id, account_id) references platform_accounts (service_provider_id, merchant_id, id),
  check (reversed or reversed_at is null)
);
call app.only_levels('platform_day_uses', array['PLATFORM', 'SP', 'MCH', 'AE']);

-- When the record of uses last came whole; none of a day from before it was kept.
alter table platform_bill_days add column uses_taken_at timestamptz;

-- Days that were told something new are matched anew.
create index platform_entries_added on platform_entries (added_at);
create index takeaway_orders_updated on takeaway_orders (updated_at);
