-- 优惠 lowers a price, stored value pays it: what an order came to is 优惠, 储值支付 and 实收 together, in orders, book and statistics.
alter table pay_orders drop column discount_cents;
alter table pay_orders add column discount_cents bigint not null generated always as (gross_cents - paid_cents - stored_value_cents) stored;

-- Payments that stand in the book with stored value among their 优惠, and the sums made of them.
do $$
declare changed int;
begin
  update ledger_entries e set discount_cents = o.discount_cents from pay_orders o
    where e.cause = 'payment' and o.service_provider_id = e.service_provider_id and o.id = e.order_id and e.discount_cents <> o.discount_cents;
  get diagnostics changed = row_count;
  if changed > 0 then perform upkeep.rebuild_takings(); end if;
end $$;
