-- 余额转移 from the customer's page: the receiver says yes. Until then what is sent is set aside, and comes back after a day.
alter table value_entries drop constraint value_entries_cause,
  add constraint value_entries_cause check (cause in ('recharge', 'opening', 'gift', 'stored-hold', 'stored-take', 'stored-release', 'stored-back',
    'card-refund-hold', 'card-refund-release', 'card-refund', 'transfer-hold', 'transfer-release', 'stored-transfer', 'stored-adjust', 'birthday',
    'points-earned', 'points-opening', 'points-given', 'points-hold', 'points-take', 'points-release', 'points-back', 'points-claw', 'points-ripe',
    'points-clear', 'points-adjust', 'points-task', 'times-sold', 'times-use', 'times-reverse', 'times-refund', 'merge', 'gift-closed', 'points-closed'));
create table transfer_offers (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  request_id uuid not null,
  member_id uuid not null,
  to_member_id uuid not null,
  -- 0 待接收, 1 已接收, 2 已拒绝, 3 已撤回, 4 已过期
  status smallint not null default 0 check (status between 0 and 4),
  principal_cents bigint not null check (principal_cents >= 0),
  gift_cents bigint not null check (gift_cents >= 0),
  -- What is set aside of which lots: [{ "lot_id", "principal_cents", "gift_cents" }].
  parts jsonb not null,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  ended_at timestamptz,
  primary key (service_provider_id, id),
  unique (service_provider_id, request_id),
  check (member_id <> to_member_id),
  check (principal_cents + gift_cents > 0),
  check ((status = 0) = (ended_at is null)),
  foreign key (service_provider_id, merchant_id, member_id) references members (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id, to_member_id) references members (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, store_id) references stores (service_provider_id, id)
);
-- One at a time, so that a lot is held for one thing alone.
create unique index transfer_offers_waiting on transfer_offers (service_provider_id, member_id) where status = 0;
create index transfer_offers_from on transfer_offers (service_provider_id, member_id, created_at desc);
create index transfer_offers_to on transfer_offers (service_provider_id, to_member_id, created_at desc);
create index transfer_offers_due on transfer_offers (expires_at) where status = 0;
insert into app.state_edges values ('transfer_offer', '0', '1'), ('transfer_offer', '0', '2'), ('transfer_offer', '0', '3'), ('transfer_offer', '0', '4');
create trigger guard_edge before update of status on transfer_offers for each row execute function app.guard_edge('transfer_offer');
create policy who on transfer_offers as restrictive using ((select app.level()) in ('PLATFORM', 'SP', 'MCH', 'AE'));
