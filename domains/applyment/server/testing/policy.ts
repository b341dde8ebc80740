import type { Login } from "../../../../apps/server/testing/matrix/people.ts";
import { levelTargets, listOf } from "../../../../apps/server/testing/matrix/facts.ts";
import { inBody, inQuery, MCH, type Policy, policy, slot, type Slot, SP, withOwn } from "../../../../apps/server/testing/matrix/policy.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { ACCOUNT, type ApplymentFact, applymentFacts } from "./plant.ts";

const facts = (world: HttpWorld) => world.of(applymentFacts);
const MAKERS: readonly Login[] = [...SP, "agent01", "agent02", "team01", "sale01"];
const at = (name: string, put: Slot["put"], pick: (fact: ApplymentFact) => string, more: Parameters<typeof slot>[3] = {}): Slot =>
  slot(name, put, (world) => facts(world).map((fact) => ({ id: pick(fact), place: { merchant: fact.merchant } })), more);
const ofMerchant = (put: Slot["put"]): Slot => at("merchantId", put, ({ merchantId }) => merchantId);
const DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** The page of a link says whose it is. */
const tells = (world: HttpWorld) => {
  const { merchant } = facts(world)[0]!;
  return [world.till.tree.merchants[merchant].name, "蜀味川菜", "进件小吃"];
};

