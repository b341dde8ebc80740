-- A second factor that waits for its first code, and the hashes of the codes that open in its place, once each.
alter table users add column totp_pending_sealed text, add column recovery_hashes bytea[] not null default '{}';
