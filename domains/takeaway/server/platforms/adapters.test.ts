import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { OutboundRequest } from "@zhangfang/server/outside/outbound.ts";
import type { PlatformAccount } from "../../../platforms/server/index.ts";
import { eleDoor } from "./ele.ts";
import { meituanDoor } from "./meituan.ts";

// The adapters against bytes written by hand from what the platforms' pages and SDK sources say, not against the simulator, which is ours too.
const NOW_MS = Date.parse("2026-11-20T04:30:00.000Z");
const clock = { now_ms: () => NOW_MS };
const ids = { uuid: () => "00000000-0000-7000-8000-000000000001" };
const ACCOUNT = { appKey: "app-1", secret: "secret-1", accountNo: "token-1" } as unknown as PlatformAccount;
const md5 = (text: string): string => createHash("md5").update(text).digest("hex");

function over(body: string, status = 200) {
  const asked: OutboundRequest[] = [];
  const send = (request: OutboundRequest) => {
    asked.push(request);
    return Promise.resolve({ status, headers: {}, body: Buffer.from(body) });
  };
  return {
    asked,
    ele: () => eleDoor("https://open-api.shop.ele.me", { clock, ids } as never, send as never),
    meituan: () => meituanDoor("https://waimaiopen.meituan.com", clock as never, send as never),
  };
}

