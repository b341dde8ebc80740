import { sql } from "kysely";
import { yuan } from "@zhangfang/contract/money.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { NOT_FOUND, type Outcome } from "../../../channels/server/index.ts";
import { askAboutPayment, askAboutRefund } from "../../../orders/server/index.ts";
import { type BillSource, isAsked, isPlatform, isTakeaway, repairDifferences } from "../../contract/index.ts";
import { matchDay } from "../days/match-day.ts";
import { askForDay } from "../days/platform-days.ts";
import { numberOf } from "../rows.ts";
import { type DifferenceRow, holdDifferences } from "./hold-differences.ts";
import { personOf } from "./list-differences.ts";
import { byMerchant, noted } from "./resolve-differences.ts";

const SCOPE = platformScope("repair differences");
const TRADE: Readonly<Record<string, string>> = {
  SUCCESS: "支付成功",
  REFUND: "已转入退款",
  NOTPAY: "未支付",
  CLOSED: "已关闭",
  REVOKED: "已撤销",
  USERPAYING: "支付中",
  PAYERROR: "支付失败",
};
const REFUND: Readonly<Record<string, string>> = {
  processing: "退款处理中",
  success: "退款成功",
  closed: "退款关闭",
  abnormal: "退款异常",
};

/**
 * 按通道结果更正: asks the channel about each, takes over what orders take over from a query, and matches the days anew. What
 * then fits is resolved; what does not keeps the channel's answer, for whoever decides.
 */
export const repairDifferencesRoute = implement(repairDifferences, async (ctx, { ids }) => {
  const rows = await ctx.transaction((tx) => holdDifferences(tx, ctx.scope, ids, ["open", "proposed"]));
  const answers = new Map<string, string>();
  const fromPlatforms = rows.filter(({ source }) => isPlatform(source));
  for (const [day_id, answer] of await askPlatforms(ctx.services, fromPlatforms))
    for (const row of fromPlatforms) if (row.day_id === day_id) answers.set(row.id, answer);
  for (const row of rows) if (!isPlatform(row.source)) answers.set(row.id, await ask(ctx.services, row));
  const by = { id: personOf(ctx), name: ctx.principal.name };
  const fitting = await withScope(
    ctx.services.pool,
    SCOPE,
    async (tx) => {
      const now = new Date(ctx.services.clock.now_ms()).toISOString();
      for (const { service_provider_id, id } of rows)
        await tx
          .updateTable("recon_differences")
          .set({ answer: answers.get(id)! })
          .where("service_provider_id", "=", service_provider_id)
          .where("id", "=", id)
          .execute();
      // Where nothing could be asked, nothing has moved.
      const days = new Map(rows.filter(({ order_id, source }) => order_id !== null || isPlatform(source)).map((row) => [row.day_id, row]));
      for (const row of [...days.values()].toSorted((one, other) => one.day.localeCompare(other.day)))
        await matchDay(tx, { ...row, source: row.source as BillSource }, now);
      const { rows: fits } = await sql<{
        id: string;
      }>`update recon_differences d set resolution = 'repaired', resolved_by = ${by.id}, resolved_by_name = ${by.name}
        where d.service_provider_id = any(${[...new Set(rows.map((row) => row.service_provider_id))]}::uuid[])
        and d.id = any(${[...answers.keys()]}::uuid[]) and d.status = 'resolved' and d.resolution = 'vanished' and d.resolved_at = ${now}::timestamptz
        returning d.id`.execute(tx);
      return new Set(fits.map(({ id }) => id));
    },
    { deadline_ms: 40_000 },
  );
  const repairedOf = (some: readonly DifferenceRow[]) => some.filter(({ id }) => fitting.has(id)).length;
  await ctx.transaction(async (tx) => {
    for (const own of byMerchant(rows)) {
      const after = { repaired: repairedOf(own), answers: own.map((row) => `${numberOf(row)}：${answers.get(row.id)}`) };
      await ctx.audit(tx, { ...noted(own), after });
    }
  });
  const repaired = repairedOf(rows);
  const left = rows.length - repaired;
  const only = rows.length === 1 ? answers.get(rows[0]!.id) : undefined;
  return {
    repaired,
    left,
    message:
      left === 0
        ? `已按通道结果更正 ${repaired} 条`
        : only && repaired === 0
          ? `仍不一致：${only}`
          : `已更正 ${repaired} 条，${left} 条仍不一致`,
  };
});

/** So many uses of all days together are answered within the call; what is more is taken in the background (重新取账单). */
const MOST_USES = 1_000;
const LEAST_USES = 50;
/** Takes the days of platforms' differences anew, each once. @returns what came of each, in words, by day */
async function askPlatforms(services: Services, rows: readonly DifferenceRow[]): Promise<ReadonlyMap<string, string>> {
  const answers = new Map<string, string>();
  let left = MOST_USES;
  for (const { day_id, source, service_provider_id, merchant_id, day } of rows) {
    if (answers.has(day_id)) continue;
    if (isTakeaway(source)) answers.set(day_id, "已按现在的外卖订单重新对账；没取到的订单请在外卖汇总里再取一次");
    else if (!isAsked(source)) answers.set(day_id, "这个平台没有接口，请导入它的账单表格");
    else {
      const { said, uses } = await askForDay(services, { service_provider_id, merchant_id, source: "dy", day }, left);
      // A day without a use costs its calls too.
      left -= Math.max(uses, LEAST_USES);
      answers.set(day_id, said);
    }
  }
  return answers;
}

/** What the channel says about a difference, in words. */
async function ask(services: Services, row: DifferenceRow): Promise<string> {
  if (row.order_id === null) return "本地没有这个单号，无法向通道查询";
  const { service_provider_id } = row;
  if (row.refund_id !== null) {
    const said = await askAboutRefund(services, { service_provider_id, id: row.refund_id, order_id: row.order_id });
    return words(said, (refund) => `通道：${REFUND[refund.status] ?? refund.status} ¥${yuan(refund.amount_cents)}`);
  }
  const said = await askAboutPayment(services, { service_provider_id, id: row.order_id });
  return words(
    said,
    (trade) => `通道：${TRADE[trade.tradeState] ?? trade.tradeState}${trade.total_cents === null ? "" : ` ¥${yuan(trade.total_cents)}`}`,
  );
}
function words<T>(said: Outcome<T> | undefined, of: (value: T) => string): string {
  if (!said) return "没有配置此支付通道";
  if (said.kind === "ok") return of(said.value);
  if (said.kind === "refused") return said.code === NOT_FOUND ? "通道没有这个单号" : `通道拒绝：${said.message}`;
  return "通道没有答复，请稍后再试";
}
