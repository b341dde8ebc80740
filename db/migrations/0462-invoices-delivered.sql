-- The ways by which we tell the buyer ourselves, as the invoice was sent to the platform without their addresses: '{}' for what it tells of.
alter table invoices add column deliver_by text[] not null default '{}';
-- What is sent to the buyer of an issued invoice: a link to its page, by our own mail or SMS. Recorded with what it tells of, and that it is asked
-- for before it is. Where it goes stands sealed in the application and nowhere else.
create table invoice_deliveries (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  invoice_id uuid not null,
  way text not null check (way in ('mail', 'sms')),
  -- 0 goes out by itself; the others as somebody asks.
  round smallint not null check (round >= 0),
  by_name text,
  -- 0 待发送, 1 已发送, 2 发送失败, 3 发送中
  status smallint not null default 0 check (status between 0 and 3),
  tries smallint not null default 0,
  -- When it is taken up next: to be sent, or, where it was asked for and nobody wrote down the end, to be found out.
  next_at timestamptz not null,
  why text check (length(why) <= 200),
  -- Of a message that goes out: by it messages to one phone are counted, over all merchants.
  phone_hash bytea,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (service_provider_id, id),
  unique (service_provider_id, invoice_id, way, round),
  foreign key (service_provider_id, merchant_id, invoice_id) references invoices (service_provider_id, merchant_id, id),
  check ((status in (1, 2)) = (ended_at is not null))
);
create index invoice_deliveries_due on invoice_deliveries (next_at) where status in (0, 3);
create index invoice_deliveries_phone on invoice_deliveries (phone_hash, created_at) where phone_hash is not null;
create index invoice_deliveries_messages on invoice_deliveries (service_provider_id, merchant_id, created_at) where phone_hash is not null;
insert into app.state_edges values ('invoice_delivery', '0', '3'), ('invoice_delivery', '0', '2'), ('invoice_delivery', '3', '0'),
  ('invoice_delivery', '3', '1'), ('invoice_delivery', '3', '2');
create trigger guard_edge before update of status on invoice_deliveries for each row execute function app.guard_edge('invoice_delivery');
call app.only_levels('invoice_deliveries', array['PLATFORM', 'SP', 'MCH']);
