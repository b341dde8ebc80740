-- A refund of an earlier day's order counts on its own day and is shown beside the order. A refund knows when its order was
-- paid, so that the few late ones of a year are found without looking at every order that was ever given back.
alter table refunds add column order_paid_at timestamptz;
update refunds r set order_paid_at = o.paid_at from pay_orders o where o.service_provider_id = r.service_provider_id and o.id = r.order_id;

create function app.know_payment() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' as $$
begin
  select o.paid_at into new.order_paid_at from pay_orders o where o.service_provider_id = new.service_provider_id and o.id = new.order_id;
  return new;
end $$;
create trigger know_payment before insert on refunds for each row execute function app.know_payment();

create index refunds_late on refunds (service_provider_id, finished_at)
  where status = 2 and (order_paid_at at time zone 'Asia/Shanghai')::date < (finished_at at time zone 'Asia/Shanghai')::date;