export const applymentPolicies: readonly Policy[] = [
  policy("GET /api/applyments/account", SP),
  policy("POST /api/applyments/account", SP, {
    sample: () => ({
      body: {
        version: 1,
        ...ACCOUNT,
      },
    }),
  }),
  policy("GET /api/applyments/dossiers", MAKERS, {
    sample: () => ({ query: { pageSize: "100" } }),
    model: listOf((world) => facts(world).map(({ dossier, ...fact }) => ({ ...fact, id: dossier }))),
  }),
  policy("GET /api/applyments/dossier", MAKERS, {
    sample: withOwn(facts, ({ merchantId }) => ({ query: { merchantId } })),
    slots: [ofMerchant(inQuery("merchantId"))],
  }),
  policy("POST /api/applyments/dossier/save", MAKERS, {
    sample: withOwn(facts, ({ merchantId }) => ({
      body: { merchantId, changes: [{ path: "business.phone", value: "02811112222", version: 1 }] },
    })),
    slots: [ofMerchant(inBody("merchantId"))],
  }),
  policy("GET /api/applyments/banks", MAKERS, { keeps: true, sample: () => ({ query: { kind: "personal", q: "农村" } }) }),
  policy("GET /api/applyments/branches", MAKERS, { keeps: true, sample: () => ({ query: { bank: "1000009580", area: "510100" } }) }),
  policy("POST /api/applyments/files/add", MAKERS, {
    keeps: true,
    sample: withOwn(facts, ({ merchantId }) => ({ body: { merchantId, base64: DOT } })),
    slots: [ofMerchant(inBody("merchantId"))],
  }),
  policy("POST /api/applyments/files/look", MAKERS, {
    sample: withOwn(facts, ({ file }) => ({ body: { id: file } })),
    slots: [at("id", inBody("id"), ({ file }) => file)],
  }),
  policy("GET /api/applyments/file/:token", "public", { ok: 404, envelope: "file", sample: () => ({ params: { token: "none" } }) }),
  policy("GET /api/applyments", [...MAKERS, ...MCH], {
    sample: () => ({ query: { pageSize: "100" } }),
    model: listOf((world) => facts(world).flatMap((fact) => [fact, { ...fact, id: fact.finished }])),
    slots: [slot("merchantId", inQuery("merchantId"), levelTargets("merchantId"), { unseen: 200, sees: () => true })],
  }),
  policy("GET /api/applyments/summary", [...MAKERS, ...MCH], {
    slots: [slot("merchantId", inQuery("merchantId"), levelTargets("merchantId"), { unseen: 200, sees: () => true })],
  }),
  policy("GET /api/applyments/one", [...MAKERS, ...MCH], {
    sample: withOwn(facts, ({ id }) => ({ query: { id } })),
    slots: [at("id", inQuery("id"), ({ id }) => id)],
  }),
  policy("POST /api/applyments/submit", MAKERS, {
    sample: withOwn(facts, ({ merchantId, versions }, { services }) => ({
      body: { requestId: services.ids.uuid(services.clock.now_ms()), merchantId, versions, submissions: 2 },
    })),
    slots: [ofMerchant(inBody("merchantId"))],
  }),
  policy("POST /api/applyments/ask", [...MAKERS, ...MCH], {
    sample: withOwn(facts, ({ id }) => ({ body: { id } })),
    slots: [at("id", inBody("id"), ({ id }) => id)],
  }),
  policy("POST /api/applyments/void", MAKERS, {
    sample: withOwn(facts, ({ id }) => ({ body: { id, reason: "不做了" } })),
    slots: [at("id", inBody("id"), ({ id }) => id)],
  }),
  // Nobody named the numbers that stand there.
  policy("POST /api/applyments/choose", SP, {
    ok: 409,
    sample: withOwn(facts, ({ finished }) => ({ body: { id: finished, use: "keep", standing: "0", opened: "1600000777" } })),
    slots: [at("id", inBody("id"), ({ finished }) => finished, { seen: 409 })],
  }),
  policy("POST /api/applyments/after", MAKERS, {
    sample: withOwn(facts, ({ finished }) => ({ body: { id: finished, thing: "appid", done: true } })),
    slots: [at("id", inBody("id"), ({ finished }) => finished)],
  }),
  policy("POST /api/applyments/willing", MAKERS, {
    keeps: true,
    sample: withOwn(facts, ({ finished }) => ({ body: { id: finished } })),
    slots: [at("id", inBody("id"), ({ finished }) => finished)],
  }),
  policy("GET /api/applyments/links", MAKERS, {
    sample: withOwn(facts, ({ merchantId }) => ({ query: { merchantId } })),
    slots: [ofMerchant(inQuery("merchantId"))],
  }),
  policy("POST /api/applyments/links/add", MAKERS, {
    sample: withOwn(facts, ({ merchantId }, { services }) => ({
      body: { requestId: services.ids.uuid(services.clock.now_ms()), merchantId, steps: [2, 5], days: 3 },
    })),
    slots: [ofMerchant(inBody("merchantId"))],
  }),
  policy("POST /api/applyments/links/revoke", MAKERS, {
    sample: withOwn(facts, ({ link }) => ({ body: { id: link } })),
    slots: [at("id", inBody("id"), ({ link }) => link)],
  }),
  policy("GET /api/applyment-page/:token", "public", { tells, sample: (world) => ({ params: { token: facts(world)[0]!.token } }) }),
  policy("POST /api/applyment-page/save", "public", {
    tells,
    sample: (world) => ({
      body: { token: facts(world)[0]!.token, changes: [{ path: "business.phone", value: "02833334444", version: 1 }] },
    }),
  }),
  policy("POST /api/applyment-page/picture", "public", { sample: (world) => ({ body: { token: facts(world)[0]!.token, base64: DOT } }) }),
  policy("GET /api/applyment-page/:token/banks", "public", {
    keeps: true,
    sample: (world) => ({ params: { token: facts(world)[0]!.token }, query: { kind: "personal", q: "农村" } }),
  }),
  policy("GET /api/applyment-page/:token/branches", "public", {
    keeps: true,
    sample: (world) => ({ params: { token: facts(world)[0]!.token }, query: { bank: "1000009580", area: "510100" } }),
  }),
  policy("GET /api/applyments/packages", MAKERS, {
    sample: withOwn(facts, ({ merchantId }) => ({ query: { merchantId } })),
    slots: [ofMerchant(inQuery("merchantId"))],
  }),
  policy("POST /api/applyments/packages/add", MAKERS, {
    sample: withOwn(facts, ({ merchantId }, { services }) => ({
      body: { requestId: services.ids.uuid(services.clock.now_ms()), merchantId, channel: "fuiou" },
    })),
    slots: [ofMerchant(inBody("merchantId"))],
  }),
  policy("POST /api/applyments/packages/look", MAKERS, {
    sample: withOwn(facts, ({ pack }) => ({ body: { id: pack } })),
    slots: [at("id", inBody("id"), ({ pack }) => pack)],
  }),
  policy("GET /api/applyments/package/:token", "public", { ok: 404, envelope: "file", sample: () => ({ params: { token: "none" } }) }),
  policy("POST /api/applyments/packages/state", MAKERS, {
    sample: withOwn(facts, ({ pack }) => ({ body: { id: pack, state: "SUBMITTED" } })),
    slots: [at("id", inBody("id"), ({ pack }) => pack)],
  }),
];
