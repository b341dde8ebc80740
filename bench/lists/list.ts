import { writeCursor } from "@zhangfang/server/lists/keyset.ts";
import { actorOf, idOf } from "../actors.ts";
import type { BareInput } from "../bare.ts";
import { atLeast, atMost, median, plain, type Figures, type Line } from "../figures.ts";
import type { LoadInput } from "../load/load.ts";
import { runPart, startServer, type BenchServer } from "../part.ts";
import { sized } from "../small.ts";
import type { World } from "../world.ts";

const ROUNDS = sized(3, 1);
const SECONDS = sized(4, 0.3);
const SECONDS_OTHERS = sized(2, 0.3);
const POOL = 10;
const { token } = actorOf("merchant");
const LIST = "/api/orders/pay-orders?pageSize=20";
const HALF_A_YEAR_AGO = writeCursor({ value: new Date(Date.now() - 182 * 86_400_000).toISOString(), id: idOf("user", 1) });
/** What somebody asks of the list besides its first page. */
const OTHERS: Readonly<Record<string, string>> = {
  "page half a year deep": `${LIST}&cursor=${HALF_A_YEAR_AGO}`,
  "refunded in full": `${LIST}&status=3`,
  "another channel": `${LIST}&channel=1`,
};

/** One merchant's orders through HTTP, with session, scope, both fences and output check, against the bare driver. */
export async function measure(worlds: readonly World[]): Promise<Line[]> {
  const servers: BenchServer[] = [];
  try {
    for (const [at, world] of worlds.entries()) servers.push(await startServer(world.connection, 9190 + at));
    const lines: Line[] = [];
    for (const [at, server] of servers.entries()) lines.push(...(await againstBare(worlds[at]!, server)));
    const [small, large] = servers;
    if (small && large) lines.push(...(await growth(small, large, worlds[1]!.rows / worlds[0]!.rows)));
    return lines;
  } finally {
    for (const server of servers) await server.stop();
  }
}

async function againstBare({ connection, rows }: World, server: BenchServer): Promise<Line[]> {
  const size = `list of one merchant in ${(rows / 1e6).toLocaleString("en")} M orders`;
  const statements = await server.capture(LIST, token);
  await load(server, [LIST], 8, SECONDS / 4);
  const runs = { ours: { 1: [] as Figures[], 32: [] as Figures[] }, bare: { 1: [] as Figures[], 32: [] as Figures[] } };
  const cpu_us: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const clients of [1, 32] as const) {
      const before = await server.usage();
      const ours = await load(server, [LIST], clients, SECONDS);
      const after = await server.usage();
      if (clients === 32) cpu_us.push((after.cpu_us - before.cpu_us) / ours.count);
      runs.ours[clients].push(ours);
      runs.bare[clients].push(
        await runPart<BareInput, Figures>("bare.ts", { connection, statements, pool: POOL, clients, seconds: SECONDS }),
      );
    }
  }
  const mid = (figures: readonly Figures[], key: keyof Figures) => median(figures.map((one) => one[key]));
  const ratio = (clients: 1 | 32) => median(runs.ours[clients].map((one, at) => one.perSecond / runs.bare[clients][at]!.perSecond));
  return [
    ...([1, 32] as const).flatMap((clients) => {
      const [ours, bare] = [runs.ours[clients], runs.bare[clients]];
      const speed = `${mid(ours, "perSecond").toFixed(0)}/s, p50 ${mid(ours, "p50_ms").toFixed(1)} ms, p99 ${mid(ours, "p99_ms").toFixed(1)} ms; bare ${mid(bare, "perSecond").toFixed(0)}/s`;
      const raw = {
        perSecond: mid(ours, "perSecond"),
        p50_ms: mid(ours, "p50_ms"),
        p99_ms: mid(ours, "p99_ms"),
        bare_perSecond: mid(bare, "perSecond"),
        bare_p50_ms: mid(bare, "p50_ms"),
      };
      return [
        plain(`${size}, ${clients} client${clients > 1 ? "s" : ""}`, speed, raw),
        atLeast("  of the bare driver's requests per second", ratio(clients), 0.5, "", 2),
      ];
    }),
    plain("  processor time of the server per request", `${median(cpu_us).toFixed(0)} µs`, { cpu_us: median(cpu_us) }),
    ...(await others(server)),
  ];
}

async function others(server: BenchServer): Promise<Line[]> {
  const lines: Line[] = [];
  const number = (
    (await (await fetch(`http://127.0.0.1:${server.port}${LIST}`, { headers: { authorization: `Bearer ${token}` } })).json()) as {
      items: { orderNo: string }[];
    }
  ).items[0]!.orderNo;
  for (const [name, path] of Object.entries({ ...OTHERS, "by number": `${LIST}&keyword=${number}` })) {
    const { p50_ms, p99_ms } = await load(server, [path], 1, SECONDS_OTHERS);
    lines.push(plain(`  ${name}, 1 client`, `p50 ${p50_ms.toFixed(1)} ms, p99 ${p99_ms.toFixed(1)} ms`, { p50_ms, p99_ms }));
  }
  return lines;
}

// Both sizes in turn, so that what else the machine does falls on both.
async function growth(small: BenchServer, large: BenchServer, times: number): Promise<Line[]> {
  const lines: Line[] = [];
  for (const [name, path] of Object.entries({ "first page": LIST, ...OTHERS })) {
    const ratios: number[] = [];
    for (let round = 0; round < sized(5, 1); round++) {
      const before = await load(small, [path], 1, SECONDS_OTHERS);
      const after = await load(large, [path], 1, SECONDS_OTHERS);
      ratios.push(after.p50_ms / before.p50_ms);
    }
    lines.push(atMost(`growth of p50 with ${times} times the orders, ${name}`, median(ratios), 1.3, "", 2));
  }
  return lines;
}

const load = (server: BenchServer, paths: readonly string[], clients: number, seconds: number) =>
  runPart<LoadInput, Figures>("load/load.ts", { port: server.port, paths, token, clients, seconds });
