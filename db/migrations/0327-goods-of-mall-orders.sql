-- By itself: while 0314 changed the table nobody could use it.
update pay_orders o set goods = true from mall_orders m where m.service_provider_id = o.service_provider_id and m.order_id = o.id and not o.goods;
