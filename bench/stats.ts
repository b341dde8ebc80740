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
/** What a home page shows when it opens; a whole year is asked for by hand and has no aim. */
const LIMIT_MS = 50;

/** The home pages of a provider with 1,000 merchants and of those above and below it, one caller, through HTTP. */
export async function measure(worlds: readonly World[]): Promise<Line[]> {
  const world = worlds.at(-1)!;
  const server = await startServer(world.connection, 9190);
  try {
    const lines: Line[] = [];
    for (const [name, actor, path] of HOMES) {
      const asked = { port: 9190, paths: [path], token: actorOf(actor).token, clients: 1 };
      await runPart<LoadInput, Figures>("load.ts", { ...asked, seconds: 1 });
      const { p50_ms, p99_ms, count } = await runPart<LoadInput, Figures>("load.ts", { ...asked, seconds: 4 });
      const raw = { p50_ms, p99_ms, count };
      const aimed = !path.includes("from=");
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
