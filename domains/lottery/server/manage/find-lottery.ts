import { sql } from "kysely";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { LotteryState, LotteryTerms } from "../../contract/index.ts";

export interface LotteryRef {
  readonly service_provider_id: string;
  readonly id: string;
}
export interface LotteryHead extends LotteryRef {
  readonly merchant_id: string;
  readonly name: string;
  readonly state: LotteryState;
  readonly version: number;
  readonly made_by: string;
  readonly begins_at: string;
  readonly ends_at: string;
  readonly terms: LotteryTerms;
  readonly costs: readonly number[];
  readonly words: readonly string[];
  readonly most_cents: number;
}
/** Of `lotteries l` with its rules `t`. */
const HEAD = sql`l.service_provider_id, l.id, l.merchant_id, l.name, l.state, l.version, l.made_by, l.begins_at, l.ends_at, t.terms,
  t.costs::int[] as costs, t.words, t.most_cents`;
export const FROM = sql`lotteries l join lottery_terms t on t.service_provider_id = l.service_provider_id and t.lottery_id = l.id and t.version = l.version`;

/** Holds a lottery: who draws, is given what they won, and who steers it come one after the other. */
async function hold(tx: Transaction, { service_provider_id, id }: LotteryRef): Promise<void> {
  await sql`select 1 from lottery_counts c where c.service_provider_id = ${service_provider_id} and c.lottery_id = ${id} for no key update`.execute(
    tx,
  );
}
/** A lottery as it stands after the wait for it, which is held until the end; nothing where there is none. */
export async function heldLottery(tx: Transaction, ref: LotteryRef): Promise<LotteryHead | undefined> {
  await hold(tx, ref);
  const { rows } = await sql<LotteryHead>`select ${HEAD} from ${FROM}
    where l.service_provider_id = ${ref.service_provider_id} and l.id = ${ref.id}`.execute(tx);
  return rows[0];
}
/** The same of one in sight. @throws 404 */
export async function heldHead({ tx, scope }: Pick<Ctx, "tx" | "scope">, id: string): Promise<LotteryHead> {
  const { rows } = await sql<LotteryRef>`select l.service_provider_id, l.id from lotteries l
    where l.id = ${id} and ${inScope(scope, "l", "merchant")}`.execute(tx);
  const head = rows[0] && (await heldLottery(tx, rows[0]));
  if (!head) throw notFound("摇一摇");
  return head;
}
export const decided = () => conflict("此活动已被处理，请刷新后查看");

/** A prize with what is left of it. */
export interface PrizeRow {
  readonly place: number;
  readonly kind: "coupon" | "points" | "balance" | "goods";
  readonly campaign_id: string | null;
  readonly amount: number;
  readonly cost_cents: number;
  readonly stock: number;
  readonly drawn: number;
}
/** The prizes of a lottery that was approved, in the order of the table. */
export async function prizesOf(tx: Transaction, { service_provider_id, id }: LotteryRef): Promise<readonly PrizeRow[]> {
  const { rows } = await sql<PrizeRow>`select p.place, p.kind, p.campaign_id, p.amount, p.cost_cents, p.stock, p.drawn from lottery_prizes p
    where p.service_provider_id = ${service_provider_id} and p.lottery_id = ${id} order by p.place`.execute(tx);
  return rows;
}
