import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withScope } from "@zhangfang/server/database/db.ts";
import type { ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { parseScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { listCommissionLines, listShareProfit, summariseCommissionLines, summariseShareProfit } from "../../contract/index.ts";
import { openCommissionWorld, type CommissionWorld } from "../testing/commission-world.ts";
import { commissionLineExport } from "./list-commission-lines.ts";
import { shareProfitExport } from "./share-profit.ts";

let world: CommissionWorld;
beforeAll(async () => {
  world = await openCommissionWorld();
  await liveThreeDays();
});
afterAll(() => world.close());

const DAYS = ["2026-11-20", "2026-11-21", "2026-11-22"];
const LOGINS = ["sp01", "agent01", "team01"] as const;

/** Payments of odd amounts at two merchants, and refunds of some of them on a later day. */
async function liveThreeDays(): Promise<void> {
  const { mch01, mch02, mch03 } = world.till.tree.merchants;
  const paid: { id: string; orderNo: string }[] = [];
  for (const day of [0, 1, 2]) {
    for (const [n, merchant] of [mch01, mch03, mch02].entries())
      for (const cents of [10_001, 33_333, 100]) paid.push(await world.pay(merchant.stores[0]!, cents * (n + 1) + day));
    // One of each merchant of the first provider, of the day before.
    if (day > 0) for (const at of [9 * (day - 1), 9 * (day - 1) + 3]) await world.refund(paid[at]!, 67 + day);
    world.nextDay();
    await world.post();
    await world.post("sp02");
  }
}
function scopeOf(login: (typeof LOGINS)[number]): Scope {
  const { providers, agents, teams } = world.till.tree;
  if (login === "sp01") return parseScope(`SP|${providers.sp01}|||||||`);
  return parseScope(login === "agent01" ? `AG|${providers.sp01}|${agents.agent01}||||||` : `TM|${providers.sp01}|||${teams.team01}||||`);
}
async function filed(source: ExportSource, login: (typeof LOGINS)[number], filter: object): Promise<Record<string, number>[]> {
  const rows: Record<string, number>[] = [];
  const scope = scopeOf(login);
  await withScope(world.till.services.pool, scope, async (tx) => {
    const given = source.input.parse(filter);
    for await (const batch of source.rows(tx, scope, given)) rows.push(...(batch as unknown as Record<string, number>[]));
    expect(await source.count(tx, scope, given)).toBe(rows.length);
  });
  return rows;
}
const added = (rows: readonly object[], names: readonly string[]): number[] =>
  names.map((name) => rows.reduce((sum, row) => sum + (row as Record<string, number>)[name]!, 0));

const days = fc.record({ from: fc.constantFrom(...DAYS), to: fc.constantFrom(...DAYS) }, { requiredKeys: [] });
const LINE = ["differenceCents", "ratioCents", "commissionCents"];
const SHARE = ["differenceCents", "ratioCents", "clawedCents", "netCents"];

test("50 filters: what the lines come to, each of them and their file are equal to the cent", async () => {
  const given = fc.record(
    {
      fact: fc.constantFrom("payment" as const, "refund" as const),
      receiver: fc.constantFrom("agent" as const, "team" as const, "salesman" as const),
      merchantId: fc.constantFrom("mch01" as const, "mch03" as const).map((name) => world.till.tree.merchants[name].id),
    },
    { requiredKeys: [] },
  );
  let seen = 0;
  await fc.assert(
    fc.asyncProperty(given, days, fc.constantFrom(...LOGINS), async (rest, range, login) => {
      const filter = { ...rest, ...range };
      const sums = await world.as(login, summariseCommissionLines, filter);
      const rows: object[] = [];
      for (let cursor: string | undefined; ;) {
        const page = await world.as(login, listCommissionLines, { ...filter, pageSize: 20, ...(cursor && { cursor }) });
        rows.push(...page.items);
        if (page.next === null) break;
        cursor = page.next;
      }
      expect([rows.length, ...added(rows, LINE)]).toEqual([sums.count, ...added([sums], LINE)]);
      expect(added(await filed(commissionLineExport, login, filter), LINE)).toEqual(added([sums], LINE));
      expect(sums.earnedCents - sums.clawedCents).toBe(sums.commissionCents);
      seen += sums.count;
    }),
    { numRuns: 50, seed: 26 },
  );
  expect(seen).toBeGreaterThan(0);
});

test("30 spans: the days of one's own part, their totals, their file and the lines behind them are equal to the cent", async () => {
  await fc.assert(
    fc.asyncProperty(days, fc.constantFrom("agent01" as const, "team01" as const), async (range, login) => {
      const sums = await world.as(login, summariseShareProfit, range);
      const { items } = await world.as(login, listShareProfit, { ...range, pageSize: 100 });
      expect(added(items, SHARE)).toEqual(added([sums], SHARE));
      expect(added(await filed(shareProfitExport, login, range), SHARE)).toEqual(added([sums], SHARE));
      const lines = await world.as(login, summariseCommissionLines, range);
      expect([lines.commissionCents, lines.clawedCents]).toEqual([sums.netCents, sums.clawedCents]);
    }),
    { numRuns: 30, seed: 26 },
  );
});
