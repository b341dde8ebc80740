-- What was sold, by goods: each payment and refund of a mall order is told apart by its lines as it enters the book, its fee
-- shared among them by largest remainder, so that the goods of an entry add up to it. A refund that names no goods has none.
--   takings_goods           one row for the goods of an entry, with everything that the entry is told apart by
--   takings_goods_monthly   stores, attributions and goods by month
create table takings_goods (
  service_provider_id uuid not null,
  entry_id uuid not null,
  -- Empty is the delivery.
  goods_no text not null,
  merchant_id uuid not null, store_id uuid not null,
  agent_id uuid, business_group_id uuid, business_team_id uuid, salesman_id uuid, cashier_id uuid, device_id uuid,
  day date not null, hour smallint not null,
  channel smallint not null, tool smallint not null, pay_method text not null, trade_type text not null,
  pay_count int not null, gross_cents bigint not null, discount_cents bigint not null, paid_cents bigint not null, fee_cents bigint not null,
  refund_count int not null, refund_cents bigint not null, refund_fee_cents bigint not null,
  primary key (service_provider_id, entry_id, goods_no)
);
create index takings_goods_day on takings_goods (service_provider_id, day);
create index takings_goods_merchant on takings_goods (service_provider_id, merchant_id, day);
create table takings_goods_monthly (
  service_provider_id uuid not null,
  month date not null,
  goods_no text not null,
  merchant_id uuid not null, store_id uuid not null,
  agent_id uuid, business_group_id uuid, business_team_id uuid, salesman_id uuid,
  pay_count int not null, gross_cents bigint not null, discount_cents bigint not null, paid_cents bigint not null, fee_cents bigint not null,
  refund_count int not null, refund_cents bigint not null, refund_fee_cents bigint not null,
  unique nulls not distinct (service_provider_id, month, store_id, goods_no, merchant_id, agent_id, business_group_id, business_team_id, salesman_id)
) with (fillfactor = 85);
create index takings_goods_monthly_merchant on takings_goods_monthly (service_provider_id, merchant_id, month);
insert into app.read_only values ('takings_goods'), ('takings_goods_monthly');
-- A product's name is the one that it was last sold under.
create index mall_order_lines_goods on mall_order_lines (service_provider_id, merchant_id, goods_no, id desc);

create view app.goods_of_entries as
  select e.service_provider_id, e.id as entry_id, l.goods_no, e.merchant_id, e.store_id, e.agent_id, e.business_group_id, e.business_team_id, e.salesman_id,
    o.cashier_id, o.device_id, (e.occurred_at at time zone 'Asia/Shanghai')::date as day,
    extract(hour from e.occurred_at at time zone 'Asia/Shanghai')::smallint as hour, e.channel, e.tool,
    coalesce(o.pay_method, '') as pay_method, coalesce(o.trade_type, '') as trade_type,
    (e.cause = 'payment')::int as pay_count, l.gross_cents, l.discount_cents, l.paid_cents, case when e.cause = 'payment' then l.part_cents else 0 end as fee_cents,
    (e.cause = 'refund')::int as refund_count, l.refund_cents, case when e.cause = 'refund' then l.part_cents else 0 end as refund_fee_cents
  from ledger_entries e
    join mall_orders x on x.service_provider_id = e.service_provider_id and x.order_id = e.order_id
    join pay_orders o on o.service_provider_id = e.service_provider_id and o.id = e.order_id,
    lateral (
      select s.*, coalesce(s.floor_cents + (row_number() over (order by s.rest desc, s.place) <= s.fee - sum(s.floor_cents) over ())::int, 0) as part_cents
      from (
        select m.*, m.fee * m.weight / nullif(m.whole, 0) as floor_cents, m.fee * m.weight % nullif(m.whole, 0) as rest
        from (
          select g.*, e.fee_cents + e.refund_fee_cents as fee, g.paid_cents + g.refund_cents as weight, sum(g.paid_cents + g.refund_cents) over ()::bigint as whole
          from (
            select l.goods_no, min(l.place) as place, sum(l.quantity * l.unit_cents)::bigint as gross_cents, sum(l.discount_cents)::bigint as discount_cents,
              sum(l.amount_cents)::bigint as paid_cents, 0::bigint as refund_cents
            from mall_order_lines l
            where e.cause = 'payment' and l.service_provider_id = x.service_provider_id and l.mall_order_id = x.id group by l.goods_no
            union all
            select l.goods_no, min(l.place), 0, 0, 0, sum(b.amount_cents)::bigint
            from mall_refund_lines b join mall_order_lines l on l.service_provider_id = b.service_provider_id and l.id = b.line_id
            where e.cause = 'refund' and b.service_provider_id = e.service_provider_id and b.refund_id = e.refund_id group by l.goods_no) g) m) s) l
  where e.cause in ('payment', 'refund');

