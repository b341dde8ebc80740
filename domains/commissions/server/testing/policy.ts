import { randomUUID } from "node:crypto";
import { linkToken } from "@zhangfang/server/files/signed-link.ts";
import { DEMO_PASSWORD } from "../../../../apps/demo/tree/tree-plan.ts";
import { levelFilters, levelTargets, listOf, sum } from "../../../../apps/server/testing/matrix/facts.ts";
import type { Caller, Place } from "../../../../apps/server/testing/matrix/people.ts";
import {
  ADMIN,
  type Given,
  inBody,
  inPath,
  inQuery,
  MCH,
  MIDDLE,
  model,
  type Policy,
  policy,
  type Slot,
  slot,
  SP,
} from "../../../../apps/server/testing/matrix/policy.ts";
import type { CommissionFacts } from "./plant.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { commissionFacts } from "./plant.ts";

type Daily = CommissionFacts["daily"][number];
/** Those above see what all below them got, those in the middle their own and nobody else's. */
const mine = (caller: Caller, fact: Pick<Daily, "provider" | "user">): boolean =>
  caller === "admin" || caller === fact.provider || (fact.user !== undefined && fact.user === caller);
const given = (fact: Daily) => fact.receiver !== "cost" && fact.receiver !== "provider";
const shared = (world: HttpWorld) => world.of(commissionFacts).daily.filter(given);
const whole = (): Given => ({ query: { pageSize: "100" } });
const NODES = ["serviceProviderId", "agentId", "businessTeamId"];
const OPERATORS = [...ADMIN, ...SP];
/** The operators' way and the own view of the middle. */
const READERS = [...OPERATORS, ...MIDDLE];
const net = (facts: readonly Daily[]) => sum(facts, (fact) => fact.net);

const profit: Policy[] = [
  policy("GET /api/commissions/share-profit", READERS, { sample: whole, slots: levelFilters(NODES), model: listOf(shared, mine) }),
  policy("GET /api/commissions/share-profit/summary", READERS, {
    slots: levelFilters(NODES),
    model: model<Daily>({
      facts: shared,
      sees: mine,
      shown: (body) => (body as { netCents: number }).netCents,
      expected: net,
    }),
  }),
  policy("GET /api/commissions/lines", READERS, {
    // Of one kind of receiver: of all of them there is more than a page.
    sample: () => ({ query: { pageSize: "100", receiver: "agent" } }),
    slots: levelFilters([...NODES, "merchantId"]),
    model: listOf((world) => world.of(commissionFacts).lines.filter(given), mine),
  }),
  policy("GET /api/commissions/lines/summary", READERS, {
    slots: levelFilters([...NODES, "merchantId"]),
    model: model<CommissionFacts["lines"][number]>({
      facts: (world) => world.of(commissionFacts).lines.filter(given),
      sees: mine,
      shown: (body) => (body as { count: number }).count,
      expected: (seen) => seen.length,
    }),
  }),
  policy("GET /api/commissions/own", MIDDLE, {
    sample: () => ({}),
    model: model<Daily>({
      facts: shared,
      sees: mine,
      shown: (body) => (body as { balanceCents: number; frozenCents: number }).balanceCents + (body as { frozenCents: number }).frozenCents,
      expected: net,
    }),
  }),
  policy("GET /api/commissions/provider-profit", OPERATORS, {
    sample: whole,
    slots: levelFilters(["serviceProviderId"]),
    model: model<Daily>({
      facts: (world) => world.of(commissionFacts).daily,
      sees: mine,
      shown: (body) => (body as { items: { feeCents: number }[] }).items.reduce((total, row) => total + row.feeCents, 0),
      expected: net,
    }),
  }),
  policy("GET /api/commissions/provider-profit/summary", OPERATORS, {
    slots: levelFilters(["serviceProviderId"]),
    model: model<Daily>({
      facts: (world) => world.of(commissionFacts).daily,
      sees: mine,
      shown: (body) => (body as { feeCents: number }).feeCents,
      expected: net,
    }),
  }),
];

/** A team that each operator sees. */
const teamOf = ({ till: { tree } }: HttpWorld, caller: Caller) => (caller === "sp02" ? tree.teams.team03 : tree.teams.team01);
const ratios: Policy[] = [
  policy("GET /api/organisation/share-ratios", OPERATORS, {
    sample: (world, caller) => ({ query: { level: "team", id: teamOf(world, caller) } }),
    slots: [
      slot("id", inQuery("id"), levelTargets("businessTeamId"), {
        sees: (caller, { place }) => caller === "admin" || caller === place.provider,
      }),
    ],
  }),
  policy("POST /api/organisation/share-ratios/set", OPERATORS, {
    sample: (world, caller) => ({ body: { level: "team", id: teamOf(world, caller), version: 1, ratio: 12_000, start: "tomorrow" } }),
    slots: [
      slot("id", inBody("id"), levelTargets("businessTeamId"), {
        sees: (caller, { place }) => caller === "admin" || caller === place.provider,
      }),
    ],
  }),
];

type Asked = CommissionFacts["withdrawals"][number];
const asked = (status?: number) => (world: HttpWorld) =>
  world.of(commissionFacts).withdrawals.filter((one) => status === undefined || one.status === status);
const seesIt: Slot["sees"] = (caller, { place }) => mine(caller, place);
/** The caller's own thing of some, else the first: whoever has none asks for somebody else's. */
const ownOf = <F extends { readonly id: string; readonly user?: string | undefined }>(facts: readonly F[], caller: Caller): string =>
  (facts.find(({ user }) => user === caller) ?? facts[0]!).id;
