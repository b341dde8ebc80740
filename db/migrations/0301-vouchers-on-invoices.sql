-- What buyers paid a platform for the vouchers of an order may stand on the store's invoice (platforms.md 4), where its subject says so. The
-- answer is the order's from its first application on: a switch that is turned takes nothing back.
alter table tax_subjects add column vouchers boolean not null default false;
alter table invoice_orders add column vouchers boolean not null default false;
-- 用户实付 of an order's uses that stand; with `sure` without those that are being taken back.
create function app.voucher_worth(provider uuid, of_order uuid, sure boolean) returns bigint language sql stable as $$
  select coalesce(sum(a.pay_cents), 0)::bigint from voucher_verifications a
  where a.service_provider_id = provider and a.order_id = of_order and (a.status = 1 or not sure and a.status = 5)
$$;
-- A use that was taken back, here or at its platform: its order's invoices are brought to what is left, by the job.
create function app.settle_voucher_invoice() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' as $$
begin
  update invoice_orders g set settle_at = coalesce(g.settle_at, least(new.reversed_at, now()))
    where g.service_provider_id = new.service_provider_id and g.order_id = new.order_id and g.vouchers and g.alive_cents > 0;
  return null;
end $$;
create trigger settle_invoice after update of status on voucher_verifications for each row
  when (new.status = 6 and old.status <> 6 and new.order_id is not null) execute function app.settle_voucher_invoice();
