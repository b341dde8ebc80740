import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { storeScope } from "@zhangfang/server/database/scope.ts";
import { cleanCashierId, updateDeviceInfo } from "../../devices/contract/index.ts";
import { devices } from "../../devices/server/index.ts";
import { cashierImport } from "./import-cashiers.ts";
import { openTillWorld, type TillWorld } from "../../orders/server/testing/till-world.ts";
import {
  bindCashier,
  getCashier,
  getCashiers,
  moveCashier,
  openCashier,
  setCashierState,
  summariseCashiers,
  updateCashier,
} from "../contract.ts";
import { cashiers } from "./index.ts";

let world: TillWorld;
beforeAll(async () => void (world = await openTillWorld()));
afterEach(async () => {
  await world.forget();
  world.channel.forget();
});
afterAll(() => world.close());

const PAYS = "130000000000000002";
const as = <E extends Endpoint>(login: string, endpoint: E, input: InputOf<E>): Promise<OutputOf<E>> =>
  world.ask(
    login,
    [...cashiers.routes, ...devices.routes].find((one) => one.endpoint === (endpoint as Endpoint))!,
    input as object,
  ) as Promise<OutputOf<E>>;
const refusal = async (asked: Promise<unknown>): Promise<{ status: number; message: string }> => {
  try {
    await asked;
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status, message: error.message };
    throw error;
  }
  throw new Error("was not refused");
};
const store = (n = 0) => world.tree.merchants.mch01.stores[n]!;
let n = 0;
/** A new cashier of a store of mch01. */
const make = async (facts: Partial<InputOf<typeof openCashier>> = {}) => {
  const given = { code: `T${++n}`, name: `测试${n}`, storeId: store().id, ...facts };
  return { ...given, id: (await as("mch01", openCashier, given)).id };
};
const order = (more: object = {}) => ({
  tillNo: `K${++n}`,
  tradeType: "MICROPAY" as const,
  subject: "午餐",
  grossCents: 2_000,
  authCode: PAYS,
  ...more,
});
const refund = (tillNo: string, amountCents: number, more: object = {}) =>
  world.till(store(), "refundTillOrder", { requestId: randomUUID(), tillNo, amountCents, reason: "退菜", ...more });

test("a payment above the limit of the cashier who is named is refused with words, and one within it carries the cashier", async () => {
  const cashier = await make({ payMostCents: 5_000 });
  const most = order({ grossCents: 5_000, cashierCode: cashier.code });
  expect(await world.till(store(), "createTillOrder", most)).toMatchObject({ status: 2 });
  expect(await world.owner("select cashier_id from pay_orders where till_no = $1", [most.tillNo])).toEqual([{ cashier_id: cashier.id }]);
  const more = order({ grossCents: 5_001, cashierCode: cashier.code });
  expect(await refusal(world.till(store(), "createTillOrder", more))).toEqual({
    status: 400,
    message: `超过收银员${cashier.name}的单笔收款上限 ¥50.00，请换有权限的收银员`,
  });
  expect(await world.owner("select 1 from pay_orders where till_no = $1", [more.tillNo])).toEqual([]);
  expect((await as("mch01", getCashier, { id: cashier.id })).today).toMatchObject({ payCount: 1, paidCents: 5_000 });
});

