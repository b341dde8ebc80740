import { levelFilters, listOf } from "../../../../apps/server/testing/matrix/facts.ts";
import {
  ADMIN,
  amongBody,
  inBody,
  inQuery,
  type Policy,
  policy,
  slot,
  type Slot,
  SP,
  withOwn,
} from "../../../../apps/server/testing/matrix/policy.ts";
import { MERCHANTS, MERCHANT_KEYS } from "../../../../apps/server/testing/matrix/people.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { pushFacts } from "./plant.ts";

const OPERATORS = [...ADMIN, ...SP];
const endpoints = (world: HttpWorld) =>
  world.of(pushFacts).map((fact) => ({ ...fact, serviceProviderId: world.till.tree.providers[fact.provider] }));
const deliveries = (world: HttpWorld) => endpoints(world).map((fact) => ({ ...fact, endpointId: fact.id, id: fact.delivery }));
const at = (name: string, put: Slot["put"], facts: typeof endpoints, more = {}): Slot =>
  slot(name, put, (world) => facts(world).map(({ id, provider }) => ({ id, place: { provider } })), more);
const facts = { name: "ERP", url: "https://erp.example.com/hooks", events: ["recon_day.closed"] };
const merchantSlot = slot("merchantIds", amongBody("merchantIds"), ({ till }) =>
  MERCHANT_KEYS.map((merchant) => ({ id: till.tree.merchants[merchant].id, place: { provider: MERCHANTS[merchant].provider } })),
);

export const pushPolicies: readonly Policy[] = [
  policy("GET /api/push/endpoints", OPERATORS, {
    sample: () => ({ query: { pageSize: "100" } }),
    model: listOf(endpoints),
    slots: levelFilters(["serviceProviderId"]),
  }),
  policy("GET /api/push/endpoints/one", OPERATORS, {
    sample: withOwn(endpoints, ({ id }) => ({ query: { id } })),
    slots: [at("id", inQuery("id"), endpoints)],
    noModel: "one address, which its id stands for",
  }),
  policy("POST /api/push/endpoints/add", SP, {
    sample: ({ services }) => ({ body: { requestId: services.ids.uuid(services.clock.now_ms()), ...facts } }),
    slots: [merchantSlot],
  }),
  policy("POST /api/push/endpoints/update", SP, {
    sample: withOwn(endpoints, ({ id }) => ({ body: { id, revision: 1, ...facts } })),
    slots: [at("id", inBody("id"), endpoints), merchantSlot],
  }),
  policy("POST /api/push/endpoints/state", OPERATORS, {
    sample: withOwn(endpoints, ({ id }) => ({ body: { id, revision: 1, to: "paused" } })),
    slots: [at("id", inBody("id"), endpoints)],
  }),
  policy("POST /api/push/endpoints/secret", SP, {
    sample: withOwn(endpoints, ({ id }) => ({ body: { id } })),
    slots: [at("id", inBody("id"), endpoints)],
  }),
  policy("POST /api/push/endpoints/rotate", SP, {
    sample: withOwn(endpoints, ({ id }) => ({ body: { id, revision: 1, atOnce: true } })),
    slots: [at("id", inBody("id"), endpoints)],
  }),
  policy("POST /api/push/endpoints/test", OPERATORS, {
    sample: withOwn(endpoints, ({ id }) => ({ body: { id } })),
    slots: [at("id", inBody("id"), endpoints)],
  }),
  policy("POST /api/push/endpoints/check", OPERATORS, {
    writes: false,
    sample: withOwn(endpoints, ({ id }) => ({ body: { id, headers: "webhook-id: msg_1", body: "{}" } })),
    slots: [at("id", inBody("id"), endpoints)],
  }),
  policy("GET /api/push/deliveries", OPERATORS, {
    sample: () => ({ query: { pageSize: "100" } }),
    model: listOf(deliveries),
    slots: [...levelFilters(["serviceProviderId"]), at("endpointId", inQuery("endpointId"), endpoints, { unseen: 200, sees: () => true })],
  }),
  policy("GET /api/push/deliveries/one", OPERATORS, {
    sample: withOwn(deliveries, ({ id }) => ({ query: { id } })),
    slots: [at("id", inQuery("id"), deliveries)],
    noModel: "one delivery, which its id stands for",
  }),
  policy("POST /api/push/deliveries/replay", OPERATORS, {
    sample: withOwn(deliveries, ({ id }) => ({ body: { id } })),
    slots: [at("id", inBody("id"), deliveries)],
  }),
  policy("POST /api/push/deliveries/replay-failed", OPERATORS, {
    sample: withOwn(endpoints, ({ id }) => ({ body: { endpointId: id } })),
    slots: [at("endpointId", inBody("endpointId"), endpoints)],
  }),
];
