import { randomUUID } from "node:crypto";
import { handovers, inState, onTheirWay, open, orders, paid, refunds } from "./facts.ts";
import { asked, levelFilters, levelTargets, listOf, picked, sum } from "../../../../apps/server/testing/matrix/facts.ts";
import type { OrderFact, RefundFact } from "./live-a-day.ts";
import type { Caller } from "../../../../apps/server/testing/matrix/people.ts";
import {
  ADMIN,
  AE,
  EVERYBODY,
  type Given,
  inBody,
  inPath,
  inQuery,
  MCH,
  model,
  own,
  type Policy,
  policy,
  slot,
  SP,
  targetsOf,
  withOwn,
} from "../../../../apps/server/testing/matrix/policy.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { orderFacts } from "./live-a-day.ts";

const SCOPE = ["serviceProviderId", "agentId", "businessTeamId", "merchantId", "storeId"];

const orderSums = model<OrderFact>({
  facts: orders,
  shown: picked(["count", "paidCount", "grossCents", "discountCents", "paidCents", "refundedCents", "feeCents"]),
  expected: (seen) => {
    const done = seen.filter((order) => order.status >= 2);
    const [grossCents, paidCents, refundedCents, feeCents] = [
      sum(done, (one) => one.gross),
      sum(done, (one) => one.paid),
      sum(seen, (one) => one.refunded),
      sum(seen, (one) => one.fee),
    ];
    return { count: seen.length, paidCount: done.length, grossCents, discountCents: 0, paidCents, refundedCents, feeCents };
  },
});
const refundSums = model<RefundFact>({
  facts: refunds,
  shown: picked(["count", "amountCents", "doneCount", "doneCents", "doneFeeCents"]),
  expected: (seen) => {
    const done = seen.filter((refund) => refund.status === 2);
    return {
      count: seen.length,
      amountCents: sum(seen, (one) => one.amount),
      doneCount: done.length,
      doneCents: sum(done, (one) => one.amount),
      doneFeeCents: sum(done, (one) => one.fee),
    };
  },
});

/** The merchant whose first store a caller's samples are of. */
const homeOf = (caller: Caller): string => (caller === "sp02" ? "mch02" : caller.startsWith("mch") ? caller : "mch01");
const refundBody = (world: HttpWorld, orderId: string) => ({
  requestId: world.services.ids.uuid(world.services.clock.now_ms()),
  orderId,
  amountCents: 1,
  reason: "退菜",
});
const whole = () => ({ query: { pageSize: "100" } });
const office: Policy[] = [
  policy("GET /api/orders/pay-orders", EVERYBODY, {
    sample: whole,
    slots: levelFilters([...SCOPE, "deviceId", "cashierId"]),
    model: listOf(orders),
  }),
  policy("GET /api/orders/pay-orders/summary", EVERYBODY, { slots: levelFilters([...SCOPE, "deviceId", "cashierId"]), model: orderSums }),
  policy("GET /api/orders/pay-orders/:id", EVERYBODY, {
    sample: withOwn(paid, ({ id }) => ({ params: { id } })),
    slots: [slot("id", inPath("id"), targetsOf(paid))],
  }),
  policy("GET /api/orders/pay-orders/:id/trace", EVERYBODY, {
    sample: withOwn(paid, ({ id }) => ({ params: { id } })),
    slots: [slot("id", inPath("id"), targetsOf(paid))],
  }),
  policy("POST /api/orders/pay-orders/sync", [...ADMIN, ...SP, ...MCH, ...AE], {
    keeps: true,
    sample: withOwn(open, ({ id }) => ({ body: { id } })),
    slots: [slot("id", inBody("id"), targetsOf(open))],
  }),
  policy("GET /api/orders/refund-preview", [...SP, ...MCH, ...AE], {
    sample: withOwn(paid, ({ id }) => ({ query: { orderId: id, amountCents: "1" } })),
    slots: [slot("orderId", inQuery("orderId"), targetsOf(paid))],
  }),
  policy("POST /api/orders/refunds", [...SP, ...MCH, ...AE], {
    sample: withOwn(paid, ({ id }, world) => ({ body: refundBody(world, id) })),
    slots: [
      slot("orderId", inBody("orderId"), targetsOf(paid)),
      // A request's number is its store's own: another store's must work as a new one does.
      slot(
        "requestId",
        inBody("requestId"),
        targetsOf(onTheirWay, (refund) => refund.requestId),
        {
          seen: 409,
          unseen: 200,
          sees: (caller, { place }) => place.store === 0 && place.merchant === homeOf(caller),
          base: (world, caller) => {
            const order = own(paid(world), caller);
            return order && { body: refundBody(world, order.id) };
          },
        },
      ),
    ],
  }),
  policy("GET /api/orders/refunds", EVERYBODY, {
    sample: whole,
    slots: levelFilters([...SCOPE, "deviceId", "cashierId"]),
    model: listOf(refunds),
  }),
  policy("GET /api/orders/refunds/summary", EVERYBODY, { slots: levelFilters([...SCOPE, "deviceId", "cashierId"]), model: refundSums }),
  policy("GET /api/orders/refunds/:id", EVERYBODY, {
    sample: withOwn(onTheirWay, ({ id }) => ({ params: { id } })),
    slots: [slot("id", inPath("id"), targetsOf(onTheirWay))],
  }),
  policy("POST /api/orders/refunds/retry", [...SP, ...MCH, ...AE], {
    sample: withOwn(inState(3), ({ id }) => ({ body: { requestId: randomUUID(), id } })),
    slots: [slot("id", inBody("id"), targetsOf(inState(3)))],
  }),
  policy("GET /api/orders/refunds/:id/retry-preview", [...SP, ...MCH, ...AE], {
    sample: withOwn(inState(3), ({ id }) => ({ params: { id } })),
    slots: [slot("id", inPath("id"), targetsOf(inState(3)))],
  }),
  policy("GET /api/orders/refund-requests", [...SP, ...MCH, ...AE], {
    sample: whole,
    slots: levelFilters(SCOPE),
    model: listOf((world) => refunds(world).filter((refund) => refund.aboveLimit)),
  }),
  policy("GET /api/orders/refund-requests/summary", [...SP, ...MCH, ...AE], {
    slots: levelFilters(SCOPE),
    model: model<RefundFact>({
      facts: (world) => refunds(world).filter((refund) => refund.aboveLimit),
      shown: picked(["count", "amountCents"]),
      expected: (seen) => ({ count: seen.length, amountCents: sum(seen, (one) => one.amount) }),
    }),
  }),
  policy("GET /api/orders/refund-requests/:id/preview", [...SP, ...MCH], {
    sample: withOwn(inState(0), ({ id }) => ({ params: { id } })),
    slots: [slot("id", inPath("id"), targetsOf(inState(0)))],
  }),
  policy("POST /api/orders/refund-requests/decide", [...SP, ...MCH], {
    sample: withOwn(inState(0), ({ id }) => ({ body: { requestId: randomUUID(), id, decision: "reject", note: "不符" } })),
    slots: [slot("id", inBody("id"), targetsOf(inState(0)))],
  }),
  // Theirs to take back who asked, and the day's requests were the cashiers'.
  policy("POST /api/orders/refund-requests/cancel", [...SP, ...MCH, ...AE], {
    ok: 403,
    sample: withOwn(inState(0), ({ id }) => ({ body: { requestId: randomUUID(), id } })),
    slots: [slot("id", inBody("id"), targetsOf(inState(0)), { seen: 403 })],
  }),
];

