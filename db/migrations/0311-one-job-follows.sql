-- What follows an order's money for its member is one job now, asked for by one hearer: who was behind is told under its name.
update unheard set hearer = '会员' where hearer = '积分';
-- Of what members buy, the level was reckoned by this one; of their terms and cards it still hears.
update unheard u set hearer = '会员' from pay_orders o
  where u.hearer = 'vip' and o.service_provider_id = u.service_provider_id and o.id = u.order_id and o.purpose = 0;
