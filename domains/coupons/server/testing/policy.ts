import { levelFilters, levelsOf, levelTargets, listOf } from "../../../../apps/server/testing/matrix/facts.ts";
import {
  AE,
  inBody,
  inQuery,
  MCH,
  model,
  type Policy,
  policy,
  slot,
  type Slot,
  SP,
  withOwn,
} from "../../../../apps/server/testing/matrix/policy.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import {
  campaignFacts,
  campaignOf,
  type CampaignFact,
  type CouponFact,
  couponFacts,
  type PackageFact,
  packageFacts,
  type PackageGetFact,
  packageGetFacts,
  packageOf,
  type SendFact,
  sendFacts,
  TERMS,
} from "./plant.ts";

const USERS = [...SP, ...MCH, ...AE];
const uuid = ({ services }: HttpWorld) => services.ids.uuid(services.clock.now_ms());
const campaigns =
  (...what: readonly CampaignFact["what"][]) =>
  (world: HttpWorld) =>
    world.of(campaignFacts).filter((fact) => what.includes(fact.what));
const [running, waiting, own] = [campaigns("running"), campaigns("waiting"), campaigns("own")];
type Named = (world: HttpWorld) => readonly { readonly id: string; readonly merchant: CampaignFact["merchant"] }[];
const sends = (world: HttpWorld) => world.of(sendFacts);
const kept =
  (what: SendFact["what"]): Named =>
  (world) =>
    sends(world).filter((fact) => fact.what === what);
const [later, sent, asked] = [kept("later"), kept("sent"), kept("asked")];
const every = campaigns("running", "waiting", "own");
// Nothing was used, so no store is a coupon's own.
const coupons = (world: HttpWorld) => world.of(couponFacts).map((fact) => ({ ...fact, ...levelsOf(world, fact.merchant), storeId: null }));
const named = (facts: Named, put: Slot["put"] = inBody("id"), name = "id"): Slot =>
  slot(name, put, (world) => facts(world).map((fact) => ({ id: fact.id, place: { merchant: fact.merchant } })));
const facts = (world: HttpWorld) => campaignOf(world, "券");
/** A foreign store among those of the terms. */
const storeIds: Slot = slot(
  "terms.storeIds",
  (given, id) => {
    const body = given.body as { terms: object };
    return { ...given, body: { ...body, terms: { ...body.terms, storeIds: [id] } } };
  },
  levelTargets("storeId"),
);
const packages =
  (...what: readonly PackageFact["what"][]) =>
  (world: HttpWorld) =>
    world.of(packageFacts).filter((fact) => what.includes(fact.what));
const [given, undecided, withdrawable] = [packages("free"), packages("waiting"), packages("own")];
const everyPackage = packages("free", "priced", "waiting", "own");
const received = (world: HttpWorld) => world.of(packageGetFacts);
/** Where each was received, for the till that knows its member. */
const receivedAt = (world: HttpWorld) =>
  received(world).map((fact) => ({
    ...fact,
    ...levelsOf(world, fact.merchant),
    storeId: world.till.tree.merchants[fact.merchant].stores[fact.store]!.id,
  }));
/** A foreign campaign among those of a package. */
const campaignId: Slot = named(
  running,
  (given, id, world) => ({ ...given, body: { ...(given.body as object), requestId: uuid(world), items: [{ campaignId: id, count: 1 }] } }),
  "items.campaignId",
);
const LEVELS = ["serviceProviderId", "agentId", "businessTeamId", "merchantId", "storeId"];

