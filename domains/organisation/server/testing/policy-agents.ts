import { levelFilters, levelTargets, listOf } from "../../../../apps/server/testing/matrix/facts.ts";
import { ADMIN, inBody, inPath, model, type Policy, policy, slot, SP, withOwn } from "../../../../apps/server/testing/matrix/policy.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";

/** Both stand below the first provider; the second has none. */
const agents = ({ till: { tree } }: HttpWorld) =>
  (["agent01", "agent02"] as const).map((name) => ({
    id: tree.agents[name],
    provider: "sp01" as const,
    serviceProviderId: tree.providers.sp01,
  }));
const OPERATORS = [...ADMIN, ...SP];
const idSlot = [slot("id", inBody("id"), levelTargets("agentId"))];

export const agentPolicies: readonly Policy[] = [
  policy("GET /api/organisation/agents", OPERATORS, {
    sample: () => ({ query: { pageSize: "100" } }),
    slots: levelFilters(["serviceProviderId"]),
    model: listOf(agents),
  }),
  policy("GET /api/organisation/agents/summary", OPERATORS, {
    slots: levelFilters(["serviceProviderId"]),
    model: model<ReturnType<typeof agents>[number]>({
      facts: agents,
      shown: (body) => (body as { count: number }).count,
      expected: (seen) => seen.length,
    }),
  }),
  policy("GET /api/organisation/agents/:id", OPERATORS, {
    sample: withOwn(agents, ({ id }) => ({ params: { id } })),
    slots: [slot("id", inPath("id"), levelTargets("agentId"))],
  }),
  policy("POST /api/organisation/agents/add", SP, {
    sample: ({ services }) => ({
      body: {
        requestId: services.ids.uuid(services.clock.now_ms()),
        name: "新开代理",
        contactName: "文新",
        contactPhone: "13912345678",
        profitRatio: 30_000,
        login: `new-${services.ids.digits(12)}`,
      },
    }),
  }),
  policy("POST /api/organisation/agents/update", OPERATORS, {
    sample: withOwn(agents, ({ id }) => ({ body: { id, version: 1, name: "改名代理" } })),
    slots: idSlot,
  }),
  policy("POST /api/organisation/agents/ratio", OPERATORS, {
    sample: withOwn(agents, ({ id }) => ({ body: { id, version: 1, profitRatio: 25_000, start: "tomorrow" } })),
    slots: idSlot,
  }),
  // The agents of the world are signed: there is nothing to submit or to review.
  policy("POST /api/organisation/agents/contract/submit", OPERATORS, {
    ok: 409,
    sample: withOwn(agents, ({ id }) => ({ body: { id, version: 1, contractFrom: "2026-11-20", contractUntil: "2027-11-20" } })),
    slots: [slot("id", inBody("id"), levelTargets("agentId"), { seen: 409 })],
  }),
  policy("POST /api/organisation/agents/contract/review", OPERATORS, {
    ok: 409,
    sample: withOwn(agents, ({ id }) => ({ body: { id, version: 1, verdict: "approve" } })),
    slots: [slot("id", inBody("id"), levelTargets("agentId"), { seen: 409 })],
  }),
  policy("POST /api/organisation/agents/contract/renew", OPERATORS, {
    sample: withOwn(agents, ({ id }) => ({ body: { id, version: 1, contractUntil: "2027-11-20" } })),
    slots: idSlot,
  }),
  policy("POST /api/organisation/agents/contract/cancel", OPERATORS, {
    sample: withOwn(agents, ({ id }) => ({ body: { id, version: 1, why: "不再合作" } })),
    slots: idSlot,
  }),
  policy("POST /api/organisation/agents/state", OPERATORS, {
    sample: withOwn(agents, ({ id }) => ({ body: { id, state: "disabled" } })),
    slots: idSlot,
  }),
];
