-- 员工名单: who was taken off it stays on record, so that who could not draw on a day can be shown later.
alter table lottery_staff add column removed_at timestamptz,
  drop constraint lottery_staff_service_provider_id_merchant_id_subject_hash_key;
create unique index lottery_staff_listed on lottery_staff (service_provider_id, merchant_id, subject_hash) where removed_at is null;
