import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { Incoming } from "@zhangfang/server/calls/call.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { callAs } from "@zhangfang/server/testing.ts";
import { signIn } from "../../../apps/demo/tree/tree.ts";
import { doors } from "../../accounts/server/world-for-tests.ts";
import { givePayerDoor } from "../../channels/server/index.ts";
import { setChannelSettings } from "../../organisation/server/index.ts";
import { openTillWorld, type TillWorld } from "../../orders/server/testing/till-world.ts";
import { setChannelAccount } from "../../organisation/server/index.ts";
import { setStoreState } from "../../stores/server/index.ts";
import {
  followPayment,
  getPayPage,
  MOST_CENTS,
  namePayer,
  openCashierCodes,
  openPayCodes,
  payAtCode,
  renewCashierCode,
  renewPayCode,
} from "../contract.ts";
import { payCodes } from "./index.ts";

const SECRET = "0123456789abcdef0123456789abcdef";
let world: TillWorld;
beforeAll(async () => void (world = await openTillWorld()));
afterAll(() => world.close());

async function as<E extends Endpoint>(
  login: string | undefined,
  endpoint: E,
  input: InputOf<E>,
  more: Partial<Incoming> = {},
): Promise<OutputOf<E>> {
  const route = payCodes.routes.find((one) => one.endpoint === (endpoint as Endpoint))!;
  return callAs(world.services, doors, { ...route, endpoint }, login && (await signIn(world.services, login)), input, more);
}
const refusal = (asked: Promise<unknown>) =>
  asked.then(
    () => "went through",
    (error: unknown) => (error instanceof Refusal ? `${error.status} ${error.message}` : Promise.reject(error)),
  );
const stores = () => world.tree.merchants.mch01.stores;
const codeOf = async (n = 0) => {
  const [poster] = (await as("mch01", openPayCodes, { storeIds: [stores()[n]!.id] })).items;
  return { ...poster!, code: poster!.url.split("/").at(-1)! };
};

test("a customer pays a real order at a store's code, once however often the page asks, and follows it to its end", async () => {
  const { code, url } = await codeOf();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:1\/pay\/[\w-]{22}$/);
  expect(await as(undefined, getPayPage, { code })).toEqual({
    merchantId: world.tree.merchants.mch01.id,
    storeId: stores()[0]!.id,
    storeName: "春熙路店",
    merchantName: "蜀味川菜",
    brandName: "禾木智慧商业",
    closed: null,
    mostCents: MOST_CENTS,
    wechatUrl: null,
  });
  const request = { code, requestId: randomUUID(), amountCents: 1_250 };
  const made = await as(undefined, payAtCode, request);
  expect(made).toMatchObject({ status: 0, paidCents: 0, payUrl: null });
  expect(made.codeUrl).toMatch(/^weixin:/);
  expect(await as(undefined, payAtCode, request)).toMatchObject({ orderNo: made.orderNo });
  expect(await refusal(as(undefined, payAtCode, { ...request, amountCents: 1 }))).toMatch(/^409/);
  const transaction = world.channel.customerPays(made.orderNo);
  const mchId = world.settings.get(stores()[0]!.merchantId)!.account.mchId;
  await world.notify(stores()[0]!.merchantId, world.channel.notice("PC1", mchId, { transaction }));
  expect(await as(undefined, followPayment, { code, requestId: request.requestId })).toMatchObject({ status: 2, paidCents: 1_250 });
  const [row] = (await world.as("mch01", "listPayOrders", {})).items;
  expect(row).toMatchObject({ orderNo: made.orderNo, paidCents: 1_250, storeName: "春熙路店", deviceName: null, cashierName: null });
  expect(await world.verify()).toEqual([]);
});

