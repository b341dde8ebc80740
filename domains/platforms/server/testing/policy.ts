import { levelTargets, listOf } from "../../../../apps/server/testing/matrix/facts.ts";
import {
  AE,
  inBody,
  inPath,
  inQuery,
  MCH,
  type Policy,
  policy,
  slot,
  type Slot,
  SP,
  withOwn,
} from "../../../../apps/server/testing/matrix/policy.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { sealTicket } from "../verifying/tickets.ts";
import { type PlatformFact, platformFacts } from "./plant.ts";

const facts = (world: HttpWorld) => world.of(platformFacts);
const uuid = ({ services }: HttpWorld) => services.ids.uuid(services.clock.now_ms());
/** Things of a merchant's, whichever of its stores is asked from. */
const ofMerchant = (world: HttpWorld) => facts(world).map(({ store: _store, ...fact }) => fact);
const target = (name: string, put: Slot["put"], idOf: (fact: PlatformFact) => string, more: Partial<Slot> = {}): Slot =>
  slot(name, put, (world) => facts(world).map((fact) => ({ id: idOf(fact), place: fact })), more as never);
const merchants = slot("merchantId", inQuery("merchantId"), levelTargets("merchantId"), {
  unknown: "01a1f71c-7600-7000-8000-0123456789ab",
});
const stores = (put: Slot["put"]): Slot => target("storeId", put, ({ storeId }) => storeId);
const DY = { platform: "dy" };
/** What a prepare of this store would have brought; a voucher that nobody brought before. */
const ticketOf = (world: HttpWorld, { merchant, storeId, account }: PlatformFact) => {
  const { serviceProviderId: service_provider_id, id: merchant_id } = world.till.tree.merchants[merchant];
  const id = uuid(world);
  const voucher = {
    certificateId: id,
    encryptedCode: id,
    goodsId: "1801",
    title: "套餐",
    goods_kind: 1 as const,
    ends_at: null,
    times: 1,
    used: 0,
    face_cents: 100,
    pay_cents: 100,
    merchant_ticket_cents: 0,
    platform_ticket_cents: 0,
    use: { face_cents: 100, pay_cents: 100, merchant_ticket_cents: 0, platform_ticket_cents: 0 },
  };
  const place = { service_provider_id, merchant_id, store_id: storeId };
  const given = {
    id,
    platform: "dy" as const,
    account_id: account,
    poi_id: `dy-${merchant}`,
    verifyToken: "none",
    orderNo: "1",
    tail: "0001",
  };
  return sealTicket(world.services, place, { ...given, vouchers: [voucher], at_ms: world.services.clock.now_ms() });
};
const CODE = "1990020";
const scanned = (fact: PlatformFact) => ({ storeId: fact.storeId, scan: `${CODE}1` });
/** The address that a platform calls: to whoever can't sign for an account it is one of nothing. */
const called = {
  envelope: "notice" as const,
  ok: 401,
  sample: (world: HttpWorld) => ({ params: { account: facts(world)[0]!.account } }),
  slots: [target("account", inPath("account"), ({ account }) => account, { sees: () => false, unseen: 401 })],
};
const people = [...MCH, ...AE];

