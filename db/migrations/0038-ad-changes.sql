-- Who changed an ad last and what of it: whoever saves over it is told.
alter table ads add column updated_by text;
alter table ads add column last_change text not null default '';
create index ads_enabled on ads (owner_id) where status = 1 and removed_at is null;
-- What was done to an ad, for its details.
create index audit_log_ads on audit_log (target_id, at desc) where target_kind = 'ad';
