import { sql, type RawBuilder } from "kysely";
import { z } from "zod";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { addMonths, dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import { exportColumn, type ExportSource, fileOf } from "@zhangfang/server/lists/export-source.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import { askerOf } from "../../../orders/server/index.ts";
import {
  answerStatement,
  getStatement,
  listStatements,
  listSubsidies,
  payStatement,
  statementFilters,
  statementState,
  summariseSubsidies,
} from "../../contract/index.ts";
import { settleSubsidy } from "./post-subsidy.ts";

type Row = RowOf<typeof listStatements>;
const COLUMNS = sql`s.id, m.short_name as "merchantName", to_char(s.month, 'YYYY-MM') as month, s.carried_cents as "carriedCents",
  s.earned_cents as "earnedCents", s.back_cents as "backCents", s.due_cents as "dueCents", s.state, s.paid_on::text as "paidOn", s.paid_ref as "paidRef",
  s.paid_by as "paidBy", s.answered_by as "answeredBy", s.answered_at as "answeredAt", s.reason`;
const FROM = sql`subsidy_statements s join merchants m on m.service_provider_id = s.service_provider_id and m.id = s.merchant_id`;
type Filter = Partial<ParsedOf<typeof listStatements>>;
const statementsWhere = (scope: Scope, { state, merchantId, month }: Filter): RawBuilder<boolean> =>
  all([
    inScope(scope, "s", "merchant"),
    is("s.state", state),
    is("s.merchant_id", merchantId),
    month !== undefined && sql`s.month = ${`${month}-01`}::date`,
  ]);
/** The list of statements, for screen and file. */
const statementsListed = (scope: Scope, filter: Filter): Listed => ({
  columns: COLUMNS,
  from: FROM,
  where: statementsWhere(scope, filter),
  order: "s.month",
  type: "date",
});
/** 补贴结算单. */
export const listStatementsRoute = implement(listStatements, (ctx, input) =>
  listPage<Row>(ctx.tx, input as never, statementsListed(ctx.scope, input)),
);
const statements = z.object(statementFilters);
/** For the provider, who pays. */
export const statementExport: ExportSource<typeof statements> = {
  name: "subsidy-statements",
  title: "补贴结算单",
  access: "/ticket/list/export",
  input: statements,
  columns: [
    exportColumn("month", "月份", 10),
    exportColumn("merchantName", "商户", 18),
    exportColumn("earnedCents", "用券补贴（元）", 16, "money"),
    exportColumn("backCents", "退款收回（元）", 16, "money"),
    exportColumn("carriedCents", "上月结转（元）", 16, "money"),
    exportColumn("dueCents", "应付（元）", 14, "money"),
    exportColumn("state", "状态", 12, "code"),
    exportColumn("paidOn", "付款日", 12),
    exportColumn("paidRef", "付款凭证", 20),
    exportColumn("paidBy", "付款人", 12),
    exportColumn("answeredBy", "确认人", 12),
    exportColumn("answeredAt", "确认时间", 20, "time"),
    exportColumn("reason", "异议", 24),
  ],
  // In the list they stand under others, or nowhere.
  always: ["paidRef", "paidBy", "reason"],
  ...fileOf(statementsListed, (row: Row) => ({ ...row, state: statementState.label(row.state) })),
};
/** The same for the merchant, who is paid. */
export const merchantStatementExport: ExportSource<typeof statements> = {
  ...statementExport,
  name: "merchant-statements",
  title: "服务商补贴",
  access: "/merchantTicket/list/export",
};
export const getStatementRoute = implement(getStatement, async (ctx, { id }) => {
  const { rows } = await sql<Row>`select ${COLUMNS} from ${FROM} where s.id = ${id} and ${inScope(ctx.scope, "s", "merchant")}`.execute(
    ctx.tx,
  );
  if (!rows[0]) throw notFound("补贴结算单");
  return rows[0];
});

interface Sums {
  readonly open: number;
  readonly waiting: number;
  readonly paid: number;
  readonly settled: number;
}
/** What of the claims is in no statement yet, what waits for the provider, what for the merchants, and what was settled. */
export const summariseSubsidiesRoute = implement(summariseSubsidies, async (ctx, { merchantId }) => {
  const among = (alias: string) => all([inScope(ctx.scope, alias, "merchant"), is(`${alias}.merchant_id`, merchantId)]);
  const { rows } = await sql<Sums>`select a.claim - s.waiting - s.paid as open, s.waiting, s.paid, a.settled
    from (select coalesce(sum(a.balance_cents) filter (where a.kind = 'claim'), 0)::bigint as claim,
        coalesce(sum(a.balance_cents) filter (where a.kind = 'settled'), 0)::bigint as settled from subsidy_accounts a where ${among("a")}) a,
      (select coalesce(sum(s.due_cents) filter (where s.state in ('WAITING', 'DISPUTED')), 0)::bigint as waiting,
        coalesce(sum(s.due_cents) filter (where s.state = 'PAID'), 0)::bigint as paid from subsidy_statements s where ${among("s")}) s`.execute(
    ctx.tx,
  );
  const { open, waiting, paid, settled } = rows[0]!;
  return { openCents: open as never, waitingCents: waiting as never, paidCents: paid as never, settledCents: settled as never };
});

interface Statement {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly month: string;
  readonly state: string;
  readonly due_cents: number;
}
/** A statement in sight. @throws 404 */
async function findStatement({ tx, scope }: Pick<Ctx, "tx" | "scope">, id: string, { hold = false } = {}): Promise<Statement> {
  const { rows } = await sql<Statement>`select s.service_provider_id, s.merchant_id, s.month::text as month, s.state, s.due_cents
    from subsidy_statements s where s.id = ${id} and ${inScope(scope, "s", "merchant")} ${hold ? sql`for no key update` : sql``}`.execute(
    tx,
  );
  if (!rows[0]) throw notFound("补贴结算单");
  return rows[0];
}
/** 补贴明细: the orders and refunds of a statement's month. */
export const listSubsidiesRoute = implement(listSubsidies, async (ctx, { statementId, ...input }) => {
  const { service_provider_id, merchant_id, month } = await findStatement(ctx, statementId);
  const [from, to] = [dayStart(month), dayStart(addMonths(month, 1))];
  return listPage<RowOf<typeof listSubsidies>>(ctx.tx, input as never, {
    columns: sql`e.id, e.occurred_at as at, e.cause, o.order_no as "orderNo", n.short_name as "storeName", p.amount_cents as cents`,
    from: sql`subsidy_entries e join subsidy_postings p on p.service_provider_id = e.service_provider_id and p.entry_id = e.id
      join subsidy_accounts a on a.service_provider_id = p.service_provider_id and a.id = p.account_id and a.kind = 'claim'
      join pay_orders o on o.service_provider_id = e.service_provider_id and o.id = e.order_id
      join stores n on n.service_provider_id = o.service_provider_id and n.id = o.store_id`,
    where: sql`${inScope(ctx.scope, "e", "merchant")} and e.service_provider_id = ${service_provider_id} and e.merchant_id = ${merchant_id}
      and e.cause <> 'settled' and e.occurred_at >= ${from} and e.occurred_at < ${to}`,
    order: "e.occurred_at",
  });
});

const noteOf = (ctx: Ctx, id: string, { service_provider_id, merchant_id, month, state }: Statement, after: object) =>
  ctx.note({
    targetKind: "subsidy_statement",
    targetId: id,
    provider: service_provider_id,
    merchant: merchant_id,
    before: { state },
    after: { month: month.slice(0, 7), ...after },
  });
const decided = () => conflict("这张结算单已被处理，请刷新后查看");
/** 记录付款: the money went outside, and the merchant says whether it came. Recorded anew where the merchant did not find it. */
export const payStatementRoute = implement(payStatement, async (ctx, { id, paidOn, paidRef }) => {
  if (paidOn > shanghaiDay(ctx.now_ms)) throw invalid("paidOn", "付款日期不能晚于今天");
  const statement = await findStatement(ctx, id, { hold: true });
  const changed = await ctx.tx
    .updateTable("subsidy_statements")
    .set({ state: "PAID", paid_on: paidOn, paid_ref: paidRef, paid_by: askerOf(ctx).name, paid_at: ctx.now })
    .where("service_provider_id", "=", statement.service_provider_id)
    .where("id", "=", id)
    .where("state", "in", ["WAITING", "DISPUTED"])
    .executeTakeFirst();
  mustChange(changed, decided);
  noteOf(ctx, id, statement, { state: "PAID", paidOn, paidRef, cents: statement.due_cents });
  return { ok: true as const };
});
/** 确认收到: the claim is settled. Not received: the provider looks again. */
export const answerStatementRoute = implement(answerStatement, async (ctx, { id, received, reason }) => {
  const statement = await findStatement(ctx, id, { hold: true });
  const state = received ? "CONFIRMED" : "DISPUTED";
  const changed = await ctx.tx
    .updateTable("subsidy_statements")
    .set({ state, answered_by: askerOf(ctx).name, answered_at: ctx.now, reason: received ? "" : reason })
    .where("service_provider_id", "=", statement.service_provider_id)
    .where("id", "=", id)
    .where("state", "=", "PAID")
    .executeTakeFirst();
  mustChange(changed, decided);
  const { service_provider_id, merchant_id, due_cents } = statement;
  if (received) await settleSubsidy(ctx.tx, ctx.services, { service_provider_id, merchant_id, cause_id: id }, due_cents);
  noteOf(ctx, id, statement, { state, ...(reason !== "" && { reason }), cents: due_cents });
  return { ok: true as const };
});
