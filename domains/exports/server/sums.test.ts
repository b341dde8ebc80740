import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { DemoLogin } from "../../../apps/demo/tree/tree.ts";
import { centsOf } from "@zhangfang/contract/money.ts";
import { addDays, dayStart } from "@zhangfang/contract/time.ts";
import { seededIds } from "@zhangfang/server/clock.ts";
import { readCsv, readXlsx } from "@zhangfang/server/testing-tables.ts";
import { summarisePayOrders, summariseRefunds } from "../../orders/contract/index.ts";
import { payOrderExport, refundExport, orders } from "../../orders/server/index.ts";
import { exportWorld } from "./testing/world.ts";

let world: Awaited<ReturnType<typeof exportWorld>>;
const random = seededIds(11);
const between = (from: number, to: number) => from + Math.floor(random.next() * (to - from + 1));
const one = <T>(of: readonly T[]): T => of[between(0, of.length - 1)]!;
beforeAll(async () => {
  world = await exportWorld([payOrderExport, refundExport], orders.routes);
  await fill();
});
afterAll(() => world.services.close());

/** Orders and refunds of every status over three weeks, with moments at the very borders of days. */
async function fill(): Promise<void> {
  const owner = new pg.Client(world.services.owner);
  await owner.connect();
  await owner.query("set session_replication_role = replica");
  const attributed = new Map(
    (await owner.query("select id, agent_id, business_group_id, business_team_id, salesman_id from merchants")).rows.map((row) => [
      row.id,
      row,
    ]),
  );
  for (let at = 0; at < 500; at++) {
    const store = one(world.tree.stores);
    const made_ms = Date.parse(dayStart(addDays("2026-11-20", -between(0, 20)))) + one([0, 86_399_999, between(0, 86_399_999)]);
    const [status, gross] = [one([0, 1, 2, 2, 2, 3]), between(2, 90_000)];
    const paid = gross - between(0, Math.floor(gross / 3));
    const isPaid = status >= 2;
    const refunded = status === 3 ? paid : status === 2 && random.next() < 0.3 ? between(1, paid - 1) : 0;
    const who = attributed.get(store.merchantId)!;
    const id = crypto.randomUUID();
    const created = new Date(made_ms).toISOString();
    await owner.query(
      `insert into pay_orders (service_provider_id, id, merchant_id, store_id, agent_id, business_group_id, business_team_id, salesman_id, order_no, trade_type, pay_method, channel, tool, subject, status,
        gross_cents, coupon_cents, paid_cents, fee_rate, fee_cents, refunded_cents, value_refunded_cents, created_at, expires_at, next_query_at, paid_at, device_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'NATIVE', 'OTHER', 0, $10, $11, $12, $13, $14, $15, 380, $16, $17, $17, $18, $18, $18, $19, $20)`,
      [
        store.serviceProviderId,
        id,
        store.merchantId,
        store.id,
        who.agent_id,
        who.business_group_id,
        who.business_team_id,
        who.salesman_id,
        `4250000${random.digits(20)}`,
        between(1, 9),
        one(["=cmd|' /C calc'!A0", "川菜", "-1+1", "＝SUM(A1)"]),
        status,
        gross,
        gross - paid,
        paid,
        isPaid ? Math.round(paid * 0.0038) : 0,
        refunded,
        created,
        isPaid ? new Date(made_ms + between(0, 50_000)).toISOString() : null,
        store.devices[0]!.id,
      ],
    );
    if (refunded === 0) continue;
    await owner.query(
      `insert into refunds (service_provider_id, id, merchant_id, store_id, agent_id, business_group_id, business_team_id, salesman_id, order_id, refund_no, request_id, refund_type, status, amount_cents, value_cents, fee_cents, reason, requested_by_name, created_at)
       values ($1, gen_random_uuid(), $2, $3, $4, $5, $6, $7, $8, $9, gen_random_uuid(), 2, $10, $11, $11, 1, '@退', '李', $12)`,
      [
        store.serviceProviderId,
        store.merchantId,
        store.id,
        who.agent_id,
        who.business_group_id,
        who.business_team_id,
        who.salesman_id,
        id,
        `5${random.digits(26)}`,
        between(0, 4),
        refunded,
        created,
      ],
    );
  }
  await owner.end();
}

const LOGINS: readonly DemoLogin[] = [
  "admin",
  "sp01",
  "sp02",
  "agent01",
  "group01",
  "team01",
  "sale01",
  "mch01",
  "mch02",
  "area01",
  "emp01",
  "fin01",
];
/** One of the filters that a person may set. */
function anyFilter(): Record<string, string> {
  const from = addDays("2026-11-20", -between(0, 20));
  return {
    ...(random.next() < 0.7 && { from, to: addDays(from, between(0, 9)) }),
    ...(random.next() < 0.4 && { status: String(between(0, 3)) }),
    ...(random.next() < 0.3 && { tool: String(between(1, 9)) }),
    ...(random.next() < 0.3 && { minCents: String(between(0, 40_000)) }),
    ...(random.next() < 0.2 && { merchantId: one(Object.values(world.tree.merchants)).id }),
  };
}
/** The sums of a file's money columns, by their titles. */
function sumsOf(file: Buffer, format: "xlsx" | "csv"): { rows: number; sum(label: string): number } {
  const table: string[][] =
    format === "csv"
      ? readCsv(file).map((row) => row.map((cell) => cell.text))
      : readXlsx(file).flatMap((sheet, at) =>
          sheet.rows.slice(at === 0 ? 0 : 1).map((row) =>
            Array.from({ length: sheet.rows[0]!.length }, (_none, column) => {
              const cell = row[column];
              return cell === undefined ? "" : "text" in cell ? cell.text : cell.number;
            }),
          ),
        );
  const [head, ...rows] = table;
  return { rows: rows.length, sum: (label) => rows.reduce((total, row) => total + (centsOf(row[head!.indexOf(label)]!) ?? 0), 0) };
}
async function exported(login: DemoLogin, source: string, filter: Record<string, string>, format: "xlsx" | "csv") {
  const { id } = await world.start(login, { source, filter, format });
  await world.services.runJobs();
  return sumsOf(await world.download(login, id), format);
}

test("50 random filters at every level: the file has the list's rows and its sums to the cent", { timeout: 120_000 }, async () => {
  let rows = 0;
  for (let at = 0; at < 50; at++) {
    const [login, filter, format] = [
      LOGINS[at % LOGINS.length]!,
      { ...anyFilter(), dateOf: one(["created", "paid"]) },
      one(["xlsx", "csv"] as const),
    ];
    const summary = await world.as(login, summarisePayOrders, filter as never);
    const file = await exported(login, "pay-orders", filter, format);
    expect([file.rows, file.sum("实收"), file.sum("已退款"), file.sum("手续费")], `${login} ${JSON.stringify(filter)}`).toEqual([
      summary.count,
      summary.paidCents,
      summary.refundedCents,
      summary.feeCents,
    ]);
    rows += file.rows;
  }
  expect(rows).toBeGreaterThan(500);
});

test("the same for refunds", async () => {
  for (const login of LOGINS) {
    const filter = anyFilter();
    const summary = await world.as(login, summariseRefunds, filter as never);
    const file = await exported(login, "refunds", filter, "csv");
    expect([file.rows, file.sum("退款金额")], `${login} ${JSON.stringify(filter)}`).toEqual([summary.count, summary.amountCents]);
  }
});
