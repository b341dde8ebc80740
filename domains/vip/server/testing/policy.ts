import { levelFilters, levelTargets, listOf, picked } from "../../../../apps/server/testing/matrix/facts.ts";
import {
  AE,
  inBody,
  inPath,
  inQuery,
  MCH,
  model,
  type Policy,
  policy,
  slot,
  type Slot,
  targetsOf,
  withOwn,
} from "../../../../apps/server/testing/matrix/policy.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { PIN, productsOf, vipBy, vipTickets } from "./plant.ts";

const USERS = [...MCH, ...AE];
const [terms, cards, uses] = [vipBy("id"), vipBy("cardId"), vipBy("useId")];
type Fact = ReturnType<typeof terms>[number];
const uuid = ({ services }: HttpWorld): string => services.ids.uuid(services.clock.now_ms());
const idSlot = (facts: typeof terms, put: Slot["put"] = inBody("id")): Slot => slot("id", put, targetsOf(facts as never));
const productSlot = (put: Slot["put"] = inBody("id")): Slot =>
  slot("id", put, (world) => productsOf(world).map(({ id, merchant }) => ({ id, place: { merchant } })));
const counted = (facts: typeof terms) => model<Fact>({ facts, shown: picked(["count"]), expected: (all) => ({ count: all.length }) });
const list = (path: `/${string}`, facts: typeof terms): Policy[] => [
  policy(`GET ${path}`, USERS, {
    sample: () => ({ query: { pageSize: "100" } }),
    slots: levelFilters(["storeId"]),
    model: listOf<Fact>(facts),
  }),
  policy(`GET ${path}/summary`, USERS, { slots: levelFilters(["storeId"]), model: counted(facts) }),
];
const detail = (path: `/${string}`, facts: typeof terms): Policy =>
  policy(`GET ${path}/:id`, USERS, { sample: withOwn(facts, ({ id }) => ({ params: { id } })), slots: [idSlot(facts, inPath("id"))] });
const preview = (path: `/${string}`, facts: typeof terms): Policy =>
  policy(`GET ${path}/refund`, USERS, { sample: withOwn(facts, ({ id }) => ({ query: { id } })), slots: [idSlot(facts, inQuery("id"))] });
/** What is left of a card that was used once: the price less a tenth, rounded. */
const refundOfCard = (world: HttpWorld, { id, cardCents }: Pick<Fact, "id" | "cardCents">) => ({
  requestId: uuid(world),
  id,
  reason: 2,
  refundCents: cardCents - Math.floor((2 * cardCents + 10) / 20),
  note: "停业",
});
const refundOfTerm = (world: HttpWorld, { id, termCents }: Pick<Fact, "id" | "termCents">) => ({
  requestId: uuid(world),
  id,
  refundCents: termCents,
  reason: "不用了",
});
/** Each of another thing is a request of its own. */
const refundSlot = (of: typeof terms, bodyOf: (world: HttpWorld, fact: Fact) => object): Slot =>
  slot(
    "id",
    (given, id, world) => {
      const fact = of(world).find((one) => one.id === id);
      return { body: fact ? bodyOf(world, fact) : { ...(given.body as object), requestId: uuid(world), id } };
    },
    targetsOf(of as never),
  );
const paying = (world: HttpWorld) => ({ tillNo: `V-${uuid(world)}`, tradeType: "NATIVE" });
const facts = { times: 5, priceCents: 500, singlePriceCents: 200, days: 30 };

/** A member's code that nobody shows. */
const NOBODYS = `99${"0".repeat(18)}`;

/** Rules and products are the merchant's; what was sold and used is seen where it was. */
const ticketOf = (world: HttpWorld, cardId: string, at: 0 | 1 | 2 | 3): string => world.of(vipTickets).get(cardId)![at];

