import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  answerStatement,
  payStatement,
  previewPackageRefund,
  refundPackage,
  sellPackageAtTill,
} from "@zhangfang/domains/coupons/contract/index.ts";
import { coupons } from "@zhangfang/domains/coupons/server/index.ts";
import { type MarketingWorld, openMarketingWorld } from "./testing/model/marketing-world.ts";
import { endedSince, verifyMarketing } from "./verify-marketing.ts";

let world: MarketingWorld;
const CODE = { tradeType: "MICROPAY", authCode: "130000000000000009" };
const store = () => world.tree.merchants.mch01.stores[0]!;

/** A day of everything: orders with a provider's coupon, a rule, points and stored value, one of them partly back; a package, a sending. */
beforeAll(async () => {
  world = await openMarketingWorld();
  await world.clean();
  const [one, other] = [await world.member(), await world.member()];
  await world.recharge(one.id, 100_000);
  await world.runJobs();
  const campaign = await world.campaign({}, {}, 70);
  const own = await world.campaign({ minCents: 0, offCents: 500 });
  await world.discount(2, { everyCents: 5_000, offCents: 300 }, { budgetCents: 10_000 });
  await world.give(own, [one.no, other.no]);
  const pack = await world.pack([{ campaignId: own, count: 2 }], { priceCents: 600 });
  const sold = coupons.routes.find(({ endpoint }) => endpoint === sellPackageAtTill)!;
  await world.askTill(store(), sold, { tillNo: "P1", ticket: one.id, packageId: pack, ...CODE });
  const sell = async (tillNo: string, paying: object, wishes: object) => {
    const { no } = await world.claim(campaign, one.id);
    const asked = { tillNo, grossCents: 12_000, ticket: one.id, coupons: [no], ...wishes };
    const { quote } = await world.till(store(), "quotePrice", asked as never);
    const { coupons: _read, points: _points, storedValueCents: _stored, ...order } = asked as typeof asked & Record<string, unknown>;
    await world.till(store(), "createTillOrder", { ...order, subject: "午餐", quote, ...paying } as never);
  };
  await sell("A", CODE, { points: 100, storedValueCents: 3_000 });
  await sell("B", { tradeType: "NATIVE" }, { storedValueCents: 1_000 });
  await sell("C", CODE, {});
  for (const [tillNo, amountCents] of [
    ["A", 2_500],
    ["C", 9_400],
  ] as const)
    await world.till(store(), "refundTillOrder", { requestId: randomUUID(), tillNo, amountCents: amountCents as never, reason: "退菜" });
  await unpack(other, own);
  await settleMonth();
  expect(await world.verify()).toEqual([]);
}, 120_000);

/** Two packages of a coupon of 5.00 and one of 20.00 for 20.01, of each the first is used: the money of one is back, that of the other on its way. */
async function unpack(buyer: { readonly id: string }, small: string): Promise<void> {
  const large = await world.campaign({});
  const pack = await world.pack(
    [
      { campaignId: small, count: 1 },
      { campaignId: large, count: 1 },
    ],
    { priceCents: 2_001, total: 2, perPerson: 2 },
  );
  const sold = coupons.routes.find(({ endpoint }) => endpoint === sellPackageAtTill)!;
  for (const tillNo of ["P2", "P3"]) {
    await world.askTill(store(), sold, { tillNo, ticket: buyer.id, packageId: pack, ...CODE });
    const [get] = await world.owner<{ id: string; no: string }>(
      `select g.id, c.no from package_gets g join package_coupons x on x.get_id = g.id join coupons c on c.id = x.coupon_id
        where g.order_id = ${of(tillNo)} and x.campaign_id = $1`,
      [small],
    );
    const asked = { tillNo: `${tillNo}-used`, grossCents: 12_000 as never, ticket: buyer.id, coupons: [get!.no] };
    const { quote } = await world.till(store(), "quotePrice", asked as never);
    const { coupons: _read, ...order } = asked;
    await world.till(store(), "createTillOrder", { ...order, subject: "午餐", quote, ...CODE } as never);
    const { refundCents } = await world.send("mch01", previewPackageRefund, { id: get!.id });
    // 20.01 by 5 to 20: 4.00 and 16.01, to the cent.
    expect(refundCents).toBe(1_601);
    await world.send("mch01", refundPackage, { requestId: randomUUID(), id: get!.id, refundCents, reason: "不想要了" } as never);
    if (tillNo === "P2") await world.settleRefunds();
  }
  const shares = await world.owner(
    "select g.status, x.share_cents, x.returned from package_gets g join package_coupons x on x.get_id = g.id where g.refund_id is not null order by 1, 2",
  );
  expect(shares).toEqual(
    [3, 4].flatMap((status) => [
      { status, share_cents: 400, returned: false },
      { status, share_cents: 1_601, returned: true },
    ]),
  );
}
/** The month is over: what the provider owes for it is paid outside, and the merchant says that it came. */
async function settleMonth(): Promise<void> {
  world.services.clock.advance(32 * 86_400_000);
  await world.sweep("make-subsidy-statements");
  const [month] = await world.owner<{ id: string; due_cents: number }>("select id, due_cents from subsidy_statements");
  expect(month!.due_cents).toBeGreaterThan(0);
  const paidOn = new Date(world.services.clock.now_ms() + 8 * 3_600_000).toISOString().slice(0, 10);
  await world.send("sp01", payStatement, { id: month!.id, paidOn, paidRef: "B1" });
  await world.send("mch01", answerStatement, { id: month!.id, received: true, reason: "" });
}
afterAll(() => world.close());

