-- What was written while the index of digits was made anew: what the old table alone holds, and what stands in the new one without the mark of
-- its merchant.
select set_config('app.scope', 'PLATFORM||||||||', true);
with wrong as materialized (
  select b.service_provider_id, b.kind, b.id, b.which from number_search_before b
  where not exists (select from number_search n
    where n.service_provider_id = b.service_provider_id and n.kind = b.kind and n.id = b.id and n.which = b.which)
  union
  select n.service_provider_id, n.kind, n.id, n.which from number_search n where n.grams[cardinality(n.grams)] >= 0)
insert into number_search
  select service_provider_id, kind, id, which, grams from (
    select w.service_provider_id, w.kind, w.id, w.which, app.number_grams(o.merchant_id, (array[o.order_no, o.till_no, o.channel_no])[w.which + 1]) as grams
    from wrong w join pay_orders o on o.service_provider_id = w.service_provider_id and o.id = w.id where w.kind = 'order'
    union all
    select w.service_provider_id, w.kind, w.id, w.which, app.number_grams(r.merchant_id, (array[r.refund_no, r.channel_refund_no])[w.which + 1])
    from wrong w join refunds r on r.service_provider_id = w.service_provider_id and r.id = w.id where w.kind = 'refund') x
  where grams is not null
  on conflict (service_provider_id, kind, id, which) do update set grams = excluded.grams;
drop table number_search_before;
drop function app.index_number(uuid, text, uuid, smallint, text);
alter table number_search rename constraint number_search_anew_kind_check to number_search_kind_check;
