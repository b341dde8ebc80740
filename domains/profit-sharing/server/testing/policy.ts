import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { inState as refundsInState } from "../../../orders/server/testing/facts.ts";
import { asked, levelFilters, levelTargets, listOf, picked, sum } from "../../../../apps/server/testing/matrix/facts.ts";
import type { ReturnFact, ShareFact, SharingSetupFact } from "./plant.ts";
import { sees, type Caller } from "../../../../apps/server/testing/matrix/people.ts";
import {
  ADMIN,
  EVERYBODY,
  inBody,
  inPath,
  inQuery,
  MCH,
  model,
  type Policy,
  policy,
  slot,
  SP,
  targetsOf,
  withOwn,
} from "../../../../apps/server/testing/matrix/policy.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { sharingFacts } from "./plant.ts";

const SCOPE = ["serviceProviderId", "agentId", "businessTeamId", "merchantId", "storeId"];
const WHO = [...ADMIN, ...SP, ...MCH];
const whole = () => ({ query: { pageSize: "100" } });
const shares = (world: HttpWorld): readonly ShareFact[] => world.of(sharingFacts).shares;
const returns = (world: HttpWorld): readonly ReturnFact[] => world.of(sharingFacts).returns;
const setups = (world: HttpWorld): readonly SharingSetupFact[] => world.of(sharingFacts).setups;
const inState = (status: number) => (world: HttpWorld) =>
  shares(world).filter((share) => share.status === status && share.ripe && asked(share));
const place = ({ merchant }: SharingSetupFact) => ({ merchant });
const own = (world: HttpWorld, caller: Caller) => setups(world).find((one) => sees(caller, place(one)));
const requestId = (world: HttpWorld) => world.services.ids.uuid(world.services.clock.now_ms());

const shareSums = model<ShareFact>({
  facts: shares,
  shown: picked(["count", "amountCents", "sharedCents", "returnedCents"]),
  expected: (seen) => ({
    count: seen.length,
    amountCents: sum(seen, (one) => one.amount),
    sharedCents: sum(seen, (one) => one.shared),
    returnedCents: sum(seen, (one) => one.back),
  }),
});
const returnSums = model<ReturnFact>({
  facts: returns,
  shown: picked(["count", "amountCents", "doneCents"]),
  expected: (seen) => ({ count: seen.length, amountCents: sum(seen, (one) => one.amount), doneCents: 0 }),
});
const merchantTargets = levelTargets("merchantId");
const groupTargets = (world: HttpWorld) => setups(world).map((one) => ({ id: one.groupId, place: place(one) }));
const receiverTargets = (world: HttpWorld) => setups(world).map((one) => ({ id: one.id, place: place(one) }));
/** What a person of a merchant leaves out, those above name. */
const merchantOf = (world: HttpWorld, caller: Caller) => ({
  merchantId: world.till.tree.merchants[own(world, caller)?.merchant ?? "mch01"].id,
});

const rule = (world: HttpWorld, caller: Caller) => ({
  body: {
    ...merchantOf(world, caller),
    version: 1,
    mode: "manual",
    timing: "now",
    groupId: own(world, caller)?.groupId ?? null,
    unfreeze: true,
    ratios: [],
  },
});
const receiver = (world: HttpWorld, caller: Caller) => ({
  body: {
    ...merchantOf(world, caller),
    groupId: own(world, caller)?.groupId ?? setups(world)[0]!.groupId,
    alias: "新接收方",
    ratio: 1_000,
    type: "MERCHANT_ID",
    account: String(1_700_000_000 + (Number.parseInt(requestId(world).slice(-6), 16) % 90_000_000)),
    name: "新接收方有限公司",
    relation: "PARTNER",
  },
});