const newId = ({ services }: HttpWorld) => services.ids.uuid(services.clock.now_ms());
const placed =
  (facts: (world: HttpWorld) => readonly (Place & { readonly id: string })[]): Slot["targets"] =>
  (world) =>
    facts(world).map((fact) => ({ id: fact.id, place: fact }));
const bySlot = (status: number, more: Partial<Parameters<typeof slot>[3] & object> = {}) => [
  slot("id", inBody("id"), placed(asked(status)), { sees: seesIt, ...more }),
];
/** Merchants may look, and have none. */
const VIEWERS = [...READERS, ...MCH];

const withdrawals: Policy[] = [
  policy("GET /api/commissions/withdrawals", VIEWERS, { sample: whole, slots: levelFilters(NODES), model: listOf<Asked>(asked(), mine) }),
  policy("GET /api/commissions/withdrawals/summary", VIEWERS, {
    slots: levelFilters(NODES),
    model: model<Asked>({
      facts: asked(),
      sees: mine,
      shown: (body) => (body as { askedCents: number }).askedCents,
      expected: (seen) => seen.length * 100,
    }),
  }),
  policy("GET /api/commissions/withdrawals/:id", VIEWERS, {
    sample: (world, caller) => (caller.startsWith("mch") ? undefined : { params: { id: ownOf(asked()(world), caller) } }),
    slots: [slot("id", inPath("id"), placed(asked()), { sees: seesIt })],
  }),
  policy("GET /api/commissions/payouts", [...OPERATORS, ...MCH], {
    sample: whole,
    slots: levelFilters(NODES),
    model: listOf<Asked>(asked(2), mine),
  }),
  policy("GET /api/commissions/payouts/summary", [...OPERATORS, ...MCH], { slots: levelFilters(NODES) }),
  policy("GET /api/commissions/withdrawal-terms", MIDDLE, { sample: () => ({}) }),
  policy("POST /api/commissions/withdrawals", MIDDLE, {
    sample: (world) => ({
      body: {
        requestId: newId(world),
        accountId: ownOf(world.of(commissionFacts).accounts, "agent01"),
        amountCents: 100,
        password: DEMO_PASSWORD,
      },
    }),
    slots: [
      slot(
        "accountId",
        inBody("accountId"),
        placed((world) => world.of(commissionFacts).accounts),
        { sees: seesIt },
      ),
    ],
  }),
  policy("POST /api/commissions/withdrawals/cancel", MIDDLE, {
    sample: (world, caller) => ({ body: { id: ownOf(asked(0)(world), caller) } }),
    slots: bySlot(0),
  }),
  policy("POST /api/commissions/withdrawals/decide", SP, {
    sample: (world) => ({ body: { requestId: randomUUID(), id: asked(0)(world)[0]!.id, decision: "reject", note: "不符" } }),
    slots: bySlot(0),
  }),
  policy("POST /api/commissions/withdrawals/record", SP, {
    sample: (world) => ({ body: { id: asked(2)(world)[0]!.id, result: "paid", evidence: "BANK0001" } }),
    slots: bySlot(2),
  }),
  // Those on their way go to a bank, of which the channel knows nothing.
  policy("POST /api/commissions/withdrawals/sync", SP, {
    ok: 409,
    sample: (world) => ({ body: { id: asked(2)(world)[0]!.id } }),
    slots: bySlot(2, { seen: 409 }),
  }),
  policy("POST /api/commissions/withdrawals/retract", SP, {
    ok: 409,
    sample: (world) => ({ body: { id: asked(2)(world)[0]!.id } }),
    slots: bySlot(2, { seen: 409 }),
  }),
  // The link proves itself; the one of an unapproved withdrawal has nothing to confirm.
  policy("GET /api/commissions/payout-page/:token", "public", {
    sample: (world) => ({ params: { token: linkToken(world.services, "payout-confirm", asked(2)(world)[0]!.id) } }),
  }),
  policy("POST /api/commissions/payout-page/wechat", "public", {
    ok: 409,
    sample: (world) => ({ body: { token: linkToken(world.services, "payout-confirm", asked(2)(world)[0]!.id) } }),
  }),
  policy("POST /notify/wechat-transfer/:providerId", "channel", {
    envelope: "notice",
    ok: 401,
    sample: ({ till }) => ({ params: { providerId: till.tree.providers.sp01 }, body: { eventId: "E1" } }),
    slots: [
      slot(
        "providerId",
        inPath("providerId"),
        ({ till }) => (["sp01", "sp02"] as const).map((provider) => ({ id: till.tree.providers[provider], place: { provider } })),
        { sees: () => false, unseen: 401 },
      ),
    ],
  }),
  policy("POST /api/commissions/payout-accounts/add", MIDDLE, {
    sample: () => ({
      body: { method: "bank", number: "6228480402564890018", holder: "某人", bankName: "某银行", password: DEMO_PASSWORD },
    }),
  }),
  policy("POST /api/commissions/payout-accounts/remove", MIDDLE, {
    sample: (world, caller) => ({ body: { id: ownOf(world.of(commissionFacts).accounts, caller) } }),
    slots: [
      slot(
        "id",
        inBody("id"),
        placed((world) => world.of(commissionFacts).accounts),
        { sees: seesIt },
      ),
    ],
  }),
  policy("GET /api/commissions/payout-settings", SP, { sample: () => ({}) }),
  policy("POST /api/commissions/payout-settings/set", SP, {
    sample: () => ({
      body: {
        version: 0,
        minCents: 100,
        feeFixedCents: 0,
        feeRate: 0,
        freezeDays: 0,
        unapprovedUpToCents: 0,
        weekdays: [1, 2, 3, 4, 5],
        fromHour: 9,
        toHour: 18,
        password: DEMO_PASSWORD,
      },
    }),
  }),
];
export const commissionPolicies: readonly Policy[] = [...profit, ...ratios, ...withdrawals];
