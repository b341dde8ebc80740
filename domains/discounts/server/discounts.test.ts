import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  getDiscountRules,
  getDiscountSettings,
  saveDiscountSettings,
  setDiscountRuleState,
  sortDiscountRules,
  updateDiscountRule,
} from "../contract/index.ts";
import { holdsAt, isFor, randomOff } from "./rules/offer-rules.ts";
import { discountTerms } from "../contract/index.ts";
import { closeOrder, settlePayment } from "../../orders/server/index.ts";
import { openDiscountWorld, type DiscountWorld } from "./testing/discount-world.ts";

let world: DiscountWorld;
beforeAll(async () => void (world = await openDiscountWorld()), 60_000);
beforeEach(() => world.clean());
afterEach(async () => expect(await world.breaches()).toEqual([]));
afterAll(() => world.close());

const no = () => `D${world.services.ids.digits(12)}`;
const NATIVE = { tradeType: "NATIVE" };
/** Tills of these stores that have all been told their price, and place what it says. */
const quoted = async (stores: readonly number[], grossCents: number, more: object) =>
  Promise.all(
    stores.map(async (store) => {
      const tillNo = no();
      const { quote } = await world.quote(tillNo, grossCents, more, store);
      const order = { tillNo, subject: "午餐", grossCents, quote, ...more, ...NATIVE };
      return () => world.till(world.tree.merchants.mch01.stores[store]!, "createTillOrder", order as never);
    }),
  );
const offs = (quoted: { readonly parts: readonly { readonly source: string; readonly name: string; readonly offCents: number }[] }) =>
  quoted.parts.filter(({ source }) => source === "auto").map(({ offCents }) => offCents);
async function refundAll(tillNo: string, amountCents: number): Promise<void> {
  const store = world.tree.merchants.mch01.stores[0]!;
  const asked = await world.till(store, "refundTillOrder", {
    requestId: randomUUID(),
    tillNo,
    amountCents: amountCents as never,
    reason: "退菜",
  });
  await world.runJobs();
  world.channel.decide(asked.refundNo, "success");
  world.services.clock.advance(60_000);
  await world.sweep("query-refunds");
  await world.runJobs();
}

describe("优惠设置", () => {
  test("hold from the next price on, as versions, and not over one that was not seen", async () => {
    const { version, settings } = await world.call("mch01", getDiscountSettings, {});
    expect([version, settings]).toEqual([0, { without: [], mostWhole: 1, mostItem: 2, manualPercent: null, manualCents: null }]);
    const manual = (manualOffCents: number) => world.quote(no(), 10_000, { manualOffCents });
    expect(await manual(9_000)).toMatchObject({ paidCents: 1_000 });
    const save = (given: object) => world.call("mch01", saveDiscountSettings, { version: 0, settings: given } as never);
    await save({ manualPercent: 0, without: ["auto"] });
    await expect(manual(1)).rejects.toMatchObject({ fields: { manualOffCents: "商户没有开放手工优惠" } });
    await expect(save({})).rejects.toMatchObject({ code: "version.changed" });
    expect(await world.call("mch01", getDiscountSettings, {})).toMatchObject({
      version: 1,
      settings: { without: ["auto"], manualPercent: 0 },
    });
    expect(await world.call("mch03", getDiscountSettings, {})).toMatchObject({ version: 0 });
  });
});

