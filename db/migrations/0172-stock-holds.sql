-- 占用库存: what an order that is not paid yet sets aside of goods that its store counts, a row for each line. `product_stores.reserved` is the
-- sum of what is held. Only the room `products` writes these.
create table stock_holds (
  service_provider_id uuid not null,
  order_id uuid not null,
  place smallint not null check (place > 0),
  merchant_id uuid not null,
  store_id uuid not null,
  sku_id uuid not null,
  units int not null check (units > 0),
  -- 0 held, 1 sold, 2 let go, 3 sold and back on the shelf before it was sent.
  status smallint not null default 0 check (status between 0 and 3),
  primary key (service_provider_id, order_id, place),
  foreign key (service_provider_id, order_id) references pay_orders (service_provider_id, id),
  foreign key (service_provider_id, store_id, sku_id) references product_stores (service_provider_id, store_id, sku_id)
);
create index stock_holds_sku on stock_holds (service_provider_id, store_id, sku_id) where status = 0;
insert into app.state_edges values ('stock_hold', '0', '1'), ('stock_hold', '0', '2'), ('stock_hold', '2', '1'), ('stock_hold', '1', '3');
create trigger guard_edge before update of status on stock_holds for each row execute function app.guard_edge('stock_hold');
alter table stock_moves drop constraint stock_moves_cause_check;
-- 7 back before it was sent.
alter table stock_moves add constraint stock_moves_cause_check check (cause between 0 and 7);