export const couponPolicies: readonly Policy[] = [
  policy("GET /api/coupons/campaigns", MCH, { sample: () => ({ query: { pageSize: "100" } }), model: listOf<CampaignFact>(every) }),
  policy("GET /api/coupons/campaign", MCH, {
    sample: withOwn(every, ({ id }) => ({ query: { id } })),
    slots: [named(every, inQuery("id"))],
  }),
  policy("POST /api/coupons/campaigns/add", MCH, {
    sample: (world) => ({ body: { requestId: uuid(world), ...facts(world) } }),
    slots: [
      {
        ...storeIds,
        put: (given, id, world) => storeIds.put({ ...given, body: { ...(given.body as object), requestId: uuid(world) } }, id, world),
      },
    ],
  }),
  policy("POST /api/coupons/campaigns/update", MCH, {
    sample: withOwn(own, ({ id }, world) => ({ body: { id, version: 1, ...facts(world) } })),
    slots: [named(own), storeIds],
  }),
  policy("POST /api/coupons/campaigns/decide", MCH, {
    sample: withOwn(waiting, ({ id }) => ({ body: { id, version: 1, approve: true } })),
    slots: [named(waiting)],
  }),
  policy("POST /api/coupons/campaigns/withdraw", MCH, {
    sample: withOwn(own, ({ id }) => ({ body: { id } })),
    slots: [named(own)],
  }),
  policy("POST /api/coupons/campaigns/steer", MCH, {
    sample: withOwn(running, ({ id }) => ({ body: { id, act: "pause" } })),
    slots: [named(running)],
  }),
  policy("POST /api/coupons/campaigns/stock", MCH, {
    sample: withOwn(running, ({ id }) => ({ body: { id, seen: 100_000, total: 100_001 } })),
    slots: [named(running)],
  }),
  policy("POST /api/coupons/campaigns/try", MCH, { sample: () => ({ body: { terms: TERMS } }), slots: [storeIds] }),

  policy("GET /api/coupons/sends", [...SP, ...MCH], { sample: () => ({ query: { pageSize: "100" } }), model: listOf<SendFact>(sends) }),
  policy("GET /api/coupons/sends/one", [...SP, ...MCH], {
    sample: withOwn(sends, ({ id }) => ({ query: { id } })),
    slots: [named(sends, inQuery("id"))],
  }),
  policy("GET /api/coupons/sends/rows", [...SP, ...MCH], {
    sample: withOwn(sends, ({ id }) => ({ query: { taskId: id } })),
    slots: [named(sends, inQuery("taskId"), "taskId")],
    noModel: "rows of one sending, which its id stands for",
  }),
  // It counts its own merchant's members alone, whatever store is named.
  policy("GET /api/coupons/sends/audience", MCH, { noModel: "a count of the caller's own merchant" }),
  policy("GET /api/coupons/sends/campaigns", MCH, { model: listOf<CampaignFact>(running) }),
  policy("POST /api/coupons/sends/add", MCH, {
    sample: withOwn(running, ({ id }, world) => ({
      body: { requestId: uuid(world), name: "回店", campaignId: id, filter: {}, again: true },
    })),
    slots: [named(running, inBody("campaignId"), "campaignId")],
  }),
  policy("POST /api/coupons/sends/steer", MCH, {
    sample: withOwn(later, ({ id }) => ({ body: { id, act: "pause" } })),
    slots: [named(later)],
  }),

  policy("POST /api/coupons/sends/revoke", MCH, {
    sample: withOwn(sent, ({ id }) => ({ body: { id, reason: "发错了" } })),
    slots: [named(sent)],
  }),
  policy("POST /api/coupons/sends/revoke/decide", MCH, {
    sample: withOwn(asked, ({ id }) => ({ body: { id, approve: false } })),
    slots: [named(asked)],
  }),

  policy("GET /api/coupons", USERS, {
    sample: () => ({ query: { pageSize: "100" } }),
    slots: levelFilters(LEVELS),
    model: listOf<CouponFact>(coupons),
  }),
  policy("GET /api/coupons/summary", USERS, {
    slots: levelFilters(LEVELS),
    model: model<CouponFact>({
      facts: coupons,
      shown: (body) => (body as { states: unknown }).states,
      expected: (seen) => (seen.length === 0 ? [] : [{ state: "SENDED", count: seen.length }]),
    }),
  }),
  policy("GET /api/coupons/one", USERS, {
    sample: withOwn(coupons, ({ id }) => ({ query: { id } })),
    slots: [slot("id", inQuery("id"), (world) => coupons(world).map((fact) => ({ id: fact.id, place: fact })))],
  }),

  policy("GET /api/coupons/packages", MCH, { sample: () => ({ query: { pageSize: "100" } }), model: listOf<PackageFact>(everyPackage) }),
  policy("GET /api/coupons/packages/one", MCH, {
    sample: withOwn(everyPackage, ({ id }) => ({ query: { id } })),
    slots: [named(everyPackage, inQuery("id"))],
  }),
  policy("GET /api/coupons/packages/campaigns", MCH, { model: listOf<CampaignFact>(running) }),
  policy("POST /api/coupons/packages/add", MCH, {
    sample: withOwn(running, ({ id }, world) => ({ body: { requestId: uuid(world), ...packageOf(world, id) } })),
    slots: [campaignId],
  }),
  policy("POST /api/coupons/packages/decide", MCH, {
    sample: withOwn(undecided, ({ id }) => ({ body: { id, approve: true } })),
    slots: [named(undecided)],
  }),
  policy("POST /api/coupons/packages/withdraw", MCH, {
    sample: withOwn(withdrawable, ({ id }) => ({ body: { id } })),
    slots: [named(withdrawable)],
  }),
  policy("POST /api/coupons/packages/steer", MCH, {
    sample: withOwn(given, ({ id }) => ({ body: { id, act: "pause" } })),
    slots: [named(given)],
  }),
  policy("GET /api/coupons/package-gets", MCH, {
    sample: () => ({ query: { pageSize: "100" } }),
    model: listOf<PackageGetFact>((world) => received(world).map(({ id, merchant }) => ({ id, merchant }) as PackageGetFact)),
  }),
  policy("GET /api/coupons/package-gets/summary", MCH, {
    model: model<PackageGetFact>({
      facts: (world) => received(world).map(({ id, merchant }) => ({ id, merchant }) as PackageGetFact),
      shown: (body) => (body as { count: unknown }).count,
      expected: (seen) => seen.length,
    }),
  }),
  policy("GET /api/coupons/package-gets/one", MCH, {
    sample: withOwn(received, ({ id }) => ({ query: { id } })),
    slots: [named(received, inQuery("id"))],
  }),
  policy("GET /api/coupons/package-gets/refund", MCH, {
    sample: withOwn(received, ({ id }) => ({ query: { id } })),
    slots: [named(received, inQuery("id"))],
  }),
  // What was free has no money to give back.
  policy("POST /api/coupons/package-gets/refund", MCH, {
    ok: 409,
    sample: withOwn(received, ({ id }, world) => ({ body: { requestId: uuid(world), id, refundCents: 0, reason: "不要了" } })),
    slots: [
      {
        ...named(received, (given, id, world) => ({ ...given, body: { ...(given.body as object), requestId: uuid(world), id } })),
        seen: () => 409,
      },
    ],
  }),
  policy("GET /api/till/packages", "device"),
  policy("POST /api/till/packages/orders", "device", {
    keeps: true,
    sample: withOwn(receivedAt, ({ ticket, packageId }, world) => ({
      body: { tillNo: `K-${uuid(world)}`, tradeType: "NATIVE", ticket, packageId },
    })),
  }),
];
