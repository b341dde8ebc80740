import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SharingFacts } from "../shares/sharing-rules.ts";
import { type HeldLine, planReturns, whyNotBack } from "./return-rules.ts";

const NOW = Date.parse("2026-11-20T04:00:00Z");
/** 100.00 paid without a fee, 30.00 of it shared. */
const shared: SharingFacts = {
  tool: 2,
  status: 2,
  profit_sharing: true,
  unfrozen_at: null,
  paid_at: "2026-11-19T04:00:00Z",
  paid_cents: 10_000,
  fee_cents: 0,
  refunded_cents: 0,
  refunding_cents: 0,
  refunded_fee_cents: 0,
  refunding_fee_cents: 0,
  sharing_cents: 0,
  shared_cents: 3_000,
  share_returned_cents: 0,
  share_returning_cents: 0,
  share_borne_cents: 0,
};
const held = (id: string, held_cents: number, type = "MERCHANT_ID", finished_at: string | null = "2026-11-19T05:00:00Z"): HeldLine => ({
  id,
  type,
  held_cents,
  finished_at,
});
const plan = (amount_cents: number, lines: readonly HeldLine[], order: Partial<SharingFacts> = {}, fee_back_cents = 0) =>
  planReturns({ ...shared, ...order }, lines, { amount_cents, fee_back_cents }, NOW);

describe("who gives back", () => {
  it.each<[string, HeldLine, string | null]>([
    ["a merchant", held("a", 1), null],
    ["a person", held("a", 1, "PERSONAL_OPENID"), "个人接收方不支持回退，由商户承担"],
    ["on the 180th day", held("a", 1, "MERCHANT_ID", "2026-05-24T04:00:00Z"), null],
    ["a second later", held("a", 1, "MERCHANT_ID", "2026-05-24T03:59:59Z"), "分账已超过 180 天，不能回退，由商户承担"],
    ["one that says nothing of its day", held("a", 1, "MERCHANT_ID", null), null],
  ])("%s", (_what, line, why) => expect(whyNotBack(line, NOW)).toBe(why));
});

describe("planReturns", () => {
  it("takes back in proportion to the refund", () => {
    expect(plan(5_000, [held("a", 2_000), held("b", 1_000)])).toEqual({
      parts: [
        { line_id: "a", back_cents: 1_000, borne_cents: 0, refusal: null },
        { line_id: "b", back_cents: 500, borne_cents: 0, refusal: null },
      ],
      back_cents: 1_500,
      borne_cents: 0,
      refusal: undefined,
    });
  });
  it("the refund that empties the order takes everything back", () => {
    const rest = { refunded_cents: 5_000, share_returned_cents: 1_500 };
    expect(plan(5_000, [held("a", 1_000), held("b", 500)], rest)).toMatchObject({ back_cents: 1_500, refusal: undefined });
  });
  it("a refund on its way is no longer part of what is left: the one beside it takes the whole rest", () => {
    const rest = { refunding_cents: 5_000, share_returning_cents: 1_500 };
    expect(plan(5_000, [held("a", 1_000), held("b", 500)], rest)).toMatchObject({ back_cents: 1_500, refusal: undefined });
  });
  it("at least what the merchant's own part does not cover", () => {
    // 70.00 are the merchant's; of 2,000 more than that, 1,900 were refunded before at the merchant's cost.
    const order = { refunded_cents: 6_900 };
    expect(plan(1_000, [held("a", 3_000)], order)).toMatchObject({ back_cents: 968 });
    expect(plan(200, [held("a", 3_000)], { refunded_cents: 6_950 })).toMatchObject({ back_cents: 197 });
    expect(plan(200, [held("a", 100), held("b", 2_900)], { refunded_cents: 7_000 })).toMatchObject({ back_cents: 200 });
  });
  it("never more than the refund itself costs the merchant", () => {
    expect(plan(100, [held("a", 3_000)], { refunded_cents: 9_900, shared_cents: 100 }, 40)).toMatchObject({ back_cents: 60 });
  });
  it("what cannot come back the merchant bears", () => {
    expect(plan(5_000, [held("a", 2_000), held("p", 1_000, "PERSONAL_OPENID")])).toMatchObject({
      back_cents: 1_000,
      borne_cents: 500,
      parts: [{ refusal: null }, { back_cents: 0, borne_cents: 500, refusal: "个人接收方不支持回退，由商户承担" }],
    });
  });
  it("an order that nothing was shared of gives nothing back", () => {
    expect(plan(5_000, [], { shared_cents: 0 })).toEqual({ parts: [], back_cents: 0, borne_cents: 0, refusal: undefined });
  });
  it("waits for shares on their way, and says so where nothing can come", () => {
    const waiting = plan(8_000, [held("a", 0)], { sharing_cents: 3_000, shared_cents: 0 });
    expect(waiting).toEqual({ parts: [], back_cents: 0, borne_cents: 0, refusal: "这笔订单正在分账，分账完成后才能退这么多，请稍后再试" });
    expect(plan(8_000, [held("a", 500)], {}).refusal).toBe("可退金额不足：已分账的部分不能回退");
  });
  it("in any parts, refunds take back what was shared, to the cent, and never more", () => {
    const cents = fc.integer({ min: 1, max: 1_000 });
    fc.assert(
      fc.property(
        fc.array(cents, { minLength: 1, maxLength: 12 }),
        fc.array(fc.nat(3_000), { minLength: 1, maxLength: 5 }),
        (refunds, got) => {
          const paid_cents = refunds.reduce((sum, one) => sum + one, 0);
          const lines = got.map((given, at) => ({ ...held(String(at), 0), held_cents: Math.floor((given * paid_cents) / 15_000) }));
          const all = lines.reduce((sum, one) => sum + one.held_cents, 0);
          let order: SharingFacts = { ...shared, paid_cents, shared_cents: all };
          for (const amount_cents of refunds) {
            const planned = planReturns(order, lines, { amount_cents, fee_back_cents: 0 }, NOW);
            expect(planned.refusal).toBeUndefined();
            planned.parts.forEach((part, at) => {
              const one = lines[at]!;
              expect(part.back_cents).toBeLessThanOrEqual(one.held_cents);
              one.held_cents -= part.back_cents;
            });
            order = {
              ...order,
              refunded_cents: order.refunded_cents + amount_cents,
              share_returned_cents: order.share_returned_cents + planned.back_cents,
            };
          }
          expect(order.share_returned_cents).toBe(all);
        },
      ),
    );
  });
});