/** What a handover of a store has to say: the last one, and the last entry since. */
function handover(world: HttpWorld, storeId: string): Given {
  const lastHandoverId = handovers(world).find((one) => one.storeId === storeId)?.id ?? null;
  const lastEntryId = world.of(orderFacts).lastEntries.find((entry) => entry.storeId === storeId)?.id ?? storeId;
  return { body: { storeId, lastHandoverId, lastEntryId } };
}
const first = (world: HttpWorld) => handovers(world);
const shift: Policy[] = [
  policy("GET /api/orders/shift", [...MCH, ...AE], {
    sample: withOwn(first, ({ storeId }) => ({ query: { storeId } })),
    slots: [
      slot("storeId", inQuery("storeId"), levelTargets("storeId")),
      // A cashier works in one store: only those of the store that is asked about are known there.
      slot("cashierId", inQuery("cashierId"), levelTargets("cashierId"), {
        sees: (caller, { place }) => place.store === 0 && place.merchant === homeOf(caller),
      }),
    ],
  }),
  policy("GET /api/orders/handovers", [...MCH, ...AE], {
    sample: whole,
    slots: levelFilters(["storeId", "cashierId"]),
    model: listOf(handovers),
  }),
  policy("POST /api/orders/handovers", [...MCH, ...AE], {
    sample: withOwn(first, ({ storeId }, world) => handover(world, storeId)),
    slots: [
      slot("storeId", (_given, storeId, world) => handover(world, storeId), levelTargets("storeId")),
      slot(
        "lastEntryId",
        inBody("lastEntryId"),
        targetsOf((world) => world.of(orderFacts).lastEntries.filter(asked)),
        { unseen: 409, sees: (caller, { place }) => place.store === 0 && place.merchant === homeOf(caller) },
      ),
      slot("lastHandoverId", inBody("lastHandoverId"), targetsOf(handovers), { unseen: 409 }),
      slot(
        "cashierId",
        (given, cashierId) => ({ body: { ...(given.body as object), cashierId, lastHandoverId: null } }),
        levelTargets("cashierId"),
        {
          sees: (caller, { place }) => place.store === 0 && place.merchant === homeOf(caller),
        },
      ),
    ],
  }),
];

export const orderPolicies: readonly Policy[] = [...office, ...shift];