export const vipPolicies: readonly Policy[] = [
  policy("GET /api/vip/rules", MCH),
  policy("POST /api/vip/rules/set", MCH, { sample: withOwn(productsOf, ({ version }) => ({ body: { version, levels: [] } })) }),
  policy("GET /api/vip/rights", MCH),
  policy("POST /api/vip/rights/set", MCH, { sample: () => ({ body: { version: 0, rights: [] } }) }),

  ...list("/api/vip/orders", terms),
  detail("/api/vip/orders", terms),
  policy("GET /api/vip/offers", USERS),
  policy("POST /api/vip/orders/sell", USERS, {
    keeps: true,
    sample: withOwn(terms, ({ memberNo, merchant, store }, world) => ({
      body: { requestId: uuid(world), memberNo, storeId: world.till.tree.merchants[merchant].stores[store]!.id, rank: 5 },
    })),
    slots: [
      slot("storeId", inBody("storeId"), levelTargets("storeId"), {
        base: (world) => ({ body: { requestId: uuid(world), memberNo: "0000000001", rank: 5 } }),
        seen: 400,
      }),
    ],
  }),
  preview("/api/vip/orders", terms),
  policy("POST /api/vip/orders/refund", USERS, {
    sample: withOwn(terms, (fact, world) => ({ body: refundOfTerm(world, fact) })),
    slots: [refundSlot(terms, refundOfTerm)],
  }),

  policy("GET /api/vip/times-products", MCH, {
    sample: () => ({ query: { pageSize: "100" } }),
    model: listOf<ReturnType<typeof productsOf>[number]>(productsOf),
  }),
  policy("GET /api/vip/times-products/summary", MCH, {
    model: model<ReturnType<typeof productsOf>[number]>({
      facts: productsOf,
      shown: picked(["count"]),
      expected: (all) => ({ count: all.length }),
    }),
  }),
  policy("GET /api/vip/times-products/:id", MCH, {
    sample: withOwn(productsOf, ({ id }) => ({ params: { id } })),
    slots: [productSlot(inPath("id"))],
  }),
  policy("POST /api/vip/times-products/add", MCH, {
    sample: (world) => ({ body: { name: `卡 ${uuid(world)}`.slice(0, 30), ...facts } }),
    slots: [
      slot("storeIds", (given, id) => ({ body: { ...(given.body as object), storeIds: [id] } }), levelTargets("storeId"), {
        base: (world) => ({ body: { name: `卡 ${uuid(world)}`.slice(0, 30), ...facts } }),
      }),
    ],
  }),
  policy("POST /api/vip/times-products/update", MCH, {
    sample: withOwn(productsOf, ({ id, revision }, world) => ({
      body: { id, revision, name: `卡 ${uuid(world)}`.slice(0, 30), ...facts },
    })),
    slots: [productSlot()],
  }),
  policy("POST /api/vip/times-products/state", MCH, {
    sample: withOwn(productsOf, ({ id }) => ({ body: { id, state: "disabled" } })),
    slots: [productSlot()],
  }),

  ...list("/api/vip/times-cards", cards),
  detail("/api/vip/times-cards", cards),
  policy("GET /api/vip/times-offers", USERS),
  policy("POST /api/vip/times-cards/sell", USERS, {
    keeps: true,
    sample: withOwn(cards, ({ memberNo, merchant, store, productId }, world) => ({
      body: { requestId: uuid(world), memberNo, storeId: world.till.tree.merchants[merchant].stores[store]!.id, productId },
    })),
    slots: [
      slot("storeId", inBody("storeId"), levelTargets("storeId"), {
        base: (world) => ({ body: { requestId: uuid(world), memberNo: "0000000001", productId: uuid(world) } }),
        seen: 400,
      }),
    ],
  }),
  preview("/api/vip/times-cards", cards),
  policy("POST /api/vip/times-cards/extend", USERS, {
    sample: withOwn(cards, ({ id }) => ({ body: { id, lastDay: "2099-12-31", reason: "春节" } })),
    slots: [idSlot(cards)],
  }),
  policy("POST /api/vip/times-cards/refund", USERS, {
    sample: withOwn(cards, (fact, world) => ({ body: refundOfCard(world, fact) })),
    slots: [refundSlot(cards, refundOfCard)],
  }),
  ...list("/api/vip/times-uses", uses),
  policy("POST /api/vip/times-uses/reverse", USERS, {
    sample: withOwn(uses, ({ id }) => ({ body: { id, reason: "没洗成" } })),
    slots: [idSlot(uses)],
  }),

  policy("POST /api/vip/desk/look", USERS, {
    sample: withOwn(cards, ({ storeId, cardNo }) => ({ body: { storeId, code: cardNo } })),
    slots: [slot("storeId", inBody("storeId"), levelTargets("storeId"), { base: () => ({ body: { code: NOBODYS } }), seen: 400 })],
  }),
  policy("POST /api/vip/desk/use", USERS, {
    sample: withOwn(cards, ({ storeId, cardId, cardNo }, world) => ({
      body: { requestId: uuid(world), storeId, ticket: ticketOf(world, cardId, 3), cardNo, times: 1, pin: PIN },
    })),
    slots: [
      slot("storeId", inBody("storeId"), levelTargets("storeId"), {
        base: (world) => ({ body: { requestId: uuid(world), ticket: "none", cardNo: NOBODYS.slice(0, 12) } }),
        seen: 400,
      }),
    ],
  }),

  policy("GET /api/till/vip/offers", "device"),
  policy("POST /api/till/vip/orders", "device", {
    keeps: true,
    sample: withOwn(terms, ({ cardId }, world) => ({ body: { ...paying(world), ticket: ticketOf(world, cardId, 0), rank: 5 } })),
  }),
  policy("POST /api/till/times-cards/orders", "device", {
    keeps: true,
    sample: withOwn(cards, ({ cardId, productId }, world) => ({
      body: { ...paying(world), ticket: ticketOf(world, cardId, 1), productId },
    })),
  }),
  policy("POST /api/till/times-cards/use", "device", {
    sample: withOwn(cards, ({ cardId, cardNo }, world) => ({
      body: { requestId: uuid(world), ticket: ticketOf(world, cardId, 2), cardNo, times: 1, pin: PIN },
    })),
  }),
  policy("POST /api/till/times-cards/reverse", "device", {
    sample: withOwn(uses, ({ id }, world) => ({ body: { requestId: uuid(world), useId: id } })),
    slots: [slot("useId", inBody("useId"), targetsOf(uses as never))],
  }),
];