test("the limits of refunds hold for the cashier who is named and for the one at the device: at once, and over the day", async () => {
  const cashier = await make({ refundMostCents: 1_000, refundDayCents: 1_500 });
  const paid = await world.till(store(), "createTillOrder", order({ grossCents: 9_000 }));
  const by = { cashierCode: cashier.code };
  expect((await refusal(refund(paid.tillNo, 1_001, by))).message).toBe(
    `超过收银员${cashier.name}的单笔退款上限 ¥10.00，请由店长在后台退款`,
  );
  expect(await refund(paid.tillNo, 1_000, by)).toMatchObject({ status: 1 });
  expect((await refusal(refund(paid.tillNo, 501, by))).message).toContain("今日还可退 ¥5.00");
  expect(await refund(paid.tillNo, 500, by)).toMatchObject({ status: 1 });
  // Nobody's limits are another's, and the next day is another day.
  expect(await refund(paid.tillNo, 1_600)).toMatchObject({ status: 1 });
  const device = store().devices[0]!.id;
  await as("mch01", updateDeviceInfo, { device_id: device, cashier_id: cashier.id });
  expect((await refusal(refund(paid.tillNo, 100))).message).toContain("今日还可退 ¥0.00");
  world.services.clock.advance(24 * 3600_000);
  expect(await refund(paid.tillNo, 100)).toMatchObject({ status: 1 });
  await as("mch01", cleanCashierId, { device_id: device });
  const none = await make({ refundMostCents: 0 });
  expect((await refusal(refund(paid.tillNo, 1, { cashierCode: none.code }))).message).toBe(
    `收银员${none.name}不能退款，请由店长在后台退款`,
  );
});

test("the limit of the day follows the person to another store and back, whichever record gave the money back", async () => {
  const cashier = await make({ refundDayCents: 1_500 });
  const by = { cashierCode: cashier.code };
  const at = (n: number) => world.till(store(n), "createTillOrder", order({ grossCents: 9_000 }));
  const give = (n: number, tillNo: string, amountCents: number) =>
    world.till(store(n), "refundTillOrder", { requestId: randomUUID(), tillNo, amountCents, reason: "退菜", ...by });
  const here = await at(0);
  expect(await give(0, here.tillNo, 1_000)).toMatchObject({ status: 1 });
  const moved = await as("mch01", moveCashier, { id: cashier.id, revision: 1, storeId: store(1).id });
  const there = await at(1);
  expect((await refusal(give(1, there.tillNo, 501))).message).toContain("今日还可退 ¥5.00");
  expect(await give(1, there.tillNo, 300)).toMatchObject({ status: 1 });
  await as("mch01", moveCashier, { id: moved.id, revision: 1, storeId: store().id });
  expect((await refusal(give(0, here.tillNo, 201))).message).toContain("今日还可退 ¥2.00");
  expect(await give(0, here.tillNo, 200)).toMatchObject({ status: 1 });
  world.services.clock.advance(24 * 3600_000);
  expect(await give(0, here.tillNo, 1_500)).toMatchObject({ status: 1 });
});

test("ten refunds of one cashier at once stay within the day's limit", async () => {
  const cashier = await make({ refundDayCents: 1_000 });
  const orders = await Promise.all(Array.from({ length: 10 }, () => world.till(store(), "createTillOrder", order())));
  const settled = await Promise.allSettled(orders.map(({ tillNo }) => refund(tillNo, 300, { cashierCode: cashier.code })));
  expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  expect(await world.owner("select sum(amount_cents)::int as sum from refunds where cashier_id = $1", [cashier.id])).toEqual([
    { sum: 900 },
  ]);
});

test("a cashier stands at one device of the own store, and whoever is disabled stands nowhere and takes nothing", async () => {
  const [one, other] = [await make(), await make()];
  const [first, second] = [store().devices[1]!.id, store().devices[2]!.id];
  const at = async (id: string) => (await as("mch01", getCashier, { id })).deviceId;
  await as("mch01", bindCashier, { id: one.id, deviceId: first });
  expect(await at(one.id)).toBe(first);
  expect((await refusal(as("mch01", bindCashier, { id: other.id, deviceId: first }))).message).toContain(`由收银员${one.name}使用`);
  expect((await refusal(as("mch01", updateDeviceInfo, { device_id: second, cashier_id: one.id }))).message).toContain("已绑定设备");
  expect((await refusal(as("mch01", bindCashier, { id: one.id, deviceId: store(1).devices[0]!.id }))).message).toContain(
    "不在收银员的门店",
  );
  for (const device of [second, first, second]) {
    await as("mch01", bindCashier, { id: one.id, deviceId: device });
    expect(await at(one.id)).toBe(device);
  }
  await as("mch01", bindCashier, { id: other.id, deviceId: first });
  await as("mch01", setCashierState, { id: one.id, state: "disabled" });
  expect(await at(one.id)).toBeNull();
  expect((await refusal(as("mch01", bindCashier, { id: one.id, deviceId: second }))).message).toContain("已停用");
  expect((await refusal(as("mch01", updateDeviceInfo, { device_id: second, cashier_id: one.id }))).status).toBe(404);
  expect((await refusal(world.till(store(), "createTillOrder", order({ cashierCode: one.code })))).message).toBe("收银员不存在或已停用");
});

