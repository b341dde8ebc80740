import { levelFilters, levelTargets, listOf, picked } from "../../../../apps/server/testing/matrix/facts.ts";
import { isTill, placeOf } from "../../../../apps/server/testing/matrix/people.ts";
import {
  AE,
  amongBody,
  inBody,
  inPath,
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
import { type MemberFact, memberFacts } from "./plant.ts";

const LOOKERS = [...SP, ...MCH, ...AE];
const USERS = [...MCH, ...AE];
const facts = (world: HttpWorld): readonly MemberFact[] => world.of(memberFacts);
const idSlot = (put: Slot["put"] = inBody("id"), more: Partial<Omit<Slot, "seen">> = {}): Slot =>
  slot("id", put, (world) => facts(world).map((one) => ({ id: one.id, place: one })), more);
const withMember = (more: object | ((fact: MemberFact, world: HttpWorld) => object) = {}): Policy["sample"] =>
  withOwn(facts, (fact, world) => ({ body: { id: fact.id, ...(typeof more === "function" ? more(fact, world) : more) } }));
const inPage: Partial<Omit<Policy, "route" | "who">> = {
  sample: withOwn(facts, ({ id }) => ({ params: { id } })),
  slots: [idSlot(inPath("id"))],
};
const requestId = (world: HttpWorld) => world.services.ids.uuid(world.services.clock.now_ms());
const phone = (world: HttpWorld) => `136${world.services.ids.digits(8)}`;
const reason = "顾客要求";
/** Those that were planted, not who became a member by paying. */
const planted = { source: "2" };

export const memberPolicies: readonly Policy[] = [
  policy("GET /api/members", LOOKERS, {
    sample: () => ({ query: { pageSize: "100", ...planted } }),
    slots: levelFilters(["serviceProviderId", "merchantId", "storeId"]),
    model: listOf(facts),
  }),
  policy("GET /api/members/summary", LOOKERS, {
    sample: () => ({ query: planted }),
    slots: levelFilters(["serviceProviderId", "merchantId", "storeId"]),
    model: model<MemberFact>({ facts, shown: picked(["count"]), expected: (all) => ({ count: all.length }) }),
  }),
  policy("GET /api/members/openings", MCH, {
    model: model<MemberFact>({ facts, shown: picked(["count"]), expected: (all) => ({ count: all.length }) }),
  }),
  policy("GET /api/members/:id", LOOKERS, inPage),
  policy("GET /api/members/:id/things", LOOKERS, inPage),
  policy("GET /api/members/:id/account", LOOKERS, {
    sample: withOwn(facts, ({ id }) => ({ params: { id }, query: { account: "stored" } })),
    slots: [idSlot(inPath("id"))],
  }),
  policy("GET /api/members/:id/timeline", LOOKERS, { ...inPage, noModel: "one member's, whose id is asked for" }),
  policy("GET /api/members/pay-code", MCH, { noModel: "a switch of the own merchant, which is nobody else's" }),
  policy("POST /api/members/pay-code", MCH, { sample: () => ({ body: { opened: false } }) }),
  policy("POST /api/members/add", USERS, {
    sample: withOwn(facts, ({ storeId }, world) => ({ body: { storeId, phone: phone(world), consent: true } })),
    slots: [
      slot("storeId", inBody("storeId"), levelTargets("storeId"), { base: (world) => ({ body: { phone: phone(world), consent: true } }) }),
    ],
  }),
  policy("POST /api/members/update", USERS, { sample: withMember({ revision: 1, name: "文星" }), slots: [idSlot()] }),
  policy("POST /api/members/pin/reset", USERS, { sample: withMember({ reason }), slots: [idSlot()] }),
  policy("POST /api/members/id-card", USERS, { sample: withMember({ idCard: "11010519491231002X" }), slots: [idSlot()] }),
  policy("POST /api/members/remark", USERS, { sample: withMember({ remark: "不吃香菜", tags: ["老客"] }), slots: [idSlot()] }),
  policy("POST /api/members/reveal", USERS, { sample: withMember({ reason }), slots: [idSlot()] }),
  policy("POST /api/members/freeze", USERS, { sample: withMember({ frozen: true, reason }), slots: [idSlot()] }),
  policy("POST /api/members/delete", USERS, { sample: withMember({ giveUp: true, reason }), slots: [idSlot()] }),
  policy("POST /api/members/keep", USERS, {
    sample: withOwn(facts, ({ leavingId }) => ({ body: { id: leavingId } })),
    slots: [slot("id", inBody("id"), (world) => facts(world).map((one) => ({ id: one.leavingId, place: one })))],
  }),
  policy("POST /api/members/merge", MCH, {
    sample: withMember(({ twinNo }) => ({ intoNo: twinNo, reason })),
    // Nobody is merged into one who is leaving.
    slots: [
      slot("id", inBody("id"), (world) => facts(world).map((one) => ({ id: one.id, place: one })), {
        seen: 409,
        base: withOwn(facts, ({ leavingNo }) => ({ body: { intoNo: leavingNo, reason } })),
      }),
    ],
  }),
  policy("POST /api/members/merge/decide", MCH, {
    sample: withOwn(facts, ({ mergeId }) => ({ body: { id: mergeId, approve: false } })),
    slots: [
      slot("id", inBody("id"), (world) => facts(world).map((one) => ({ id: one.mergeId, place: one })), {
        base: () => ({ body: { approve: false } }),
      }),
    ],
  }),
  policy("POST /api/members/merge/sms", MCH, { sample: withMember(), slots: [idSlot()] }),
  policy("POST /api/members/points", USERS, {
    sample: withOwn(facts, ({ id }, world) => ({ body: { requestId: requestId(world), ids: [id], points: 10, reason } })),
    slots: [slot("ids", amongBody("ids"), (world) => facts(world).map((one) => ({ id: one.id, place: one })))],
  }),
  policy("POST /api/members/openings/decide", MCH, {
    sample: withOwn(facts, ({ openingId }) => ({ body: { ids: [openingId], approve: true } })),
    slots: [slot("ids", amongBody("ids"), (world) => facts(world).map((one) => ({ id: one.openingId, place: one })), { unseen: 409 })],
  }),
  policy("POST /api/till/members/identify", "device", {
    sample: (world, caller) => {
      const place = isTill(caller) ? placeOf(caller) : { merchant: "mch01", store: 0 };
      return { body: { phone: (facts(world).find((one) => one.merchant === place.merchant) ?? facts(world)[0]!).phone } };
    },
  }),
  policy("POST /api/till/members/join", "device", { sample: (world) => ({ body: { phone: phone(world) } }) }),
  policy("POST /api/till/members/sms", "device", { sample: (world) => ({ body: { phone: phone(world) } }) }),
];
