import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { getShift, listHandovers } from "@zhangfang/domains/orders/contract/index.ts";
import { orders } from "@zhangfang/domains/orders/server/index.ts";
import { readSession, sessionSql } from "@zhangfang/domains/accounts/server/index.ts";
import { verifyLedger } from "@zhangfang/domains/money/server/index.ts";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import type { Doors } from "@zhangfang/server/calls/call.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { callAs, testServices, type TestServices } from "@zhangfang/server/testing.ts";
import { writeHistory } from "./history.ts";
import { SP01_MERCHANTS, SP02_MERCHANTS, type MerchantLogin } from "./tree/tree-plan.ts";
import { buildTree, signIn, type DemoTree } from "./tree/tree.ts";

const doors: Doors = { sessionSql, readSession, device: () => Promise.reject(new Error("no device here")) };

interface Made {
  readonly services: TestServices;
  readonly tree: DemoTree;
  readonly owner: pg.Client;
}
async function make(): Promise<Made> {
  const services = await testServices();
  const opened_ms = services.clock.now_ms() - 30 * 86_400_000;
  const tree = await buildTree({ ...services, clock: { now_ms: () => opened_ms } });
  const trades = Object.entries({ ...SP01_MERCHANTS, ...SP02_MERCHANTS }).map(([login, plan]) => [
    tree.merchants[login as MerchantLogin].id,
    plan.trade,
  ]);
  await writeHistory(services, tree, Object.fromEntries(trades), async () => {});
  const owner = new pg.Client(services.owner);
  await owner.connect();
  return { services, tree, owner };
}
let [first, second]: Made[] = [];
beforeAll(async () => {
  vi.stubEnv("ZHANGFANG_DEMO_DAYS", "2");
  first = await make();
  second = await make();
}, 180_000);
afterAll(async () => {
  vi.unstubAllEnvs();
  for (const made of [first, second]) {
    await made?.owner.end();
    await made?.services.close();
  }
});

test("every store was handed over on the evenings before today, and its shift shows what came since", async () => {
  const { services, tree, owner } = first!;
  const boss = await signIn(services, "mch01");
  const call = <I extends object>(endpoint: typeof getShift | typeof listHandovers, input: I) =>
    callAs(
      services,
      doors,
      orders.routes.find((route) => route.endpoint === endpoint)!,
      boss,
      input as never,
    ) as Promise<never>;
  for (const store of tree.merchants.mch01.stores) {
    const { items }: { items: { toAt: string; handedByName: string; figures: { total: { netCents: number; payCount: number } } }[] } =
      await call(listHandovers, { storeId: store.id });
    expect(items.map((sheet) => shanghaiTime(sheet.toAt).slice(0, 10))).toEqual(["2026-11-19", "2026-11-18"]);
    expect(items.every((sheet) => sheet.figures.total.payCount > 0 && sheet.handedByName === "蜀味川菜老板")).toBe(true);
    const shift: { fromAt: string; total: { netCents: number } } = await call(getShift, { storeId: store.id });
    expect(shift.fromAt).toBe(items[0]!.toAt);
    const sheets = items.reduce((sum, sheet) => sum + sheet.figures.total.netCents, shift.total.netCents);
    const [book] = (
      await owner.query<{ net: number }>("select sum(paid_cents - refund_cents)::int as net from ledger_entries where store_id = $1", [
        store.id,
      ])
    ).rows;
    expect(sheets).toBe(book!.net);
  }
  expect(await withScope(services.pool, platformScope("test"), verifyLedger, { deadline_ms: 60_000 })).toEqual([]);
  const [after] = (
    await owner.query("select count(*)::int as n from refunds r join pay_orders o on o.id = r.order_id where r.created_at < o.paid_at")
  ).rows;
  expect(after).toEqual({ n: 0 });
});

test("the same moment gives the same world, though its merchants are written at once", async () => {
  const of = async ({ owner }: Made) => {
    const rows = [];
    for (const text of [
      "select order_no, id, status, paid_cents, refunded_cents, cashier_id, created_at, paid_at from pay_orders order by order_no",
      "select refund_no, id, status, amount_cents, finished_at from refunds order by refund_no",
      "select id, store_id, figures, note, from_at, to_at from handovers order by id",
    ])
      rows.push((await owner.query(text)).rows);
    return rows;
  };
  const [one, other] = [await of(first!), await of(second!)];
  expect(one[0]!.length).toBeGreaterThan(300);
  expect(other).toEqual(one);
});
