import { levelFilters, levelsOf, levelTargets, listOf, sum } from "../../../../apps/server/testing/matrix/facts.ts";
import { type Caller, type Login, type Place, sees } from "../../../../apps/server/testing/matrix/people.ts";
import {
  AE,
  amongBody,
  type Given,
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
import { PRIMES } from "../../../orders/server/testing/live-a-day.ts";
import { codeKey } from "../holding/read-code.ts";
import { couponCode, stepOf } from "../rules/number-rules.ts";
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
  coveredBy,
  type DifferenceFact,
  differenceFacts,
  offerFacts,
  type SendFact,
  sendFacts,
  type StatementFact,
  statementFacts,
  TERMS,
} from "./plant.ts";

const USERS = [...SP, ...MCH, ...AE];
const DESK = [...MCH, ...AE];
const uuid = ({ services }: HttpWorld) => services.ids.uuid(services.clock.now_ms());
const campaigns =
  (...what: readonly CampaignFact["what"][]) =>
  (world: HttpWorld) =>
    world.of(campaignFacts).filter((fact) => what.includes(fact.what));
const running = campaigns("running", "better", "betterOwn");
/** A campaign, a merchant's or a provider's own. */
interface Steered extends Place {
  readonly id: string;
  readonly what: CampaignFact["what"];
}
const steered =
  (...what: readonly CampaignFact["what"][]) =>
  (world: HttpWorld): readonly Steered[] =>
    [...world.of(campaignFacts), ...world.of(offerFacts)].filter((fact) => what.includes(fact.what));
const BOTH = [...SP, ...MCH];
const isProvider = (caller: Caller): boolean => SP.includes(caller as Login);
/** A merchant steers its own campaigns, a provider those that are no merchant's. */
const steers = (caller: Caller, fact: Place): boolean => sees(caller, fact) && isProvider(caller) === (fact.merchant === undefined);
/** A request over the first campaign that the caller steers. */
const withSteered =
  (facts: (world: HttpWorld) => readonly Steered[], given: (fact: Steered, world: HttpWorld) => Given): Policy["sample"] =>
  (world, caller) => {
    const fact = facts(world).find((one) => steers(caller, one));
    return fact && given(fact, world);
  };
const placeOf = ({ merchant, provider }: Place): Place => (merchant === undefined ? { provider: provider! } : { merchant });
const idOf = (facts: (world: HttpWorld) => readonly Steered[]): Slot =>
  slot("id", inBody("id"), (world) => facts(world).map((fact) => ({ id: fact.id, place: placeOf(fact) })), {
    sees: (caller, { place }) => steers(caller, place),
  });
/** What a provider's campaign covers. */
const coversOf = (world: HttpWorld, fact: Steered | Caller) => {
  const provider = typeof fact === "string" ? fact : fact.provider;
  if (provider !== "sp01" && provider !== "sp02") return {};
  return { provider: { percent: 100, merchantIds: coveredBy(provider).map((key) => world.till.tree.merchants[key].id) } };
};
/** Of a provider's running campaign those that it covers. */
const offered = (caller: Caller, fact: Place): boolean =>
  MCH.includes(caller as Login) && fact.provider !== undefined && coveredBy(fact.provider as "sp01").includes(caller as "mch01");
const offers = (world: HttpWorld): readonly Steered[] => world.of(offerFacts).filter(({ what }) => what === "running");
const merchantsWithin: Slot["put"] = (given, id) => {
  const body = given.body as { provider: object };
  return { ...given, body: { ...body, provider: { ...body.provider, merchantIds: [id] } } };
};
/** Callers of one kind alone. */
const onlyFor =
  (who: readonly Login[], sample: Policy["sample"]): Policy["sample"] =>
  (world, caller) =>
    who.includes(caller as Login) ? sample(world, caller) : undefined;
type Named = (world: HttpWorld) => readonly (Place & { readonly id: string })[];
const differences = (world: HttpWorld) => world.of(differenceFacts);
const sends = (world: HttpWorld) => world.of(sendFacts);
/** A provider sees its merchants' sendings and its own, a merchant its own alone. */
const seesSend = (caller: Caller, fact: Place): boolean => sees(caller, fact) && (isProvider(caller) || fact.merchant !== undefined);
const sendIn = (put: Slot["put"], name: string): Slot =>
  slot(name, put, (world) => sends(world).map((fact) => ({ id: fact.id, place: placeOf(fact) })), {
    sees: (caller, { place }) => seesSend(caller, place),
  });
