import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sharesOf } from "./index.ts";
import { openShareWorld, type ShareWorld } from "./testing/share-world.ts";

let world: ShareWorld;
beforeAll(async () => {
  world = await openShareWorld();
});
beforeEach(async () => {
  await world.forget();
  await world.rule("auto");
});
afterEach(async () => {
  expect(await world.verify()).toEqual([]);
});
afterAll(() => world.close());

const refund = (orderId: string, amountCents: number) =>
  world.as("mch01", "refundOrder", { requestId: randomUUID(), orderId, amountCents, reason: "退菜" });
const balances = async () =>
  Object.fromEntries(
    (await world.owner<{ kind: string; cents: number }>("select kind, balance_cents::int as cents from ledger_accounts")).map(
      ({ kind, cents }) => [kind, cents],
    ),
  );

describe("a payment is shared by its merchant's rule", () => {
  test("a minute after it, split to the cent, once; the rest is the merchant's", async () => {
    const order = await world.paid(10_001);
    expect(await world.share(order.shareId)).toMatchObject({ status: 0, amount_cents: 0 });
    await world.runJobs();
    expect(world.sharing.shares.size).toBe(0);
    await world.pass();
    // 100.01 less the fee of 0.38 at 18 %: 17.93, by 10 : 5 : 3.
    const details = await world.as("mch01", "getShare", { id: order.shareId });
    expect([details.baseCents, details.amountCents, details.status]).toEqual([9_963, 1_793, 2]);
    expect(details.lines.map((line) => [line.alias, line.amountCents, line.result])).toEqual([
      ["服务商", 996, "success"],
      ["合作伙伴", 498, "success"],
      ["店长", 299, "success"],
    ]);
    expect(await balances()).toEqual({ channel: -8_208, fee: 38, merchant: 8_170, sharing: 0 });
    await world.pass();
    expect(world.sharing.shares.size).toBe(1);
  });

  test("the next day at one in the morning where the rule says so", async () => {
    await world.rule("auto", { timing: "next-day" });
    const order = await world.paid();
    await world.pass(60);
    expect(await world.share(order.shareId)).toMatchObject({ status: 0 });
    await world.pass(24 * 60);
    expect(await world.share(order.shareId)).toMatchObject({ status: 2 });
  });

  test("never above the channel's cap, which holds over all shares of the order", async () => {
    await world.owner("update sharing_rules set max_ratio = 5000");
    const order = await world.paid();
    await world.pass();
    expect(await world.order(order.id)).toMatchObject({ shared: 500 });
    await world.owner("update sharing_rules set max_ratio = null");
  });

  test("by hand: previewed, sent once, and not before somebody says so", async () => {
    await world.rule("manual");
    const order = await world.paid();
    await world.pass();
    expect(world.sharing.shares.size).toBe(0);
    const preview = await world.as("mch01", "previewShare", { id: order.shareId });
    expect([preview.totalCents, preview.restCents, preview.lines.map((line) => line.partCents)]).toEqual([1_793, 8_169, [996, 498, 299]]);
    const requestId = randomUUID();
    const sent = await world.as("mch01", "sendShare", { requestId, id: order.shareId });
    expect(await world.as("mch01", "sendShare", { requestId, id: order.shareId })).toEqual(sent);
    await expect(world.as("sp01", "sendShare", { requestId: randomUUID(), id: order.shareId })).rejects.toMatchObject({ status: 409 });
    await expect(world.as("sp02", "sendShare", { requestId: randomUUID(), id: order.shareId })).rejects.toMatchObject({ status: 404 });
    await world.runJobs();
    expect(await world.share(order.shareId)).toMatchObject({ status: 2, shared_cents: 1_793 });
  });

  test("what a receiver does not get stays with the merchant, who is told", async () => {
    world.sharing.closing.set("1900000077", "ACCOUNT_ABNORMAL");
    const order = await world.paid();
    await world.pass();
    expect(await world.share(order.shareId)).toMatchObject({
      status: 2,
      amount_cents: 1_793,
      shared_cents: 1_295,
      failure: "接收方账户异常",
    });
    expect(await balances()).toMatchObject({ sharing: 0, merchant: 8_667 });
    const told = await world.owner("select title, body from messages where kind = 'sharingFailed'");
    expect(told[0]).toMatchObject({ title: "有分账未到账", body: expect.stringContaining("4.98 元：接收方账户异常") });
    const shares = await world.look((tx) => sharesOf(tx, world.tree.merchants.mch01.stores[0]!.serviceProviderId, order.id));
    expect(shares.map((line) => [line.receiver, line.amountCents, line.state])).toEqual([
      ["服务商", 996, "success"],
      ["合作伙伴", 498, "closed"],
      ["店长", 299, "success"],
    ]);
  });

  test("a share that failed is retried under the same number of ours and a new one of the channel's", async () => {
    for (const account of ["1900000001", "1900000077", "oManager0123456789"]) world.sharing.closing.set(account, "NO_RELATION");
    const order = await world.paid();
    await world.pass();
    expect(await world.share(order.shareId)).toMatchObject({ status: 3, shared_cents: 0, failure: "分账关系已解除" });
    world.sharing.closing.clear();
    const again = await world.as("mch01", "retryShare", { requestId: randomUUID(), id: order.shareId });
    await world.runJobs();
    expect(await world.share(order.shareId)).toMatchObject({ status: 2, shared_cents: 1_793 });
    expect([...world.sharing.shares.keys()]).toEqual([again.shareNo, `${again.shareNo}-2`]);
  });

  test("those who did not get theirs get it by a share of their own, once, and what the others got stands", async () => {
    world.sharing.closing.set("1900000077", "ACCOUNT_ABNORMAL");
    world.sharing.closing.set("oManager0123456789", "NO_RELATION");
    const order = await world.paid();
    await world.pass();
    const { shareNo, retryable, failedCents } = await world.as("mch01", "getShare", { id: order.shareId });
    expect([retryable, failedCents]).toEqual([true, 797]);
    const other = await world.paid();
    expect((await world.as("mch01", "listShares", { missed: "yes" })).items.map(({ id }) => id)).toEqual([order.shareId]);
    expect(await world.as("mch01", "summariseShares", { missed: "yes" })).toMatchObject({ count: 1, failedCents: 797 });
    expect(other.shareId).not.toBe(order.shareId);
    const again = (id: string) => world.as("mch01", "retryShare", { requestId: randomUUID(), id });
    world.sharing.closing.delete("1900000077");
    const second = await again(order.shareId);
    expect(second.shareNo).not.toBe(shareNo);
    await expect(again(order.shareId)).rejects.toMatchObject({ status: 409, message: `未到账的部分已由分账 ${second.shareNo} 重新提交` });
    await world.runJobs();
    expect(await world.share(second.id)).toMatchObject({ status: 2, amount_cents: 797, shared_cents: 498 });
    expect(await world.share(order.shareId)).toMatchObject({ status: 2, amount_cents: 1_793, shared_cents: 996 });
    world.sharing.closing.clear();
    const third = await again(second.id);
    await world.runJobs();
    const last = await world.as("mch01", "getShare", { id: third.id });
    expect(last.lines.map((line) => [line.alias, line.amountCents, line.result])).toEqual([["店长", 299, "success"]]);
    expect([last.retryable, (await world.as("mch01", "getShare", { id: second.id })).retryable]).toEqual([false, false]);
    expect(await world.order(order.id)).toMatchObject({ sharing: 0, shared: 1_793 });
    // Each part that is missing counts once, and here none is.
    expect(await world.as("mch01", "summariseShares", { missed: "yes" })).toMatchObject({ count: 0, failedCents: 0 });
    expect([...world.sharing.shares.keys()]).toEqual([shareNo, second.shareNo, third.shareNo]);
  });
  test("for them again it is no more than what is left after a refund, and nothing once the rest was let go", async () => {
    const [before, after] = [await world.paid(), await world.paid()];
    world.sharing.closing.set("1900000077", "ACCOUNT_ABNORMAL");
    await world.pass();
    world.sharing.closing.clear();
    const asked = await refund(before.id, 5_000);
    await world.runJobs();
    world.channel.decide(asked.refundNo, "success");
    await world.pass();
    const second = await world.as("mch01", "retryShare", { requestId: randomUUID(), id: before.shareId });
    await world.runJobs();
    // A half of the payment is left, and so a half of 4.98.
    expect(await world.share(second.id)).toMatchObject({ status: 2, shared_cents: 249 });
    await world.as("mch01", "finishSharing", { requestId: randomUUID(), orderId: after.id });
    await world.runJobs();
    expect((await world.as("mch01", "getShare", { id: after.shareId })).retryable).toBe(false);
    await expect(world.as("mch01", "retryShare", { requestId: randomUUID(), id: after.shareId })).rejects.toMatchObject({ status: 409 });
  });
  test("what an abnormal refund took hangs at the channel and is not shared", async () => {
    await world.rule("manual");
    const [half, whole] = [await world.paid(), await world.paid()];
    await world.pass();
    for (const [order, cents] of [
      [half, 5_000],
      [whole, 10_000],
    ] as const) {
      const asked = await refund(order.id, cents);
      await world.runJobs();
      world.channel.decide(asked.refundNo, "abnormal");
      await world.pass();
    }
    const preview = await world.as("mch01", "previewShare", { id: half.shareId });
    // 99.62 less 50.00 with 0.19 of the fee.
    expect([preview.refundedCents, preview.baseCents, preview.totalCents]).toEqual([5_000, 4_981, 897]);
    expect((await world.as("mch01", "previewShare", { id: whole.shareId })).refusal).toBe("可分金额不足 1 分（基数 ¥0.00）");
  });

  test("完结 gives the merchant the rest, and nothing is shared after it", async () => {
    await world.rule("manual");
    const order = await world.paid();
    await world.pass();
    await world.as("mch01", "finishSharing", { requestId: randomUUID(), orderId: order.id });
    await world.runJobs();
    expect(await world.share(order.shareId)).toMatchObject({ status: 2, amount_cents: 0 });
    await expect(world.as("mch01", "finishSharing", { requestId: randomUUID(), orderId: order.id })).rejects.toMatchObject({ status: 409 });
  });

  test("a payment that was refunded whole before its share comes to nothing and lets the money go", async () => {
    await world.rule("auto", { unfreeze: true });
    const order = await world.paid();
    const asked = await refund(order.id, 10_000);
    await world.runJobs();
    world.channel.decide(asked.refundNo, "success");
    await world.pass();
    expect(await world.order(order.id)).toMatchObject({ status: 3, shared: 0, sharing: 0 });
    expect((await world.as("mch01", "getShare", { id: order.shareId })).kind).toBe("unfreeze");
  });
});

