-- An upload is a provider's or, under nil, the platform's, as the material that it becomes has it in `owner_id`. No provider's row is ever taken away.
alter table ad_uploads drop constraint ad_uploads_service_provider_id_fkey;
update ad_uploads set service_provider_id = '00000000-0000-0000-0000-000000000000' where service_provider_id is null;
alter table ad_uploads alter column service_provider_id set not null, drop constraint ad_uploads_pkey, add primary key (service_provider_id, id);
drop index ad_uploads_content;
create unique index ad_uploads_content on ad_uploads (service_provider_id, owner_user_id, sha256,
  coalesce(replaces_id, '00000000-0000-0000-0000-000000000000')) where status = 'uploading';
