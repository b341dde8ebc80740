import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { decideApplication, listApplications } from "@zhangfang/domains/invoices/contract/index.ts";
import { invoices } from "@zhangfang/domains/invoices/server/index.ts";
import {
  COMPANY,
  forgetInvoices,
  invoiceCalls,
  plantSubject,
  startPlatforms,
} from "@zhangfang/domains/invoices/server/testing/invoice-world.ts";
import { openStoredWorld, type StoredWorld } from "@zhangfang/domains/stored-value/server/testing/stored-world.ts";

// What members recharge is invoiced at the recharge, 不征税 and as 普通发票 alone; what they pay with it is not invoiced again.
let world: StoredWorld;
let platforms: Awaited<ReturnType<typeof startPlatforms>>;
let calls: ReturnType<typeof invoiceCalls>;
beforeAll(async () => {
  world = await openStoredWorld([invoices]);
  platforms = await startPlatforms();
  calls = invoiceCalls(world);
  calls.connect(platforms.host);
  await plantSubject(calls.call, shop().stores);
}, 60_000);
beforeEach(async () => {
  await world.clean();
  await forgetInvoices(world.owner);
  await world.rule();
});
afterEach(async () => expect([...(await world.verify()), ...(await calls.breaches())]).toEqual([]));
afterAll(async () => {
  platforms?.stop();
  await world?.close();
});

const shop = () => world.tree.merchants.mch01;
const tokenOf = async (tillNo: string) => {
  const [order] = await world.owner<{ id: string }>("select id from pay_orders where till_no = $1", [tillNo]);
  return calls.tokenOf(order!.id);
};
/** A member's recharge of 1,000.00 that gives 200.00. */
async function recharged() {
  const { id: member } = await world.member();
  const { id, tillNo } = await world.recharge(member, 100_000);
  await world.runJobs();
  return { member, id, token: await tokenOf(tillNo) };
}
async function issueAll(): Promise<void> {
  for (const seconds of [4, 6, 16, 61]) {
    await world.sweep("settle-invoice-orders", "issue-invoices", "chase-invoice-reds");
    world.services.clock.advance(seconds * 1_000);
  }
}
const issued = () =>
  world.owner(
    `select i.kind, i.status, i.total_cents::int as cents, i.tax_cents::int as tax, l.name, l.tax_code, l.tax_rate, l.tax_policy from invoices i
      join invoice_lines l on l.invoice_id = i.id where i.status not in (5, 7)`,
  );

test("a recharge is applied for and issued as 不征税, for what was paid and not for the gift", async () => {
  const { token } = await recharged();
  expect(await calls.page(token)).toMatchObject({ cents: 100_000, special: false, lines: [{ name: "预付卡销售和充值", cents: 100_000 }] });
  expect(await calls.apply(token, 100_000, COMPANY)).toEqual({ status: 1 });
  await issueAll();
  const line = { name: "预付卡销售和充值", tax_code: "6010000000000000000", tax_rate: 0, tax_policy: 2 };
  expect(await issued()).toEqual([{ kind: "pc", status: 2, cents: 100_000, tax: 0, ...line }]);
  expect((await platforms.control({})).blues.map(({ cents, status }) => [cents, status])).toContainEqual([100_000, "2"]);
});

test("no 专用发票 of a recharge: not applied for, alone or beside others, and not approved", async () => {
  const { token } = await recharged();
  const no = { status: 400, fields: { kind: "充值只能开普通发票" } };
  await expect(calls.apply(token, 100_000, { ...COMPANY, kind: "bs" })).rejects.toMatchObject(no);
  await world.till(shop().stores[0]!, "createTillOrder", {
    tillNo: "B1",
    tradeType: "MICROPAY",
    authCode: "130000000000000009",
    subject: "午餐",
    grossCents: 5_000 as never,
  });
  await world.runJobs();
  const other = await tokenOf("B1");
  expect(await calls.page(other)).toMatchObject({ special: true });
  await expect(calls.apply(other, 105_000, { ...COMPANY, kind: "bs", others: [token] })).rejects.toMatchObject(no);
  // One that was asked for before anybody looked.
  await world.owner("update tax_subjects set auto = false");
  await calls.apply(token, 100_000, COMPANY);
  await world.owner("update invoice_applications set kind = 'bs'");
  const { items } = await calls.call("mch01", listApplications, {});
  await expect(calls.call("mch01", decideApplication, { id: items[0]!.id, approve: true })).rejects.toMatchObject({
    status: 409,
    message: "充值只能开普通发票，请驳回后让顾客重新申请",
  });
  expect(await issued()).toEqual([]);
});

test("what is paid with the balance is not invoiced again: the page says its principal, and the gift apart", async () => {
  const { member } = await recharged();
  const lines = [{ place: 1, name: "烤鱼", units: 1, unitCents: 15_000 }];
  const store = shop().stores[0]!;
  const { quote } = await world.till(store, "quotePrice", { tillNo: "S1", lines, ticket: member, storedValueCents: 12_000 as never });
  const bill = { tillNo: "S1", subject: "午餐", grossCents: 15_000 as never, lines, quote, ticket: member };
  await world.till(store, "createTillOrder", { ...bill, tradeType: "MICROPAY", authCode: "130000000000000009" });
  await world.runJobs();
  const page = await calls.page(await tokenOf("S1"));
  expect(page).toMatchObject({ cents: 3_000, lines: [{ name: "烤鱼", units: null, cents: 3_000 }] });
  // 1,000.00 of 1,200.00 were paid for.
  expect(page.without).toEqual([
    { name: "储值支付", cents: 10_000, why: "储值本金付的 100.00 不在内，充值时已可开票" },
    { name: "储值赠送", cents: 2_000, why: "储值赠送抵的 20.00 不在内，赠送没有收钱，不能开票" },
  ]);
});