test("of twenty who bind one cashier to two devices, and disable him, at most one device has him, and none after he is disabled", async () => {
  const { id } = await make();
  const devices = store(1).devices.map((device) => device.id);
  const there = await make({ storeId: store(1).id });
  await Promise.allSettled(
    Array.from({ length: 20 }, (_none, k) =>
      k === 10
        ? as("mch01", setCashierState, { id: there.id, state: "disabled" })
        : k % 2
          ? as("mch01", bindCashier, { id: there.id, deviceId: devices[k % 3]! })
          : as("mch01", updateDeviceInfo, { device_id: devices[k % 3]!, cashier_id: there.id }),
    ),
  );
  expect(await world.owner("select 1 from devices where cashier_id = $1", [there.id])).toEqual([]);
  expect((await as("mch01", getCashier, { id: there.id })).state).toBe("disabled");
  expect((await as("mch01", getCashier, { id })).state).toBe("active");
});

test("a code is one cashier's in a merchant, a change that was not seen is not overwritten, and nobody reaches another's", async () => {
  const cashier = await make();
  expect((await refusal(make({ code: cashier.code, storeId: store(1).id }))).message).toBe(`收银员编号 ${cashier.code} 在本商户已使用`);
  const away = await make({ storeId: store(1).id });
  const asOne = { id: cashier.id, revision: 1, code: away.code, name: "改名", shift: 2 as const, payMostCents: 100 as never };
  expect((await refusal(as("emp01", updateCashier, asOne))).message).toBe(`收银员编号 ${away.code} 在本商户已使用`);
  const seen = await as("mch01", getCashier, { id: cashier.id });
  const change = {
    id: cashier.id,
    revision: seen.revision,
    code: cashier.code,
    name: "改名",
    shift: 2 as const,
    payMostCents: 100 as never,
  };
  await as("mch01", updateCashier, change);
  expect((await refusal(as("mch01", updateCashier, change))).status).toBe(409);
  expect(await as("mch01", getCashier, { id: cashier.id })).toMatchObject({
    name: "改名",
    shift: 2,
    payMostCents: 100,
    refundMostCents: null,
  });
  for (const login of ["mch02", "mch03"]) expect((await refusal(as(login, getCashier, { id: cashier.id }))).status).toBe(404);
  expect((await refusal(as("emp01", openCashier, { storeId: store(1).id, code: "X1", name: "外店" }))).status).toBe(404);
});

