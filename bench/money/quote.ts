import pg from "pg";
import { best, type Facts, price, type Wish } from "@zhangfang/domains/pricing/server/testing/rules.ts";
import { actorOf } from "../actors.ts";
import { atLeast, atMost, median, plain, quantile, type Figures, type Line } from "../figures.ts";
import type { LoadInput } from "../load/load.ts";
import type { QuoteInput } from "../load/quote-load.ts";
import { openAgent, signedPost } from "../load/signed-post.ts";
import { runPart, startServer } from "../part.ts";
import { sized } from "../small.ts";
import { autoOffers, couponOffers } from "../ten-offers.ts";
import { openWorld } from "../world.ts";
import { LINES, openMemberShop } from "./member-world.ts";

const PORT = 9201;
const ROUNDS = sized(5, 1);
const SECONDS = sized(3, 0.3);
const CLIENTS = 8;
const MOST_MS = 5;
const LIST = "/api/orders/pay-orders?pageSize=20";
const LEAST = 0.5;
/** What a cashier scans: two for items, one for the whole. */
const READ = ["c1", "c2", "c3"];

/**
 * A quote of twenty lines with ten offers: a level with member prices, three automatic offers, four coupons of which the best are sought,
 * points and stored value; through HTTP with its signature, in turn with a list of one page, and the reckoning alone. In a world of its own.
 */
export async function measure(): Promise<Line[]> {
  const world = await openWorld(1_000, false, () => undefined);
  const owner = new pg.Client(world.connection);
  try {
    await owner.connect();
    const shop = await openMemberShop(world, owner, 1);
    const server = await startServer(world.connection, PORT, { tenOffers: true });
    try {
      const [till, [ticket]] = [shop.tills[0]!, await shop.tickets(shop.members)];
      const order = { tillNo: "Q1", lines: LINES, ticket, points: 1_000, storedValueCents: 5_000 };
      const asked = { read: { ...order, coupons: READ }, best: { ...order, coupons: "best" } };
      for (const quote of Object.values(asked)) await mustUseAll(till, quote);
      const ask = (quote: object, clients: number, seconds: number) =>
        runPart<QuoteInput, Figures>("load/quote-load.ts", { port: PORT, till, quote, clients, seconds });
      const list = (seconds: number) =>
        runPart<LoadInput, Figures>("load/load.ts", {
          port: PORT,
          paths: [LIST],
          token: actorOf("merchant").token,
          clients: CLIENTS,
          seconds,
        });
      await list(SECONDS / 2);
      for (const quote of Object.values(asked)) await ask(quote, CLIENTS, SECONDS / 2);
      const found = { read: [] as Round[], best: [] as Round[] };
      for (let round = 0; round < ROUNDS; round++)
        for (const way of ["read", "best"] as const) {
          const lists = await list(SECONDS);
          const before = await server.usage();
          const many = await ask(asked[way], CLIENTS, SECONDS);
          const cpu_us = ((await server.usage()).cpu_us - before.cpu_us) / many.count;
          found[way].push({ alone: await ask(asked[way], 1, SECONDS), many, lists, cpu_us });
        }
      return [
        ...lines(`quote of ${LINES.length} lines, 10 offers, coupons that were read`, found.read),
        ...lines("  the best of them sought", found.best),
        ...reckoning(),
      ];
    } finally {
      await server.stop();
    }
  } finally {
    await owner.end();
    await world.close();
  }
}

