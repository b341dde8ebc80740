import { onTheirWay } from "./facts.ts";
import { STORES } from "../../../../apps/server/testing/matrix/facts.ts";
import { tillNoOf } from "./live-a-day.ts";
import { isTill, MERCHANT_KEYS, type MerchantKey, placeOf } from "../../../../apps/server/testing/matrix/people.ts";
import {
  type Given,
  inBody,
  inPath,
  own,
  type Policy,
  policy,
  type Slot,
  slot,
  targetsOf,
} from "../../../../apps/server/testing/matrix/policy.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { channelAccounts } from "../../../organisation/server/testing/plant-channel-accounts.ts";

const atTill =
  (given: (place: { merchant: MerchantKey; store: number }, world: HttpWorld) => Given): Policy["sample"] =>
  (world, caller) =>
    given(isTill(caller) ? placeOf(caller) : { merchant: "mch01", store: 0 }, world);
const tillNos =
  (what: "paid" | "open"): Slot["targets"] =>
  () =>
    STORES.map(([merchant, store]) => ({ id: tillNoOf(merchant, store, what), place: { merchant, store } }));
const NO_TILL_NO = { unknown: "T-nobody-has-this", malformed: "no such/no" };
const newOrder = (world: HttpWorld, more: object = {}) => ({
  tillNo: `N${world.services.ids.digits(20)}`,
  tradeType: "NATIVE",
  subject: "午餐",
  grossCents: 100,
  ...more,
});
export const tillPolicies: readonly Policy[] = [
  policy("POST /api/till/heartbeat", "device", { sample: () => ({ body: { version: "1.2.3" } }) }),
  policy("GET /api/till/orders/:tillNo", "device", {
    sample: atTill(({ merchant, store }) => ({ params: { tillNo: tillNoOf(merchant, store, "paid") } })),
    slots: [slot("tillNo", inPath("tillNo"), tillNos("paid"), NO_TILL_NO)],
  }),
  policy("POST /api/till/refunds", "device", {
    sample: atTill(({ merchant, store }, world) => ({
      body: {
        requestId: world.services.ids.uuid(world.services.clock.now_ms()),
        tillNo: tillNoOf(merchant, store, "paid"),
        amountCents: 1,
        reason: "退菜",
      },
    })),
    slots: [
      slot("tillNo", inBody("tillNo"), tillNos("paid"), NO_TILL_NO),
      slot(
        "requestId",
        inBody("requestId"),
        targetsOf(onTheirWay, (refund) => refund.requestId),
        { seen: 409, unseen: 200 },
      ),
    ],
  }),
  policy("POST /api/till/refunds/preview", "device", {
    sample: atTill(({ merchant, store }) => ({ body: { tillNo: tillNoOf(merchant, store, "paid"), amountCents: 1 } })),
    slots: [slot("tillNo", inBody("tillNo"), tillNos("paid"), NO_TILL_NO)],
  }),
  policy("GET /api/till/refunds/:requestId", "device", {
    sample: (world, caller) => ({
      params: { requestId: own(onTheirWay(world), isTill(caller) ? caller : "till mch01/0")?.requestId ?? "" },
    }),
    slots: [
      slot(
        "requestId",
        inPath("requestId"),
        targetsOf(onTheirWay, (refund) => refund.requestId),
      ),
    ],
  }),
  policy("POST /api/till/quotes", "device", {
    sample: () => ({ body: { tillNo: "Q1", grossCents: 1_000 } }),
  }),
  policy("POST /api/till/orders", "device", {
    keeps: true,
    sample: (world) => ({ body: newOrder(world) }),
    slots: [
      // A till number is the store's own: another store's is free here.
      slot("tillNo", (given, tillNo) => ({ ...given, body: { ...(given.body as object), tillNo } }), tillNos("paid"), {
        seen: 409,
        unseen: 200,
        ...NO_TILL_NO,
        unknown: "T-free-here",
      }),
      slot(
        "cashierCode",
        (_given, cashierCode, world) => ({ body: newOrder(world, { cashierCode }) }),
        ({ till }) =>
          STORES.map(([merchant, store]) => ({
            id: till.tree.merchants[merchant].stores[store]!.cashiers[0]!.code,
            place: { merchant, store },
          })),
        {
          unseen: 400,
          unknown: "C999",
          malformed: undefined,
        },
      ),
    ],
  }),
  policy("POST /api/till/orders/close", "device", {
    keeps: true,
    sample: atTill(({ merchant, store }) => ({ body: { tillNo: tillNoOf(merchant, store, "open") } })),
    slots: [slot("tillNo", inBody("tillNo"), tillNos("open"), NO_TILL_NO)],
  }),
  policy("POST /notify/wechat-pay/:settingsId", "channel", {
    envelope: "notice",
    ok: 401,
    sample: ({ till }) => ({ params: { settingsId: till.settings.get(till.tree.merchants.mch01.id)!.id }, body: { eventId: "E1" } }),
    slots: [
      slot(
        "settingsId",
        inPath("settingsId"),
        ({ till }) =>
          MERCHANT_KEYS.map((merchant) => ({ id: till.settings.get(till.tree.merchants[merchant].id)!.id, place: { merchant } })),
        { sees: () => false, unseen: 401 },
      ),
    ],
  }),
  policy("POST /notify/acquirer/:settingsId", "channel", {
    envelope: "notice",
    ok: 401,
    sample: (world) => ({ params: { settingsId: world.of(channelAccounts)[0]!.acquirer }, body: { eventId: "E1" } }),
    slots: [
      slot(
        "settingsId",
        inPath("settingsId"),
        (world) => world.of(channelAccounts).map(({ acquirer, merchant }) => ({ id: acquirer, place: { merchant } })),
        {
          sees: () => false,
          unseen: 401,
        },
      ),
    ],
  }),
  policy("POST /notify/alipay/:settingsId", "channel", {
    envelope: "notice",
    ok: 401,
    sample: (world) => ({ params: { settingsId: world.of(channelAccounts)[0]!.id }, body: { eventId: "E1" } }),
    slots: [
      slot(
        "settingsId",
        inPath("settingsId"),
        (world) => world.of(channelAccounts).map(({ id, merchant }) => ({ id, place: { merchant } })),
        {
          sees: () => false,
          unseen: 401,
        },
      ),
    ],
  }),
];