const evidence = (world: HttpWorld) => world.of(sharingFacts).evidence;
const abnormal = refundsInState(3);
/** Refunds that could not go back the way the money came. */
const abnormalPolicies: readonly Policy[] = [
  policy("GET /api/orders/refund-evidence", EVERYBODY, {
    sample: withOwn(abnormal, ({ id }) => ({ query: { refundId: id } })),
    slots: [slot("refundId", inQuery("refundId"), targetsOf(abnormal))],
  }),
  policy("POST /api/orders/refunds/redirect", [...SP, ...MCH], {
    keeps: true,
    sample: withOwn(abnormal, ({ id }) => ({ body: { id, to: "merchant" } })),
    slots: [slot("id", inBody("id"), targetsOf(abnormal))],
  }),
  policy("POST /api/orders/refund-evidence", [...SP, ...MCH], {
    // One waits already for somebody to confirm it.
    ok: 409,
    sample: withOwn(abnormal, ({ id }, world) => ({
      body: {
        requestId: requestId(world),
        id,
        transferNo: "2026112001",
        transferredOn: shanghaiDay(world.services.clock.now_ms()),
        note: "电汇",
      },
    })),
    // One waits already for somebody to confirm it.
    slots: [slot("id", inBody("id"), targetsOf(abnormal), { seen: 409 })],
  }),
  policy("POST /api/orders/refund-evidence/decide", [...SP, ...MCH], {
    sample: withOwn(evidence, ({ id }) => ({ body: { id, decision: "reject", note: "查不到" } })),
    slots: [slot("id", inBody("id"), targetsOf(evidence))],
  }),
];

/** Results by hand of shares and returns: none of the planted ones is on its way any more, and what was said of them was turned down. */
const recordPolicies = (
  [
    [
      "shares",
      (world: HttpWorld) => shares(world).filter(({ status }) => status > 1),
      (world: HttpWorld) => world.of(sharingFacts).shareRecords,
    ],
    ["returns", returns, (world: HttpWorld) => world.of(sharingFacts).returnRecords],
  ] as const
).flatMap(([name, facts, records]) => [
  policy(`POST /api/profit-sharing/${name}/record`, [...SP, ...MCH], {
    keeps: true,
    ok: 409,
    sample: withOwn(facts, ({ id }, world) => ({
      body: { id, result: "failed", happenedOn: shanghaiDay(world.services.clock.now_ms()), note: "商家平台查不到" },
    })),
    slots: [slot("id", inBody("id"), targetsOf(facts), { seen: 409 })],
  }),
  policy(`POST /api/profit-sharing/${name}/record/decide`, [...SP, ...MCH], {
    keeps: true,
    ok: 409,
    sample: withOwn(records, ({ id }) => ({ body: { id, decision: "reject", note: "查不到" } })),
    slots: [slot("id", inBody("id"), targetsOf(records), { seen: 409 })],
  }),
]);

