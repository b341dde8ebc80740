-- 异常退款: what was done for a refund that could not go back the way it came. Sent on through the channel to another account, or
-- paid outside of it and proved: then somebody else than the one who says so has to confirm it. Of a card only what shows which.
create table refund_evidence (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  refund_id uuid not null,
  kind text not null check (kind in ('card', 'merchant', 'transfer')),
  bank text, account_tail text, name_masked text,
  transfer_no text, transferred_at timestamptz, note text,
  state text not null check (state in ('sent', 'waiting', 'confirmed', 'rejected')),
  by_user uuid not null, by_name text not null,
  created_at timestamptz not null,
  decided_by uuid, decided_by_name text, decided_at timestamptz, decision_note text,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, refund_id) references refunds (service_provider_id, id),
  check ((kind = 'transfer') = (state <> 'sent')),
  check ((state in ('confirmed', 'rejected')) = (decided_by is not null)),
  check (decided_by is null or decided_by <> by_user)
);
create index refund_evidence_refund on refund_evidence (service_provider_id, refund_id, created_at);
create index refund_evidence_id on refund_evidence (id);
create unique index refund_evidence_open on refund_evidence (service_provider_id, refund_id) where state = 'waiting';
