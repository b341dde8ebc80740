import { levelFilters, levelTargets, listOf, sum } from "./facts.ts";
import type { Caller } from "./people.ts";
import { ADMIN, type Given, inBody, inQuery, MIDDLE, model, type Policy, policy, slot, SP } from "./policy.ts";
import type { CommissionFacts } from "./share-fees.ts";
import type { HttpWorld } from "./world.ts";

type Daily = CommissionFacts["daily"][number];
/** Those above see what all below them got, those in the middle their own and nobody else's. */
const mine = (caller: Caller, fact: Pick<Daily, "provider" | "user">): boolean =>
  caller === "admin" || caller === fact.provider || (fact.user !== undefined && fact.user === caller);
const given = (fact: Daily) => fact.receiver !== "cost" && fact.receiver !== "provider";
const shared = ({ commissions }: HttpWorld) => commissions.daily.filter(given);
const whole = (): Given => ({ query: { pageSize: "100" } });
const NODES = ["serviceProviderId", "agentId", "businessTeamId"];
const OPERATORS = [...ADMIN, ...SP];
/** The operators' way and the own view of the middle. */
const READERS = [...OPERATORS, ...MIDDLE];
const net = (facts: readonly Daily[]) => sum(facts, (fact) => fact.net);

const profit: Policy[] = [
  policy("GET /api/commissions/share-profit", READERS, { sample: whole, slots: levelFilters(NODES), model: listOf(shared, mine) }),
  policy("GET /api/commissions/share-profit/summary", READERS, {
    slots: levelFilters(NODES),
    model: model<Daily>({
      facts: shared,
      sees: mine,
      shown: (body) => (body as { netCents: number }).netCents,
      expected: net,
    }),
  }),
  policy("GET /api/commissions/lines", READERS, {
    // The first hundred of some hundred lines: the callers at the top see more than a page.
    sample: () => ({ query: { pageSize: "100", receiver: "team" } }),
    slots: levelFilters([...NODES, "merchantId"]),
    model: listOf((world) => world.commissions.lines.filter(given), mine),
  }),
  policy("GET /api/commissions/own", MIDDLE, {
    sample: () => ({}),
    model: model<Daily>({
      facts: shared,
      sees: mine,
      shown: (body) => (body as { balanceCents: number }).balanceCents,
      expected: net,
    }),
  }),
  policy("GET /api/commissions/provider-profit", OPERATORS, {
    sample: whole,
    slots: levelFilters(["serviceProviderId"]),
    model: model<Daily>({
      facts: ({ commissions }) => commissions.daily,
      sees: mine,
      shown: (body) => (body as { items: { feeCents: number }[] }).items.reduce((total, row) => total + row.feeCents, 0),
      expected: net,
    }),
  }),
  policy("GET /api/commissions/provider-profit/summary", OPERATORS, {
    slots: levelFilters(["serviceProviderId"]),
    model: model<Daily>({
      facts: ({ commissions }) => commissions.daily,
      sees: mine,
      shown: (body) => (body as { feeCents: number }).feeCents,
      expected: net,
    }),
  }),
];

/** A team that each operator sees. */
const teamOf = ({ till: { tree } }: HttpWorld, caller: Caller) => (caller === "sp02" ? tree.teams.team03 : tree.teams.team01);
const ratios: Policy[] = [
  policy("GET /api/organisation/share-ratios", OPERATORS, {
    sample: (world, caller) => ({ query: { level: "team", id: teamOf(world, caller) } }),
    slots: [
      slot("id", inQuery("id"), levelTargets("businessTeamId"), {
        sees: (caller, { place }) => caller === "admin" || caller === place.provider,
      }),
    ],
  }),
  policy("POST /api/organisation/share-ratios/set", OPERATORS, {
    sample: (world, caller) => ({ body: { level: "team", id: teamOf(world, caller), version: 1, ratio: 12_000, start: "tomorrow" } }),
    slots: [
      slot("id", inBody("id"), levelTargets("businessTeamId"), {
        sees: (caller, { place }) => caller === "admin" || caller === place.provider,
      }),
    ],
  }),
];
export const commissionPolicies: readonly Policy[] = [...profit, ...ratios];
