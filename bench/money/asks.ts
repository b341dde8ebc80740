import { lifetime_ms, nextLook_ms, REST_MS } from "@zhangfang/domains/orders/server/payments/payment-rules.ts";
import { atMost, type Line } from "../figures.ts";

/** WeChat Pay's page of the global API v2 names 1,800 order queries a second (docs/channels.md); of v3 nobody names one. */
const QUERIES_A_SECOND = 1_800;
/** A large provider at its peak, and how long its customers take to pay. */
const ORDERS_A_SECOND = 200;
const PAYS_AFTER_S = 20;
const START_MS = Date.parse("2026-11-20T04:00:00Z");

/** When an order that is not settled is asked about, in seconds after it was placed, until `until_s`. */
function looks(trade_type: string, until_s: number): number {
  const life_ms = lifetime_ms(trade_type);
  const order = { trade_type, created_at: iso(0), expires_at: iso(life_ms) };
  let asked = 0;
  for (let at = nextLook_ms(order, START_MS); at < Math.min(life_ms, until_s * 1000); at += nextLook_ms(order, START_MS + at)) asked++;
  return asked;
}
const iso = (ms: number): string => new Date(START_MS + ms).toISOString();
/** How long the channel takes to answer. */
const ANSWER_MS = 200;
/** How often the channel is asked where a till asks each second: by the schedule, and where the last answer, or the placing, is two seconds old. */
function waiting(until_s: number): number {
  const order = { trade_type: "NATIVE", created_at: iso(0), expires_at: iso(lifetime_ms("NATIVE")) };
  let asked = 0;
  let [look_ms, rested_ms] = [nextLook_ms(order, START_MS), REST_MS];
  for (let at = 1000; at < until_s * 1000; at += 1000) {
    if (at < look_ms && at < rested_ms) continue;
    asked++;
    look_ms = at + nextLook_ms(order, START_MS + at);
    rested_ms = at + ANSWER_MS + REST_MS;
  }
  return asked;
}

/** What it costs the channel's limits that a lost notification is found: by the schedule itself, no database. */
export async function measure(): Promise<Line[]> {
  const told = (name: string, value: number): Line => ({ name, figure: `${value} queries`, limit: "", raw: { value } });
  const peak = ORDERS_A_SECOND * waiting(PAYS_AFTER_S);
  return [
    told("asks: a code on the counter that nobody pays or waits for, its whole life", looks("NATIVE", 900)),
    told(`asks: one that is paid and told after ${PAYS_AFTER_S} s, nobody waiting`, looks("NATIVE", PAYS_AFTER_S)),
    told(`asks: the same with a till that asks each second`, waiting(PAYS_AFTER_S)),
    told("asks: a code that the till read and the customer never confirms", looks("MICROPAY", 60)),
    atMost(
      `asks: ${ORDERS_A_SECOND} orders a second, a till waiting ${PAYS_AFTER_S} s for each`,
      peak,
      QUERIES_A_SECOND,
      "queries a second",
    ),
  ];
}
