-- What an upload was signed for, and what became of it; and the file as it came, so that the same one is known before it is sent again.
alter table ad_uploads
  -- Whose the material becomes; empty is the platform's.
  add column service_provider_id uuid references service_providers (id),
  add column content_type text not null check (content_type in ('image/png', 'image/jpeg', 'video/mp4')),
  add column sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  -- The material whose content it replaces, and what it became.
  add column replaces_id uuid,
  add column material_id uuid,
  add column finished_at timestamptz;
-- The same file by the same person is the same upload: it goes on where it was cut off.
create unique index ad_uploads_content on ad_uploads (owner_user_id, sha256, coalesce(service_provider_id, '00000000-0000-0000-0000-000000000000'),
  coalesce(replaces_id, '00000000-0000-0000-0000-000000000000')) where status = 'uploading';
alter table ad_materials
  add column source_sha256 text check (source_sha256 ~ '^[0-9a-f]{64}$');
create index ad_materials_source on ad_materials (owner_id, source_sha256) where removed_at is null;
