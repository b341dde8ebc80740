-- What was written to the index of digits while the new one was made: the old table is waited for, then what it alone holds is brought over.
lock table number_search_before in access exclusive mode;
select set_config('app.scope', 'PLATFORM||||||||', true);
with missed as materialized (
  select b.service_provider_id, b.kind, b.id, b.which from number_search_before b
  where not exists (select from number_search n
    where n.service_provider_id = b.service_provider_id and n.kind = b.kind and n.id = b.id and n.which = b.which))
insert into number_search
  select service_provider_id, kind, id, which, grams from (
    select m.service_provider_id, m.kind, m.id, m.which, app.number_grams(o.merchant_id, (array[o.order_no, o.till_no, o.channel_no])[m.which + 1]) as grams
    from missed m join pay_orders o on o.service_provider_id = m.service_provider_id and o.id = m.id where m.kind = 'order'
    union all
    select m.service_provider_id, m.kind, m.id, m.which, app.number_grams(r.merchant_id, (array[r.refund_no, r.channel_refund_no])[m.which + 1])
    from missed m join refunds r on r.service_provider_id = m.service_provider_id and r.id = m.id where m.kind = 'refund') x
  where grams is not null
  on conflict do nothing;
drop table number_search_before;
alter table number_search rename constraint number_search_anew_kind_check to number_search_kind_check;
