-- product.changed also tells of a price, a member price and 上架/下架, of the merchant's or of one store: the good's own facts, and which SKU
-- came to stand how. As the others it is written in the transaction of the fact; stock tells nothing.
create function app.push_sku() returns trigger language plpgsql volatile security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' set timezone = 'Asia/Shanghai' as $$
declare
  row jsonb;
  of_store boolean := tg_table_name = 'product_stores';
  sku record;
  facts text;
begin
  if not exists (select 1 from push_endpoints e where e.service_provider_id = new.service_provider_id and e.state <> 'removed'
    and 'product.changed' = any(e.events)) then return null; end if;
  row := to_jsonb(new);
  select k.sku_no, k.merchant_id, p.id as product_id, p.revision, p.withdrawn, p.retired_at, m.number as merchant_no, s.number as store_no into sku
    from product_skus k
      join products p on p.service_provider_id = k.service_provider_id and p.id = k.product_id
      join merchants m on m.service_provider_id = k.service_provider_id and m.id = k.merchant_id
      left join stores s on of_store and s.service_provider_id = k.service_provider_id and s.id = (row ->> 'store_id')::uuid
    where k.service_provider_id = new.service_provider_id and k.id = (row ->> case when of_store then 'sku_id' else 'id' end)::uuid;
  facts := ',"revision":' || sku.revision || ',"withdrawn":' || sku.withdrawn || ',"retired_at":' || coalesce(to_json(sku.retired_at)::text, 'null')
    || ',"sku_no":' || to_json(sku.sku_no) || ',"price_cents":' || coalesce(row ->> 'price_cents', 'null')
    || ',"member_cents":' || coalesce(row ->> 'member_cents', 'null') || ',"on_sale":' || (row ->> 'on_sale')
    || ',"merchant_no":' || to_json(sku.merchant_no) || coalesce(',"store_no":' || to_json(sku.store_no), '');
  perform app.push(new.service_provider_id, 'product.changed', sku.merchant_id, sku.product_id, clock_timestamp(), facts, '');
  return null;
end $$;
create trigger "push product.changed" after update of price_cents, member_cents, on_sale on product_skus for each row
  when (new.retired_at is null
    and (new.price_cents, new.member_cents, new.on_sale) is distinct from (old.price_cents, old.member_cents, old.on_sale))
  execute function app.push_sku();
create trigger "push product.changed" after update of price_cents, member_cents, on_sale on product_stores for each row
  when ((new.price_cents, new.member_cents, new.on_sale) is distinct from (old.price_cents, old.member_cents, old.on_sale))
  execute function app.push_sku();
create trigger "push new product.changed" after insert on product_stores for each row
  when (new.price_cents is not null or new.member_cents is not null or not new.on_sale)
  execute function app.push_sku();
