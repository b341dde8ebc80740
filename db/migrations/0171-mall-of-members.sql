-- Orders of the mall by members. What stored value pays is no discount of the goods: as in the book, a discount is what the goods would have
-- cost less their value, which is money and stored value, cut among them by what their lines weigh; money is cut as before.
create or replace view app.goods_of_entries as
  select e.service_provider_id, e.id as entry_id, l.goods_no, e.merchant_id, e.store_id, e.agent_id, e.business_group_id, e.business_team_id, e.salesman_id,
    o.cashier_id, o.device_id, (e.occurred_at at time zone 'Asia/Shanghai')::date as day,
    extract(hour from e.occurred_at at time zone 'Asia/Shanghai')::smallint as hour, e.channel, e.tool,
    coalesce(o.pay_method, '') as pay_method, coalesce(o.trade_type, '') as trade_type,
    (e.cause = 'payment')::int as pay_count, l.gross_cents, case when e.cause = 'payment' then l.gross_cents - l.value_cents else 0 end as discount_cents,
    case when e.cause = 'payment' then l.money_cents else 0 end as paid_cents, case when e.cause = 'payment' then l.part_cents else 0 end as fee_cents,
    (e.cause = 'refund')::int as refund_count, case when e.cause = 'refund' then l.money_cents else 0 end as refund_cents,
    case when e.cause = 'refund' then l.part_cents else 0 end as refund_fee_cents
  from ledger_entries e
    join mall_orders x on x.service_provider_id = e.service_provider_id and x.order_id = e.order_id
    join pay_orders o on o.service_provider_id = e.service_provider_id and o.id = e.order_id,
    lateral (
      select s.goods_no, s.gross_cents,
        coalesce(s.value_floor + (row_number() over (order by s.value_rest desc, s.place) <= s.value - sum(s.value_floor) over ())::int, 0) as value_cents,
        coalesce(s.money_floor + (row_number() over (order by s.money_rest desc, s.place) <= s.money - sum(s.money_floor) over ())::int, 0) as money_cents,
        coalesce(s.fee_floor + (row_number() over (order by s.fee_rest desc, s.place) <= s.fee - sum(s.fee_floor) over ())::int, 0) as part_cents
      from (
        select m.*, m.value * m.weight / nullif(m.whole, 0) as value_floor, m.value * m.weight % nullif(m.whole, 0) as value_rest,
          m.money * m.weight / nullif(m.whole, 0) as money_floor, m.money * m.weight % nullif(m.whole, 0) as money_rest,
          m.fee * m.weight / nullif(m.whole, 0) as fee_floor, m.fee * m.weight % nullif(m.whole, 0) as fee_rest
        from (
          select g.*, e.gross_cents - e.discount_cents as value, e.paid_cents + e.refund_cents as money, e.fee_cents + e.refund_fee_cents as fee,
            sum(g.weight) over ()::bigint as whole
          from (
            select l.goods_no, min(l.place) as place, sum(l.quantity * l.unit_cents)::bigint as gross_cents, sum(l.amount_cents)::bigint as weight
            from mall_order_lines l
            where e.cause = 'payment' and l.service_provider_id = x.service_provider_id and l.mall_order_id = x.id group by l.goods_no
            union all
            select l.goods_no, min(l.place), 0, sum(b.amount_cents)::bigint
            from mall_refund_lines b join mall_order_lines l on l.service_provider_id = b.service_provider_id and l.id = b.line_id
            where e.cause = 'refund' and b.service_provider_id = e.service_provider_id and b.refund_id = e.refund_id group by l.goods_no) g) m) s) l
  where e.cause in ('payment', 'refund');
