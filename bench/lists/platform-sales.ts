import pg from "pg";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { type ActorName, actorOf, idOf, sqlIdOf } from "../actors.ts";
import { atMost, type Figures, type Line, plain } from "../figures.ts";
import type { LoadInput } from "../load/load.ts";
import { runPart, startServer } from "../part.ts";
import { sized } from "../small.ts";
import { openWorld } from "../world.ts";

/** Uses of vouchers, of each four of which one was reversed and two stand in a bill; and takeaway orders. */
const USES = sized(3_000_000, 2_000);
const ORDERS = sized(1_000_000, 2_000);
const DAYS = 365;
const PORT = 9206;
const YESTERDAY = addDays(shanghaiDay(Date.now()), -1);
const days = (count: number): string => `from=${addDays(YESTERDAY, 1 - count)}&to=${YESTERDAY}`;
const PROVIDER = `'${idOf("provider", 1)}'::uuid`;
const id = (first: string) => `('${first}-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;
/** Of each two facts one is the large merchant's, at the first of its stores; the others are spread over merchants and their first stores. */
const SPREAD = 400;
const merchant = `case when n / 4 % 2 = 0 then 1 else 2 + n / 8 % ${SPREAD} end`;
const WHOSE = `${PROVIDER}, ${sqlIdOf("merchant", "m")}, ${sqlIdOf("store", "case when m = 1 then 1 else 2 * m + 17 end")}`;

async function fill(client: pg.Client): Promise<void> {
  const at = `now() - (n::bigint * ${DAYS} * 86400 / ${USES}) * interval '1 second'`;
  const entry = (
    kind: string,
    first: string,
    more: string,
    where: string,
  ) => `insert into platform_entries (id, service_provider_id, merchant_id, store_id,
      platform, kind, goods_kind, certificate_id, verify_id, pay_cents, face_cents, platform_ticket_cents, expected_fee_cents, fee_cents, goods_cents, total_cents,
      happened_at, day, added_at)
    select ${id(first)}, ${WHOSE}, (array['dy', 'ks', 'meituan', 'koubei'])[1 + n % 4], '${kind}', 1 + n % 3, n::text, n::text, ${more},
      ${at}, ((${at}) at time zone 'Asia/Shanghai')::date, now() from generate_series(1, ${USES}) n, lateral (select ${merchant} as m) x where ${where}`;
  await client.query("set synchronous_commit = off; set app.scope = 'PLATFORM||||||||'");
  await client.query("set session_replication_role = replica");
  await client.query(entry("verify", "00000050", "8800, 10000, 300, 704, 0, 0, 0", "true"));
  await client.query(entry("reverse", "00000051", "8800, 10000, 300, 704, 0, 0, 0", "n % 4 = 0"));
  await client.query(entry("ledger", "00000052", "0, 0, 0, 0, 704, 8396, 9100", "n % 4 in (1, 2)"));
  const placed = `now() - (n::bigint * ${DAYS} * 86400 / ${ORDERS}) * interval '1 second'`;
  await client.query(`insert into takeaway_orders (id, service_provider_id, merchant_id, store_id, platform, platform_order_id, status, placed_at, completed_at, changed_at,
      original_cents, package_cents, delivery_cents, shop_off_cents, platform_off_cents, paid_cents, fee_cents, income_cents, source, created_at, updated_at)
    select ${id("00000053")}, ${WHOSE}, (array['ele', 'meituan-wm'])[1 + n % 2], n::text, case when n % 20 = 0 then 3 else 2 end,
      ${placed}, case when n % 20 > 0 then ${placed} + interval '40 minutes' end, ${placed}, 4200, 200, 400, 300, 200, 3700, 500, 3000, 'platform', now(), now()
    from generate_series(1, ${ORDERS}) n, lateral (select ${merchant} as m) x`);
  await client.query("set session_replication_role = origin");
  const begun_ms = performance.now();
  await client.query("select upkeep.rebuild_voucher(), upkeep.rebuild_takeaway()");
  rebuilt_s = (performance.now() - begun_ms) / 1_000;
  await client.query("vacuum analyze");
}
let rebuilt_s = 0;

const MONTH_STORE_DAYS = `/api/reconciliation/store-days/month?storeId=${idOf("store", 1)}&month=${YESTERDAY.slice(0, 7)}`;
const WAITING = `/api/group-buy/entries?pageSize=20&part=pending&${days(30)}`;
const CASES: readonly (readonly [what: string, path: string, limit_ms: number, who?: ActorName])[] = [
  ["团购券汇总, 30 days by platform", `/api/group-buy/figures?by=platform&${days(30)}`, 50],
  ["团购券汇总, 92 days by day", `/api/group-buy/figures?by=day&${days(92)}`, 50],
  ["团购券汇总, 92 days by store, of a provider", `/api/group-buy/figures?by=store&${days(92)}`, 50, "provider"],
  ["团购券汇总, 92 days by day, of a provider", `/api/group-buy/figures?by=day&${days(92)}`, 50, "provider"],
  ["团购明细, first page", "/api/group-buy/entries?pageSize=20", 50],
  ["团购明细, what waits for its bill in 30 days", WAITING, 50],
  ["团购明细, what waits, of a provider", WAITING, 50, "provider"],
  ["团购明细, what waits, of one store's people", WAITING, 50, "area"],
  ["外卖汇总, 30 days by platform", `/api/takeaway/figures?by=platform&${days(30)}`, 50],
  ["外卖汇总, 92 days by day", `/api/takeaway/figures?by=day&${days(92)}`, 50],
  ["外卖汇总, 92 days by store, of a provider", `/api/takeaway/figures?by=store&${days(92)}`, 50, "provider"],
  ["外卖汇总, 92 days by day, of a provider", `/api/takeaway/figures?by=day&${days(92)}`, 50, "provider"],
  ["外卖订单, first page", "/api/takeaway/orders?pageSize=20", 50],
  ["门店日, a month of a store", MONTH_STORE_DAYS, 200],
];

/** The two summaries of a large merchant and of its provider over more than five million entries and a million orders of a year, and their lists, one caller, through HTTP. */
export async function measure(): Promise<Line[]> {
  const world = await openWorld(1_000, false, () => undefined);
  const client = new pg.Client(world.connection);
  await client.connect();
  try {
    await fill(client);
    const server = await startServer(world.connection, PORT, { work: false });
    try {
      const lines: Line[] = [plain("sums made anew from all facts", `${rebuilt_s.toFixed(0)} s`)];
      for (const [what, path, limit_ms, who = "merchant"] of CASES) {
        const { token } = actorOf(who);
        const asked = { port: PORT, paths: [path], token, clients: 1 };
        await runPart<LoadInput, Figures>("load/load.ts", { ...asked, seconds: sized(0.5, 0.05) });
        const { p50_ms, p99_ms } = await runPart<LoadInput, Figures>("load/load.ts", { ...asked, seconds: sized(3, 0.1) });
        lines.push({ ...atMost(what, p50_ms, limit_ms, "ms", 1), raw: { p50_ms, p99_ms } }, plain("  p99", `${p99_ms.toFixed(1)} ms`));
      }
      return lines;
    } finally {
      await server.stop();
    }
  } finally {
    await client.end();
    await world.close();
  }
}
