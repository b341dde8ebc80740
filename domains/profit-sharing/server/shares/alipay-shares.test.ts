import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { shareTests } from "../testing/share-tests.ts";

const { world, refund, balances } = await shareTests();

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
  test("money is not frozen for receivers whom the channel refused; one that has no answer yet is waited for", async () => {
    const answered = (state: string) => world.owner("update sharing_accounts set bind_state = $1 where wallet = 'alipay'", [state]);
    await answered("failed");
    const order = await world.paid(10_000, "alipay");
    expect(order.shareId).toBe("");
    expect((await world.owner("select profit_sharing from pay_orders where id = $1", [order.id]))[0]).toEqual({ profit_sharing: false });
    await answered("unsure");
    expect((await world.paid(10_000, "alipay")).shareId).not.toBe("");
    await answered("bound");
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
      fields: { ratios: "支付宝接收方比例之和 15%，超过通道允许的 14.999%" },
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
