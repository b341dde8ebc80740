/** Whoever calls in the matrix, by login of the demo world. */
export const LOGINS = [
  "admin",
  "sp01",
  "sp02",
  "agent01",
  "agent02",
  "group01",
  "team01",
  "sale01",
  "mch01",
  "fin01",
  "area01",
  "emp01",
  "mch02",
  "mch03",
] as const;
export type Login = (typeof LOGINS)[number];
/** Callers without a live session, each for another reason. */
export const STRANGERS = ["anonymous", "logged-out", "expired", "disabled", "tampered"] as const;
export type Stranger = (typeof STRANGERS)[number];
/** The account that is disabled. */
export const DISABLED = "mch07";
/** Devices, by the store they stand in; the last one signs with a key that is not its own. */
export const TILLS = ["till mch01/0", "till mch01/1", "till mch03/0", "till mch02/0", "forged mch01/0"] as const;
export type Till = (typeof TILLS)[number];
/** Customers, by the cookie of their merchant's page. */
export const MEMBERS = ["member mch01"] as const;
export type MemberCaller = (typeof MEMBERS)[number];
export type Caller = Login | Stranger | Till | MemberCaller;

export type MerchantKey = "mch01" | "mch03" | "mch04" | "mch05" | "mch06" | "mch07" | "mch02" | "mch08";
/** The tree as it was drawn up: provider, agent, group, team and salesman of each merchant, and how many stores it has. */
export const MERCHANTS: Readonly<
  Record<
    MerchantKey,
    {
      provider: "sp01" | "sp02";
      agent?: "agent01" | "agent02";
      group?: string;
      team?: "team01" | "team02" | "team03";
      salesman?: string;
      stores: number;
    }
  >
> = {
  mch01: { provider: "sp01", agent: "agent01", group: "group01", team: "team01", salesman: "sale01", stores: 4 },
  mch03: { provider: "sp01", agent: "agent01", stores: 4 },
  mch04: { provider: "sp01", group: "group01", team: "team01", salesman: "sale01", stores: 3 },
  mch05: { provider: "sp01", group: "group02", team: "team02", salesman: "sale02", stores: 2 },
  mch06: { provider: "sp01", agent: "agent02", stores: 1 },
  mch07: { provider: "sp01", stores: 2 },
  mch02: { provider: "sp02", team: "team03", salesman: "sale03", stores: 2 },
  mch08: { provider: "sp02", stores: 2 },
};
export const MERCHANT_KEYS = Object.keys(MERCHANTS) as MerchantKey[];

const ALL = [0, 1, 2, 3];
/** Which stores each caller sees, written down by hand from the tree. */
const SIGHT: Readonly<Record<Login, Partial<Record<MerchantKey, readonly number[]>>>> = {
  admin: { mch01: ALL, mch03: ALL, mch04: ALL, mch05: ALL, mch06: ALL, mch07: ALL, mch02: ALL, mch08: ALL },
  sp01: { mch01: ALL, mch03: ALL, mch04: ALL, mch05: ALL, mch06: ALL, mch07: ALL },
  sp02: { mch02: ALL, mch08: ALL },
  agent01: { mch01: ALL, mch03: ALL },
  agent02: { mch06: ALL },
  group01: { mch01: ALL, mch04: ALL },
  team01: { mch01: ALL, mch04: ALL },
  sale01: { mch01: ALL, mch04: ALL },
  mch01: { mch01: ALL },
  fin01: { mch01: [0, 1] },
  area01: { mch01: [0, 1] },
  emp01: { mch01: [0] },
  mch02: { mch02: ALL },
  mch03: { mch03: ALL },
};
const PROVIDER_OF: Readonly<Record<Login, "sp01" | "sp02" | "both">> = {
  admin: "both",
  sp01: "sp01",
  agent01: "sp01",
  agent02: "sp01",
  group01: "sp01",
  team01: "sp01",
  sale01: "sp01",
  mch01: "sp01",
  fin01: "sp01",
  area01: "sp01",
  emp01: "sp01",
  mch03: "sp01",
  sp02: "sp02",
  mch02: "sp02",
};

