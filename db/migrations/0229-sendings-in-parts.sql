-- Whom a sending means is said in its request; its rows are made afterwards, in parts (marketing.md 9): 4 准备中. A provider sends coupons
-- of its own campaigns to members of the merchants that take part (7): such a sending has no merchant, each of its rows has its member's.
alter table send_tasks drop constraint send_tasks_status_check, add constraint send_tasks_status_check check (status between 0 and 4),
  -- Whom it means, until each of them has a row; and how many pieces are set aside for those who have none yet.
  add audience jsonb,
  add set_aside int not null default 0 check (set_aside >= 0),
  add constraint send_tasks_preparing check (case when audience is null then status <> 4 and set_aside = 0 else status in (1, 4) end),
  alter merchant_id drop not null,
  add foreign key (service_provider_id, campaign_id) references coupon_campaigns (service_provider_id, id);
create index send_tasks_provider on send_tasks (service_provider_id, created_at desc, id desc);
alter table send_rows drop constraint send_rows_service_provider_id_merchant_id_task_id_fkey,
  add foreign key (service_provider_id, task_id) references send_tasks (service_provider_id, id);
alter table send_revokes alter merchant_id drop not null,
  add foreign key (service_provider_id, task_id) references send_tasks (service_provider_id, id);
