import { levelTargets, listOf } from "../../../../apps/server/testing/matrix/facts.ts";
import type { MerchantKey } from "../../../../apps/server/testing/matrix/people.ts";
import {
  inBody,
  inQuery,
  MCH,
  model,
  type Policy,
  policy,
  slot,
  type Slot,
  withOwn,
} from "../../../../apps/server/testing/matrix/policy.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { type LotteryFact, lotteryFacts, lotteryOf, lotteryStaffFacts, type StaffFact, winFacts } from "./plant.ts";

const uuid = ({ services }: HttpWorld) => services.ids.uuid(services.clock.now_ms());
const lotteries =
  (...what: readonly LotteryFact["what"][]) =>
  (world: HttpWorld) =>
    world.of(lotteryFacts).filter((fact) => what.includes(fact.what));
const [running, waiting, own] = [lotteries("running"), lotteries("waiting"), lotteries("own")];
const every = lotteries("running", "waiting", "own");
const wins = (world: HttpWorld) => world.of(winFacts);
const staff = (world: HttpWorld) => world.of(lotteryStaffFacts);
type Named = (world: HttpWorld) => readonly { readonly id: string; readonly merchant: MerchantKey }[];
const named = (facts: Named, put: Slot["put"] = inBody("id"), name = "id", more: Partial<Slot> = {}): Slot =>
  slot(name, put, (world) => facts(world).map(({ id, merchant }) => ({ id, place: { merchant } })), more as never);
const facts = (world: HttpWorld) => lotteryOf(world, "摇一摇");
/** A foreign store among those of the rules. */
const storeIds: Slot = slot(
  "terms.storeIds",
  (given, id, world) => {
    const body = given.body as { terms: object };
    const again = "requestId" in body && { requestId: uuid(world) };
    return { ...given, body: { ...body, ...again, terms: { ...body.terms, storeIds: [id] } } };
  },
  levelTargets("storeId"),
);
const names = () => ["蜀味川菜", "成都蜀味餐饮管理有限公司"];

export const lotteryPolicies: readonly Policy[] = [
  policy("GET /api/lotteries", MCH, { sample: () => ({ query: { pageSize: "100" } }), model: listOf<LotteryFact>(every) }),
  policy("GET /api/lotteries/summary", MCH, {
    model: model<LotteryFact>({ facts: every, shown: (body) => (body as { count: unknown }).count, expected: (seen) => seen.length }),
  }),
  policy("GET /api/lotteries/one", MCH, {
    sample: withOwn(every, ({ id }) => ({ query: { id } })),
    slots: [named(every, inQuery("id"))],
  }),
  policy("POST /api/lotteries/price", MCH, {
    sample: (world) => {
      const { name: _name, ...given } = facts(world);
      return { body: given };
    },
    slots: [storeIds],
  }),
  policy("POST /api/lotteries/add", MCH, {
    sample: (world) => ({ body: { requestId: uuid(world), ...facts(world) } }),
    slots: [storeIds],
  }),
  policy("POST /api/lotteries/update", MCH, {
    sample: withOwn(own, ({ id }, world) => ({ body: { id, version: 1, ...facts(world) } })),
    slots: [named(own), storeIds],
  }),
  policy("POST /api/lotteries/withdraw", MCH, { sample: withOwn(own, ({ id }) => ({ body: { id } })), slots: [named(own)] }),
  policy("POST /api/lotteries/decide", MCH, {
    sample: withOwn(waiting, ({ id }) => ({ body: { id, version: 1, approve: true } })),
    slots: [named(waiting)],
  }),
  policy("POST /api/lotteries/steer", MCH, {
    sample: withOwn(running, ({ id }) => ({ body: { id, act: "pause" } })),
    slots: [named(running)],
  }),
  policy("POST /api/lotteries/raise", MCH, {
    sample: withOwn(running, ({ id }) => ({ body: { id, place: 1, seen: 1_000, stock: 1_001 } })),
    slots: [named(running)],
  }),
  policy("GET /api/lotteries/staff", MCH, { model: listOf<StaffFact>(staff) }),
  policy("POST /api/lotteries/staff/add", MCH, { sample: () => ({ body: { name: "小吴", phone: "13800138001" } }) }),
  policy("POST /api/lotteries/staff/remove", MCH, { sample: withOwn(staff, ({ id }) => ({ body: { id } })), slots: [named(staff)] }),
  policy("GET /api/lotteries/draws", MCH, {
    sample: withOwn(running, ({ id }) => ({ query: { lotteryId: id, pageSize: "100" } })),
    // A filter: of somebody else's there is nothing to see.
    slots: [named(running, inQuery("lotteryId"), "lotteryId", { unseen: 200 })],
    noModel: "the draws of one lottery, which its id stands for",
  }),
  policy("GET /api/lotteries/wins/find", MCH, {
    sample: withOwn(wins, ({ code }) => ({ query: { code } })),
    slots: [
      slot("code", inQuery("code"), (world) => wins(world).map(({ code, merchant }) => ({ id: code, place: { merchant } })), {
        unknown: "0000000000",
        malformed: "no code",
      }),
    ],
    noModel: "one win, which its code stands for",
  }),
  policy("POST /api/lotteries/wins/hand-over", MCH, {
    sample: withOwn(wins, ({ id, storeId }) => ({ body: { id, storeId } })),
    slots: [named(wins), slot("storeId", inBody("storeId"), levelTargets("storeId"))],
  }),
  // 公示 is everybody's: it has no id that anybody may not name.
  policy("GET /api/lottery-proof/:lottery", "public", {
    sample: (world) => ({ params: { lottery: running(world)[0]!.id } }),
    tells: names,
  }),
  policy("GET /api/lottery-proof/:lottery/draws", "public", {
    sample: (world) => ({ params: { lottery: running(world)[0]!.id } }),
  }),
];