export const isLogin = (caller: Caller): caller is Login => (LOGINS as readonly string[]).includes(caller);
export const isTill = (caller: Caller): caller is Till => (TILLS as readonly string[]).includes(caller);
export const isMember = (caller: Caller): caller is MemberCaller => (MEMBERS as readonly string[]).includes(caller);
/** The store that a till stands in. */
export function placeOf(till: Till): { merchant: MerchantKey; store: number } {
  const [merchant, store] = till.split(" ")[1]!.split("/");
  return { merchant: merchant as MerchantKey, store: Number(store) };
}
/** Where a thing stands; a thing of a merchant without a store is the merchant's own. */
export interface Place {
  readonly provider?: "sp01" | "sp02" | undefined;
  readonly merchant?: MerchantKey | undefined;
  readonly store?: number | undefined;
  /** Its owner, where it belongs to one account: a login. */
  readonly user?: string | undefined;
}
/** Whether a caller may see what stands there. */
export function sees(caller: Caller, place: Place): boolean {
  if (isTill(caller))
    return (
      !caller.startsWith("forged") &&
      place.merchant === placeOf(caller).merchant &&
      (place.store === undefined || place.store === placeOf(caller).store)
    );
  // Whatever stands with their merchant is no news to a member; whose it is of its members, a route's own slot says.
  if (isMember(caller)) return place.user === undefined && place.merchant === caller.split(" ")[1];
  if (!isLogin(caller)) return false;
  if (place.user === caller) return true;
  if (place.merchant === undefined) return place.provider !== undefined && [place.provider, "both"].includes(PROVIDER_OF[caller]);
  const stores = SIGHT[caller][place.merchant];
  return stores !== undefined && (place.store === undefined || stores.includes(place.store));
}

/** Every account of the demo world, with the node it belongs to. */
export const ACCOUNTS: Readonly<
  Record<
    string,
    Place & { readonly kind: "platform" | "provider" | "agent" | "group" | "team" | "salesman" | "merchant" | "staff" | "stores" }
  >
> = {
  admin: { kind: "platform" },
  sp01: { kind: "provider", provider: "sp01" },
  sp02: { kind: "provider", provider: "sp02" },
  agent01: { kind: "agent", provider: "sp01" },
  agent02: { kind: "agent", provider: "sp01" },
  group01: { kind: "group", provider: "sp01" },
  group02: { kind: "group", provider: "sp01" },
  team01: { kind: "team", provider: "sp01" },
  team02: { kind: "team", provider: "sp01" },
  team03: { kind: "team", provider: "sp02" },
  sale01: { kind: "salesman", provider: "sp01" },
  sale02: { kind: "salesman", provider: "sp01" },
  sale03: { kind: "salesman", provider: "sp02" },
  ...Object.fromEntries(
    MERCHANT_KEYS.map((merchant) => [merchant, { kind: "merchant" as const, provider: MERCHANTS[merchant].provider, merchant }]),
  ),
  fin01: { kind: "staff", provider: "sp01", merchant: "mch01" },
  area01: { kind: "stores", provider: "sp01", merchant: "mch01" },
  emp01: { kind: "stores", provider: "sp01", merchant: "mch01" },
};
const BELOW: Readonly<Partial<Record<Login, readonly string[]>>> = {
  agent01: ["mch01", "mch03", "fin01", "area01", "emp01"],
  agent02: ["mch06"],
  group01: ["team01", "sale01", "mch01", "mch04", "fin01", "area01", "emp01"],
  team01: ["sale01", "mch01", "mch04", "fin01", "area01", "emp01"],
  mch01: ["area01", "emp01"],
};
/** Whether a caller stands above an account: only then may it log in as that account. */
export function isAbove(caller: Caller, login: string): boolean {
  const account = ACCOUNTS[login];
  if (!account || account.kind === "platform") return false;
  if (caller === "admin") return true;
  if (caller === "sp01" || caller === "sp02") return account.provider === caller && account.kind !== "provider";
  return (BELOW[caller as Login] ?? []).includes(login);
}
/** Whether a caller resets, enables and disables an account: those below, and a root its own staff. */
export const administers = (caller: Caller, login: string): boolean => isAbove(caller, login) || (caller === "mch01" && login === "fin01");
