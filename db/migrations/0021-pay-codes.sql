-- 收款码: a store's own code on paper. Whoever scans it pays at the store without a session.
create table pay_codes (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  -- Opaque; it stands in the address on the poster.
  code text not null unique check (length(code) >= 20),
  state text not null default 'active' check (state in ('active', 'revoked')),
  created_at timestamptz not null,
  created_by text not null,
  revoked_at timestamptz,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, store_id) references stores (service_provider_id, merchant_id, id),
  check ((state = 'revoked') = (revoked_at is not null))
);
-- One code of a store is good at a time.
create unique index pay_codes_store on pay_codes (service_provider_id, store_id) where state = 'active';

-- Payments that were begun at a code, for a day: what the page may ask about, and how many a code and a network begin.
create table pay_code_tries (
  service_provider_id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  code_id uuid not null,
  -- The page's own number of the payment: the same again is the same order.
  request_id uuid not null,
  network text not null,
  created_at timestamptz not null,
  primary key (service_provider_id, code_id, request_id),
  foreign key (service_provider_id, code_id) references pay_codes (service_provider_id, id)
);
create index pay_code_tries_code on pay_code_tries (service_provider_id, code_id, created_at);
create index pay_code_tries_age on pay_code_tries (created_at);
