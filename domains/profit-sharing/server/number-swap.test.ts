import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setChannelSecret, updateChannelAccount } from "../../organisation/contract/index.ts";
import { organisation } from "../../organisation/server/index.ts";
import { openShareWorld, type ShareWorld } from "./testing/share-world.ts";

let world: ShareWorld;
beforeAll(async () => {
  world = await openShareWorld();
});
afterAll(() => world.close());

const routeOf = (endpoint: object) => organisation.routes.find((one) => one.endpoint === endpoint)!;
const alipay = (merchantNo: string, more: object = {}) =>
  world.ask("mch01", routeOf(updateChannelAccount), { channel: 0, mode: "direct", merchantNo, appNo: "2021000000000001", ...more });
const busy = { status: 409, code: "channel.busy" };

// Under another number the channel has never heard of a share: it would count as never sent, and be sent a second time.
test("a merchant's number at a channel stays while a share, a return or a refund through it has no end", async () => {
  await world.rule("auto");
  world.sharing.pace.shares = "slow";
  const order = await world.paid(10_000, "alipay");
  await world.pass();
  expect(await world.share(order.shareId)).toMatchObject({ status: 1 });
  await expect(alipay("2088000000000999")).rejects.toMatchObject(busy);
  await alipay("2088000000000001", { appNo: "2021000000000002" });
  await alipay("2088000000000001");
  world.sharing.decideAll();
  await world.pass();
  expect([(await world.share(order.shareId)).status, world.sharing.shares.size]).toEqual([2, 1]);
  const refund = (id: string) =>
    world.as("mch01", "refundOrder", { requestId: randomUUID(), orderId: id, amountCents: 5_000, reason: "退菜" });
  const back = await refund(order.id);
  await world.runJobs();
  await expect(alipay("2088000000000999")).rejects.toMatchObject(busy);
  world.channel.decide(back.refundNo, "success");
  await world.pass();
  await alipay("2088000000000999");
  await alipay("2088000000000001");

  const { mode, appId, mchId, subMchId } = world.settings.get(world.tree.merchants.mch01.id)!.account;
  const wechat = (number: string) =>
    world.ask("mch01", routeOf(setChannelSecret), {
      mode,
      appId,
      mchId,
      ...(subMchId && { subMchId }),
      [mode === "partner" ? "subMchId" : "mchId"]: number,
    });
  const own = mode === "partner" ? subMchId! : mchId;
  await world.rule("manual");
  const paid = await world.paid(10_000);
  const asked = await refund(paid.id);
  await world.runJobs();
  await expect(wechat("1900009999")).rejects.toMatchObject(busy);
  await wechat(own);
  world.channel.decide(asked.refundNo, "success");
  await world.pass();
  // A customer may be paying what was asked for under the old number.
  const [till] = world.tree.merchants.mch01.stores;
  const { orderNo } = await world.till(till!, "createTillOrder", { tillNo: "SWAP", tradeType: "NATIVE", subject: "午餐", grossCents: 100 });
  await expect(wechat("1900009999")).rejects.toMatchObject({ ...busy, message: expect.stringMatching(/等待支付.*最晚 2026-/) as string });
  await alipay("2088000000000999");
  await world.notify(till!.merchantId, world.channel.notice("SWAP", mchId, { transaction: world.channel.customerPays(orderNo) }));
  await wechat("1900009999");
  expect(await world.verify()).toEqual([]);
});