export const platformPolicies: readonly Policy[] = [
  policy("GET /api/platforms/account", [...SP, ...MCH], { sample: () => ({ query: DY }), slots: [merchants] }),
  policy("POST /api/platforms/account/save", [...SP, ...MCH], {
    sample: withOwn(ofMerchant, ({ merchant }, { till }) => ({
      body: {
        ...DY,
        merchantId: till.tree.merchants[merchant].id,
        revision: 1,
        accountNo: `LK-${merchant}`,
        appOf: "merchant",
        appKey: `key-${merchant}`,
      },
    })),
    slots: [
      // With its own number and keys: another merchant's is refused to everybody.
      slot(
        "merchantId",
        (given, id, world) => {
          const own = facts(world).find(({ merchant }) => world.till.tree.merchants[merchant].id === id);
          const numbers = own && { accountNo: `LK-${own.merchant}`, appKey: `key-${own.merchant}` };
          return { ...given, body: { ...(given.body as object), merchantId: id, ...numbers } };
        },
        (world) => facts(world).map(({ merchant }) => ({ id: world.till.tree.merchants[merchant].id, place: { merchant } })),
      ),
    ],
  }),
  policy("POST /api/platforms/app/save", SP, {
    sample: () => ({ body: { platform: "ks", revision: 0, appKey: "app", secret: "secret" } }),
  }),
  policy("POST /api/platforms/account/prove", [...SP, ...MCH], {
    keeps: true,
    sample: withOwn(ofMerchant, ({ merchant }, { till }) => ({ body: { ...DY, merchantId: till.tree.merchants[merchant].id } })),
    slots: [
      slot("merchantId", inBody("merchantId"), (world) =>
        facts(world).map(({ merchant }) => ({ id: world.till.tree.merchants[merchant].id, place: { merchant } })),
      ),
    ],
  }),
  policy("GET /api/platforms/desk/stores", [...SP, ...people], { noModel: "the stores in sight, as of every lookup of stores" }),
  policy("GET /api/platforms/desk", [...SP, ...people], {
    sample: withOwn(facts, ({ storeId }) => ({ query: { storeId } })),
    slots: [stores(inQuery("storeId"))],
  }),
  policy("POST /api/platforms/desk/prepare", people, {
    keeps: true,
    sample: withOwn(facts, (fact) => ({ body: scanned(fact) })),
    slots: [stores(inBody("storeId"))],
  }),
  policy("POST /api/platforms/desk/verify", people, {
    keeps: true,
    sample: withOwn(facts, (fact, world) => ({ body: { requestId: uuid(world), storeId: fact.storeId, ticket: ticketOf(world, fact) } })),
  }),
  policy("POST /api/platforms/desk/cancel", people, {
    keeps: true,
    sample: withOwn(facts, ({ attempt: id }) => ({ body: { id, reason: "顾客换店" } })),
    slots: [target("id", inBody("id"), ({ attempt }) => attempt)],
  }),
  policy("POST /api/platforms/desk/found", people, {
    sample: withOwn(facts, ({ stuck: id }) => ({ body: { id, used: false } })),
    slots: [target("id", inBody("id"), ({ stuck }) => stuck)],
  }),
  policy("POST /api/platforms/desk/found/decide", people, {
    sample: withOwn(facts, ({ found: id }) => ({ body: { id, agree: true, used: false } })),
    slots: [target("id", inBody("id"), ({ found }) => found)],
  }),
  policy("POST /api/till/platform-vouchers/prepare", "device", {
    keeps: true,
    sample: withOwn(facts, () => ({ body: { scan: `${CODE}3` } })),
    // A code is no thing of anybody's: a till whose store is mapped looks any up, the one whose is not is told to map it.
    slots: [
      target("scan", inBody("scan"), () => `${CODE}3`, {
        sees: (caller) => caller !== "till mch01/1",
        unseen: 409,
        unknown: "00000000",
        malformed: "?",
      }),
    ],
  }),
  policy("POST /api/till/platform-vouchers/verify", "device", {
    keeps: true,
    sample: withOwn(facts, (fact, world) => ({ body: { requestId: uuid(world), ticket: ticketOf(world, fact) } })),
    slots: [
      slot(
        "ticket",
        (given, ticket, world) => ({ ...given, body: { requestId: uuid(world), ticket } }),
        (world) => facts(world).map((fact) => ({ id: ticketOf(world, fact), place: fact })),
        { unseen: 409, malformed: undefined },
      ),
    ],
  }),
  policy("GET /api/till/platform-vouchers/:id", "device", {
    sample: withOwn(facts, ({ attempt: id }) => ({ params: { id } })),
    slots: [target("id", inPath("id"), ({ attempt }) => attempt)],
    noModel: "one attempt",
  }),
  policy("POST /api/till/platform-vouchers/cancel", "device", {
    keeps: true,
    sample: withOwn(facts, ({ attempt: id }) => ({ body: { id, reason: "顾客换店" } })),
    slots: [target("id", inBody("id"), ({ attempt }) => attempt)],
  }),
  policy("GET /api/platforms/vouchers", [...SP, ...people], {
    sample: () => ({ query: { ...DY, status: "1", pageSize: "100" } }),
    model: listOf(facts),
  }),
  policy("GET /api/platforms/vouchers/summary", [...SP, ...people], {
    sample: () => ({ query: DY }),
    noModel: "sums of the same rows as the list",
  }),
  policy("GET /api/platforms/vouchers/one", [...SP, ...people], {
    sample: withOwn(facts, ({ id }) => ({ query: { id } })),
    slots: [target("id", inQuery("id"), ({ id }) => id)],
  }),
  policy("GET /api/platforms/goods", [...SP, ...MCH], {
    sample: () => ({ query: { ...DY, pageSize: "100" } }),
    model: listOf((world) => ofMerchant(world).map((fact) => ({ ...fact, id: fact.goods }))),
  }),
  policy("GET /api/platforms/goods/summary", [...SP, ...MCH], {
    sample: () => ({ query: DY }),
    noModel: "sums of the same rows as the list",
  }),
  policy("GET /api/platforms/goods/one", [...SP, ...MCH], {
    sample: withOwn(ofMerchant, ({ goods: id }) => ({ query: { id } })),
    slots: [target("id", inQuery("id"), ({ goods }) => goods)],
  }),
  policy("POST /api/platforms/goods/serve", [...SP, ...MCH], {
    sample: withOwn(ofMerchant, ({ goods: id }) => ({ body: { id, serve: "冷锅串串 2 份" } })),
    slots: [target("id", inBody("id"), ({ goods }) => goods)],
  }),
  policy("POST /api/platforms/sync", [...SP, ...MCH], {
    sample: withOwn(ofMerchant, ({ merchant }, { till }) => ({ body: { ...DY, merchantId: till.tree.merchants[merchant].id } })),
    slots: [
      slot("merchantId", inBody("merchantId"), (world) =>
        facts(world).map(({ merchant }) => ({ id: world.till.tree.merchants[merchant].id, place: { merchant } })),
      ),
    ],
  }),
  policy("GET /api/platforms/sync", [...SP, ...MCH], { sample: () => ({ query: DY }), slots: [merchants] }),
  policy("POST /notify/douyin/:account", "channel", called),
  policy("POST /notify/kuaishou/:account", "channel", called),
];
