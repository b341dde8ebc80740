import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { actorOf, type ActorName } from "../actors.ts";
import { atMost, plain, type Figures, type Line } from "../figures.ts";
import type { LoadInput } from "../load/load.ts";
import { type BenchServer, runPart, startServer } from "../part.ts";
import { sized } from "../small.ts";
import type { World } from "../world.ts";
import { writeFile } from "../write-file.ts";

const YESTERDAY = addDays(shanghaiDay(Date.now()), -1);
const FROM = addDays(YESTERDAY, -364);
const YEAR = `from=${FROM}&to=${YESTERDAY}`;
type Asked = readonly [name: string, actor: ActorName, path: string];
/** What a home page shows when it opens, and a whole year of it. */
const HOMES: readonly Asked[] = [
  ["overview of the provider, yesterday", "provider", "/api/statistics/overview"],
  ["overview of the provider, the whole year", "provider", `/api/statistics/overview?${YEAR}`],
  ["today of the provider", "provider", "/api/statistics/today"],
  ["dashboard of the platform, 30 days", "admin", "/api/statistics/dashboard"],
  ["dashboard of the platform, the whole year", "admin", `/api/statistics/dashboard?${YEAR}`],
  ["dashboard of an agent, 30 days", "agent", "/api/statistics/dashboard"],
  ["overview of the large merchant", "merchant", "/api/statistics/overview"],
  ["overview of an area of three stores", "area", "/api/statistics/overview"],
];
const report = (query: string) => `/api/statistics/takings?${YEAR}&withTotal=true&${query}`;
const BY = [
  "day",
  "week",
  "month",
  "weekday",
  "hour",
  "agent",
  "team",
  "merchant",
  "store",
  "cashier",
  "device",
  "channel",
  "method",
  "tool",
  "trade",
];
/** The whole year of a provider with 1,000 merchants, told apart by each thing, and of those above and below it. */
const REPORTS: readonly Asked[] = [
  ...BY.map((by) => [`report of the provider's year by ${by}`, "provider", report(`by=${by}`)] as const),
  ["report of the provider's year by day and merchant", "provider", report("by=day&splitBy=merchant")],
  ["report of the provider's year, totals against the year before", "provider", `/api/statistics/takings/summary?${YEAR}&against=year`],
  ["heat map of the provider's year", "provider", `/api/statistics/takings/series?${YEAR}&step=heat`],
  ["one figure of the provider's year explained", "provider", `/api/statistics/takings/explain?${YEAR}`],
  ["profit of the provider's merchants in a year", "provider", `/api/statistics/merchants-profit?${YEAR}&withTotal=true`],
  ["report of an agent's year by merchant", "agent", report("by=merchant")],
  ["report of the platform's year by provider", "admin", report("by=provider")],
  ["report of the large merchant's year by cashier", "merchant", report("by=cashier")],
];
const CASES = [...HOMES, ...REPORTS];
const LIMIT_MS = 50;
const PORT = 9190;

/** The home pages and reports of a provider with 1,000 merchants and of those above and below it, one caller, through HTTP. */
export async function measure(worlds: readonly World[]): Promise<Line[]> {
  const servers: BenchServer[] = [];
  try {
    for (const [at, { connection }] of worlds.entries())
      servers.push(await startServer(connection, PORT + at, { work: at === worlds.length - 1 }));
    const times = worlds.length > 1 ? (worlds.at(-1)?.rows ?? 1) / (worlds[0]?.rows ?? 1) : 1;
    const lines: Line[] = [];
    for (const asked of CASES) {
      const figures: Figures[] = [];
      for (const { port } of servers) figures.push(await ask(asked, port));
      const { p50_ms, p99_ms, count } = figures.at(-1)!;
      lines.push(
        { ...atMost(asked[0], p50_ms, LIMIT_MS, "ms", 1), raw: { p50_ms, p99_ms, count } },
        plain("  p99", `${p99_ms.toFixed(1)} ms`),
      );
      if (times > 1) lines.push(plain(`  times what it takes with ${times} times fewer orders`, (p50_ms / figures[0]!.p50_ms).toFixed(2)));
    }
    return [...lines, ...(await files(servers.at(-1)!.port))];
  } finally {
    for (const server of servers) await server.stop();
  }
}

async function ask([_name, actor, path]: Asked, port: number): Promise<Figures> {
  const asked = { port, paths: [path], token: actorOf(actor).token, clients: 1 };
  await runPart<LoadInput, Figures>("load/load.ts", { ...asked, seconds: sized(1, 0.1) });
  return runPart<LoadInput, Figures>("load/load.ts", { ...asked, seconds: sized(3, 0.2) });
}

/** The year by day and merchant as a file: every group of it. */
async function files(port: number): Promise<Line[]> {
  const lines: Line[] = [];
  for (const format of ["xlsx", "csv"] as const) {
    const filter = { from: FROM, to: YESTERDAY, by: "day", splitBy: "merchant" };
    const { seconds, rowsDone } = await writeFile(port, actorOf("provider").token, { source: "pay-statistics", filter, format });
    lines.push(
      plain(
        `report of the provider's year by day and merchant as ${format}`,
        `${rowsDone} rows in ${seconds.toFixed(1)} s, ${(rowsDone / seconds).toFixed(0)} rows/s`,
        {
          seconds,
          rows: rowsDone,
        },
      ),
    );
  }
  return lines;
}
