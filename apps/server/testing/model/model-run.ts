import type { MoneyWorld } from "../money-world.ts";
import type { Op } from "./model-op.ts";

/** An order that the till may have, and what both sides call it. */
export interface Order {
  readonly id: string;
  readonly orderNo: string;
  readonly tillNo: string;
}
/** Something that was asked under a number of its own, and the answer that was heard. */
export interface Told {
  readonly heard: string;
  /** Asks under the same number once more, in the same words or in others. */
  again(otherwise: boolean): Promise<string>;
}
/** What one sequence made so far. */
export interface Run {
  readonly world: MoneyWorld;
  readonly orders: Order[];
  readonly refunds: { readonly id: string; readonly refundNo: string }[];
  readonly told: Told[];
  /** Everything that can be picked, in the order in which it came to be: ids are drawn by lot, and a replay draws others. */
  readonly seen: string[];
  /** At which of its points the next operation's process ends; 0 where it lives. */
  endsAt: number;
  /** What the channel has said already. */
  readonly said: Set<string>;
  /** Word of the channel's that came already and may come once more, late. */
  readonly notices: ReturnType<MoneyWorld["channel"]["notice"]>[];
}
export type Step<K extends Op["op"]> = (run: Run, given: Extract<Op, { readonly op: K }>) => Promise<unknown>;
export type Steps<K extends Op["op"] = Op["op"]> = { readonly [N in K]: Step<N> };

export const storeOf = (world: MoneyWorld) => world.tree.merchants.mch01.stores[0]!;
export const pick = <T>(all: readonly T[], index: number): T | undefined => all[index % Math.max(1, all.length)];
/** One that fits, or where none does one in eight times any, so that refusals are heard and time is not wasted with them. */
export function pickFitting<T>(all: readonly T[], fits: (one: T) => boolean, index: number): T | undefined {
  const fitting = all.filter(fits);
  return pick(fitting.length > 0 ? fitting : index === 0 ? all : [], index);
}
/** The same of the rows of a table. */
export async function pickRow(run: Run, table: string, fits: string, index: number): Promise<{ id: string } | undefined> {
  const found = await run.world.owner<{ id: string; fits: boolean }>(`select id, coalesce(${fits}, false) as fits from ${table}`);
  const rows = found.toSorted((a, b) => run.seen.indexOf(a.id) - run.seen.indexOf(b.id));
  return pickFitting(rows, (one) => one.fits, index);
}
const PICKED = ["pay_orders", "refunds", "refund_evidence", "sharing_orders", "sharing_returns", "withdrawals"];
const ids = PICKED.map((table) => `select id, to_jsonb(t)->>'amount_cents' as cents from ${table} t`).join(" union all ");
/** Takes note of what is new. */
export async function see({ world, seen }: Run): Promise<void> {
  const rows = await world.owner<{ id: string }>(`select id from (${ids}) t order by cents, id`);
  seen.push(...rows.map((row) => row.id).filter((id) => !seen.includes(id)));
}
/** The channel's word, in as many copies as it likes. */
export async function tell(run: Run, news: Parameters<MoneyWorld["channel"]["notice"]>[2], event: string, copies: number): Promise<void> {
  const { world, notices } = run;
  const { merchantId } = storeOf(world);
  const notice = world.channel.notice(event, world.settings.get(merchantId)!.account.mchId, news);
  notices.push(notice);
  for (let copy = 0; copy < copies; copy++) await world.notify(merchantId, notice);
}
export function amountOf(what: string, left_cents: number): number {
  if (what === "a cent") return 1;
  if (what === "a cent too much") return left_cents + 1;
  return Math.max(1, what === "all" ? left_cents : Math.floor(left_cents / (what === "half" ? 2 : 3)));
}
/** Under which number the channel knows a refund at last. */
export const lastNumber = (world: MoneyWorld, refundNo: string) =>
  [...world.channel.refunds.keys()].filter((number) => number === refundNo || number.startsWith(`${refundNo}-`)).at(-1);
