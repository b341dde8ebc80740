-- Whose order it is and what for; what of it was paid by stored value and points; and refunds by value: money and stored value together.
alter table pay_orders
  add column member_id uuid,
  -- 0 消费, 1 充值, 2 VIP, 3 次卡, 4 券包. What is sold beforehand goes back by its own room's refund alone.
  add column purpose smallint not null default 0 check (purpose between 0 and 4),
  add column principal_cents bigint not null default 0 check (principal_cents >= 0),
  add column gift_cents bigint not null default 0 check (gift_cents >= 0),
  add column points_used bigint not null default 0 check (points_used >= 0),
  add column value_refunding_cents bigint not null default 0 check (value_refunding_cents >= 0),
  add column value_refunded_cents bigint not null default 0 check (value_refunded_cents >= 0);
update pay_orders set value_refunding_cents = refunding_cents, value_refunded_cents = refunded_cents where refunding_cents + refunded_cents > 0;
-- An order that was placed as an amount has no stored value that a book knows of.
update pay_orders set gift_cents = p.gift_cents, principal_cents = stored_value_cents - p.gift_cents
  from (select service_provider_id, order_id, sum(gift_cents) as gift_cents from price_parts where source = 'stored' group by 1, 2) p
  where p.service_provider_id = pay_orders.service_provider_id and p.order_id = id;
alter table pay_orders
  add constraint pay_orders_stored check (not priced or stored_value_cents = principal_cents + gift_cents),
  add constraint pay_orders_value_back check (value_refunded_cents + value_refunding_cents <= paid_cents + principal_cents + gift_cents),
  drop constraint pay_orders_trade_type_check,
  add constraint pay_orders_trade_type_check check (trade_type in ('NATIVE', 'JSAPI', 'MICROPAY', 'MEMBER')),
  -- Nobody is asked for no money: channel 99 会员账户.
  add constraint pay_orders_of_member check ((trade_type = 'MEMBER') = (channel = 99) and (channel = 99) = (tool = 99) and (channel <> 99 or paid_cents = 0)),
  -- 已退款 exactly when the whole value is back; an order without value is voided whole by one refund of nothing.
  drop constraint pay_orders_check4,
  add constraint pay_orders_whole check (case status when 3 then value_refunded_cents = paid_cents + principal_cents + gift_cents
    when 2 then value_refunded_cents < paid_cents + principal_cents + gift_cents or paid_cents + principal_cents + gift_cents = 0 else true end);
create index pay_orders_member on pay_orders (service_provider_id, member_id, created_at desc, id desc) where member_id is not null;

-- What goes back is value; `amount_cents` is its money, which alone the channel is asked for.
alter table refunds
  add column value_cents bigint,
  add column principal_cents bigint not null default 0 check (principal_cents >= 0),
  add column gift_cents bigint not null default 0 check (gift_cents >= 0),
  add column points_back bigint not null default 0 check (points_back >= 0),
  drop constraint refunds_amount_cents_check,
  add constraint refunds_amount_cents_check check (amount_cents >= 0);
update refunds set value_cents = amount_cents;
alter table refunds
  alter column value_cents set not null,
  add constraint refunds_value check (value_cents = amount_cents + principal_cents + gift_cents);

-- A payment and a refund that move no money stand in the book for their figures.
select app.make_book('ledger', '{"channel": null, "merchant": 0, "fee": 0, "refunding": 0, "sharing": 0, "returning": null}', '{merchant_id}',
  may_be_empty => '{payment,refund,refund-reserve,refund-release}');

-- What goods were rung up as: what a barcode stood for then.
alter table order_lines
  add column sku_id uuid,
  add column tags text[] not null default '{}',
  add column member_cents bigint check (member_cents >= 0),
  add column tax_code text,
  add column tax_rate int;

-- 手工优惠: the most that a cashier takes off at once; none is no limit, nothing is never.
alter table cashiers add column off_most_cents bigint check (off_most_cents >= 0);
