-- A platform's account is one merchant's: with a provider's application whoever names it would read and use it.
create unique index platform_accounts_number on platform_accounts (service_provider_id, platform, account_no)
  where platform in ('dy', 'ks') and account_no <> '';

-- What this use is worth: of a 次卡 its own part of the card, not the whole.
alter table voucher_verifications
  add column face_cents bigint not null default 0 check (face_cents >= 0),
  add column pay_cents bigint not null default 0 check (pay_cents >= 0),
  add column merchant_ticket_cents bigint not null default 0 check (merchant_ticket_cents >= 0),
  add column platform_ticket_cents bigint not null default 0 check (platform_ticket_cents >= 0);
update voucher_verifications a set face_cents = v.face_cents, pay_cents = v.pay_cents, merchant_ticket_cents = v.merchant_ticket_cents,
    platform_ticket_cents = v.platform_ticket_cents
  from platform_vouchers v where v.service_provider_id = a.service_provider_id and v.id = a.voucher_id;

-- Facts are looked for by their attempt each night, and by what was sold.
create index platform_entries_attempt on platform_entries (service_provider_id, attempt_id) where attempt_id is not null;
create index platform_entries_goods on platform_entries (service_provider_id, merchant_id, goods_id) where goods_id <> '';
