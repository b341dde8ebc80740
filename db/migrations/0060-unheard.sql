-- Settlements that a hearer threw at: the money is settled, and the hearer is told again, in their order, until it is done.
create table unheard (
  service_provider_id uuid not null,
  n bigint generated always as identity,
  merchant_id uuid not null,
  store_id uuid not null,
  order_id uuid not null,
  hearer text not null,
  kind text not null check (kind in ('payment', 'refund', 'closed')),
  refund_id uuid check ((refund_id is not null) = (kind = 'refund')),
  tries integer not null default 1,
  failure text not null,
  next_at timestamptz not null,
  created_at timestamptz not null,
  primary key (service_provider_id, n),
  foreign key (service_provider_id, order_id) references pay_orders (service_provider_id, id)
);
create index unheard_order on unheard (service_provider_id, order_id, n);
create index unheard_due on unheard (next_at);