describe("饿了么", () => {
  const ORDER =
    '{"id":"8012345678901234567","orderId":"8012345678901234567","shopId":987654321012345678,"shopName":"蜀味川菜（春熙路店）","daySn":12,"status":"settled",' +
    '"createdAt":"2026-11-20T11:02:03","activeAt":"2026-11-20T11:02:09","settledAt":"2026-11-20T11:48:00","originalPrice":58.5,"packageFee":2,"deliverFee":5.00,' +
    '"shopPart":-6.5,"elemePart":-3,"totalPrice":49,"serviceFee":-7.2,"income":39.8,"consignee":"张三","phoneList":["13800000000"],"address":"春熙路 1 号",' +
    '"groups":[{"name":"1号篮子","type":"normal","items":[{"id":1,"name":"冷锅串串","quantity":2,"price":20.5,"total":41}]}]}';
  const answered = (error: string, result: string) => `{"id":"x","result":${result},"error":${error}}`;
  test("an order is asked for by a signed envelope, and read by its digits", async () => {
    const { asked, ele } = over(answered("null", ORDER));
    expect(await ele().order(ACCOUNT, "8012345678901234567")).toEqual({
      outcome: "ok",
      order: {
        platform_order_id: "8012345678901234567",
        // Beyond 2^53, and no digit of it is another.
        platform_store_id: "987654321012345678",
        platform_store_name: "蜀味川菜（春熙路店）",
        day_no: "12",
        status: 2,
        placed_at: "2026-11-20T03:02:03.000Z",
        completed_at: "2026-11-20T03:48:00.000Z",
        changed_at: "2026-11-20T03:02:09.000Z",
        lines: [{ name: "冷锅串串", count: 2, cents: 4_100 }],
        original_cents: 5_850,
        package_cents: 200,
        delivery_cents: 500,
        shop_off_cents: 650,
        platform_off_cents: 300,
        paid_cents: 4_900,
        fee_cents: 720,
        income_cents: 3_980,
        // Without the delivery fee: who delivered keeps it.
        parts_cents: 3_980,
        refund_cents: 0,
        shop_refund_cents: 0,
      },
    });
    const [{ url, method, body } = {} as never] = asked as unknown as readonly { url: string; method: string; body: string }[];
    expect([method, url]).toEqual(["POST", "https://open-api.shop.ele.me/api/v1/"]);
    const seconds = NOW_MS / 1_000;
    expect(JSON.parse(body)).toEqual({
      nop: "1.0.0",
      id: ids.uuid(),
      action: "eleme.order.getOrder",
      token: "token-1",
      metas: { app_key: "app-1", timestamp: seconds },
      params: { orderId: "8012345678901234567" },
      signature: md5(`eleme.order.getOrdertoken-1app_key="app-1"orderId="8012345678901234567"timestamp=${seconds}secret-1`).toUpperCase(),
    });
  });
  test("another order than was asked for, half an order and no JSON are no answer", async () => {
    await expect(over(answered("null", ORDER)).ele().order(ACCOUNT, "1")).rejects.toThrow("another order");
    await expect(over(answered("null", '{"id":"1"}')).ele().order(ACCOUNT, "1")).rejects.toThrow("cannot be read");
    await expect(over("<html>").ele().order(ACCOUNT, "1")).rejects.toThrow("no JSON");
    await expect(over("", 502).ele().order(ACCOUNT, "1")).rejects.toThrow("502");
  });
  test("unverified: T5, its codes for an order that it does not know, for keys that it refuses, and for being busy", async () => {
    const said = (code: string) =>
      over(answered(`{"code":"${code}","message":"说明"}`, "null"))
        .ele()
        .order(ACCOUNT, "1");
    expect(await said("ORDER_NOT_FOUND")).toEqual({ outcome: "none", why: "说明" });
    expect(await said("INVALID_SIGNATURE")).toEqual({ outcome: "refused", why: "说明" });
    await expect(said("SERVER_ERROR")).rejects.toThrow("SERVER_ERROR");
  });
  const told = (changed: (order: string) => string) =>
    over(answered("null", changed(ORDER)))
      .ele()
      .order(ACCOUNT, "8012345678901234567");
  test.each([
    [39.8, 3_980],
    // With the delivery fee, where the shop delivered.
    [44.8, 4_480],
  ])("unverified: T2, an income with or without the delivery fee is even: %s", async (income, parts_cents) => {
    expect(await told((order) => order.replace('"income":39.8', `"income":${income}`))).toMatchObject({
      order: { income_cents: parts_cents, parts_cents },
    });
  });
  test("unverified: T1, originalPrice holds packaging and delivery: 58.50 less 6.50 and 7.20, and 5.00 of delivery", async () => {
    // Were they on top of it, the parts would come to 46.80.
    expect(await told((order) => order.replace('"income":39.8', '"income":1'))).toMatchObject({ order: { parts_cents: 3_980 } });
  });
  test("unverified: T3, refunds stand in refundPrice and refundShopPart, in yuan", async () => {
    expect(await told((order) => order.replace('"createdAt"', '"refundPrice":20.5,"refundShopPart":30,"createdAt"'))).toMatchObject({
      // The shop bears no more than what went back.
      order: { refund_cents: 2_050, shop_refund_cents: 2_050 },
    });
  });
  test("unverified: T4, an order is completed at settledAt, and changed at updatedAt", async () => {
    expect(await told((order) => order.replace('"createdAt"', '"updatedAt":"2026-11-20T12:00:00","createdAt"'))).toMatchObject({
      order: { completed_at: "2026-11-20T03:48:00.000Z", changed_at: "2026-11-20T04:00:00.000Z" },
    });
    expect(await told((order) => order.replace('"settledAt"', '"doneAt"'))).toMatchObject({
      order: { completed_at: "2026-11-20T03:02:09.000Z", changed_at: "2026-11-20T03:02:09.000Z" },
    });
  });
  test.each([
    ["2026-11-20T11:02:03", "2026-11-20T03:02:03.000Z"],
    ["2026-11-20 11:02:03", "2026-11-20T03:02:03.000Z"],
    ["2026-11-20T11:02:03+09:00", "2026-11-20T02:02:03.000Z"],
    ["2026-11-20T03:02:03Z", "2026-11-20T03:02:03.000Z"],
  ])("unverified: T6, times are Shanghai's where they do not say: %s", async (said, placed_at) => {
    expect(await told((order) => order.replace("2026-11-20T11:02:03", said))).toMatchObject({ order: { placed_at } });
  });
});