test("who changes the store begins anew under the own code, and what was taken stays under the old record", async () => {
  const cashier = await make({ payMostCents: 5_000, shift: 2 });
  const device = store().devices[0]!.id;
  await as("mch01", bindCashier, { id: cashier.id, deviceId: device });
  await world.till(store(), "createTillOrder", order({ grossCents: 1_000, cashierCode: cashier.code }));
  const to = { id: cashier.id, revision: 1, storeId: store(1).id };
  expect(await refusal(as("mch01", moveCashier, { ...to, storeId: world.tree.merchants.mch02.stores[0]!.id }))).toMatchObject({
    status: 404,
  });
  expect(await refusal(as("mch01", moveCashier, { ...to, revision: 7 }))).toMatchObject({ status: 409 });
  expect(await as("mch01", moveCashier, { ...to, storeId: store().id })).toEqual({ ok: true, id: cashier.id });
  const { id } = await as("mch01", moveCashier, to);
  expect(await as("mch01", getCashier, { id })).toMatchObject({
    code: cashier.code,
    name: cashier.name,
    storeId: store(1).id,
    shift: 2,
    payMostCents: 5_000,
    deviceId: null,
    state: "active",
    today: { payCount: 0 },
  });
  expect(await as("mch01", getCashier, { id: cashier.id })).toMatchObject({
    code: `${cashier.code}-1`,
    storeId: store().id,
    deviceId: null,
    state: "disabled",
    today: { payCount: 1, paidCents: 1_000 },
  });
  // At the old store the code is nobody's any more; at the other it takes money.
  expect((await refusal(world.till(store(), "createTillOrder", order({ cashierCode: cashier.code })))).status).toBe(400);
  expect(await world.till(store(1), "createTillOrder", order({ cashierCode: cashier.code }))).toMatchObject({ status: 2 });
  expect(await refusal(as("mch01", moveCashier, to))).toMatchObject({
    status: 409,
    message: `收银员${cashier.name}已停用，启用后才能调店`,
  });
  // There and back again, with a code that is as long as one may be.
  const { id: again } = await as("mch01", moveCashier, { id, revision: 1, storeId: store().id });
  expect((await as("mch01", getCashier, { id })).code).toBe(`${cashier.code}-2`);
  expect((await as("mch01", getCashier, { id: again })).code).toBe(cashier.code);
  const long = await make({ code: "ABCDEFGHIJKLMNOP" });
  await as("mch01", moveCashier, { id: long.id, revision: 1, storeId: store(1).id });
  expect((await as("mch01", getCashier, { id: long.id })).code).toBe("ABCDEFGHIJKLMN-1");
});

test("the list and its counts are of the same rows", async () => {
  await make({ shift: 3 });
  const input = { shift: 3, place: "free" } as const;
  const { items } = await as("mch01", getCashiers, { ...input, pageSize: 100 });
  const sums = await as("mch01", summariseCashiers, input);
  expect(items.length).toBeGreaterThan(0);
  expect([sums.count, sums.bound]).toEqual([items.length, 0]);
  const all = await as("mch01", summariseCashiers, {});
  expect(Object.values(all.byState).reduce((sum, count) => sum + count, 0)).toBe(all.count);
});

test("a sheet says for each line what is wrong, and knows who is there already", async () => {
  const [known] = store().cashiers;
  const [{ number }] = (await world.owner<{ number: string }>("select number from stores where id = $1", [store().id])) as [
    { number: string },
  ];
  const line = (more: object) => ({ storeNumber: number, code: `S${++n}`, name: "新人", ...more });
  const parse = (given: object) => cashierImport.row.safeParse(given);
  expect(parse(line({ payMost: "abc" })).error?.issues[0]?.message).toBe("金额写成 200.00");
  expect(parse(line({ shift: "夜班" })).error?.issues[0]?.message).toBe("班次为早班、中班、晚班或不分班");
  const rows = [
    line({ shift: "晚", payMost: "500", refundMost: "0" }),
    line({ code: known!.code, name: known!.name }),
    line({ code: known!.code }),
    line({ storeNumber: "没有" }),
  ].map((given) => cashierImport.row.parse(given));
  const scope = storeScope(store().serviceProviderId, store().merchantId, store().id);
  const verdicts = await world.look((tx) => cashierImport.check(tx, scope, rows, ""));
  expect(verdicts).toEqual([
    { value: expect.objectContaining({ storeId: store().id, shift: 3, payMostCents: 50_000, refundMostCents: 0, refundDayCents: null }) },
    { there: true },
    { errors: { code: `收银员编号 ${known!.code} 在本商户已使用` } },
    { errors: { storeNumber: "没有在用的门店「没有」" } },
  ]);
});