describe("no answer is not a no", () => {
  test.each(["lost-request", "lost-reply"] as const)("a share whose answer is a %s goes out once", async (fault) => {
    world.sharing.fail("share", fault);
    const order = await world.paid();
    await world.pass();
    await world.pass();
    expect(await world.share(order.shareId)).toMatchObject({ status: 2, shared_cents: 1_793 });
    expect(world.sharing.shares.size).toBe(1);
  });
  test("a refusal while an earlier try may still arrive is not believed before the silence is over", async () => {
    world.sharing.fail("share", "lost-request");
    const order = await world.paid();
    await world.pass();
    // Never heard of, sent again and refused, while the first may be on its way.
    for (let n = 0; n < 2; n++) world.sharing.fail("share", { refuse: "RULE_LIMIT" });
    await world.pass(1);
    expect(await world.share(order.shareId)).toMatchObject({ status: 1 });
    expect(await world.order(order.id)).toMatchObject({ sharing: 1_793 });
    for (let minute = 0; minute < 30; minute++) {
      world.sharing.fail("share", { refuse: "RULE_LIMIT" });
      await world.pass(1);
    }
    expect(await world.share(order.shareId)).toMatchObject({ status: 3, failure: "渠道拒绝：RULE_LIMIT" });
    world.sharing.forget();
  });
  test("what the channel took is not failed by a query that does not find it and a refusal of the same number", async () => {
    world.sharing.pace.shares = "slow";
    const order = await world.paid();
    await world.pass();
    const [number, made] = [...world.sharing.shares][0]!;
    world.sharing.shares.delete(number);
    for (let hour = 0; hour < 26; hour++) {
      world.sharing.fail("share", { refuse: "NOT_ENOUGH" });
      await world.pass(60);
    }
    expect(await world.share(order.shareId)).toMatchObject({ status: 1 });
    const told = await world.owner<{ level: string; title: string; body: string }>(
      "select u.level, m.title, m.body from messages m join users u on u.id = m.owner_user_id where m.kind = 'sharingWaiting' and u.login in ('mch01', 'sp01') order by 1",
    );
    expect(told.map(({ level, title }) => [level, title])).toEqual([
      ["MCH", "分账超过一天没有结果"],
      ["SP", "分账超过一天没有结果"],
    ]);
    expect(told[0]!.body).toContain(`${number}（¥17.93）微信支付还没有给出结果`);
    world.sharing.forget();
    world.sharing.shares.set(number, made);
    world.sharing.decideAll();
    await world.pass(60);
    expect(await world.share(order.shareId)).toMatchObject({ status: 2, shared_cents: 1_793 });
  });
  test("a refusal gives the amount back", async () => {
    world.sharing.fail("share", { refuse: "RULE_LIMIT" });
    const order = await world.paid();
    await world.pass();
    expect(await world.share(order.shareId)).toMatchObject({ status: 3, shared_cents: 0 });
    expect(await world.order(order.id)).toMatchObject({ sharing: 0, shared: 0 });
  });
});