/** A request over a sending of the caller's own. */
const withSend = (what: SendFact["what"], given: (id: string) => object): Pick<Policy, "sample" | "slots"> => {
  const kept = (world: HttpWorld) => sends(world).filter((fact) => fact.what === what);
  return {
    sample: (world, caller) => {
      const fact = kept(world).find((one) => steers(caller, one));
      return fact && { body: given(fact.id) };
    },
    slots: [
      slot("id", inBody("id"), (world) => kept(world).map((fact) => ({ id: fact.id, place: placeOf(fact) })), {
        sees: (caller, { place }) => steers(caller, place),
      }),
    ],
  };
};
const sendable = (world: HttpWorld) => steered("running", "better", "betterOwn")(world);
const sendingTo = withSteered(sendable, ({ id }, world) => ({
  body: { requestId: uuid(world), name: "回店", campaignId: id, filter: {}, again: true },
}));
const every = steered("running", "waiting", "own", "better", "betterOwn");
const bettered =
  (what: "running" | "better" | "betterOwn") =>
  (world: HttpWorld): readonly Steered[] =>
    world.of(campaignFacts).filter((fact) => fact.what === what);
const [anyRunning, waiting, own] = [steered("running"), steered("waiting"), steered("own")];
const statements =
  (...states: readonly StatementFact["state"][]) =>
  (world: HttpWorld) =>
    world
      .of(statementFacts)
      .filter(({ state }) => states.includes(state))
      .map((fact) => ({ ...fact, ...levelsOf(world, fact.merchant) }));
// Nothing was used, so no store is a coupon's own.
const coupons = (world: HttpWorld) => world.of(couponFacts).map((fact) => ({ ...fact, ...levelsOf(world, fact.merchant), storeId: null }));
/** Coupons that are used without an order, by their code of this moment at the store where their member came. */
const alone = (world: HttpWorld) => world.of(couponFacts).slice(0, 5);
const coded = ({ no, merchant, store }: CouponFact, world: HttpWorld) => {
  const { serviceProviderId, stores } = world.till.tree.merchants[merchant];
  const step = stepOf(world.services.clock.now_ms());
  const code = couponCode(codeKey(world.services), serviceProviderId, no, step);
  return { body: { requestId: uuid(world), storeId: stores[store]!.id, code } };
};
const deskStores: Slot = slot("storeId", inBody("storeId"), levelTargets("storeId"), {
  base: (world) => ({ body: { requestId: uuid(world), code: `98${"0".repeat(18)}` } }),
  seen: 400,
});
const named = (facts: Named, put: Slot["put"] = inBody("id"), name = "id"): Slot =>
  slot(name, put, (world) => facts(world).map((fact) => ({ id: fact.id, place: placeOf(fact) })));
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
const added: Policy["sample"] = (world, caller) => ({ body: { requestId: uuid(world), ...facts(world), ...coversOf(world, caller) } });
const changed = withSteered(own, (fact, world) => ({ body: { id: fact.id, version: 1, ...facts(world), ...coversOf(world, fact) } }));
const betterTerms = withSteered(bettered("running"), ({ id }) => ({ body: { id, version: 1, terms: { ...TERMS, minCents: 7_000 } } }));
const LEVELS = ["serviceProviderId", "agentId", "businessTeamId", "merchantId", "storeId"];

