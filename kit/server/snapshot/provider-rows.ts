import { TABLE_KINDS } from "../database/table-kinds.ts";

type Reach = (provider: string) => string;
const own: Reach = (provider) => `service_provider_id = ${provider}`;
const ownersOf =
  (column: string): Reach =>
  (provider) =>
    `${column} in (select u.id from users u where u.service_provider_id = ${provider})`;
const adverts: Reach = (provider) => `owner_id = ${provider}`;

/**
 * Which rows of a table are a provider's, where that is not simply its `service_provider_id`, never null: the tables that hold the platform's
 * rows beside the tenants' (table-kinds.test.ts says why they do), names of the directory, and what of a server's own goes with the rows.
 */
export const REACH: Readonly<Record<string, Reach>> = {
  service_providers: (provider) => `id = ${provider}`,
  users: own,
  positions: ownersOf("root_user_id"),
  preferences: ownersOf("owner_user_id"),
  messages: ownersOf("owner_user_id"),
  imports: ownersOf("owner_user_id"),
  import_rows: ownersOf("owner_user_id"),
  export_files: ownersOf("owner_user_id"),
  audit_log: own,
  config_overrides: own,
  equipment: own,
  // A move has two sides: one that names another provider is the platform's to keep.
  equipment_moves: (provider) => `equipment_id in (select e.id from equipment e where e.service_provider_id = ${provider})
    and coalesce(from_provider_id, ${provider}) = ${provider} and coalesce(to_provider_id, ${provider}) = ${provider}`,
  // What the platform shows at everybody's tills, and where, stays the platform's.
  ads: own,
  ads_past: adverts,
  ad_items: adverts,
  ad_targets: adverts,
  ad_materials: own,
  ad_material_audits: adverts,
  directory_names: own,
  provider_hosts: own,
  config_pictures: ownersOf("user_id"),
  // Tills know the number that they have seen: it must not go back.
  config_versions: (
    provider,
  ) => `item_id in (select ${provider} union all select m.id from merchants m where m.service_provider_id = ${provider}
    union all select s.id from stores s where s.service_provider_id = ${provider} union all select d.id from devices d where d.service_provider_id = ${provider})`,
  // A chain goes with the log that it proves.
  audit_seals: (provider) => `tenant = ${provider}::text`,
};

/** Tables of which a provider's save has nothing, each with its reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  divisions: "the same everywhere",
  trades: "the same everywhere",
  pinyin: "the same everywhere",
  bank_lists: "the same everywhere",
  device_vendors: "the platform's accounts at makers",
  schema_migrations: "the place's own; compared",
  demo_world: "the place's own",
  sealed_proof: "the place's own",
  sessions: "whoever was signed in signs in again",
  login_tickets: "good for minutes",
  login_failures: "by login and network, not by provider",
  login_networks: "learned again at the next sign-in",
  qr_requests: "good for minutes",
  captchas: "good for minutes",
  device_nonces: "good for minutes",
  export_tickets: "good for minutes",
  idempotency_keys: "of commands that are on their way; orders, refunds and requests have numbers of their own",
};

/** Names that nobody else in an installation may have, by what makes two the same; loaded first, so that a conflict is told whole. */
export const NAMES: Readonly<Record<string, string>> = {
  directory_names: "kind || ' ' || name",
  provider_hosts: "host",
  users: "lower(login)",
  equipment: "sn",
};

/**
 * The rows of a table that are a provider's, as a condition; undefined where it has none.
 * @param provider a literal of SQL
 * @throws for a table that is neither a provider's through and through nor on a list
 */
export function reachOf(table: string, columns: readonly string[], provider: string): string | undefined {
  const reach = REACH[table];
  if (reach) return reach(provider);
  if (LEFT_OUT[table] !== undefined) return undefined;
  if (TABLE_KINDS[table] === undefined && columns.includes("service_provider_id")) return own(provider);
  throw new Error(`${table} stands on no list of snapshot/provider-rows.ts: which of its rows are a provider's?`);
}
