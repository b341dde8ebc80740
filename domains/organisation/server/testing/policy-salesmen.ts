import { levelFilters, levelTargets, listOf } from "../../../../apps/server/testing/matrix/facts.ts";
import { MERCHANTS, type Caller, type Login, type MerchantKey } from "../../../../apps/server/testing/matrix/people.ts";
import {
  ADMIN,
  amongBody,
  inBody,
  inPath,
  inQuery,
  MIDDLE,
  model,
  type Policy,
  policy,
  type Slot,
  slot,
  SP,
  type Target,
} from "../../../../apps/server/testing/matrix/policy.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { waitingAssignments } from "./plant-assignments.ts";

const SALESMEN = [
  ["sale01", "team01", "group01", "sp01", ["mch01", "mch04"]],
  ["sale02", "team02", "group02", "sp01", ["mch05"]],
  ["sale03", "team03", undefined, "sp02", ["mch02"]],
] as const satisfies readonly (readonly [string, string, string | undefined, "sp01" | "sp02", readonly MerchantKey[]])[];
const salesmen = ({ till: { tree } }: HttpWorld) =>
  SALESMEN.map(([name, team, group, provider, merchants]) => ({
    id: tree.salesmen[name],
    name,
    team,
    group,
    provider,
    serviceProviderId: tree.providers[provider],
    businessTeamId: tree.teams[team],
    agentId: null,
    merchants: merchants.map((merchant) => tree.merchants[merchant].id),
  }));
type Salesman = ReturnType<typeof salesmen>[number];
const seesSalesman = (caller: Caller, { name, team, group, provider }: Pick<Salesman, "name" | "team" | "group" | "provider">): boolean =>
  ["admin", name, team, group, provider].includes(caller);
const targets: Slot["targets"] = (world) => salesmen(world).map(({ id, provider, name }) => ({ id, place: { provider, user: name } }));
const seen = (caller: Caller, { place: { user } }: Target): boolean => {
  const [name, team, group, provider] = SALESMEN.find(([one]) => one === user)!;
  return seesSalesman(caller, { name, team, group, provider });
};
const idSlot = (put: Slot["put"], name = "id"): Slot => slot(name, put, targets, { sees: seen });
const own =
  (given: (one: Salesman, world: HttpWorld) => ReturnType<NonNullable<Policy["sample"]>>): Policy["sample"] =>
  (world, caller) => {
    const found = salesmen(world).find((one) => seesSalesman(caller, one));
    return found && given(found, world);
  };

/** Whoever has salesmen below: a salesman himself looks only. */
const HEADS: readonly Login[] = [...ADMIN, ...SP, "agent01", "agent02", "group01", "team01"];
const BUILDERS = HEADS.filter((login) => login !== "admin");
const LEVELS = ["serviceProviderId", "agentId", "businessTeamId"];
const LOOKERS = [...ADMIN, ...SP, ...MIDDLE];
const DAY = "2026-11-20";
/** Both need a second salesman in the same sight: of the first provider there are two. */
const handOver = own((one, { till: { tree } }) => ({ body: { id: one.id, toId: tree.salesmen.sale02, from: DAY } }));
const byProvider: NonNullable<Slot["base"]> = (world, caller) =>
  caller === "sp01" || caller === "admin"
    ? { body: { id: world.till.tree.salesmen.sale01, toId: world.till.tree.salesmen.sale02, from: DAY } }
    : undefined;
const ofSale01 = (caller: Caller, { place: { merchant } }: Target): boolean =>
  merchant !== undefined && MERCHANTS[merchant].salesman === "sale01" && ["admin", "sp01"].includes(caller);

