-- A sending gives a coupon of one campaign, or a package with all that is in it (marketing.md 9).
alter table send_tasks alter campaign_id drop not null, add package_id uuid,
  add foreign key (service_provider_id, merchant_id, package_id) references packages (service_provider_id, merchant_id, id),
  add constraint send_tasks_one_thing check (num_nonnulls(campaign_id, package_id) = 1);
create index send_tasks_package on send_tasks (service_provider_id, package_id) where package_id is not null;
alter table send_rows add get_id uuid, add foreign key (service_provider_id, get_id) references package_gets (service_provider_id, id),
  drop constraint send_rows_check, add constraint send_rows_given check (num_nonnulls(coupon_id, get_id) = case when status = 1 then 1 else 0 end);
create index send_rows_get on send_rows (service_provider_id, get_id) where get_id is not null;

-- Printing has a key of its own beside the file; whoever had both through one keeps both.
update positions set items = items || '{/dataCentre/coupon/pdf}'::text[] where '/dataCentre/coupon/export' = any(items);
update positions set items = items || '{/dataCentre/couponDetail/pdf}'::text[] where '/dataCentre/couponDetail/export' = any(items);