describe("美团外卖", () => {
  const ORDER =
    '{"data":{"order_id":27065081208012345678,"app_poi_code":"POI-1","wm_poi_name":"蜀味川菜","day_seq":"7","status":8,"ctime":1795150923,"utime":1795153680,' +
    '"order_completed_time":1795153620,"original_price":58.5,"shipping_fee":5,"total":49,"recipient_phone":"13800000000","recipient_address":"春熙路 1 号",' +
    '"detail":"[{\\"food_name\\":\\"冷锅串串\\",\\"quantity\\":2,\\"price\\":20.5,\\"box_num\\":2.0,\\"box_price\\":1}]",' +
    '"extras":"[{\\"remark\\":\\"满减\\",\\"poi_charge\\":6.5,\\"mt_charge\\":3}]","poi_receive_detail":"{\\"wmPoiReceiveCent\\":3980,\\"foodShareFeeChargeByPoi\\":720}"}}';
  test("an order is asked for by a signed address, and read by its digits", async () => {
    const { asked, meituan } = over(ORDER);
    expect(await meituan().order(ACCOUNT, "27065081208012345678")).toEqual({
      outcome: "ok",
      order: {
        platform_order_id: "27065081208012345678",
        platform_store_id: "POI-1",
        platform_store_name: "蜀味川菜",
        day_no: "7",
        status: 2,
        placed_at: new Date(1_795_150_923_000).toISOString(),
        completed_at: new Date(1_795_153_620_000).toISOString(),
        changed_at: new Date(1_795_153_680_000).toISOString(),
        lines: [{ name: "冷锅串串", count: 2, cents: 4_100 }],
        original_cents: 5_850,
        package_cents: 200,
        delivery_cents: 500,
        shop_off_cents: 650,
        platform_off_cents: 300,
        paid_cents: 4_900,
        fee_cents: 720,
        income_cents: 3_980,
        parts_cents: 3_980,
        refund_cents: 0,
        shop_refund_cents: 0,
      },
    });
    const path = "https://waimaiopen.meituan.com/api/v1/order/getOrderDetail";
    const query = `app_id=app-1&order_id=27065081208012345678&timestamp=${NOW_MS / 1_000}`;
    expect(asked).toMatchObject([{ method: "GET", url: `${path}?${query}&sig=${md5(`${path}?${query}secret-1`)}` }]);
  });
  test("unverified: T5, 808 is no such order, 701 is busy, every other no is one", async () => {
    const said = (code: number) => over(`{"data":"ng","error":{"code":${code},"msg":"说明"}}`).meituan().order(ACCOUNT, "1");
    expect(await said(808)).toEqual({ outcome: "none", why: "说明" });
    expect(await said(703)).toEqual({ outcome: "refused", why: "说明" });
    await expect(said(701)).rejects.toThrow("busy");
  });
  const told = (changed: (order: string) => string) => over(changed(ORDER)).meituan().order(ACCOUNT, "27065081208012345678");
  test("unverified: T3, refunds stand in refund_cent and refund_poi_cent, in cents", async () => {
    expect(await told((order) => order.replace('"ctime"', '"refund_cent":2050,"refund_poi_cent":1500,"ctime"'))).toMatchObject({
      order: { refund_cents: 2_050, shop_refund_cents: 1_500 },
    });
  });
  test("unverified: T4, an order is completed at order_completed_time, and changed at utime", async () => {
    const [completed_at, changed_at] = [1_795_153_620_000, 1_795_153_680_000].map((at_ms) => new Date(at_ms).toISOString());
    expect(await told((order) => order)).toMatchObject({ order: { completed_at, changed_at } });
    expect(await told((order) => order.replace("order_completed_time", "done_time"))).toMatchObject({
      order: { completed_at: changed_at },
    });
  });
  test("unverified: T8, amounts are yuan outside of poi_receive_detail and cents inside", async () => {
    expect(await told((order) => order.replace('"total":49', '"total":"49.01"').replace(":3980,", ":3981,"))).toMatchObject({
      order: { paid_cents: 4_901, income_cents: 3_981, fee_cents: 720 },
    });
  });
  test("unverified: T7, status 8 is completed and 9 cancelled; another number is no answer", async () => {
    const at = (status: number) =>
      over(ORDER.replace('"status":8', `"status":${status}`))
        .meituan()
        .order(ACCOUNT, "27065081208012345678");
    expect(await at(9)).toMatchObject({ order: { status: 3, completed_at: null } });
    expect(await at(4)).toMatchObject({ order: { status: 1 } });
    await expect(at(5)).rejects.toThrow("cannot be read");
  });
});