describe("a refund first takes back what was shared", () => {
  test("what the merchant cannot bear is said before the click", async () => {
    const order = await world.paid();
    await world.pass();
    const preview = await world.as("mch01", "previewRefund", { orderId: order.id, amountCents: 10_000 });
    expect(preview.refusal).toContain("余额不足");
    await expect(refund(order.id, 10_000)).rejects.toMatchObject({ status: 400 });
  });
  test("who decides sees what was set aside with the request, as it was shown before; a store sees one sum", async () => {
    await world.paid(500_000);
    const order = await world.paid(100_000);
    await world.pass();
    const given = { orderId: order.id, amountCents: 60_000 };
    const shown = await world.as("sp01", "previewRefund", given);
    expect([shown.shares.length, shown.clawback.length > 0]).toEqual([3, true]);
    const { shares } = await world.as("emp01", "previewRefund", given);
    expect(shares).toEqual([
      { alias: "分账接收方", account: "", sharedCents: 14_943, returnCents: shown.sharesBackCents, refusal: null },
      { alias: "分账接收方", account: "", sharedCents: 2_989, returnCents: shown.borneCents, refusal: "不能回退" },
    ]);
    const asked = await world.as("emp01", "refundOrder", { ...given, requestId: randomUUID(), reason: "退菜" });
    expect(asked.status).toBe(0);
    expect(shown).toMatchObject(await world.as("sp01", "previewRefundRequest", { id: asked.refundId }));
    await world.as("sp01", "decideRefundRequest", { requestId: randomUUID(), id: asked.refundId, decision: "reject", note: "不符" });
    await expect(world.as("sp01", "previewRefundRequest", { id: asked.refundId })).rejects.toMatchObject({ status: 409 });
  });
  test("in proportion, each receiver's part before the click, then the refund goes out", async () => {
    await world.paid(50_000);
    const order = await world.paid();
    await world.pass();
    const preview = await world.as("mch01", "previewRefund", { orderId: order.id, amountCents: 5_000 });
    expect(preview.shares.map((one) => [one.alias, one.returnCents, one.refusal])).toEqual([
      ["服务商", 498, null],
      ["合作伙伴", 249, null],
      ["店长", 150, "个人接收方不支持回退，由商户承担"],
    ]);
    expect([preview.sharesBackCents, preview.borneCents, preview.merchantPaysCents]).toEqual([747, 150, 4_234]);
    world.sharing.pace.returns = "slow";
    const asked = await refund(order.id, 5_000);
    await world.runJobs();
    expect([world.channel.refunds.size, await world.order(order.id)]).toMatchObject([0, { returning: 747, borne: 150, refunding: 5_000 }]);
    world.sharing.decideAll();
    await world.pass();
    expect(world.channel.refunds.has(asked.refundNo)).toBe(true);
    world.channel.decide(asked.refundNo, "success");
    await world.pass();
    expect(await world.order(order.id)).toMatchObject({ refunded: 5_000, returning: 0, returned: 747, borne: 150 });
    world.sharing.pace.returns = "at once";
    const rest = await refund(order.id, 5_000);
    await world.runJobs();
    world.channel.decide(rest.refundNo, "success");
    await world.pass();
    expect(await world.order(order.id)).toMatchObject({ status: 3, shared: 1_793, returned: 1_494, borne: 299 });
    // What the staff keep the merchant has paid.
    expect(await balances()).toMatchObject({ fee: 190, sharing: 0, returning: 0, refunding: 0 });
  });

  test("a receiver without money fails the refund; it is retried, or borne by the merchant", async () => {
    const other = await world.paid(50_000);
    const order = await world.paid();
    await world.pass();
    world.sharing.penniless.add("1900000077");
    const asked = await refund(order.id, 10_000);
    await world.runJobs();
    const failed = await world.as("mch01", "getRefund", { id: asked.refundId });
    expect([failed.status, failed.failure]).toEqual([3, "分账回退失败：接收方余额不足"]);
    expect(world.channel.refunds.size).toBe(0);
    const rows = await world.as("mch01", "listReturns", {});
    expect(Object.fromEntries(rows.items.map((row) => [row.alias, row.status]))).toEqual({ 合作伙伴: 3, 店长: 4, 服务商: 2 });
    await world.as("mch01", "retryRefund", { requestId: randomUUID(), id: asked.refundId });
    await world.runJobs();
    expect((await world.as("mch01", "getRefund", { id: asked.refundId })).status).toBe(3);
    await world.as("mch01", "retryRefund", { requestId: randomUUID(), id: asked.refundId, bear: true });
    await world.runJobs();
    world.channel.decide(asked.refundNo, "success");
    await world.pass();
    expect(await world.order(order.id)).toMatchObject({ status: 3, returned: 996, borne: 797 });
    expect(await world.order(other.id)).toMatchObject({ shared: 8_966 });
  });

  test("a refund that arrives after it had failed, when its money went elsewhere meanwhile, is told of and heard once there is money for it", async () => {
    await world.rule("manual");
    const other = await world.paid(1_000);
    await world.rule("auto");
    const order = await world.paid();
    await world.pass();
    const asked = await refund(order.id, 10_000);
    await world.runJobs();
    world.channel.decide(asked.refundNo, "abnormal");
    await world.pass();
    // What the manager keeps the merchant would have borne of this.
    const beside = await refund(other.id, 1_000);
    await world.runJobs();
    world.channel.decide(beside.refundNo, "success");
    await world.pass();
    const { merchantId } = world.tree.merchants.mch01.stores[0]!;
    const { mchId } = world.settings.get(merchantId)!.account;
    const tell = (event: string) =>
      world.notify(merchantId, world.channel.notice(event, mchId, { refund: world.channel.decide(asked.refundNo, "success") }));
    await tell("late");
    const said = () => world.owner("select note from order_events where order_id = $1 and kind = 'mismatch'", [order.id]);
    expect(await said()).toEqual([{ note: `退款 ${asked.refundNo} 在失败之后到账，商户可用余额不足` }]);
    expect(await world.order(order.id)).toMatchObject({ refunding: 0, refunded: 0, borne: 0 });
    await world.paid(50_000);
    await tell("later");
    expect(await world.order(order.id)).toMatchObject({ status: 3, refunded: 10_000, borne: 299 });
  });

  test("a return that fails when its money was given back already waits until the merchant has it, and no claim falls below nothing", async () => {
    world.sharing.closing.set("oManager0123456789", "NO_RELATION");
    const order = await world.paid();
    await world.pass();
    world.sharing.pace.returns = "slow";
    const first = await refund(order.id, 9_000);
    await world.runJobs();
    // One fails, and the refund with it, while of the other nobody hears.
    const [one, other] = [...world.sharing.returns.values()];
    world.sharing.penniless.add(one!.order.account);
    world.sharing.decideAll();
    other!.result = "processing";
    await world.pass();
    expect((await world.as("mch01", "getRefund", { id: first.refundId })).status).toBe(3);
    await refund(order.id, 10_000);
    await world.runJobs();
    expect((await balances())["merchant"]).toBe(0);
    Object.assign(other!, { result: "failed", failReason: "BALANCE_NOT_ENOUGH" });
    await world.pass(40);
    const status = async () =>
      (await world.as("mch01", "listReturns", {})).items.find((row) => row.returnNo === other!.order.outReturnNo)!.status;
    expect([await status(), (await balances())["merchant"]]).toEqual([1, 0]);
    await world.paid(50_000);
    await world.pass(40);
    expect(await status()).toBe(3);
  });

  test("a return that failed alone is asked again, and the refund goes out after it", async () => {
    await world.paid(50_000);
    const order = await world.paid();
    await world.pass();
    world.sharing.penniless.add("1900000077");
    const asked = await refund(order.id, 10_000);
    await world.runJobs();
    world.sharing.penniless.clear();
    const back = (await world.as("mch01", "listReturns", { status: 3 })).items[0]!;
    expect(back.retryable).toBe(true);
    await world.as("mch01", "retryReturn", { requestId: randomUUID(), id: back.id });
    await world.runJobs();
    expect((await world.as("mch01", "getReturn", { id: back.id })).status).toBe(2);
    await world.as("mch01", "retryRefund", { requestId: randomUUID(), id: asked.refundId });
    await world.runJobs();
    expect(world.channel.refunds.has(asked.refundNo)).toBe(true);
  });

  test("while a share is on its way a refund takes no more than is left of it", async () => {
    world.sharing.pace.shares = "slow";
    const order = await world.paid();
    await world.pass();
    await expect(refund(order.id, 10_000)).rejects.toMatchObject({ status: 400 });
    const part = await refund(order.id, 3_000);
    expect(part.status).toBe(1);
    world.sharing.decideAll();
    await world.pass(40);
    expect(await world.share(order.shareId)).toMatchObject({ status: 2 });
  });

  test("a refund that is turned down gives back what it had promised to take", async () => {
    await world.paid(50_000);
    await world.owner("update merchants set refund_approval_above_cents = 100 where id = $1", [world.tree.merchants.mch01.id]);
    const order = await world.paid();
    await world.pass();
    const asked = await world.as("emp01", "refundOrder", {
      requestId: randomUUID(),
      orderId: order.id,
      amountCents: 10_000,
      reason: "退桌",
    });
    expect(await world.order(order.id)).toMatchObject({ returning: 1_494, borne: 299 });
    await world.as("mch01", "decideRefundRequest", { requestId: randomUUID(), id: asked.refundId, decision: "reject", note: "不符" });
    expect(await world.order(order.id)).toMatchObject({ returning: 0, borne: 0, refunding: 0 });
    await world.owner("update merchants set refund_approval_above_cents = 50000 where id = $1", [world.tree.merchants.mch01.id]);
  });

  test.each(["lost-request", "lost-reply"] as const)("a return whose answer is a %s comes back once", async (fault) => {
    await world.paid(50_000);
    const order = await world.paid();
    await world.pass();
    world.sharing.fail("giveBack", fault);
    await refund(order.id, 10_000);
    await world.pass();
    await world.pass();
    expect(await world.order(order.id)).toMatchObject({ returning: 0, returned: 1_494 });
    expect(world.sharing.returns.size).toBe(2);
  });
});

