-- A use is told once: as ours, or as made at the platform without us. Whoever comes second finds it there.
create unique index platform_entries_use on platform_entries (service_provider_id, merchant_id, platform, certificate_id, verify_id)
  where kind in ('verify', 'external') and verify_id <> '';
-- Calls are kept for half a year.
create index platform_calls_old on platform_calls (started_at);