export const salesmanPolicies: readonly Policy[] = [
  policy("GET /api/organisation/salesmen", LOOKERS, {
    sample: () => ({ query: { pageSize: "100" } }),
    slots: levelFilters(LEVELS),
    model: listOf(salesmen, seesSalesman),
  }),
  policy("GET /api/organisation/salesmen/summary", LOOKERS, {
    slots: levelFilters(LEVELS),
    model: model<Salesman>({
      facts: salesmen,
      sees: seesSalesman,
      shown: (body) => (body as { count: number }).count,
      expected: (found) => found.length,
    }),
  }),
  policy("GET /api/organisation/salesmen/:id", LOOKERS, {
    sample: own(({ id }) => ({ params: { id } })),
    slots: [idSlot(inPath("id"))],
  }),
  policy("GET /api/organisation/salesmen/merchants", LOOKERS, {
    sample: own(({ id }) => ({ query: { id } })),
    slots: [idSlot(inQuery("id"))],
  }),
  policy("POST /api/organisation/salesmen/add", BUILDERS, {
    sample: ({ services, till: { tree } }, caller) => ({
      body: {
        requestId: services.ids.uuid(services.clock.now_ms()),
        name: "文新",
        phone: "13912345678",
        login: `new-${services.ids.digits(12)}`,
        ...(caller === "group01" && { businessTeamId: tree.teams.team01 }),
      },
    }),
    slots: [
      slot("businessTeamId", inBody("businessTeamId"), levelTargets("businessTeamId"), {
        unseen: 400,
        sees: (caller, { place: { provider, user } }) =>
          caller === provider || (caller === "group01" && user === "team01") || (caller === "team01" && user === "team01"),
      }),
      slot("agentId", inBody("agentId"), levelTargets("agentId"), {
        base: (world, caller) =>
          SP.includes(caller as Login)
            ? {
                body: {
                  requestId: world.services.ids.uuid(world.services.clock.now_ms()),
                  name: "文新",
                  phone: "13912345678",
                  login: `new-${world.services.ids.digits(12)}`,
                },
              }
            : undefined,
        unseen: 400,
        sees: (caller, { place }) => place.provider === caller,
      }),
    ],
  }),
  policy("POST /api/organisation/salesmen/update", HEADS, {
    sample: own(({ id }) => ({ body: { id, version: 1, name: "改名" } })),
    slots: [idSlot(inBody("id"))],
  }),
  policy("POST /api/organisation/salesmen/state", HEADS, {
    sample: own(({ id }) => ({ body: { id, state: "disabled" } })),
    slots: [idSlot(inBody("id"))],
  }),
  policy("POST /api/organisation/salesmen/hand-over", HEADS, {
    sample: handOver,
    slots: [
      slot("id", inBody("id"), targets, {
        base: (world, caller) =>
          caller === "group01" || caller === "team01" ? undefined : { body: { toId: world.till.tree.salesmen.sale02, from: DAY } },
        sees: seen,
        // To himself, or to somebody of another provider.
        seen: ({ place }) => (place.user === "sale01" ? 200 : 400),
      }),
      slot("toId", inBody("toId"), (world) => targets(world).filter(({ place }) => place.user !== "sale01"), {
        base: byProvider,
        unseen: 400,
        sees: (_caller, { place }) => place.user === "sale02",
      }),
      slot("merchantIds", amongBody("merchantIds"), levelTargets("merchantId"), { base: byProvider, sees: ofSale01 }),
    ],
  }),
  policy("GET /api/organisation/assignments", LOOKERS, {
    slots: [
      slot("merchantId", inQuery("merchantId"), levelTargets("merchantId"), { unseen: 200, sees: () => true }),
      slot("salesmanId", inQuery("salesmanId"), targets, { unseen: 200, sees: () => true }),
    ],
    model: listOf((world) =>
      world.of(waitingAssignments).map((one) => ({ ...one, merchantId: world.till.tree.merchants[one.merchant].id, salesmanId: null })),
    ),
  }),
  policy("POST /api/organisation/assignments/cancel", HEADS, {
    sample: (world) => ({ body: { id: world.of(waitingAssignments)[0]!.id } }),
    slots: [slot("id", inBody("id"), (world) => world.of(waitingAssignments).map(({ id, merchant }) => ({ id, place: { merchant } })))],
  }),
];
