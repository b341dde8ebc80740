-- 商城订单: what a customer ordered online: goods, to whom they go, and the pay order that pays for them. One of each.
create table mall_orders (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  order_id uuid not null,
  -- The mall's own number; it is the pay order's number at the store, too, behind MALL-.
  mall_no text not null,
  -- 0 待付款 1 待发货 2 已发货 3 已完成 4 已关闭
  status smallint not null default 0 check (status between 0 and 4),
  goods_cents bigint not null check (goods_cents >= 0),
  delivery_cents bigint not null check (delivery_cents >= 0),
  buyer text not null,
  -- Name, phone and address, sealed as one; what may be seen of them stands beside.
  receiver_sealed text not null,
  receiver_name text not null, receiver_phone text not null, receiver_area text not null,
  note text,
  carrier text, tracking_no text, shipped_by text,
  shipped_at timestamptz, completed_at timestamptz, closed_at timestamptz,
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, order_id),
  unique (service_provider_id, store_id, mall_no),
  foreign key (service_provider_id, order_id) references pay_orders (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, store_id) references stores (service_provider_id, merchant_id, id),
  check ((carrier is null) = (shipped_at is null) and (tracking_no is null) = (shipped_at is null)),
  check (status not in (2, 3) or shipped_at is not null)
);
create index mall_orders_merchant on mall_orders (service_provider_id, merchant_id, created_at desc, id desc);
create index mall_orders_newest on mall_orders (created_at desc, id desc);
create index mall_orders_no on mall_orders (mall_no);
create index mall_orders_under_way on mall_orders (shipped_at) where status = 2;
create trigger guard_edge before update of status on mall_orders for each row execute function app.guard_edge('mall_order');
insert into app.state_edges
  select 'mall_order', x.a, x.b from (values ('0', '1'), ('0', '4'),
    -- A payment that arrives after the close is money all the same: the goods are to be sent.
    ('4', '1'), ('1', '2'), ('2', '3'),
    -- Refunded in full before it was received.
    ('1', '4'), ('2', '4')) as x(a, b);

create table mall_order_lines (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  mall_order_id uuid not null,
  -- 0 is the delivery, the goods follow as they were ordered.
  place smallint not null check (place between 0 and 100),
  goods_no text not null, name text not null,
  quantity int not null check (quantity between 1 and 9999),
  unit_cents bigint not null check (unit_cents >= 0),
  discount_cents bigint not null check (discount_cents >= 0),
  amount_cents bigint not null generated always as (quantity * unit_cents - discount_cents) stored check (quantity * unit_cents >= discount_cents),
  primary key (service_provider_id, id),
  unique (service_provider_id, mall_order_id, place),
  foreign key (service_provider_id, mall_order_id) references mall_orders (service_provider_id, id)
);
-- What of which line a refund gives back. What a line still holds is its amount less those of refunds that were not rejected:
-- a failed one may be sent again under its number and holds its part.
create table mall_refund_lines (
  service_provider_id uuid not null,
  refund_id uuid not null,
  line_id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  mall_order_id uuid not null,
  amount_cents bigint not null check (amount_cents > 0),
  primary key (service_provider_id, refund_id, line_id),
  foreign key (service_provider_id, refund_id) references refunds (service_provider_id, id),
  foreign key (service_provider_id, line_id) references mall_order_lines (service_provider_id, id),
  foreign key (service_provider_id, mall_order_id) references mall_orders (service_provider_id, id)
);
create index mall_refund_lines_order on mall_refund_lines (service_provider_id, mall_order_id);
insert into app.append_only values ('mall_order_lines'), ('mall_refund_lines');
