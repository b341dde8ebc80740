import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { setChannelAccount } from "../../organisation/server/index.ts";
import { loadRows } from "./bills/load-rows.ts";
import { Superseded } from "./bills/run.ts";
import type { BillFileRow } from "./rows.ts";
import { FEE_RATE, openReconWorld, type ReconWorld } from "./testing/recon-world.ts";

let world: ReconWorld;
const today = shanghaiDay(Date.now());
const yesterday = addDays(today, -1);
beforeAll(async () => {
  world = await openReconWorld();
  world.till.services.clock.set(new Date(Math.max(Date.now(), Date.parse(`${today}T11:00:00+08:00`))).toISOString());
});
afterAll(() => world.close());
const merchantId = () => world.till.tree.merchants.mch01.id;
const fetch = (day: string) =>
  world.as("mch01", "fetchBill", { requestId: randomUUID(), merchantId: merchantId(), source: "wechat", type: "ALL", day });

test("a bill is fetched, matched, a difference resolved, and the day closed", async () => {
  await world.pay(`${yesterday} 12:00:00`, 8_800);
  await world.pay(`${yesterday} 12:30:00`, 1_999);
  const short = await world.pay(`${yesterday} 13:00:00`, 5_000, { there: { total: 4_900 } });
  await fetch(yesterday);
  await world.till.runJobs();

  const day = await world.day(yesterday);
  expect(day).toMatchObject({
    state: "differing",
    ours: { payCount: 3, payCents: 15_799 },
    bill: { payCount: 3, payCents: 15_699 },
    matchedCount: 2,
    openCount: 1,
  });
  const { items } = await world.as("mch01", "listDifferences", { dayId: day!.id });
  expect(items).toMatchObject([{ number: short, class: "amount", gapCents: -100, ours: { cents: 5_000 }, bill: { cents: 4_900 } }]);
  await expect(world.as("mch01", "closeReconDay", { requestId: randomUUID(), id: day!.id, version: day!.version })).rejects.toThrow(
    "还有 1 条差异",
  );

  await world.as("mch01", "proposeWriteOff", { requestId: randomUUID(), ids: [items[0]!.id], reason: "顾客少付一元，已现金补齐" });
  await expect(world.as("mch01", "decideWriteOff", { requestId: randomUUID(), ids: [items[0]!.id], approve: true })).rejects.toThrow(
    "申请人以外",
  );
  await world.as("sp01", "decideWriteOff", { requestId: randomUUID(), ids: [items[0]!.id], approve: true });
  await world.as("mch01", "closeReconDay", { requestId: randomUUID(), id: day!.id, version: day!.version });
  expect(await world.day(yesterday)).toMatchObject({ state: "closed", openCount: 0, settledCents: 15_699 - 33 - 8 - 19 });

  // A run that was overtaken before it began takes nothing of the other's rows.
  const [file] = await world.till.owner<BillFileRow>("select * from bill_files where status = 'matched'");
  const late = { services: world.till.services, file: file!, run_id: randomUUID() };
  await expect(loadRows(late, [])).rejects.toThrow(Superseded);
  expect(await world.till.owner("select line from bill_rows where file_id = $1", [file!.id])).toHaveLength(3);
});

test("Alipay's bill is fetched from its gateway; no bill means an empty day only where nobody paid", async () => {
  const { till, simulator } = world;
  const account = await simulator.registerAlipay("direct");
  const merchant = till.tree.merchants.mch01;
  await till.look((tx) =>
    setChannelAccount(tx, till.services, {
      serviceProviderId: merchant.serviceProviderId,
      merchantId: merchant.id,
      channel: 0,
      mode: "direct",
      merchantNo: account.sellerId,
      appNo: account.appId,
      privateKey: account.privateKeyPem,
      publicKey: account.publicKeyPem,
      baseUrl: account.baseUrl,
    }),
  );
  await simulator.control("POST rates", { mchId: account.appId, rates: { "": FEE_RATE } });
  const before = addDays(yesterday, -1);
  const ask = (day: string) =>
    world.as("mch01", "fetchBill", { requestId: randomUUID(), merchantId: merchantId(), source: "alipay", type: "TRADE", day });
  const one = await world.pay(`${yesterday} 15:00:00`, 8_800, { there: false });
  await till.owner("update pay_orders set tool = 4 where order_no = $1", [one]);
  // Not written yet: asked again in half an hour.
  await ask(yesterday);
  await ask(before);
  await till.runJobs();
  const statuses = async () =>
    Object.fromEntries(
      (await world.as("mch01", "listBillFiles", {})).items
        .filter((file) => file.source === "alipay")
        .map((file) => [file.day, file.status]),
    );
  expect(await statuses()).toEqual({ [yesterday]: "waiting", [before]: "matched" });
  const trade = {
    mchId: account.appId,
    outTradeNo: one,
    total: 8_800,
    description: "午餐，大份",
    openId: "2088",
    transactionId: "2026",
    paidAt: `${yesterday}T15:00:00+08:00`,
  };
  await simulator.control("POST trades", { trades: [trade] });
  till.services.clock.advance(31 * 60_000);
  await till.runJobs();
  expect(await statuses()).toEqual({ [yesterday]: "matched", [before]: "matched" });
  expect(await world.day(yesterday, "alipay")).toMatchObject({
    matchedCount: 1,
    bill: { payCount: 1, payCents: 8_800 },
    ours: { payCents: 8_800 },
  });
});
