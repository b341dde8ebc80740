/** How the world is laid out; `fill-world.ts` makes it and the measurements ask for it. */
export const MERCHANTS = 1_000;
export const STORES_OF_LARGE = 20;
export const AGENTS = 10;
export const GROUPS = 2;
export const TEAMS = 5;
export const SALESMEN = 50;
/** What the keys of the service under test come from. */
export const SECRET = "benchmark".repeat(4);

export type Kind =
  | "provider"
  | "agent"
  | "group"
  | "team"
  | "salesman"
  | "merchant"
  | "store"
  | "cashier"
  | "device"
  | "user"
  | "session"
  | "setting"
  | "member";
const KINDS: readonly Kind[] = [
  "provider",
  "agent",
  "group",
  "team",
  "salesman",
  "merchant",
  "store",
  "cashier",
  "device",
  "user",
  "session",
  "setting",
  "member",
];

/** The id of the nth of a kind, in the form of a UUIDv7 with a time long past. */
export const idOf = (kind: Kind, n: number): string =>
  `0000000${(KINDS.indexOf(kind) + 1).toString(16)}-0000-7000-8000-${n.toString(16).padStart(12, "0")}`;
/** The same in SQL, for an expression `n`. */
export const sqlIdOf = (kind: Kind, n: string): string =>
  `('0000000${(KINDS.indexOf(kind) + 1).toString(16)}-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;

/** Store 1 to 20 belong to merchant 1, the large one; every other merchant m has the two stores from 2m+17. */
export const firstStoreOf = (merchant: number): number => (merchant === 1 ? 1 : 2 * merchant + 17);

/** One caller of each level. AG, GP, TM and SM have the large merchant among theirs. */
export interface Actor {
  readonly name: string;
  readonly level: "ADMIN" | "SP" | "AG" | "GP" | "TM" | "SM" | "MCH" | "AE";
  readonly role: string;
  readonly columns: Readonly<Record<string, string>>;
  readonly stores?: readonly number[];
  readonly token: string;
}
const P1 = { service_provider_id: idOf("provider", 1) };
const LARGE = { ...P1, merchant_id: idOf("merchant", 1) };
const made = (name: string, level: Actor["level"], role: string, columns: Actor["columns"], stores?: readonly number[]): Actor => ({
  name,
  level,
  role,
  columns,
  ...(stores && { stores }),
  token: `bench-${name}-`.padEnd(43, "0"),
});
export const ACTORS = [
  made("admin", "ADMIN", "ROLE_ADMIN", {}),
  made("provider", "SP", "ROLE_ServiceProvider", P1),
  made("agent", "AG", "ROLE_Agent", { ...P1, agent_id: idOf("agent", 1) }),
  made("group", "GP", "ROLE_BusinessGroup", { ...P1, business_group_id: idOf("group", 1) }),
  made("team", "TM", "ROLE_BusinessTeam", { ...P1, business_team_id: idOf("team", 1) }),
  made("salesman", "SM", "ROLE_BusinessTeam", { ...P1, salesman_id: idOf("salesman", 1) }),
  made("merchant", "MCH", "ROLE_Merchants", LARGE),
  made("small-merchant", "MCH", "ROLE_Merchants", { ...P1, merchant_id: idOf("merchant", 501) }),
  made("area", "AE", "ROLE_Area", LARGE, [1, 2, 3]),
  made("employee", "AE", "ROLE_Employee", LARGE, [7]),
] as const;
export type ActorName =
  | "admin"
  | "provider"
  | "agent"
  | "group"
  | "team"
  | "salesman"
  | "merchant"
  | "small-merchant"
  | "area"
  | "employee";
export const actorOf = (name: ActorName): Actor => ACTORS.find((actor) => actor.name === name)!;