interface Round {
  readonly alone: Figures;
  readonly many: Figures;
  readonly lists: Figures;
  readonly cpu_us: number;
}
function lines(name: string, rounds: readonly Round[]): Line[] {
  const mid = (of: (round: Round) => number) => median(rounds.map(of));
  const [p50_ms, p99_ms] = [mid(({ alone }) => alone.p50_ms), mid(({ alone }) => alone.p99_ms)];
  const [perSecond, list_perSecond, cpu_us] = [
    mid(({ many }) => many.perSecond),
    mid(({ lists }) => lists.perSecond),
    mid((one) => one.cpu_us),
  ];
  const figures = `${perSecond.toFixed(0)}/s, list ${list_perSecond.toFixed(0)}/s; p99 of one till ${p99_ms.toFixed(1)} ms; ${cpu_us.toFixed(0)} µs of the server's processor`;
  return [
    atMost(`${name}, p50 of one till`, p50_ms, MOST_MS, "ms", 2),
    plain(`  ${CLIENTS} tills at once`, figures, { perSecond, list_perSecond, p99_ms, cpu_us }),
    atLeast(
      "  of the list's requests per second",
      mid(({ many, lists }) => many.perSecond / lists.perSecond),
      LEAST,
      "",
      2,
    ),
  ];
}

/** A quote that left half of it out would be quick. @throws where a source takes nothing off */
async function mustUseAll(till: Parameters<typeof signedPost>[2], quote: object): Promise<void> {
  const agent = openAgent(1);
  const { parts, compared } = await signedPost<{ parts: { source: string }[]; compared?: { ways: number; whole: boolean } }>(
    PORT,
    agent,
    till,
    "/api/till/quotes",
    quote,
  );
  agent.destroy();
  const used = new Set(parts.map(({ source }) => source));
  const lacks = ["member", "auto", "coupon", "points", "stored"].filter((source) => !used.has(source));
  if (lacks.length > 0 || compared?.whole === false)
    throw new Error(`the quote used no ${lacks.join(", ")}, compared ${JSON.stringify(compared)}`);
}

/** The pure functions alone, in this process. */
function reckoning(): Line[] {
  const base = { priority: 0, min_cents: 0, provider_rate: 0, without: [] } as const;
  const lot = (id: string, principal: number) => ({
    id,
    mode: "ratio" as const,
    principal_cents: principal,
    gift_cents: principal / 5,
    principal_left_cents: principal,
    gift_left_cents: principal / 5,
  });
  const facts: Facts = {
    version: 1,
    at: "2026-11-20T04:00:00Z",
    lines: LINES.map(({ place, name, units, unitCents }) => ({ place, name, units, unit_cents: unitCents })),
    offers: [
      {
        ...base,
        source: "member",
        ref: "level-1",
        name: "金卡",
        rule: {
          kind: "member",
          rate: 5_000,
          prices: Object.fromEntries(LINES.filter((_one, at) => at % 2 === 1).map(({ place, unitCents }) => [place, unitCents - 100])),
        },
      },
      ...autoOffers,
      ...couponOffers,
      {
        ...base,
        source: "points",
        ref: "points",
        name: "积分",
        rule: { kind: "points", balance: 500_000, least_points: 100, step_points: 100, step_cents: 100, most_rate: 50_000 },
      },
      { ...base, source: "stored", ref: "stored", name: "储值", rule: { kind: "stored", lots: [lot("a", 20_000), lot("b", 80_000)] } },
    ],
  };
  const wish: Wish = { chosen: READ, leave: [], points: 1_000, stored_cents: 5_000 };
  const times = sized(2_000, 50);
  const took = (act: () => unknown) => {
    const all = new Float64Array(times);
    for (let at = 0; at < times; at++) {
      const begun_ms = performance.now();
      act();
      all[at] = performance.now() - begun_ms;
    }
    return all.toSorted();
  };
  const told = (name: string, all: Float64Array) =>
    plain(name, `p50 ${quantile(all, 0.5).toFixed(3)} ms, p99 ${quantile(all, 0.99).toFixed(3)} ms`, {
      p50_ms: quantile(all, 0.5),
      p99_ms: quantile(all, 0.99),
    });
  return [
    told(
      "  the reckoning alone: these coupons",
      took(() => price(facts, wish)),
    ),
    told(
      `  the best of ${best(facts, wish).compared} ways`,
      took(() => best(facts, wish)),
    ),
  ];
}