describe("at the till", () => {
  test("每满减 takes off for each whole step, up to its cap", async () => {
    await world.rule(2, { everyCents: 5_000, offCents: 500, capCents: 1_500 });
    for (const [gross, off] of [
      [4_999, []],
      [5_000, [500]],
      [14_999, [1_000]],
      [50_000, [1_500]],
    ] as const)
      expect(offs(await world.quote(no(), gross))).toEqual(off);
  });
  test("of one group the more urgent stands; two groups stand together", async () => {
    const [low, high] = [
      await world.rule(3, { offCents: 900 }, { group: "日" }),
      await world.rule(3, { offCents: 100 }, { group: "日", priority: 5 }),
    ];
    await world.rule(2, { everyCents: 1_000, offCents: 10 });
    const ticket = await world.member();
    expect(offs(await world.quote(no(), 5_000, { ticket }))).toEqual([100, 40]);
    await world.call("mch01", sortDiscountRules, {
      ids: [
        low,
        high,
        ...(await world.call("mch01", getDiscountRules, {})).items.map(({ id }) => id).filter((id) => id !== low && id !== high),
      ],
    });
    expect(offs(await world.quote(no(), 5_000, { ticket }))).toEqual([900, 40]);
  });
  test("随机立减 answers the same question the same, and lies between its ends", async () => {
    const rule = await world.rule(4, { lowCents: 100, highCents: 1_000 });
    const tillNo = no();
    const first = offs(await world.quote(tillNo, 5_000));
    expect(offs(await world.quote(tillNo, 5_000))).toEqual(first);
    expect(first[0]).toBeGreaterThanOrEqual(100);
    expect(first[0]).toBeLessThanOrEqual(1_000);
    expect((await world.sell(tillNo, 5_000)).status).toBe(2);
    expect(await world.spent(rule)).toEqual({ spent: null, uses: { TAKEN: 1 } });
  });
  test("首单立减 is for a member's first order, once, and comes back with a whole refund", async () => {
    const rule = await world.rule(1, { offCents: 1_000 });
    expect(offs(await world.quote(no(), 5_000))).toEqual([]);
    const ticket = await world.member();
    const tillNo = no();
    expect((await world.sell(tillNo, 5_000, { ticket })).status).toBe(2);
    expect(offs(await world.quote(no(), 5_000, { ticket }))).toEqual([]);
    await refundAll(tillNo, 1_500);
    expect(await world.spent(rule)).toEqual({ spent: null, uses: { TAKEN: 1 } });
    await refundAll(tillNo, 2_500);
    expect(await world.spent(rule)).toEqual({ spent: null, uses: { RETURNED: 1 } });
  });
  test("nobody's first order comes again because they were merged, nor is a recharge one", async () => {
    const [from, into, saver] = [await world.member(), await world.member(), await world.member()];
    const recharge = no();
    await world.sell(no(), 5_000, { ticket: from });
    await world.sell(recharge, 5_000, { ticket: saver });
    await world.rule(1, { offCents: 1_000 });
    await world.owner("update pay_orders set purpose = 1 where till_no = $1", [recharge]);
    await world.owner(
      "update members set merged_into = $2, status = 5, name_sealed = null, name_hash = null, phone_sealed = null, tail_hash = null where id = $1",
      [from, into],
    );
    expect(offs(await world.quote(no(), 5_000, { ticket: into }))).toEqual([]);
    expect(offs(await world.quote(no(), 5_000, { ticket: saver }))).toEqual([1_000]);
    await world.owner("update pay_orders set purpose = 0 where till_no = $1", [recharge]);
  });
  test("who ordered at one store is no new customer at another, and pays there all the same", async () => {
    const rule = await world.rule(1, { offCents: 1_000 });
    const [known, used] = [await world.member(), await world.member()];
    await world.sell(no(), 5_000, { ticket: used });
    expect(await world.spent(rule)).toEqual({ spent: null, uses: { TAKEN: 1 } });
    await world.owner("update discount_rules set state = 'paused' where id = $1", [rule]);
    await world.sell(no(), 5_000, { ticket: known });
    await world.owner("update discount_rules set state = 'active' where id = $1", [rule]);
    for (const ticket of [known, used]) {
      expect(offs(await world.quote(no(), 5_000, { ticket }, 1))).toEqual([]);
      expect((await world.sell(no(), 5_000, { ticket }, undefined, 1)).status).toBe(2);
    }
    expect(await world.spent(rule)).toEqual({ spent: null, uses: { TAKEN: 1 } });
  });
  test("one person's first order at two tills at once: one of them has it", async () => {
    const rule = await world.rule(1, { offCents: 1_000 });
    const ticket = await world.member();
    const sold = await Promise.allSettled((await quoted([0, 1], 5_000, { ticket })).map((place) => place()));
    expect(sold.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await world.spent(rule)).toEqual({ spent: null, uses: { HELD: 1 } });
  });
});