export const couponPolicies: readonly Policy[] = [
  policy("GET /api/coupons/campaigns", BOTH, {
    sample: () => ({ query: { pageSize: "100" } }),
    model: listOf<Steered>(every, steers),
  }),
  policy("GET /api/coupons/campaign", BOTH, {
    sample: withSteered(every, ({ id }) => ({ query: { id } })),
    slots: [
      slot("id", inQuery("id"), (world) => every(world).map((fact) => ({ id: fact.id, place: fact })), {
        sees: (caller, { place }) =>
          (place.merchant === undefined ? steers(caller, place) : sees(caller, placeOf(place))) ||
          ((place as Steered).what === "running" && offered(caller, place)),
      }),
    ],
  }),
  policy("POST /api/coupons/campaigns/add", BOTH, {
    sample: added,
    slots: [
      {
        ...storeIds,
        base: onlyFor(MCH, added),
        put: (given, id, world) => storeIds.put({ ...given, body: { ...(given.body as object), requestId: uuid(world) } }, id, world),
      },
      slot(
        "provider.merchantIds",
        (given, id, world) => merchantsWithin({ ...given, body: { ...(given.body as object), requestId: uuid(world) } }, id, world),
        levelTargets("merchantId"),
        { base: onlyFor(SP, added) },
      ),
    ],
  }),
  policy("POST /api/coupons/campaigns/update", BOTH, {
    sample: changed,
    slots: [
      idOf(own),
      { ...storeIds, base: onlyFor(MCH, changed) },
      slot("provider.merchantIds", merchantsWithin, levelTargets("merchantId"), { base: onlyFor(SP, changed) }),
    ],
  }),
  policy("POST /api/coupons/campaigns/decide", BOTH, {
    sample: withSteered(waiting, ({ id }) => ({ body: { id, version: 1, approve: true } })),
    slots: [idOf(waiting)],
  }),
  policy("POST /api/coupons/campaigns/withdraw", BOTH, {
    sample: withSteered(own, ({ id }) => ({ body: { id } })),
    slots: [idOf(own)],
  }),
  policy("POST /api/coupons/campaigns/steer", BOTH, {
    sample: withSteered(anyRunning, ({ id }) => ({ body: { id, act: "pause" } })),
    slots: [idOf(anyRunning)],
  }),
  policy("POST /api/coupons/campaigns/stock", BOTH, {
    sample: withSteered(anyRunning, ({ id }) => ({ body: { id, seen: 100_000, total: 100_001 } })),
    slots: [idOf(anyRunning)],
  }),
  policy("POST /api/coupons/campaigns/better", MCH, {
    sample: betterTerms,
    slots: [idOf(bettered("running")), { ...storeIds, seen: () => 400, base: betterTerms }],
  }),
  policy("POST /api/coupons/campaigns/better/decide", MCH, {
    sample: withSteered(bettered("better"), ({ id }) => ({ body: { id, n: 1, approve: true } })),
    slots: [idOf(bettered("better"))],
  }),
  policy("POST /api/coupons/campaigns/better/withdraw", MCH, {
    sample: withSteered(bettered("betterOwn"), ({ id }) => ({ body: { id, n: 1 } })),
    slots: [idOf(bettered("betterOwn"))],
  }),
  policy("POST /api/coupons/campaigns/try", BOTH, {
    sample: () => ({ body: { terms: TERMS, merchantIds: [] } }),
    slots: [
      { ...storeIds, base: onlyFor(MCH, () => ({ body: { terms: TERMS } })) },
      slot("merchantIds", amongBody("merchantIds"), levelTargets("merchantId")),
    ],
  }),
  policy("POST /api/coupons/campaigns/answer", MCH, {
    sample: (world, caller) => {
      const fact = offers(world).find((one) => offered(caller, one));
      return fact && { body: { id: fact.id, accept: false } };
    },
    slots: [
      slot("id", inBody("id"), (world) => offers(world).map((fact) => ({ id: fact.id, place: fact })), {
        sees: (caller, { place }) => offered(caller, place),
      }),
    ],
  }),
  policy("POST /api/coupons/campaigns/merchants", SP, {
    sample: withSteered(offers, (fact, world) => ({ body: { id: fact.id, merchantIds: coversOf(world, fact).provider!.merchantIds } })),
    slots: [idOf(offers), slot("merchantIds", amongBody("merchantIds"), levelTargets("merchantId"))],
  }),

  policy("GET /api/coupons/differences", MCH, {
    sample: () => ({ query: { pageSize: "100" } }),
    slots: [
      slot(
        "campaignId",
        inQuery("campaignId"),
        (world) => differences(world).map(({ campaignId, merchant }) => ({ id: campaignId, place: { merchant } })),
        { unseen: 200, sees: () => true },
      ),
    ],
    model: listOf<DifferenceFact>(differences),
  }),
  policy("POST /api/coupons/differences/retry", MCH, {
    sample: withOwn(differences, ({ id }) => ({ body: { id } })),
    slots: [named(differences)],
  }),
  policy("POST /api/coupons/differences/check", MCH, {
    sample: withOwn(differences, ({ id }) => ({ body: { id } })),
    slots: [named(differences)],
  }),

  policy("GET /api/coupons/subsidies", BOTH, {
    sample: () => ({ query: { pageSize: "100" } }),
    slots: levelFilters(["merchantId"]),
    model: listOf<StatementFact>(statements("WAITING", "PAID")),
  }),
  policy("GET /api/coupons/subsidies/summary", BOTH, {
    slots: levelFilters(["merchantId"]),
    model: model<StatementFact>({
      facts: statements("WAITING"),
      shown: (body) => (body as { waitingCents: number }).waitingCents,
      expected: (seen) => sum(seen, ({ merchant }) => PRIMES[merchant] * 100),
    }),
  }),
  policy("GET /api/coupons/subsidies/one", BOTH, {
    sample: withOwn(statements("WAITING"), ({ id }) => ({ query: { id } })),
    slots: [named(statements("WAITING"), inQuery("id"))],
  }),
  policy("GET /api/coupons/subsidies/entries", BOTH, {
    sample: withOwn(statements("WAITING"), ({ id }) => ({ query: { statementId: id } })),
    slots: [named(statements("WAITING"), inQuery("statementId"), "statementId")],
    noModel: "entries of one statement, which its id stands for",
  }),
  policy("POST /api/coupons/subsidies/pay", SP, {
    sample: withOwn(statements("WAITING"), ({ id }) => ({ body: { id, paidOn: "2026-01-31", paidRef: "B1" } })),
    slots: [named(statements("WAITING"))],
  }),
  policy("POST /api/coupons/subsidies/answer", MCH, {
    sample: withOwn(statements("PAID"), ({ id }) => ({ body: { id, received: false, reason: "没收到" } })),
    slots: [named(statements("PAID"))],
  }),

  policy("GET /api/coupons/sends", [...SP, ...MCH], {
    sample: () => ({ query: { pageSize: "100" } }),
    model: listOf<SendFact>(sends, seesSend),
  }),
  policy("GET /api/coupons/sends/one", [...SP, ...MCH], {
    sample: withOwn(sends, ({ id }) => ({ query: { id } })),
    slots: [sendIn(inQuery("id"), "id")],
  }),
  policy("GET /api/coupons/sends/rows", [...SP, ...MCH], {
    sample: withOwn(sends, ({ id }) => ({ query: { taskId: id } })),
    slots: [sendIn(inQuery("taskId"), "taskId")],
    noModel: "rows of one sending, which its id stands for",
  }),
  // It counts its own merchant's members alone, or those of the merchants that take part in the provider's campaign, whatever is named.
  policy("GET /api/coupons/sends/audience", BOTH, { noModel: "a count of the caller's own members" }),
  policy("GET /api/coupons/sends/campaigns", BOTH, { model: listOf<Steered>(sendable, steers) }),
  policy("POST /api/coupons/sends/add", BOTH, {
    sample: sendingTo,
    slots: [
      slot("campaignId", inBody("campaignId"), (world) => sendable(world).map((fact) => ({ id: fact.id, place: placeOf(fact) })), {
        sees: (caller, { place }) => steers(caller, place),
      }),
      slot(
        "filter.merchantId",
        (given, id, world) => ({ ...given, body: { ...(given.body as object), requestId: uuid(world), filter: { merchantId: id } } }),
        (world) =>
          (["sp01", "sp02"] as const)
            .flatMap(coveredBy)
            .map((key) => ({ id: world.till.tree.merchants[key].id, place: { merchant: key } })),
        { base: onlyFor(SP, sendingTo) },
      ),
    ],
  }),
  policy("GET /api/coupons/sends/packages", MCH, { model: listOf<PackageFact>(packages("free", "priced")) }),
  policy("POST /api/coupons/sends/add-package", MCH, {
    sample: withOwn(packages("free"), ({ id }, world) => ({
      body: { requestId: uuid(world), name: "回店", packageId: id, filter: {}, again: true },
    })),
    slots: [named(packages("free"), inBody("packageId"), "packageId")],
  }),
  policy(
    "POST /api/coupons/sends/steer",
    BOTH,
    withSend("later", (id) => ({ id, act: "pause" })),
  ),

  policy(
    "POST /api/coupons/sends/revoke",
    BOTH,
    withSend("sent", (id) => ({ id, reason: "发错了" })),
  ),
  policy(
    "POST /api/coupons/sends/revoke/decide",
    BOTH,
    withSend("asked", (id) => ({ id, approve: false })),
  ),

  policy("POST /api/coupons/desk/look", DESK, { sample: withOwn(alone, coded), slots: [deskStores] }),
  policy("POST /api/coupons/desk/use", DESK, { sample: withOwn(alone, coded), slots: [deskStores] }),
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
  policy("GET /api/coupons/figures", USERS, {
    sample: () => ({ query: { from: "2026-01-01", to: "2026-01-31" } }),
    slots: levelFilters(["merchantId", "storeId"]),
    noModel: "figures of the coupons that the list holds",
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