describe("a payment by Alipay is shared by Alipay", () => {
  test("half a minute after it, with those who have an account there, and the one who has none gets nothing", async () => {
    const order = await world.paid(10_001, "alipay");
    expect(await world.order(order.id)).toMatchObject({ status: 2 });
    world.services.clock.advance(31_000);
    await world.runJobs();
    await world.pass();
    const details = await world.as("mch01", "getShare", { id: order.shareId });
    // 100.01 less the fee of 0.38 at 15 %, for the manager has no account at Alipay: 14.94, by 10 : 5.
    expect([details.baseCents, details.amountCents, details.status]).toEqual([9_963, 1_494, 2]);
    expect(details.lines.map((line) => [line.alias, line.type, line.account, line.amountCents])).toEqual([
      ["服务商", "ALIPAY_USER_ID", "****0101", 996],
      ["合作伙伴", "ALIPAY_LOGIN_NAME", "pa****@example.cn", 498],
    ]);
    expect([...world.sharing.shares.values()][0]!.order.lines.map((line) => [line.account, line.name])).toEqual([
      ["2088000000000101", "演示服务商有限公司"],
      ["partner@example.cn", "合作伙伴有限公司"],
    ]);
    expect(await balances()).toEqual({ channel: -8_507, fee: 38, merchant: 8_469, sharing: 0 });
  });
  test("where nobody got anything the rest stays frozen, so that it can be shared again; WeChat Pay lets it go", async () => {
    await world.rule("auto", { unfreeze: true });
    for (const account of ["2088000000000101", "partner@example.cn"]) world.sharing.closing.set(account, "TXN_RESULT_ACCOUNT_ABNORMAL");
    for (const account of ["1900000001", "1900000077", "oManager0123456789"]) world.sharing.closing.set(account, "NO_RELATION");
    const [alipay, wechat] = [await world.paid(10_000, "alipay"), await world.paid(10_000)];
    await world.pass();
    for (const { shareId } of [alipay, wechat]) expect(await world.share(shareId)).toMatchObject({ status: 3 });
    world.sharing.closing.clear();
    const retry = (id: string) => world.as("mch01", "retryShare", { requestId: randomUUID(), id });
    await expect(retry(wechat.shareId)).rejects.toMatchObject({ status: 409 });
    await retry(alipay.shareId);
    await world.runJobs();
    expect(await world.share(alipay.shareId)).toMatchObject({ status: 2, shared_cents: 1_494 });
    await expect(world.as("mch01", "finishSharing", { requestId: randomUUID(), orderId: alipay.id })).rejects.toMatchObject({
      status: 409,
    });
  });
  test("what receivers have comes back before the refund goes out, as it is shown before the click", async () => {
    await world.paid(50_000, "alipay");
    const order = await world.paid(10_000, "alipay");
    await world.pass();
    const preview = await world.as("mch01", "previewRefund", { orderId: order.id, amountCents: 5_000 });
    expect(preview.shares.map((one) => [one.alias, one.account, one.returnCents, one.refusal])).toEqual([
      ["服务商", "****0101", 498, null],
      ["合作伙伴", "pa****@example.cn", 249, null],
    ]);
    world.sharing.pace.returns = "slow";
    const asked = await refund(order.id, 5_000);
    await world.runJobs();
    expect([world.channel.refunds.size, await world.order(order.id)]).toMatchObject([0, { returning: 747, borne: 0, refunding: 5_000 }]);
    const [back] = [...world.sharing.returns.values()];
    expect(back!.order).toMatchObject({
      type: "ALIPAY_USER_ID",
      account: "2088000000000101",
      transactionId: expect.stringMatching(/./) as string,
    });
    world.sharing.decideAll();
    await world.pass();
    expect(world.channel.refunds.has(asked.refundNo)).toBe(true);
    world.channel.decide(asked.refundNo, "success");
    await world.pass();
    expect(await world.order(order.id)).toMatchObject({ refunded: 5_000, returning: 0, returned: 747, borne: 0 });
  });
  test.each(["lost-request", "lost-reply"] as const)("a share and a return whose answer is a %s happen once", async (fault) => {
    await world.paid(50_000, "alipay");
    world.sharing.fail("share", fault);
    const order = await world.paid(10_000, "alipay");
    await world.pass();
    await world.pass();
    expect(await world.order(order.id)).toMatchObject({ shared: 1_494 });
    world.sharing.fail("giveBack", fault);
    await refund(order.id, 10_000);
    await world.pass();
    await world.pass();
    expect(await world.order(order.id)).toMatchObject({ returning: 0, returned: 1_494 });
    expect([world.sharing.shares.size, world.sharing.returns.size]).toEqual([2, 2]);
  });
  test("money that nobody has an account for at that channel is not frozen", async () => {
    await world.owner("update sharing_accounts set bind_state = 'removed' where wallet = 'alipay'");
    const order = await world.paid(10_000, "alipay");
    expect(order.shareId).toBe("");
    expect((await world.paid(10_000)).shareId).not.toBe("");
    await world.owner("update sharing_accounts set bind_state = 'bound' where wallet = 'alipay'");
  });
  test("a refused receiver's account is replaced by the right one, and nobody has two at one wallet", async () => {
    const id = world.receiverIds["店长"]!;
    const own = { id, type: "ALIPAY_USER_ID" as const, account: "2088000000000301" };
    world.sharing.fail("addReceiver", { refuse: "ACQ.USER_NOT_EXIST" });
    expect(await world.as("mch01", "addReceiverAccount", { ...own, account: "2088000000000300" })).toMatchObject({ bindState: "failed" });
    const login = { ...own, type: "ALIPAY_LOGIN_NAME" as const, account: "13800138000" };
    await expect(world.as("mch01", "addReceiverAccount", login)).rejects.toMatchObject({
      status: 400,
      fields: { name: expect.any(String) as string },
    });
    await expect(world.as("mch01", "addReceiverAccount", { ...own, account: "2088000000000101" })).rejects.toMatchObject({ status: 400 });
    const capitals = { ...own, type: "ALIPAY_LOGIN_NAME" as const, account: "Partner@Example.cn", name: "合作伙伴有限公司" };
    await expect(world.as("mch01", "addReceiverAccount", capitals)).rejects.toMatchObject({ status: 400 });
    await expect(world.as("mch01", "addReceiverAccount", { ...own, account: "20880" })).rejects.toMatchObject({
      fields: { account: "支付宝用户号为 2088 开头的 16 位数字" },
    });
    await expect(world.as("sp02", "addReceiverAccount", own)).rejects.toMatchObject({ status: 404 });
    expect(await world.as("mch01", "addReceiverAccount", own)).toMatchObject({ bindState: "bound" });
    await expect(world.as("mch01", "addReceiverAccount", { ...own, account: "2088000000000302" })).rejects.toMatchObject({ status: 409 });
    const order = await world.paid(10_000, "alipay");
    await world.pass();
    expect(await world.order(order.id)).toMatchObject({ shared: 1_793 });
    await world.owner("delete from sharing_accounts where account = '2088000000000301'");
  });
  test("a rule needs a direct account at either wallet, and neither wallet's cap is passed", async () => {
    const { id: merchantId } = world.tree.merchants.mch01;
    const setup = await world.as("mch01", "getSharingSetup", {});
    expect(setup.wallets.map(({ wallet, maxRatio }) => [wallet, maxRatio])).toEqual([
      ["wechat", 30_000],
      ["alipay", 30_000],
    ]);
    await world.as("mch01", "askMaxRatio", { wallet: "alipay" });
    await world.owner("update sharing_rules set alipay_max_ratio = 14999");
    await expect(world.rule("auto")).rejects.toMatchObject({
      status: 400,
      fields: { ratios: "支付宝接收方比例之和 15%，超过渠道允许的 14.999%" },
    });
    await world.owner("update sharing_rules set alipay_max_ratio = null");
    await world.owner("update channel_settings set channel = 9 where merchant_id = $1", [merchantId]);
    await world.rule("auto");
    await world.owner("update channel_accounts set channel = 1 where merchant_id = $1", [merchantId]);
    await expect(world.rule("auto")).rejects.toMatchObject({ status: 409 });
    for (const table of ["channel_settings", "channel_accounts"])
      await world.owner(`update ${table} set channel = 0 where merchant_id = $1`, [merchantId]);
  });
});

