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
  SP,
  withOwn,
} from "../../../../apps/server/testing/matrix/policy.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { cards, holders } from "./plant.ts";

type Card = ReturnType<typeof cards>[number];
type Holder = ReturnType<typeof holders>[number];
const SHOP = [...MCH, ...AE];
const ABOVE = [...SP, ...MCH];
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
/** The id of a card, or of what hangs on one. */
const of = (
  key: "id" | "bindingId" | "activityId",
  put: Slot["put"] = inBody("id"),
  more: Partial<Omit<Slot, "seen">> & { seen?: number } = {},
) => slot("id", put, (world) => cards(world).map((fact) => ({ id: fact[key], place: { merchant: fact.merchant } })), more);
const cardSlot = (name: string, put: Slot["put"], more: object = {}): Slot =>
  slot(name, put, (world) => cards(world).map(({ id, merchant }) => ({ id, place: { merchant } })), more);
const hundred = () => ({ query: { pageSize: "100" } });
const list = (
  path: `/${string}`,
  who: Policy["who"],
  of: typeof cards | ((world: HttpWorld) => readonly { id: string; merchant: Card["merchant"] }[]),
  slots: Slot[] = [],
): Policy[] => [
  policy(`GET ${path}`, who, { sample: hundred, slots, model: listOf<Card>(of as typeof cards) }),
  policy(`GET ${path}/summary`, who, {
    slots,
    model: model<Card>({ facts: of as typeof cards, shown: picked(["count"]), expected: (all) => ({ count: all.length }) }),
  }),
];
const name = (world: HttpWorld) => `卡${world.services.ids.digits(8)}`;
const face = (world: HttpWorld) => ({ name: name(world), tone: "COLOR030" });
const FORM = Object.fromEntries(
  ["mobile", "name", "birthday", "idcard", "income", "industry", "habit", "email", "location", "sex", "education"].map((field) => [
    field,
    field === "mobile" ? 2 : 0,
  ]),
);
const activity = (world: HttpWorld, cardId: string) => ({
  cardId,
  name: `活动${world.services.ids.digits(8)}`,
  points: 5,
  firstDay: "2026-01-01",
  lastDay: "2099-12-31",
  mostCount: 5,
});
const narrowing = levelFilters(["serviceProviderId", "merchantId"]);

