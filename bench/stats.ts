import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { actorOf, type ActorName } from "./actors.ts";
import { atMost, plain, type Figures, type Line } from "./figures.ts";
import type { LoadInput } from "./load.ts";
import { runPart, startServer } from "./part.ts";
import type { World } from "./world.ts";

const YESTERDAY = addDays(shanghaiDay(Date.now()), -1);
const YEAR = `from=${addDays(YESTERDAY, -364)}&to=${YESTERDAY}`;
const HOMES: readonly (readonly [name: string, actor: ActorName, path: string])[] = [
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
/** The whole year of a provider with 1,000 merchants, told apart by each thing; what nobody reads by the year has no aim. */
const REPORTS: readonly (readonly [name: string, actor: ActorName, path: string, aimed: boolean])[] = [
  ...(["day", "month", "weekday", "agent", "merchant", "store", "tool", "channel", "method", "trade"] as const).map(
    (by) => [`report of the provider's year by ${by}`, "provider", report(`by=${by}`), true] as const,
  ),
  ["report of the provider's year by cashier", "provider", report("by=cashier"), false],
  ["report of the provider's year by hour", "provider", report("by=hour"), false],
  ["report of the provider's year by day and merchant", "provider", report("by=day&splitBy=merchant"), false],
  [
    "report of the provider's year, totals against the year before",
    "provider",
    `/api/statistics/takings/summary?${YEAR}&against=year`,
    true,
  ],
  ["heat map of the provider's year", "provider", `/api/statistics/takings/series?${YEAR}&step=heat`, false],
  ["one figure of the provider's year explained", "provider", `/api/statistics/takings/explain?${YEAR}`, false],
  ["profit of the provider's merchants in a year", "provider", `/api/statistics/merchants-profit?${YEAR}&withTotal=true`, true],
  ["report of an agent's year by merchant", "agent", report("by=merchant"), true],
  ["report of the platform's year by provider", "admin", report("by=provider"), true],
  ["report of the large merchant's year by cashier", "merchant", report("by=cashier"), true],
];
/** What a home page shows when it opens; a whole year is asked for by hand and has no aim. */
const LIMIT_MS = 50;

/** The home pages and reports of a provider with 1,000 merchants and of those above and below it, one caller, through HTTP. */
export const CASES = [...HOMES, ...REPORTS];
export async function measure(worlds: readonly World[]): Promise<Line[]> {
  const world = worlds.at(-1)!;
  const server = await startServer(world.connection, 9190);
  try {
    const lines: Line[] = [];
    const homes = HOMES.map(([name, actor, path]) => [name, actor, path, !path.includes("from=")] as const);
    for (const [name, actor, path, aimed] of [...homes, ...REPORTS]) {
      const asked = { port: 9190, paths: [path], token: actorOf(actor).token, clients: 1 };
      await runPart<LoadInput, Figures>("load.ts", { ...asked, seconds: 1 });
      const { p50_ms, p99_ms, count } = await runPart<LoadInput, Figures>("load.ts", { ...asked, seconds: 3 });
      const raw = { p50_ms, p99_ms, count };
      lines.push(
        aimed ? { ...atMost(name, p50_ms, LIMIT_MS, "ms", 1), raw } : plain(name, `${p50_ms.toFixed(1)} ms`, raw),
        plain("  p99", `${p99_ms.toFixed(1)} ms`),
      );
    }
    return lines;
  } finally {
    await server.stop();
  }
}
