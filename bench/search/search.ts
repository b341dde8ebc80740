import pg from "pg";
import { searchWords } from "@zhangfang/server/pinyin.ts";
import { actorOf, type ActorName, idOf, sqlIdOf } from "../actors.ts";
import { atMost, plain, type Figures, type Line } from "../figures.ts";
import type { LoadInput } from "../load/load.ts";
import { runPart, startServer } from "../part.ts";
import { sized } from "../small.ts";
import { openWorld } from "../world.ts";

const MERCHANTS = sized(100_000, 2_000);
const STORES_EACH = 3;
const PORT = 9194;
const LIMIT_MS = 50;
const MENU_LIMIT_MS = 10;

// Names like those in the streets: a place, a word of the owner's, a trade; each with its initials.
const PLACES = [
  "锦江",
  "青羊",
  "武侯",
  "成华",
  "金牛",
  "渝北",
  "江北",
  "沙坪",
  "南岸",
  "西湖",
  "余杭",
  "天河",
  "越秀",
  "朝阳",
  "海淀",
  "徐汇",
];
const WORDS = [
  "福",
  "旺",
  "和",
  "顺",
  "鑫",
  "源",
  "丰",
  "隆",
  "康",
  "雅",
  "悦",
  "馨",
  "佳",
  "明",
  "瑞",
  "祥",
  "泰",
  "安",
  "宁",
  "春",
  "秋",
  "竹",
  "兰",
  "梅",
];
const TRADES = ["小面馆", "火锅", "川菜馆", "便利店", "水果行", "烘焙坊", "茶饮", "药房", "美发", "超市", "咖啡", "烤肉店", "粥铺", "酒楼"];
const STREETS = ["人民路店", "解放路店", "中山路店", "春熙路店", "万达店", "火车站店", "大学城店", "高新店"];
const array = (texts: readonly string[]): string => `array[${texts.map((text) => `'${text}'`).join(",")}]`;
export const initials = (name: string): string => searchWords(name).split(" ")[0]!;
export const whole = (name: string): string => searchWords(name).split(" ").at(-1)!;
/** The nth of a list, for an expression. */
const pick = (texts: readonly string[], n: string) => `(${array(texts)})[1 + (${n}) % ${texts.length}]`;

/** Merchants and stores of the first provider, past those of the world; their search is written by the triggers as always. */
export async function fill(client: pg.Client): Promise<void> {
  const [place, first, second, trade] = ["m", "m / 16", "m / 384", "m / 7"];
  const name = `${pick(PLACES, place)} || ${pick(WORDS, first)} || ${pick(WORDS, second)} || ${pick(TRADES, trade)}`;
  const spelt = (spell: (name: string) => string): string =>
    [pick(PLACES.map(spell), place), pick(WORDS.map(spell), first), pick(WORDS.map(spell), second), pick(TRADES.map(spell), trade)].join(
      " || ",
    );
  const letters = `${spelt(initials)} || ' ' || ${spelt(whole)}`;
  const [phone, merchant, provider] = [
    "'139' || lpad((m * 7919 % 100000000)::text, 8, '0')",
    sqlIdOf("merchant", "1000000 + m"),
    `'${idOf("provider", 1)}'::uuid`,
  ];
  await client.query("set synchronous_commit = off; set app.scope = 'PLATFORM||||||||'; set maintenance_work_mem = '512MB'");
  const indexes = ["merchant_search_grams on merchant_search using gin (grams)", "store_search_grams on store_search using gin (grams)"];
  for (const index of indexes) await client.query(`drop index ${index.split(" ")[0]}`);
  await client.query(`insert into merchants (service_provider_id, id, number, name, short_name, pinyin, contact_name, contact_phone, agent_id, opened_at)
    select ${provider}, ${merchant}, '8' || lpad((m * 6007 % 1000000000)::text, 9, '0'), ${name} || '有限公司' || m, ${name}, ${letters}, '文新', ${phone},
      ${sqlIdOf("agent", "1 + m % 10")}, now() - m * interval '1 minute' from generate_series(1, ${MERCHANTS}) m`);
  await client.query(`insert into stores (service_provider_id, id, merchant_id, number, name, short_name, pinyin, phone, created_at)
    select ${provider}, ${sqlIdOf("store", "1000000 + m * 10 + s")}, ${merchant}, '6' || lpad(((m * 3 + s) * 3001 % 1000000000)::text, 9, '0'),
      ${name} || ${pick(STREETS, "m + s")}, ${pick(STREETS, "m + s")}, ${letters} || ' ' || ${pick(STREETS.map(initials), "m + s")} || ' ' || ${pick(STREETS.map(whole), "m + s")}, ${phone}, now() - m * interval '1 minute'
    from generate_series(1, ${MERCHANTS}) m, generate_series(1, ${STORES_EACH}) s`);
  for (const index of indexes) await client.query(`create index ${index}`);
  await client.query("vacuum analyze");
}