create function app.add_up_goods() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' as $$
begin
  if not exists (select from mall_orders x where x.service_provider_id = new.service_provider_id and x.order_id = new.order_id) then return null; end if;
  insert into takings_goods select * from app.goods_of_entries g where g.service_provider_id = new.service_provider_id and g.entry_id = new.id;
  insert into takings_goods_monthly as t (service_provider_id, month, goods_no, merchant_id, store_id, agent_id, business_group_id, business_team_id, salesman_id,
      pay_count, gross_cents, discount_cents, paid_cents, fee_cents, refund_count, refund_cents, refund_fee_cents)
    select service_provider_id, date_trunc('month', day::timestamp)::date, goods_no, merchant_id, store_id, agent_id, business_group_id, business_team_id, salesman_id,
      pay_count, gross_cents, discount_cents, paid_cents, fee_cents, refund_count, refund_cents, refund_fee_cents
    from takings_goods g where g.service_provider_id = new.service_provider_id and g.entry_id = new.id order by goods_no
  on conflict (service_provider_id, month, store_id, goods_no, merchant_id, agent_id, business_group_id, business_team_id, salesman_id) do update set
    pay_count = t.pay_count + excluded.pay_count, gross_cents = t.gross_cents + excluded.gross_cents, discount_cents = t.discount_cents + excluded.discount_cents,
    paid_cents = t.paid_cents + excluded.paid_cents, fee_cents = t.fee_cents + excluded.fee_cents, refund_count = t.refund_count + excluded.refund_count,
    refund_cents = t.refund_cents + excluded.refund_cents, refund_fee_cents = t.refund_fee_cents + excluded.refund_fee_cents;
  return null;
end $$;
create trigger add_up_goods after insert on ledger_entries for each row when (new.cause in ('payment', 'refund')) execute function app.add_up_goods();

-- The same from the ledger's entries, as rebuild_takings does it for the rest.
create function app.rebuild_goods() returns void language plpgsql security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' as $$
begin
  lock table ledger_entries in share row exclusive mode;
  truncate takings_goods, takings_goods_monthly;
  insert into takings_goods select * from app.goods_of_entries;
  insert into takings_goods_monthly (service_provider_id, month, goods_no, merchant_id, store_id, agent_id, business_group_id, business_team_id, salesman_id,
      pay_count, gross_cents, discount_cents, paid_cents, fee_cents, refund_count, refund_cents, refund_fee_cents)
    select service_provider_id, date_trunc('month', day::timestamp)::date, goods_no, merchant_id, store_id, agent_id, business_group_id, business_team_id, salesman_id,
      sum(pay_count), sum(gross_cents), sum(discount_cents), sum(paid_cents), sum(fee_cents), sum(refund_count), sum(refund_cents), sum(refund_fee_cents)
    from takings_goods group by 1, 2, 3, 4, 5, 6, 7, 8, 9;
end $$;
revoke execute on function app.rebuild_goods() from public;
select app.rebuild_goods();