test("inside WeChat the payer is named once, sealed for this code, and pays by the page", async () => {
  const store = stores()[0]!;
  const { account } = world.settings.get(store.merchantId)!;
  await world.look((tx) =>
    setChannelSettings(tx, world.services, {
      ...account,
      serviceProviderId: store.serviceProviderId,
      merchantId: store.merchantId,
      appSecret: SECRET,
    }),
  );
  const asked: string[][] = [];
  givePayerDoor(world.services, {
    authorizeUrl: ({ appId }, to) => `wechat:${appId}:${to}`,
    openIdOf: async (_app, secret, given) => {
      asked.push([secret, given]);
      return given === "wxcode01" ? { kind: "ok", value: "oPayer1" } : { kind: "refused", code: "40163", message: "授权码已使用" };
    },
  });
  const [own, other] = [await codeOf(0), await codeOf(1)];
  expect((await as(undefined, getPayPage, { code: own.code })).wechatUrl).toBe(`wechat:${account.appId}:${own.url}`);
  const { payer } = await as(undefined, namePayer, { code: own.code, wechatCode: "wxcode01" });
  expect(asked).toEqual([[SECRET, "wxcode01"]]);
  expect(payer).not.toContain("oPayer1");
  expect(await refusal(as(undefined, namePayer, { code: own.code, wechatCode: "wxcode02" }))).toMatch(/^400 .*授权码已使用/);
  const request = { code: own.code, requestId: randomUUID(), amountCents: 880, payer };
  const made = await as(undefined, payAtCode, request);
  expect(made).toMatchObject({ status: 0, codeUrl: null, qr: null, clientParams: { signType: "RSA" } });
  expect(await as(undefined, payAtCode, request)).toMatchObject({ orderNo: made.orderNo });
  expect(await refusal(as(undefined, payAtCode, { ...request, payer: undefined }))).toMatch(/^409/);
  const elsewhere = { code: other.code, requestId: randomUUID(), amountCents: 880, payer };
  expect(await refusal(as(undefined, payAtCode, elsewhere))).toBe("400 页面停留过久，请重新打开");
  world.services.clock.advance(31 * 60_000);
  expect(await refusal(as(undefined, payAtCode, { ...request, requestId: randomUUID() }))).toBe("400 页面停留过久，请重新打开");
});

test("a payment is followed by its own code alone, and nobody guesses one", async () => {
  const [own, other] = [await codeOf(0), await codeOf(1)];
  const requestId = randomUUID();
  await as(undefined, payAtCode, { code: own.code, requestId, amountCents: 100 });
  expect(await refusal(as(undefined, followPayment, { code: other.code, requestId }))).toMatch(/^404/);
  expect(await refusal(as(undefined, followPayment, { code: own.code, requestId: randomUUID() }))).toMatch(/^404/);
  for (const amountCents of [0, -1, 1.5, MOST_CENTS + 1])
    expect(await refusal(as(undefined, payAtCode, { code: own.code, requestId: randomUUID(), amountCents }))).toMatch(/^400/);
});

test("a new code voids the old one; who did not see the newest renews nothing", async () => {
  const old = await codeOf(2);
  const made = await as("mch01", renewPayCode, { id: old.id, storeId: old.storeId });
  expect(made.url).not.toBe(old.url);
  expect(await refusal(as(undefined, getPayPage, { code: old.code }))).toBe("404 收款码已失效，请向店员索取新的收款码");
  expect(await refusal(as(undefined, payAtCode, { code: old.code, requestId: randomUUID(), amountCents: 100 }))).toMatch(/^404/);
  expect(await refusal(as("mch01", renewPayCode, { id: old.id, storeId: old.storeId }))).toBe("409 收款码已被更换，请刷新后查看");
  expect(await refusal(as("mch02", renewPayCode, { id: made.id, storeId: old.storeId }))).toMatch(/^409/);
  expect((await codeOf(2)).id).toBe(made.id);
});

test("everybody opens the codes of the stores in sight and no others; two at once make one", async () => {
  const ids = [...stores(), ...world.tree.merchants.mch02.stores].map(({ id }) => id);
  const seenBy = async (login: string) => (await as(login, openPayCodes, { storeIds: ids })).items.map(({ storeId }) => storeId).toSorted();
  expect(await seenBy("emp01")).toEqual([stores()[0]!.id]);
  expect(await seenBy("mch02")).toEqual(world.tree.merchants.mch02.stores.map(({ id }) => id).toSorted());
  const [a, b] = await Promise.all([
    as("mch01", openPayCodes, { storeIds: [stores()[3]!.id] }),
    as("mch01", openPayCodes, { storeIds: [stores()[3]!.id] }),
  ]);
  expect(a.items[0]!.id).toBe(b.items[0]!.id);
});

test("a closed store says so and takes nothing", async () => {
  const { code, storeId } = await codeOf(1);
  const store = { serviceProviderId: stores()[1]!.serviceProviderId, id: storeId };
  await world.look((tx) => setStoreState(tx, world.services, store, "disabled"));
  expect((await as(undefined, getPayPage, { code })).closed).toBe("门店已停业");
  expect(await refusal(as(undefined, payAtCode, { code, requestId: randomUUID(), amountCents: 100 }))).toBe("409 门店已停业");
  await world.look((tx) => setStoreState(tx, world.services, store, "active"));
});

