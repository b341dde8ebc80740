import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import { type PayWallet, walletOf } from "../../../channels/contract.ts";
import type { Span } from "../../contract/index.ts";
import { SUMS, type DaySums, type Sums } from "./figures.ts";
import { takingsOf } from "./owner.ts";

/** The sums of each day of a span on which anything happened. */
export async function readDays(tx: Transaction, scope: Scope, span: Span): Promise<DaySums[]> {
  const { rows } = await sql<DaySums>`select t.day, ${SUMS} from takings_days t
    where ${takingsOf(scope)} and t.day between ${span.from} and ${span.to} group by t.day order by t.day`.execute(tx);
  return rows;
}

/** The sums of each hour of some days. */
export async function readHours(tx: Transaction, scope: Scope, days: readonly string[]): Promise<(DaySums & { readonly hour: number })[]> {
  const { rows } = await sql<DaySums & { hour: number }>`select t.day, t.hour, ${SUMS} from takings t
    where ${takingsOf(scope)} and t.day = any(${`{${days.join(",")}}`}::date[]) group by t.day, t.hour`.execute(tx);
  return rows;
}

/** The sums of a span by channel and tool, with whose wallet it is. */
export async function readShares(
  tx: Transaction,
  scope: Scope,
  span: Span,
): Promise<(Sums & { readonly channel: number; readonly wallet: PayWallet })[]> {
  const { rows } = await sql<Sums & { channel: number; tool: number }>`select t.channel, t.tool, ${SUMS} from takings_days t
    where ${takingsOf(scope)} and t.day between ${span.from} and ${span.to} group by t.channel, t.tool`.execute(tx);
  return rows.map(({ tool, ...row }) => ({ ...row, wallet: walletOf(tool) }));
}