/** A card is its merchant's; stores change what they were given leave to, and see who got it from them. */
export const memberCardPolicies: readonly Policy[] = [
  ...list("/api/member-cards", MCH, cards),
  policy("GET /api/member-cards/holders", MCH, {
    sample: hundred,
    slots: [...levelFilters(["storeId"]), cardSlot("cardId", inQuery("cardId"), { unseen: 200, sees: () => true })],
    model: listOf<Holder>(holders),
  }),
  policy("GET /api/member-cards/holders/summary", MCH, {
    slots: [...levelFilters(["storeId"]), cardSlot("cardId", inQuery("cardId"), { unseen: 200, sees: () => true })],
    model: model<Holder>({ facts: holders, shown: picked(["count"]), expected: (all) => ({ count: all.length }) }),
  }),
  policy("GET /api/member-cards/:id", SHOP, { sample: withOwn(cards, ({ id }) => ({ params: { id } })), slots: [of("id", inPath("id"))] }),
  policy("POST /api/member-cards/add", MCH, { sample: (world) => ({ body: face(world) }) }),
  policy("POST /api/member-cards/face", SHOP, {
    sample: withOwn(cards, ({ id }, world) => ({ body: { id, revision: 1, ...face(world) } })),
    slots: [of("id")],
  }),
  policy("POST /api/member-cards/form", SHOP, {
    sample: withOwn(cards, ({ id }) => ({ body: { id, revision: 1, form: FORM } })),
    slots: [of("id")],
  }),
  policy("POST /api/member-cards/move", SHOP, {
    sample: withOwn(cards, ({ id }) => ({ body: { id, from: 3, to: 4 } })),
    slots: [of("id")],
  }),
  policy("POST /api/member-cards/pictures", SHOP, { sample: () => ({ body: { base64: PIXEL } }) }),
  policy("GET /api/card-pictures/:id", "public", {
    envelope: "file",
    ok: 404,
    sample: (world) => ({ params: { id: world.services.ids.uuid(0) } }),
  }),
  // Nobody can be given a card that stands still: seen is a refusal of its own.
  policy("POST /api/member-cards/open", MCH, {
    sample: withOwn(cards, ({ id, merchant }, world) => ({
      body: { cardId: id, storeId: world.till.tree.merchants[merchant].stores[0]!.id, memberNo: "0000000001" },
    })),
    ok: 400,
    slots: [
      cardSlot("cardId", inBody("cardId"), {
        seen: 400,
        base: withOwn(holders, ({ storeId }) => ({ body: { storeId, memberNo: "0000000001" } })),
      }),
      slot("storeId", inBody("storeId"), levelTargets("storeId"), {
        seen: 400,
        base: withOwn(cards, ({ id }) => ({ body: { cardId: id, memberNo: "0000000001" } })),
      }),
    ],
  }),

  ...list("/api/member-cards/areas", SHOP, cards),
  policy("GET /api/member-cards/areas/:id", SHOP, {
    sample: withOwn(cards, ({ id }) => ({ params: { id } })),
    slots: [of("id", inPath("id"))],
  }),
  policy("POST /api/member-cards/areas/set", SHOP, {
    sample: withOwn(holders, ({ merchant, storeId }, world) => ({
      body: { id: cards(world).find((one) => one.merchant === merchant)!.id, revision: 1, everywhere: false, storeIds: [storeId] },
    })),
    slots: [slot("storeIds", (given, id) => ({ body: { ...(given.body as object), storeIds: [id] } }), levelTargets("storeId")), of("id")],
  }),

  ...list("/api/member-cards/bindings", MCH, (world) => cards(world).map((fact) => ({ ...fact, id: fact.bindingId, cardId: fact.id })), [
    cardSlot("cardId", inQuery("cardId"), { unseen: 200, sees: () => true }),
  ]),
  policy("GET /api/member-cards/bindings/:id", MCH, {
    sample: withOwn(cards, ({ bindingId }) => ({ params: { id: bindingId } })),
    slots: [of("bindingId", inPath("id"))],
  }),
  policy("POST /api/member-cards/bindings/add", MCH, {
    sample: withOwn(cards, ({ id }, world) => ({
      body: { cardId: id, kind: "mini-program", appId: `wx${world.services.ids.digits(16)}`, title: "小程序" },
    })),
    slots: [
      cardSlot("cardId", inBody("cardId")),
      slot("storeId", inBody("storeId"), levelTargets("storeId"), {
        base: withOwn(cards, ({ id }) => ({ body: { cardId: id, kind: "store" } })),
      }),
      slot("deviceId", inBody("deviceId"), levelTargets("deviceId"), {
        base: withOwn(cards, ({ id }) => ({ body: { cardId: id, kind: "device" } })),
      }),
    ],
  }),
  policy("POST /api/member-cards/bindings/remove", MCH, {
    sample: withOwn(cards, ({ bindingId }) => ({ body: { id: bindingId } })),
    slots: [of("bindingId")],
  }),

  ...list("/api/member-cards/grants", ABOVE, cards, narrowing),
  policy("GET /api/member-cards/grants/:id", ABOVE, {
    sample: withOwn(cards, ({ id }) => ({ params: { id } })),
    slots: [of("id", inPath("id"))],
  }),
  policy("POST /api/member-cards/grants/set", ABOVE, {
    sample: withOwn(cards, ({ id }) => ({
      body: { id, seen: ["face", "form", "gift", "stores", "pause"], rights: ["face", "form", "gift", "stores", "pause"] },
    })),
    slots: [of("id")],
  }),

  ...list("/api/member-cards/activities", MCH, (world) => cards(world).map((fact) => ({ ...fact, id: fact.activityId }))),
  policy("GET /api/member-cards/activities/:id", MCH, {
    sample: withOwn(cards, ({ activityId }) => ({ params: { id: activityId } })),
    slots: [of("activityId", inPath("id"))],
  }),
  policy("POST /api/member-cards/activities/add", MCH, {
    sample: withOwn(cards, ({ id }, world) => ({ body: activity(world, id) })),
    slots: [cardSlot("cardId", inBody("cardId"))],
  }),
  policy("POST /api/member-cards/activities/update", MCH, {
    sample: withOwn(cards, ({ id, activityId }, world) => ({ body: { id: activityId, revision: 1, ...activity(world, id) } })),
    slots: [of("activityId"), cardSlot("cardId", inBody("cardId"))],
  }),
  policy("POST /api/member-cards/activities/move", MCH, {
    sample: withOwn(cards, ({ activityId }) => ({ body: { id: activityId, from: 0, to: 1 } })),
    slots: [of("activityId")],
  }),

  ...list("/api/member-cards/wx", ABOVE, cards, narrowing),
  policy("GET /api/member-cards/wx/:id", ABOVE, {
    sample: withOwn(cards, ({ id }) => ({ params: { id } })),
    slots: [of("id", inPath("id"))],
  }),
  policy("POST /api/member-cards/wx/create", MCH, {
    sample: withOwn(cards, ({ id }) => ({ body: { id, api: "open" } })),
    ok: 409,
    slots: [of("id", inBody("id"), { seen: 409, base: () => ({ body: { api: "open" } }) })],
  }),
  policy("POST /api/member-cards/wx/sync", ABOVE, { sample: withOwn(cards, ({ id }) => ({ body: { id } })), slots: [of("id")] }),
  policy("POST /api/member-cards/wx/delete", MCH, { sample: withOwn(cards, ({ id }) => ({ body: { id } })), slots: [of("id")] }),
];
