import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ActivityWorld } from "@zhangfang/domains/activities/server/testing/activity-world.ts";
import type { LotteryWorld } from "@zhangfang/domains/lottery/server/testing/lottery-world.ts";
import { openCommissionWorld, type CommissionWorld } from "@zhangfang/domains/commissions/server/testing/commission-world.ts";
import type { CouponWorld } from "@zhangfang/domains/coupons/server/testing/coupon-world.ts";
import { openShareWorld, type ShareWorld } from "@zhangfang/domains/profit-sharing/server/testing/share-world.ts";
import { openReconWorld, type ReconWorld } from "@zhangfang/domains/reconciliation/server/testing/recon-world.ts";
import type { VipWorld } from "@zhangfang/domains/vip/server/testing/vip-world.ts";
import { billFlows } from "./testing/flows/bill-flows.ts";
import type { Sweep } from "./testing/flows/flow.ts";
import { plantTestOffers, resetTestOffers, verifyTestOffers } from "@zhangfang/domains/pricing/server/testing/test-offers.ts";
import type { TillWorld } from "@zhangfang/domains/orders/server/testing/till-world.ts";
import type { StoredWorld } from "@zhangfang/domains/stored-value/server/testing/stored-world.ts";
import { couponFlows, openCouponFlows } from "./testing/flows/coupon-flows.ts";
import { drawFlows, grantFlows, openDrawFlows, openGrantFlows } from "./testing/flows/gift-flows.ts";
import { memberFlows, openMemberFlows } from "./testing/flows/member-flows.ts";
import { pricedFlows } from "./testing/flows/priced-flows.ts";
import type { VoucherWorld } from "../platform-simulator/testing/voucher-world.ts";
import { importFlows, openImportFlows, openTimesFlows, pointFlows, timesFlows } from "./testing/flows/value-flows.ts";
import { openVoucherFlows, voucherFlows } from "./testing/flows/voucher-flows.ts";
import { orderFlows } from "./testing/flows/order-flows.ts";
import { openPushFlows, pushFlows } from "./testing/flows/push-flows.ts";
import { withdrawalFlows } from "./testing/flows/withdrawal-flows.ts";

// All flows with the proofs; by itself those that the others are like: coupons by four, Alipay's shares by the first of WeChat's five.
const ALL = process.env["FAILPOINTS"] === "all";
const SOME = [
  "a coupon is received",
  "an order uses a coupon and is paid",
  "all of it goes back, with the coupon",
  "coupons are sent to three",
];
const likeAnother = (name: string) => name.startsWith("alipay: ") && name !== "alipay: a share is sent by hand";
/** Sweeps one flow after another in a world of their own. */
function sweepIn<W extends { verify(): Promise<readonly unknown[]>; close(): Promise<void> }>(
  open: () => Promise<W>,
  flowsOf: (world: W) => readonly Sweep[],
): void {
  const opened: { world?: W } = {};
  beforeAll(async () => void (opened.world = await open()), 60_000);
  afterAll(() => opened.world?.close());
  // The table of tests is made before the world is.
  const later = new Proxy({} as W, { get: (_none, name) => Reflect.get(opened.world!, name) as unknown });
  test.each(flowsOf(later))("$name", { timeout: 120_000 }, async ({ name, least, run }) => {
    const from_ms = performance.now();
    const points = await run(() => later.verify());
    process.stdout.write(`failpoints: ${name}: ${points} in ${((performance.now() - from_ms) / 1000).toFixed(1)} s\n`);
    expect(points).toBeGreaterThanOrEqual(least);
  });
}

describe("orders", () => {
  sweepIn<ShareWorld>(
    async () => {
      const world = await openShareWorld({}, ["服务商", "合作伙伴"]);
      await world.rule("manual");
      // Equal parts, so that it is all the same which of them fails first.
      await world.owner("update sharing_receivers set ratio = 7500");
      return world;
    },
    (world) => orderFlows(world).filter(({ name }) => ALL || !likeAnother(name)),
  );
});
describe("orders with a quote", () => {
  const open = async () => {
    const world = await openShareWorld({}, ["服务商"]);
    await world.rule("none");
    await plantTestOffers(world.services, world.owner);
    await resetTestOffers(world.owner, world.tree.merchants.mch01.id, 0, []);
    return { ...world, verify: async () => [...(await world.verify()), ...(await verifyTestOffers(world.owner))] };
  };
  sweepIn<ShareWorld>(open, pricedFlows);
});
describe("orders of members", () => {
  sweepIn<StoredWorld>(openMemberFlows, (world) => [...memberFlows(world), ...pointFlows(world)]);
});
describe("times cards", () => {
  sweepIn<VipWorld>(openTimesFlows, timesFlows);
});
describe("sheets of members", () => {
  sweepIn<TillWorld>(openImportFlows, importFlows);
});
describe("coupons", () => {
  sweepIn<CouponWorld>(openCouponFlows, (world) => couponFlows(world).filter(({ name }) => ALL || SOME.includes(name)));
});
describe("vouchers of platforms in orders", () => {
  sweepIn<VoucherWorld>(openVoucherFlows, voucherFlows);
});
describe("gifts of activities", () => {
  sweepIn<ActivityWorld>(openGrantFlows, grantFlows);
});
describe("draws", () => {
  sweepIn<LotteryWorld>(openDrawFlows, drawFlows);
});
describe("bills", () => {
  const open = async () => {
    const world = await openReconWorld();
    return { ...world, verify: () => world.till.verify() };
  };
  sweepIn<ReconWorld & { verify(): Promise<readonly unknown[]> }>(open, billFlows);
});
describe("withdrawals and commissions", () => {
  sweepIn<CommissionWorld>(openCommissionWorld, withdrawalFlows);
});
describe("pushes", () => {
  sweepIn<Awaited<ReturnType<typeof openPushFlows>>>(openPushFlows, pushFlows);
});
