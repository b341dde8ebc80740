-- 收现金, 收转账: money that reached a store past every channel. Each falls into one shift of its store, the first that ends after it arrived.
alter table recharges add column handover_id uuid check (handover_id is null or (way <> 0 and status = 2));
create index recharges_in_no_shift on recharges (service_provider_id, store_id) where way <> 0 and status = 2 and handover_id is null;
-- Shifts that ended before they knew of it.
update recharges r set handover_id = (select h.id from handovers h where h.service_provider_id = r.service_provider_id and h.store_id = r.store_id
    and h.cashier_id is null and h.to_at >= r.paid_at order by h.to_at limit 1)
  where r.way <> 0 and r.status = 2;