test("one network begins ten payments a minute at a code, another still its own; asking again is not beginning", async () => {
  const { code } = await codeOf(3);
  const pay = (ip: string, requestId: string = randomUUID()) =>
    refusal(as(undefined, payAtCode, { code, requestId, amountCents: 100 }, { ip }));
  const requestId = randomUUID();
  for (let n = 0; n < 10; n++) expect(await pay(`203.0.113.${n}`, n === 0 ? requestId : randomUUID())).toBe("went through");
  expect(await pay("203.0.113.99")).toMatch(/^429/);
  expect(await pay("203.0.113.99", requestId)).toBe("went through");
  expect(await pay("198.51.100.1")).toBe("went through");
  world.services.clock.advance(61_000);
  expect(await pay("203.0.113.99")).toBe("went through");
});

test("the app that opens the page says whose money it is; a merchant that doesn't take it says so", async () => {
  const { code } = await codeOf(0);
  const pay = (wallet: "alipay" | "unionpay") => as(undefined, payAtCode, { code, requestId: randomUUID(), amountCents: 100, wallet });
  expect(await refusal(pay("alipay"))).toBe("409 商户尚未开通支付宝收款");
  const { serviceProviderId, merchantId } = stores()[0]!;
  const keys = { privateKey: "-----BEGIN PRIVATE KEY-----", publicKey: "-----BEGIN PUBLIC KEY-----" };
  const account = { merchantNo: "2088123412341234", appNo: "2021123412341234", ...keys, baseUrl: "https://openapi.alipay.com/gateway.do" };
  await world.look((tx) =>
    setChannelAccount(tx, world.services, { serviceProviderId, merchantId, channel: 0, mode: "direct", ...account }),
  );
  // Later than every order before it: the newest stands first.
  world.services.clock.advance(1);
  expect(await refusal(pay("alipay"))).toBe("went through");
  expect(await refusal(pay("unionpay"))).toBe("409 商户尚未开通云闪付收款");
  expect((await world.as("mch01", "listPayOrders", {})).items[0]).toMatchObject({ channel: 0, tool: 3 });
});

test("what is paid at a cashier's own code carries the cashier, stays within the limit, and ends when the cashier is disabled", async () => {
  const [cashier] = stores()[0]!.cashiers;
  const id = cashier!.id;
  await world.owner("update cashiers set pay_most_cents = 30000 where id = $1", [id]);
  const own = async () => (await as("mch01", openCashierCodes, { cashierIds: [id] })).items[0]!;
  const poster = await own();
  expect(poster).toMatchObject({ cashierId: id, cashierName: cashier!.name, cashierCode: cashier!.code, storeName: expect.any(String) });
  expect((await own()).id).toBe(poster.id);
  expect((await codeOf()).id).not.toBe(poster.id);
  const code = poster.url.split("/").at(-1)!;
  expect(await as(undefined, getPayPage, { code })).toMatchObject({ closed: null, mostCents: 30_000 });
  const made = await as(undefined, payAtCode, { code, requestId: randomUUID(), amountCents: 30_000 });
  expect(await world.owner("select cashier_id from pay_orders where order_no = $1", [made.orderNo])).toEqual([{ cashier_id: id }]);
  expect(await refusal(as(undefined, payAtCode, { code, requestId: randomUUID(), amountCents: 30_001 }))).toBe(
    "400 这个收款码单笔最多 300.00 元，请到收银台付款",
  );
  const next = await as("mch01", renewCashierCode, { id: poster.id, cashierId: id });
  expect(await refusal(as(undefined, getPayPage, { code }))).toMatch(/^404/);
  expect(await refusal(as("mch02", renewCashierCode, { id: next.id, cashierId: id }))).toMatch(/^409/);
  expect(await refusal(as("mch01", renewPayCode, { id: next.id, storeId: poster.storeId }))).toMatch(/^409/);
  await world.owner("update cashiers set state = 'disabled' where id = $1", [id]);
  const late = next.url.split("/").at(-1)!;
  expect((await as(undefined, getPayPage, { code: late })).closed).toBe("收银员已停用，请换一个收款码");
  expect(await refusal(as(undefined, payAtCode, { code: late, requestId: randomUUID(), amountCents: 1 }))).toMatch(/^409/);
});
