import pg from "pg";
import { actorOf, type ActorName } from "../actors.ts";
import { atMost, plain, type Figures, type Line } from "../figures.ts";
import type { LoadInput } from "../load/load.ts";
import { runPart, startServer } from "../part.ts";
import { sized } from "../small.ts";
import { openWorld } from "../world.ts";
import { fill, initials, whole } from "./search.ts";

const ORDERS = sized(Number(process.env["BENCH_FIND"] ?? 1_000_000), 1_000);
const PORT = 9194;
const CALLERS = 8;
const LIMIT_MS = 50;
const WHO: readonly ActorName[] = ["admin", "provider", "agent", "merchant", "employee"];
const NAMED = [
  ["service_providers", "name"],
  ["agents", "name"],
  ["salesmen", "name"],
  ["users", "first_name"],
  ["cashiers", "name"],
  ["devices", "name"],
] as const;

/** What people type into the command bar, eight at once, through HTTP. */
export async function measure(): Promise<Line[]> {
  const world = await openWorld(ORDERS, false, (line) => void process.stderr.write(`  ${line}\n`));
  const client = new pg.Client(world.connection);
  await client.connect();
  try {
    await fill(client);
    // Those of the world were written past their triggers.
    for (const [table, name] of NAMED) await client.query(`update ${table} set ${name} = ${name}`);
    await client.query("vacuum analyze");
    const typed = await phrases(client);
    const server = await startServer(world.connection, PORT);
    try {
      const lines: Line[] = [];
      for (const actor of WHO)
        for (const [how, words] of typed) {
          const { p50_ms, p99_ms, count } = await ask(words, actor);
          lines.push({ ...atMost(`${how}, ${actor}, ${CALLERS} callers, p99`, p99_ms, LIMIT_MS, "ms", 1), raw: { p50_ms, p99_ms, count } });
          lines.push(plain("  p50", `${p50_ms.toFixed(1)} ms`));
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

/** Numbers of orders that are there, from all over the year. */
async function phrases(client: pg.Client): Promise<[how: string, words: string[]][]> {
  const { rows } = await client.query<{ no: string; channel: string }>(
    `select order_no as no, channel_no as channel from pay_orders where channel_no is not null and hashtext(order_no) % ${sized(10_000, 20)} = 0 limit 40`,
  );
  return [
    [
      "names and pinyin",
      [
        "青羊旺",
        "福和火锅",
        "顺鑫",
        "春熙路店",
        initials("青羊旺"),
        initials("康雅茶饮"),
        whole("江北春"),
        "没有这样的店",
        "咖啡",
        "zzzzq",
      ],
    ],
    ["numbers and tails", ["8000006007", "800060", "7919", "3958", "0791", "13900007919"]],
    ["whole order numbers", rows.flatMap(({ no, channel }) => [no, channel])],
    ["six digits inside", rows.map(({ no }, at) => no.slice(15 + (at % 3), 21 + (at % 3)))],
    ["last six and eight", rows.map(({ no }, at) => no.slice(at % 2 === 0 ? -6 : -8))],
    ["amounts", ["88.88", "66", "¥128.00", "19.90"]],
    ["days", ["昨天", "上周六", "上月", "近7天"]],
  ];
}
async function ask(words: readonly string[], actor: ActorName): Promise<Figures> {
  const paths = words.map((word) => `/api/find?text=${encodeURIComponent(word)}`);
  const asked = { port: PORT, paths, token: actorOf(actor).token, clients: CALLERS };
  await runPart<LoadInput, Figures>("load/load.ts", { ...asked, seconds: sized(1, 0.1) });
  return runPart<LoadInput, Figures>("load/load.ts", { ...asked, seconds: sized(4, 0.2) });
}