export const sharingPolicies: readonly Policy[] = [
  ...abnormalPolicies,
  ...recordPolicies,
  policy("GET /api/profit-sharing/shares", WHO, { sample: whole, slots: levelFilters(SCOPE), model: listOf(shares) }),
  policy("GET /api/profit-sharing/shares/summary", WHO, { slots: levelFilters(SCOPE), model: shareSums }),
  policy("GET /api/profit-sharing/shares/:id", WHO, {
    sample: withOwn(inState(0), ({ id }) => ({ params: { id } })),
    slots: [slot("id", inPath("id"), targetsOf(inState(0)))],
  }),
  policy("GET /api/profit-sharing/share-preview", [...SP, ...MCH], {
    sample: withOwn(inState(0), ({ id }) => ({ query: { id } })),
    slots: [slot("id", inQuery("id"), targetsOf(inState(0)))],
  }),
  policy("POST /api/profit-sharing/shares/send", [...SP, ...MCH], {
    sample: withOwn(inState(0), ({ id }, world) => ({ body: { requestId: requestId(world), id } })),
    slots: [slot("id", inBody("id"), targetsOf(inState(0)))],
  }),
  policy("POST /api/profit-sharing/shares/retry", [...SP, ...MCH], {
    sample: withOwn(inState(3), ({ id }, world) => ({ body: { requestId: requestId(world), id } })),
    slots: [slot("id", inBody("id"), targetsOf(inState(3)))],
  }),
  policy("POST /api/profit-sharing/shares/finish", [...SP, ...MCH], {
    sample: withOwn(inState(0), ({ orderId }, world) => ({ body: { requestId: requestId(world), orderId } })),
    slots: [
      slot(
        "orderId",
        inBody("orderId"),
        targetsOf(inState(0), (share) => share.orderId),
      ),
    ],
  }),
  policy("GET /api/profit-sharing/returns", WHO, { sample: whole, slots: levelFilters(SCOPE), model: listOf(returns) }),
  policy("GET /api/profit-sharing/returns/summary", WHO, { slots: levelFilters(SCOPE), model: returnSums }),
  policy("GET /api/profit-sharing/returns/:id", WHO, {
    sample: withOwn(returns, ({ id }) => ({ params: { id } })),
    slots: [slot("id", inPath("id"), targetsOf(returns))],
  }),
  policy("POST /api/profit-sharing/returns/retry", [...SP, ...MCH], {
    sample: withOwn(returns, ({ id }, world) => ({ body: { requestId: requestId(world), id } })),
    slots: [slot("id", inBody("id"), targetsOf(returns))],
  }),
  policy("GET /api/profit-sharing/setup", WHO, {
    sample: (world, caller) => ({ query: merchantOf(world, caller) }),
    slots: [slot("merchantId", inQuery("merchantId"), merchantTargets)],
  }),
  policy("POST /api/profit-sharing/rule", [...SP, ...MCH], {
    sample: rule,
    slots: [
      slot(
        "merchantId",
        (given, id) => ({ body: { ...(given.body as object), merchantId: id, mode: "none", groupId: null } }),
        merchantTargets,
      ),
      slot("groupId", inBody("groupId"), groupTargets, { sees: (caller, { place: { merchant } }) => merchant === homeOf(caller) }),
    ],
  }),
  policy("POST /api/profit-sharing/max-ratio", [...SP, ...MCH], {
    keeps: true,
    sample: (world, caller) => ({ body: { ...merchantOf(world, caller), wallet: "wechat" } }),
    slots: [slot("merchantId", inBody("merchantId"), merchantTargets)],
  }),
  policy("POST /api/profit-sharing/groups", [...SP, ...MCH], {
    sample: (world, caller) => ({ body: { ...merchantOf(world, caller), name: "新分组" } }),
    slots: [slot("merchantId", inBody("merchantId"), merchantTargets)],
  }),
  policy("POST /api/profit-sharing/receivers", [...SP, ...MCH], {
    keeps: true,
    sample: receiver,
    slots: [slot("groupId", inBody("groupId"), groupTargets, { sees: (caller, { place: { merchant } }) => merchant === homeOf(caller) })],
  }),
  policy("POST /api/profit-sharing/receivers/accounts", [...SP, ...MCH], {
    keeps: true,
    sample: (world, caller) => ({
      body: { id: own(world, caller)?.id ?? setups(world)[0]!.id, type: "MERCHANT_ID", account: "1900009999", name: "他处有限公司" },
    }),
    // Each has an account at WeChat Pay, and nobody has two.
    slots: [slot("id", inBody("id"), receiverTargets, { seen: 409 })],
  }),
  policy("POST /api/profit-sharing/receivers/update", [...SP, ...MCH], {
    sample: (world, caller) => ({
      body: {
        id: own(world, caller)?.id ?? setups(world)[0]!.id,
        version: 1,
        groupId: own(world, caller)?.groupId ?? setups(world)[0]!.groupId,
        alias: "改名",
        ratio: 900,
        state: "active",
      },
    }),
    slots: [
      slot(
        "id",
        (given, id, world) => ({
          body: { ...(given.body as object), id, groupId: setups(world).find((one) => one.id === id)?.groupId ?? id },
        }),
        receiverTargets,
        { malformed: undefined },
      ),
    ],
  }),
  policy("POST /api/profit-sharing/receivers/bind", [...SP, ...MCH], {
    keeps: true,
    sample: (world, caller) => ({ body: { id: own(world, caller)?.id ?? setups(world)[0]!.id, wallet: "wechat" } }),
    // One that is known already needs no second time.
    slots: [slot("id", inBody("id"), receiverTargets, { seen: 409 })],
  }),
  policy("POST /api/profit-sharing/receivers/remove", [...SP, ...MCH], {
    keeps: true,
    sample: (world, caller) => ({ body: { id: own(world, caller)?.id ?? setups(world)[0]!.id } }),
    // Nobody answers: it is paused, and stays.
    slots: [slot("id", inBody("id"), receiverTargets, { seen: 409 })],
  }),
];
/** The merchant that a sample is about. */
function homeOf(caller: Caller): string {
  return caller === "sp02" ? "mch02" : caller.startsWith("mch") ? caller : "mch01";
}
