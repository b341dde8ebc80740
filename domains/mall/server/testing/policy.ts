import { levelFilters, listOf, picked, sum } from "../../../../apps/server/testing/matrix/facts.ts";
import { PRIMES } from "../../../orders/server/testing/live-a-day.ts";
import { isTill, placeOf, TILLS } from "../../../../apps/server/testing/matrix/people.ts";
import {
  ADMIN,
  inBody,
  inPath,
  MCH,
  model,
  own,
  type Policy,
  policy,
  slot,
  type Slot,
  SP,
  withOwn,
} from "../../../../apps/server/testing/matrix/policy.ts";
import { mallBody, mallsOf } from "./plant.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";

const SCOPE = ["serviceProviderId", "agentId", "businessTeamId", "merchantId", "storeId"];
const SEE = [...ADMIN, ...SP, ...MCH];
const ACT = [...SP, ...MCH];
type Mall = ReturnType<typeof mallsOf>[number];
const targets =
  (idOf: (mall: Mall) => string = ({ id }) => id): Slot["targets"] =>
  (world) =>
    mallsOf(world).map((mall) => ({ id: idOf(mall), place: mall }));
const refundsOf = (world: HttpWorld) => mallsOf(world).map((mall) => ({ ...mall, id: mall.refundId }));
/** The mall order of the store that a till stands in; one of another store's has none and asks for mch01's. */
const noOf: Policy["sample"] = (world, caller) => {
  const mall = own(mallsOf(world), isTill(caller) ? caller : TILLS[0]);
  return mall && { params: { mallNo: mall.mallNo } };
};
const previewBody = ({ id, lineId }: Mall) => ({ id, lines: [{ lineId, amountCents: 1 }] });
const refundBody = (world: HttpWorld, mall: Mall) => ({
  requestId: world.services.ids.uuid(world.services.clock.now_ms()),
  ...previewBody(mall),
  reason: "缺货",
});
/** The order, and a line: one of another order is no line of this one. */
const refundSlots = (bodyOf: (world: HttpWorld, mall: Mall) => object): Slot[] => [
  slot(
    "id",
    (given, id, world) => {
      const mall = mallsOf(world).find((one) => one.id === id);
      return { body: mall ? bodyOf(world, mall) : { ...(given.body as object), id } };
    },
    targets(),
  ),
  slot(
    "lineId",
    (given, lineId) => ({ body: { ...(given.body as object), lines: [{ lineId, amountCents: 1 }] } }),
    targets(({ lineId }) => lineId),
    { sees: (caller, { place }) => place.merchant === (caller === "sp01" ? "mch01" : caller === "sp02" ? "mch02" : caller) },
  ),
];

/** The mall: orders come signed as a till's, the office of the merchant and its provider send and give back. */
export const mallPolicies: readonly Policy[] = [
  policy("POST /api/mall/orders", "device", {
    keeps: true,
    sample: (world, caller) => ({
      body: mallBody(`N${world.services.ids.digits(20)}`, isTill(caller) ? PRIMES[placeOf(caller).merchant] : 100),
    }),
  }),
  policy("GET /api/mall/orders/:mallNo", "device", {
    sample: noOf,
    slots: [
      slot(
        "mallNo",
        inPath("mallNo"),
        targets(({ mallNo }) => mallNo),
        { unknown: "MALL-nobody", malformed: "no such" },
      ),
    ],
  }),
  // Nothing has been sent yet: whoever may say so is told that.
  policy("POST /api/mall/orders/receive", "device", {
    keeps: true,
    sample: (world, caller) => ({ body: noOf(world, caller)?.params ?? { mallNo: "MALL-mch01" } }),
    slots: [
      slot(
        "mallNo",
        inBody("mallNo"),
        targets(({ mallNo }) => mallNo),
        { seen: 409, unknown: "MALL-nobody", malformed: "no such" },
      ),
    ],
  }),
  policy("GET /api/mall/pay-orders", SEE, {
    sample: () => ({ query: { pageSize: "100" } }),
    slots: levelFilters(SCOPE),
    model: listOf(mallsOf),
  }),
  policy("GET /api/mall/pay-orders/summary", SEE, {
    slots: levelFilters(SCOPE),
    model: model({
      facts: mallsOf,
      shown: picked(["count", "paidCents"]),
      expected: (seen: readonly Mall[]) => ({ count: seen.length, paidCents: sum(seen, ({ paid }) => paid) }),
    }),
  }),
  policy("GET /api/mall/pay-orders/:id", SEE, {
    sample: withOwn(mallsOf, ({ id }) => ({ params: { id } })),
    slots: [slot("id", inPath("id"), targets())],
  }),
  policy("POST /api/mall/pay-orders/ship", ACT, {
    sample: withOwn(mallsOf, ({ id }) => ({ body: { id, carrier: "SF", trackingNo: "SF0001" } })),
    slots: [slot("id", inBody("id"), targets())],
  }),
  policy("POST /api/mall/pay-orders/receiver", ACT, {
    sample: withOwn(mallsOf, ({ id }) => ({ body: { id } })),
    slots: [slot("id", inBody("id"), targets())],
  }),
  policy("POST /api/mall/refund-preview", ACT, {
    writes: false,
    sample: withOwn(mallsOf, (mall) => ({ body: previewBody(mall) })),
    slots: refundSlots((_world, mall) => previewBody(mall)),
  }),
  policy("POST /api/mall/refunds", ACT, {
    sample: withOwn(mallsOf, (mall, world) => ({ body: refundBody(world, mall) })),
    slots: refundSlots(refundBody),
  }),
  policy("GET /api/mall/refunds", SEE, {
    sample: () => ({ query: { pageSize: "100" } }),
    slots: levelFilters(SCOPE),
    model: listOf(refundsOf),
  }),
  policy("GET /api/mall/refunds/summary", SEE, {
    slots: levelFilters(SCOPE),
    model: model({
      facts: mallsOf,
      shown: picked(["count", "amountCents"]),
      expected: (seen: readonly Mall[]) => ({ count: seen.length, amountCents: sum(seen, ({ refunded }) => refunded) }),
    }),
  }),
  policy("GET /api/mall/refunds/:id", SEE, {
    sample: withOwn(refundsOf, ({ id }) => ({ params: { id } })),
    slots: [
      slot(
        "id",
        inPath("id"),
        targets(({ refundId }) => refundId),
      ),
    ],
  }),
];
