import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { sharesOf } from "../index.ts";
import { shareTests } from "../testing/share-tests.ts";

const { world, refund, balances } = await shareTests();

describe("补分: what receivers did not get", () => {
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
});
