import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { callAs } from "@zhangfang/server/testing.ts";
import { signIn } from "../../../../apps/demo/tree/tree.ts";
import { doors } from "../../../accounts/server/world-for-tests.ts";
import { openShareWorld, type ShareWorld } from "../../../profit-sharing/server/testing/share-world.ts";
import type { traceOrder } from "../../contract/index.ts";
import { traceOrderRoute } from "./trace-order.ts";

let world: ShareWorld;
beforeAll(async () => void (world = await openShareWorld()));
afterAll(() => world.close());

type Trace = OutputOf<typeof traceOrder>;
const traceAs = async (login: string, id: string) =>
  (await callAs(world.services, doors, traceOrderRoute, await signIn(world.services, login), { id })) as Trace;
const parties = (trace: Trace) => trace.parties.map(({ name, amountCents }) => [name, amountCents]);
const zero = (trace: Trace) => trace.parties.reduce((sum, { amountCents }) => sum + amountCents, 0);

test("what is shared is told by receiver to those who see the shares, as one sum to the rest, and it sums to zero", async () => {
  const { id } = await world.paid(10_001);
  await world.pass();
  const trace = await traceAs("mch01", id);
  const part = trace.parts.find(({ station }) => station === "sharing")!;
  expect(part.lines.map(({ label, amountCents }) => [label, amountCents])).toEqual([
    ["分给 服务商", -996],
    ["分给 合作伙伴", -498],
    ["分给 店长", -299],
  ]);
  expect(parties(trace)).toEqual([
    ["付款人", -10_001],
    ["分账接收方 服务商", 996],
    ["分账接收方 合作伙伴", 498],
    ["分账接收方 店长", 299],
    ["商户应收", 8_170],
    ["手续费收入", 38],
  ]);
  expect(zero(trace)).toBe(0);
  for (const login of ["agent01", "team01", "emp01"]) {
    const seen = await traceAs(login, id);
    expect(seen.parts.find(({ station }) => station === "sharing")!.lines).toMatchObject([{ label: "分账", amountCents: -1_793 }]);
    expect(JSON.stringify(seen)).not.toMatch(/合作伙伴|店长/);
    expect([seen.parties.length, zero(seen)]).toEqual([4, 0]);
  }
});

test("a refund brings shares back first: on their way and arrived, every cent keeps its place", async () => {
  const { id } = await world.paid(10_000);
  await world.pass();
  await world.as("mch01", "refundOrder", { requestId: randomUUID(), orderId: id, amountCents: 10_000, reason: "退菜" });
  expect(zero(await traceAs("mch01", id))).toBe(0);
  await world.pass();
  const trace = await traceAs("sp01", id);
  expect(zero(trace)).toBe(0);
  const sharing = trace.parts.find(({ station }) => station === "sharing")!;
  expect(sharing.lines.some(({ label }) => label.endsWith("已退回") || label.endsWith("退回中"))).toBe(true);
  const merchant = trace.parts.find(({ station }) => station === "merchant")!;
  const fee = trace.parts.find(({ station }) => station === "fee")!;
  const refunds = trace.parts.find(({ station }) => station === "refunds")!;
  expect(merchant.sum!.amountCents).toBe(fee.sum!.amountCents + refunds.sum!.amountCents + sharing.sum!.amountCents);
});