describe("once for a human", () => {
  const known = (member: string, first: string) =>
    world.owner("update member_identities set subject_hash = decode($2 || repeat('00', 31), 'hex') where member_id = $1", [member, first]);
  async function merged(from: string, into: string): Promise<void> {
    await world.owner(
      "update members set merged_into = $2, status = 5, name_sealed = null, name_hash = null, phone_sealed = null, tail_hash = null where id = $1",
      [from, into],
    );
    await world.owner("update member_identities set member_id = $2 where member_id = $1", [from, into]);
  }
  const rule = () => world.rule(4, { lowCents: 100, highCents: 100, membersOnly: true }, { once: true });
  test("counts what was used before they were merged", async () => {
    await rule();
    const [from, into] = [await world.member(), await world.member()];
    await known(into, "00");
    await world.sell(no(), 5_000, { ticket: from });
    expect(offs(await world.quote(no(), 5_000, { ticket: into }))).toEqual([100]);
    await merged(from, into);
    expect(offs(await world.quote(no(), 5_000, { ticket: into }))).toEqual([]);
  });
  test("an order that was closed before they were merged is paid all the same: it was used since, and the merchant bears it", async () => {
    const id = await rule();
    const [from, into] = [await world.member(), await world.member()];
    await known(from, "01");
    const late = no();
    await world.sell(late, 5_000, { ticket: from }, NATIVE);
    const read = async () => (await world.owner<{ order_no: string }>("select * from pay_orders where till_no = $1", [late]))[0]!;
    await world.look(async (tx) => closeOrder(tx, world.services, (await read()) as never, "超时" as never));
    await merged(from, into);
    await world.sell(no(), 5_000, { ticket: into });
    const paid = world.channel.customerPays((await read()).order_no);
    await world.look(async (tx) => settlePayment(tx, world.services, (await read()) as never, paid as never));
    expect(await read()).toMatchObject({ status: 2 });
    expect(await world.spent(id)).toEqual({ spent: null, uses: { TAKEN: 1, BORNE: 1 } });
  });
});

