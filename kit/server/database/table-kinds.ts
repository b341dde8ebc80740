/**
 * What each table is, for the day when providers live on several servers (docs/scaling.md). A table that is not named here is *owned*: its
 * rows are a provider's, `service_provider_id` is never null and comes first in every key, unique index and reference.
 * - `directory`: unique across providers, or the platform's lists that are the same for everybody; one small database holds it.
 * - `local`: of a process, a session or a queue; each server has its own.
 */
export const TABLE_KINDS: Readonly<Record<string, "directory" | "local">> = {
  directory_names: "directory",
  provider_hosts: "directory",
  divisions: "directory",
  trades: "directory",
  pinyin: "directory",
  bank_lists: "directory",
  device_vendors: "directory",
  config_pictures: "directory",
  config_versions: "local",
  schema_migrations: "local",
  sessions: "local",
  login_tickets: "local",
  login_failures: "local",
  login_networks: "local",
  qr_requests: "local",
  captchas: "local",
  device_nonces: "local",
  idempotency_keys: "local",
  audit_seals: "local",
  demo_world: "local",
  sealed_proof: "local",
};