const KEYWORDS: readonly (readonly [how: string, words: readonly string[]])[] = [
  ["part of a name", ["青羊旺", "福和火锅", "顺鑫", "咖啡", "江北春"]],
  ["pinyin initials", [initials("青羊旺"), initials("福和火锅"), initials("康雅茶饮"), initials("江北春")]],
  ["whole pinyin", [whole("青羊旺"), whole("福和火锅"), whole("康雅茶饮"), whole("江北春")]],
  ["number", ["8000006007", "8000600700", "8000060"]],
  ["end of a phone", ["7919", "0791", "3958"]],
  ["nothing like it", ["没有这样的店", "zzzzq"]],
];
const LISTS = [
  ["merchants, list", "/api/organisation/merchants?pageSize=20&withTotal=true&keyword="],
  ["merchants, remote search", "/newokpayorderservice/api/merchants?size=50&keyword="],
  ["stores, list", "/api/stores?pageSize=20&withTotal=true&keyword="],
  ["stores, remote search", "/newokpayorderservice/api/stores/list?type=all&size=50&keyword="],
] as const;
const CALLERS: readonly ActorName[] = ["provider", "agent"];

/** Looking for a merchant or a store among 100,000 and 300,000 as somebody types, through HTTP; and what a page asks for first. */
export async function measure(): Promise<Line[]> {
  const world = await openWorld(1_000, false, () => undefined);
  const client = new pg.Client(world.connection);
  await client.connect();
  try {
    await fill(client);
    const server = await startServer(world.connection, PORT);
    try {
      return [...(await lists()), ...(await firstCalls())];
    } finally {
      await server.stop();
    }
  } finally {
    await client.end();
    await world.close();
  }
}
async function ask(paths: readonly string[], actor: ActorName, seconds: number): Promise<Figures> {
  const asked = { port: PORT, paths, token: actorOf(actor).token, clients: 1 };
  await runPart<LoadInput, Figures>("load/load.ts", { ...asked, seconds: sized(0.5, 0.05) });
  return runPart<LoadInput, Figures>("load/load.ts", { ...asked, seconds });
}
async function lists(): Promise<Line[]> {
  const lines: Line[] = [];
  for (const actor of CALLERS)
    for (const [what, path] of LISTS)
      for (const [how, words] of KEYWORDS) {
        const { p50_ms, p99_ms } = await ask(
          words.map((word) => path + encodeURIComponent(word)),
          actor,
          sized(2, 0.1),
        );
        lines.push({ ...atMost(`${what} of the ${actor}, ${how}, p99`, p99_ms, LIMIT_MS, "ms", 1), raw: { p50_ms, p99_ms } });
        lines.push(plain("  p50", `${p50_ms.toFixed(1)} ms`));
      }
  return lines;
}
async function firstCalls(): Promise<Line[]> {
  const lines: Line[] = [];
  for (const [name, path] of [
    ["menu and permissions", "/auth/api/auth/user_item?appId=Fy.Background"],
    ["account", "/api/account"],
  ] as const) {
    const { p50_ms, p99_ms } = await ask([path], "provider", sized(2, 0.1));
    lines.push(
      { ...atMost(`${name}, p50`, p50_ms, MENU_LIMIT_MS, "ms", 1), raw: { p50_ms, p99_ms } },
      plain("  p99", `${p99_ms.toFixed(1)} ms`),
    );
  }
  return lines;
}