describe("a budget", () => {
  test("is never passed by many tills at once; a closed order gives its part back", async () => {
    const rule = await world.rule(2, { everyCents: 1_000, offCents: 300 }, { budgetCents: 1_000 });
    const tills = Array.from({ length: 12 }, (_none, at) => at % 2);
    const placed = await Promise.allSettled((await quoted(tills, 1_000, {})).map((place) => place()));
    expect(placed.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect(await world.spent(rule)).toEqual({ spent: 900, uses: { HELD: 3 } });
    // What is left caps the next one.
    expect(offs(await world.quote(no(), 1_000))).toEqual([100]);
    const open = await world.owner<{ id: string; service_provider_id: string }>("select * from pay_orders where status = 0");
    for (const order of open) await world.look((tx) => closeOrder(tx, world.services, order as never, "超时" as never));
    expect(await world.spent(rule)).toEqual({ spent: 0, uses: { RELEASED: 3 } });
  });
  test("is there from the beginning and only grows", async () => {
    const id = await world.rule(2, { everyCents: 1_000, offCents: 300 }, { budgetCents: 1_000, name: "甲" });
    const terms = discountTerms.parse({ everyCents: 1_000, offCents: 300 });
    const given = { id, revision: 1, name: "甲", terms, group: "", priority: 0, once: false };
    const change = (more: object) => world.call("mch01", updateDiscountRule, { ...given, ...more } as never);
    await expect(change({ budgetCents: 900 })).rejects.toMatchObject({ fields: { budgetCents: "预算只能增加" } });
    await expect(change({ budgetCents: null })).rejects.toMatchObject({ fields: { budgetCents: expect.any(String) } });
    await change({ budgetCents: 2_000 });
    await expect(change({ budgetCents: 3_000 })).rejects.toMatchObject({ code: "discount.changed" });
  });
});

test("a rule that is off takes nothing off; another merchant's rule neither", async () => {
  const id = await world.rule(2, { everyCents: 1_000, offCents: 300 });
  await world.call("mch01", setDiscountRuleState, { id, state: "paused" });
  expect(offs(await world.quote(no(), 5_000))).toEqual([]);
  expect((await world.call("mch02", getDiscountRules, {})).items).toEqual([]);
  await expect(world.call("mch02", setDiscountRuleState, { id, state: "active" })).rejects.toMatchObject({ status: 404 });
});
test("what a kind needs is said at its field", async () => {
  await expect(world.rule(4, { lowCents: 100 })).rejects.toMatchObject({ fields: { "terms.highCents": "请填写最多减" } });
  await expect(world.rule(2, { everyCents: 100, offCents: 200 })).rejects.toMatchObject({
    fields: { "terms.offCents": expect.any(String) },
  });
});

describe("when and for whom", () => {
  const terms = (more: object) => discountTerms.parse(more);
  test.each([
    [{ monthDays: [18] }, "2026-11-18T04:00:00Z", true],
    [{ monthDays: [18] }, "2026-11-18T16:00:00Z", false],
    [{ firstDay: "2026-11-18", lastDay: "2026-11-18" }, "2026-11-17T16:00:00Z", true],
    [{ firstDay: "2026-11-18", lastDay: "2026-11-18" }, "2026-11-18T16:00:00Z", false],
    // Wednesday 23:00 to 02:00: Thursday 01:00 belongs to Wednesday.
    [{ weekdays: [3], windows: [{ from: "23:00", to: "02:00" }] }, "2026-11-18T17:00:00Z", true],
    [{ weekdays: [4], windows: [{ from: "23:00", to: "02:00" }] }, "2026-11-18T17:00:00Z", false],
    [{ storeIds: ["00000000-0000-4000-8000-000000000001"] }, "2026-11-18T04:00:00Z", false],
  ])("%j at %s: %s", (given, at, on) => {
    expect(holdsAt(terms(given), "00000000-0000-4000-8000-000000000002", at)).toBe(on);
  });
  test("nobody known has only what is for everybody", () => {
    const rule = (kind: 1 | 2 | 3 | 4, more: object = {}, once = false) =>
      ({ id: "r", name: "r", kind, terms: terms(more), group: "", priority: 0, once, left_cents: null }) as const;
    const face = { ordered: true, rank: 2, had: [] };
    expect(
      [rule(1), rule(2), rule(3), rule(4), rule(2, { membersOnly: true }), rule(2, {}, true)].map((one) => isFor(one, undefined)),
    ).toEqual([false, true, false, true, false, false]);
    expect([isFor(rule(1), face), isFor(rule(1), { ...face, ordered: false }), isFor(rule(2, {}, true), { ...face, had: ["r"] })]).toEqual([
      false,
      true,
      false,
    ]);
    expect([isFor(rule(2, { levels: [2] }), face), isFor(rule(2, { levels: [3] }), face)]).toEqual([true, false]);
  });
  test("random amounts are whole ten cents between both ends", () => {
    const key = Buffer.alloc(32, 1);
    const all = Array.from({ length: 500 }, (_none, at) => randomOff(key, "r", String(at), terms({ lowCents: 105, highCents: 1_000 })));
    expect(Math.min(...all)).toBeGreaterThanOrEqual(105);
    expect(Math.max(...all)).toBeLessThanOrEqual(1_000);
    expect(new Set(all).size).toBeGreaterThan(50);
    expect(all.every((one) => one % 10 === 0 || one === 105)).toBe(true);
  });
});
