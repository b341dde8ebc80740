-- Whom a member looked up to send a balance to: a phone a day counts once, and a member looks up ten of them.
create table receiver_lookups (
  service_provider_id uuid not null,
  member_id uuid not null,
  day date not null,
  phone_hash bytea not null,
  merchant_id uuid not null,
  primary key (service_provider_id, member_id, day, phone_hash),
  foreign key (service_provider_id, merchant_id, member_id) references members (service_provider_id, merchant_id, id)
);
create policy who on receiver_lookups as restrictive using ((select app.level()) in ('PLATFORM', 'MCH'));
