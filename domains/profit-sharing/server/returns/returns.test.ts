import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { shareTests } from "../testing/share-tests.ts";

const { world, refund, balances } = await shareTests();

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
    const parties = async (bear: boolean) => {
      const shown = await world.as("mch01", "previewRefundRetry", { id: asked.refundId, bear });
      const shares = shown.shares.map((one) => [one.alias, one.returnCents, one.refusal, one.done]);
      return [shares, shown.sharesBackCents, shown.borneCents, shown.feeBackCents, shown.merchantPaysCents, shown.refusal];
    };
    const bears = ["店长", 299, "个人接收方不支持回退，由商户承担", false];
    const back = ["服务商", 996, null, true];
    expect(await parties(false)).toEqual([[back, ["合作伙伴", 498, null, false], bears], 1_494, 299, 38, 8_468, null]);
    expect(await parties(true)).toEqual([[back, ["合作伙伴", 498, "接收方余额不足", false], bears], 996, 797, 38, 8_966, null]);
    const one = await world.as("emp01", "previewRefundRetry", { id: asked.refundId });
    expect(one.shares.map(({ alias, returnCents }) => [alias, returnCents])).toEqual([
      ["分账接收方", 1_494],
      ["分账接收方", 299],
    ]);
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

  test("one that failed after its share came back takes, when it is sent again, what another has left of it since", async () => {
    const { 服务商: one, ...others } = world.receiverIds;
    await world.owner("update sharing_receivers set ratio = 40000 where id = $1", [one]);
    await world.owner("update sharing_receivers set state = 'paused' where id = any($1)", [Object.values(others)]);
    const order = await world.paid();
    await world.pass();
    expect(await world.order(order.id)).toMatchObject({ shared: 3_000 });
    const first = await refund(order.id, 5_000);
    await world.runJobs();
    world.channel.decide(first.refundNo, "closed");
    await world.pass();
    expect([(await world.as("mch01", "getRefund", { id: first.refundId })).status, await world.order(order.id)]).toMatchObject([
      3,
      { returned: 1_500, refunding: 0 },
    ]);
    const second = await refund(order.id, 5_000);
    await world.runJobs();
    world.channel.decide(second.refundNo, "success");
    await world.pass();
    expect(await world.order(order.id)).toMatchObject({ refunded: 5_000, returned: 2_250 });
    const shown = await world.as("mch01", "previewRefundRetry", { id: first.refundId });
    expect([shown.refusal, shown.shares.map((share) => [share.returnCents, share.done ?? false])]).toEqual([
      null,
      [
        [1_500, true],
        [750, false],
      ],
    ]);
    await world.as("mch01", "retryRefund", { requestId: randomUUID(), id: first.refundId });
    expect(await world.order(order.id)).toMatchObject({ returning: 750, refunding: 5_000 });
    await world.runJobs();
    world.channel.decide(`${first.refundNo}-2`, "success");
    await world.pass();
    expect(await world.order(order.id)).toMatchObject({ status: 3, returning: 0, returned: 3_000, borne: 0 });
    await world.owner("update sharing_receivers set ratio = 10000 where id = $1", [one]);
    await world.owner("update sharing_receivers set state = 'active'");
  });

  test("one that failed before its share came back asks for no more than another has left, to the half cent that rounding gave", async () => {
    const { 服务商: one, ...others } = world.receiverIds;
    await world.owner("update sharing_receivers set ratio = 40000 where id = $1", [one]);
    await world.owner("update sharing_receivers set state = 'paused' where id = any($1)", [Object.values(others)]);
    const order = await world.paid(10_004);
    await world.pass();
    expect(await world.order(order.id)).toMatchObject({ shared: 3_001 });
    const { account } = (await world.owner<{ account: string }>("select account from sharing_accounts where receiver_id = $1", [one]))[0]!;
    world.sharing.penniless.add(account);
    const first = await refund(order.id, 5_002);
    await world.runJobs();
    expect((await world.as("mch01", "getRefund", { id: first.refundId })).status).toBe(3);
    world.sharing.penniless.delete(account);
    const second = await refund(order.id, 5_002);
    await world.runJobs();
    world.channel.decide(second.refundNo, "success");
    await world.pass();
    expect(await world.order(order.id)).toMatchObject({ refunded: 5_002, returned: 1_501 });
    expect((await world.as("mch01", "previewRefundRetry", { id: first.refundId })).refusal).toBe(null);
    await world.as("mch01", "retryRefund", { requestId: randomUUID(), id: first.refundId });
    await world.runJobs();
    for (const refundNo of world.channel.refunds.keys()) if (refundNo.startsWith(first.refundNo)) world.channel.decide(refundNo, "success");
    await world.pass();
    expect(await world.order(order.id)).toMatchObject({ status: 3, refunded: 10_004, returning: 0 });
    await world.owner("update sharing_receivers set ratio = 10000 where id = $1", [one]);
    await world.owner("update sharing_receivers set state = 'active'");
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

describe("the channel tells that it has done something, and no minute passes", () => {
  /** Its notification to a merchant of a number. @returns what came of it, by the inbox */
  async function hear(number: string, merchant: "mch01" | "mch03" = "mch01"): Promise<unknown> {
    const { id } = world.tree.merchants[merchant];
    const event = randomUUID();
    await world.notify(id, world.channel.notice(event, world.settings.get(id)!.account.mchId, { number }));
    await world.runJobs();
    return (await world.owner<{ result: string }>("select result from channel_inbox where event_id = $1", [event]))[0]?.result;
  }
  const numbers = (table: "sharing_orders" | "sharing_returns", order: string) =>
    world.owner<{ id: string; no: string }>(
      `select id, ${table === "sharing_orders" ? "share_no" : "return_no"} as no from ${table} where order_id = $1 and status = 1 order by id`,
      [order],
    );

  test("of a share: that one is asked about, and only where its own merchant is told, not another of its provider", async () => {
    world.sharing.pace.shares = "slow";
    const [order, other] = [await world.paid(), await world.paid()];
    await world.pass();
    const [share] = await numbers("sharing_orders", order.id);
    world.sharing.decideAll();
    const calls = async () => (await world.owner("select 1 from channel_calls")).length;
    const before = await calls();
    expect([await hear(share!.no, "mch03"), await hear("S-unknown"), await calls()]).toEqual(["ignored", "ignored", before]);
    expect(await hear(share!.no)).toBe("asked");
    expect([(await world.share(order.shareId)).status, (await world.share(other.shareId)).status]).toEqual([2, 1]);
    const asked = await calls();
    expect([await hear(share!.no), await calls()]).toEqual(["asked", asked]);
  });

  test("of a return: the refund that waited for it goes out, and one whose refund has failed is asked about alone", async () => {
    await world.paid(50_000);
    const [order, other] = [await world.paid(), await world.paid()];
    await world.pass();
    world.sharing.pace.returns = "slow";
    const [asked, waits] = [await refund(order.id, 5_000), await refund(other.id, 5_000)];
    await world.runJobs();
    const returns = await numbers("sharing_returns", order.id);
    expect(await hear(returns[0]!.no, "mch03")).toBe("ignored");
    world.sharing.decideAll();
    for (const { no } of returns) expect(await hear(no)).toBe("asked");
    expect([asked, waits].map(({ refundNo }) => world.channel.refunds.has(refundNo))).toEqual([true, false]);
    await world.pass();

    world.sharing.pace.returns = "at once";
    world.sharing.penniless.add("1900000077");
    await refund((await sharedOrder()).id, 10_000);
    await world.runJobs();
    world.sharing.penniless.clear();
    world.sharing.pace.returns = "slow";
    const { id } = (await world.as("mch01", "listReturns", { status: 3 })).items[0]!;
    await world.as("mch01", "retryReturn", { requestId: randomUUID(), id });
    await world.runJobs();
    const [row] = await world.owner<{ return_no: string }>("select return_no from sharing_returns where id = $1", [id]);
    world.sharing.decideAll();
    expect([await hear(row!.return_no), (await world.as("mch01", "getReturn", { id })).status]).toEqual(["asked", 2]);
    const jobs = () => world.owner("select last_value from test_jobs_id_seq");
    const before = await jobs();
    expect([await hear(row!.return_no), await jobs()]).toEqual(["asked", before]);
  });
  const sharedOrder = async () => {
    const order = await world.paid();
    await world.pass();
    return order;
  };
});