describe("receivers and the rule", () => {
  test("a name is sealed, masked and never told", async () => {
    const { receivers } = await world.as("mch01", "getSharingSetup", {});
    expect(receivers.map((one) => [one.alias, one.accounts[0]!.account, one.name, one.accounts[0]!.bindState])).toEqual([
      ["服务商", "1900000001", "演**", "bound"],
      ["合作伙伴", "1900000077", "合**", "bound"],
      ["店长", "****6789", null, "bound"],
    ]);
    expect(JSON.stringify(await world.owner("select * from sharing_receivers"))).not.toContain("演示服务商有限公司");
  });
  test("nobody else's group, receiver or merchant, and no more than the channel allows", async () => {
    const { rule, groups } = await world.as("mch01", "getSharingSetup", {});
    const given = { version: rule.version, mode: "auto" as const, timing: "now" as const, groupId: groups[0]!.id, unfreeze: true };
    await expect(world.as("mch02", "setSharingRule", { ...given, version: 0, ratios: [] })).rejects.toMatchObject({ status: 404 });
    const much = [{ receiverId: world.receiverIds["服务商"]!, ratio: 30_000 }];
    await expect(world.as("mch01", "setSharingRule", { ...given, ratios: much })).rejects.toMatchObject({
      status: 400,
      fields: { ratios: expect.any(String) as string },
    });
    await expect(world.as("mch01", "getSharingSetup", { merchantId: world.tree.merchants.mch02.id })).rejects.toMatchObject({
      status: 404,
    });
    await expect(world.as("sp02", "bindReceiver", { id: world.receiverIds["店长"]!, wallet: "wechat" })).rejects.toMatchObject({
      status: 404,
    });
  });
  test("a receiver without an answer is registered again", async () => {
    const { groups } = await world.as("mch01", "getSharingSetup", {});
    world.sharing.fail("addReceiver", "lost-reply");
    const added = await world.as("mch01", "addReceiver", {
      groupId: groups[0]!.id,
      alias: "总部",
      type: "MERCHANT_ID",
      account: "1900000099",
      name: "总部有限公司",
      relation: "HEADQUARTER",
      ratio: 1_000,
    });
    expect(added.bindState).toBe("unsure");
    expect(await world.as("mch01", "bindReceiver", { id: added.id, wallet: "wechat" })).toMatchObject({ bindState: "bound" });
    await world.as("mch01", "removeReceiver", { id: added.id });
    expect((await world.as("mch01", "getSharingSetup", {})).receivers).toHaveLength(3);
  });
});