const of = (tillNo: string) => `(select id from pay_orders where till_no = '${tillNo}')`;
const used = (tillNo: string) => `(select coupon_id from coupon_uses where order_id = ${of(tillNo)})`;
/** An activity of mch01 with two grants of one member for one occasion, by two phones. */
const ACTIVITY = `insert into activities (service_provider_id, id, merchant_id, no, kind, name, state, begins_at, ends_at, made_by, made_by_name, created_at)
    select service_provider_id, '00000000-0000-7000-8000-0000000000aa', merchant_id, '9000000001', 'new', '见面礼', 'UNAUDIT', now(), now() + interval '1 day', gen_random_uuid(), '店主', now()
    from pay_orders where till_no = 'A';
  insert into activity_grants (service_provider_id, id, merchant_id, activity_id, version, member_id, store_id, person, occasion, status, cost_cents, at, settled_at)
    select service_provider_id, gen_random_uuid(), merchant_id, '00000000-0000-7000-8000-0000000000aa', 1, member_id, store_id, sha256(n::text::bytea), 'life', 'given', 0, now(), now()
    from pay_orders, generate_series(1, 2) n where till_no = 'A';
  insert into activity_budgets (service_provider_id, activity_id, merchant_id, places, taken, budget_cents, held_cents, spent_cents)
    select service_provider_id, '00000000-0000-7000-8000-0000000000aa', merchant_id, 10, 2, 100, 0, 40 from pay_orders where till_no = 'A'`;

// A check that never fails says nothing. What the database refuses by itself is let in here, so that the reading of it is asked too.
test.each([
  ["1: no more is issued", "update coupon_stock set total = issued + held - 1", "coupon_stock"],
  ["2: the coupons that are there", "update coupon_stock set issued = issued + 1"],
  ["3: nobody has more of a campaign", "update coupons set nth = 4 where source = 'claim' and nth = 1"],
  [
    "4: one order at a time",
    `insert into coupon_uses select (jsonb_populate_record(u, jsonb_build_object('order_id', ${of("A")}))).* from coupon_uses u where u.order_id = ${of("B")}`,
    "coupon_uses",
  ],
  ["5: what is in use belongs", `update pay_orders set status = 1 where till_no = 'B'`, "pay_orders"],
  ["5: what an open order holds", `update coupons set state = 'SENDED', order_id = null where id = ${used("B")}`],
  ["6: what is used was taken", `update coupon_uses set state = 'RELEASED' where order_id = ${of("A")}`],
  ["7: an order's uses are its parts", `update coupon_uses set off_cents = off_cents + 1 where order_id = ${of("A")}`],
  [
    "an order's columns are the sums of its parts",
    "update pay_orders set coupon_cents = coupon_cents + 1, gross_cents = gross_cents + 1 where till_no = 'A'",
  ],
  ["a part is the sum of its lines", `update price_part_lines set cents = cents - 1 where order_id = ${of("A")} and n = 1`],
  ["a line comes to what was rung up", `update order_lines set net_cents = -1 where order_id = ${of("A")}`, "order_lines"],
  ["17: what a merchant claims", `update coupon_uses set provider_cents = provider_cents - 1 where order_id = ${of("A")}`],
  ["the facts make the same price", `update price_facts set facts = replace(facts, '2000', '1999') where order_id = ${of("A")}`],
  [
    "14: an order says of each tender",
    "update refunds set principal_cents = principal_cents + 1, gift_cents = gift_cents - 1, amount_cents = amount_cents - 1 where status = 2",
    "refunds",
  ],
  ["14: status 3 is all", "update pay_orders set status = 2 where till_no = 'C'", "pay_orders"],
  ["15: no more points are back", `update point_draws set returned_points = points + 1 where order_id = ${of("A")}`, "point_draws"],
  ["refunds give back what a part took", "update price_backs set points = 1000 where source = 'points'"],
  [
    "17: what a refund takes back",
    "update price_backs set provider_cents = provider_cents + 1 where source = 'coupon' and provider_cents > 0",
  ],
  ["17: what a refund takes back", "delete from price_backs where source = 'coupon'"],
  ["a budget has spent", "update discount_budgets set spent_cents = spent_cents - 1"],
  ["18: a budget holds", ACTIVITY],
  ["19: one grant", ACTIVITY],
  ["21: no closed order holds", `update pay_orders set status = 1 where till_no = 'B'`, "pay_orders"],
  ["a use is where its order is", `update pay_orders set status = 1 where till_no = 'B'`, "pay_orders"],
  ["22: what a sending says", "update coupons set source = 'claim' where source = 'send'"],
  ["a sending's rows are of", "update send_rows set merchant_id = gen_random_uuid()"],
  ["a piece is held for whoever waits", "update coupon_stock set held = held + 1", "coupon_stock"],
  ["a package has as many", "update packages set held = held + 1", "packages"],
  ["what is out of a campaign", "update coupon_outs set count = count + 1"],
  ["a coupon of the provider's belongs", "delete from coupon_covers"],
  ["nobody has more of a package", "update packages set per_person = 0", "packages"],
  ["23: what takes nothing off", `update coupon_uses set off_cents = 0 where order_id = ${of("A")}`, "coupon_uses"],
  ["24: a coupon is used", `update coupons set merchant_id = gen_random_uuid() where id = ${used("A")}`],
  ["24: no member's value", `update value_draws set merchant_id = gen_random_uuid() where order_id = ${of("A")}`],
  ["25: another than who made it approved a campaign", "update coupon_campaigns set made_by = decided_by", "coupon_campaigns"],
  ["another than who made it approved a package", "update packages set made_by = decided_by, total = 1000", "packages"],
  ["a package that was received", "update package_coupons set share_cents = share_cents + 1 where place = 1"],
  ["a package is paid when", "update package_gets set status = 2, nth = null, got_at = null"],
  [
    "what goes back of a package is set aside",
    "update coupons set state = 'SENDED', order_id = null where state = 'LOCKED' and id in (select coupon_id from package_coupons)",
  ],
  [
    "what goes back of a package is set aside",
    "update coupons set state = 'SENDED' where state = 'DEACTIVATED' and id in (select coupon_id from package_coupons)",
  ],
  ["what goes back of a package is set aside", "update package_coupons set returned = true where share_cents = 400"],
  ["what goes back of a package is the shares", "update package_gets set refund_cents = refund_cents - 1 where status = 4"],
  ["what goes back of a package is the shares", "update package_gets set refund_cents = price_cents where status = 3"],
  ["what goes back of a package is the shares", "update package_coupons set returned = false where share_cents = 1601"],
  ["a statement says what its month moved", "update subsidy_statements set earned_cents = earned_cents + 1", "subsidy_statements"],
  ["a statement says what its month moved", "update subsidy_statements set back_cents = back_cents - 1", "subsidy_statements"],
  ["a statement carries over", "update subsidy_statements set carried_cents = -1", "subsidy_statements"],
  ["what is settled was confirmed", "update subsidy_statements set state = 'PAID'", "subsidy_statements"],
  ["what is settled was confirmed", "update subsidy_statements set due_cents = due_cents - 1", "subsidy_statements"],
  ["each coupon that 商家券 carries", "update coupon_campaigns set carrier = 'busifavor'", "coupon_campaigns"],
  [
    "what is used here is used at WeChat",
    "insert into coupon_copies (service_provider_id, coupon_id, merchant_id, campaign_id, there) select service_provider_id, id, merchant_id, campaign_id, 'SENDED' from coupons where state = 'USED'",
  ],
  ["a coupon's steps", `delete from coupon_events where to_state = 'USED'`],
])("found: %s (%#)", async (rule, text, loose?: string) => {
  const found = await world.spoil(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    if (loose !== undefined)
      await sql`do $$ declare one record; begin
        for one in select conname from pg_constraint where conrelid = ${sql.lit(loose)}::regclass and contype = 'c' loop
          execute format('alter table ${sql.raw(loose)} drop constraint %I', one.conname); end loop;
        for one in select i.indexrelid::regclass as name from pg_index i where i.indrelid = ${sql.lit(loose)}::regclass and i.indisunique
          and not exists (select from pg_constraint c where c.conindid = i.indexrelid) loop
          execute format('drop index %s', one.name); end loop; end $$`.execute(tx);
    for (const statement of text.split(";")) await sql.raw(statement).execute(tx);
    return verifyMarketing(tx, "-infinity");
  });
  expect(found.map((breach) => breach.rule)).toContainEqual(expect.stringMatching(new RegExp(`^${rule}`)));
});
test("lotteries that ended over eight days ago are worked out anew on the first of a month alone", () => {
  expect(endedSince(Date.parse("2026-12-15T03:00:00+08:00"))).toBe("2026-12-06T19:00:00.000Z");
  expect(endedSince(Date.parse("2026-12-01T03:00:00+08:00"))).toBe("-infinity");
});
