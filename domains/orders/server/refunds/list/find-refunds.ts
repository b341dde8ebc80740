import { sql } from "kysely";
import { yuan } from "@zhangfang/contract/money.ts";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import type { Finder, Found, Hit, Sought } from "../../../../find/server/index.ts";
import { refundStatus, type RefundStatus } from "../../../contract/codes.ts";
import { byNumber, lately, type Numbered, partOf, withAmount } from "../../find-numbers.ts";
import { refundsNumbered } from "./refund-filter.ts";

interface Row {
  readonly id: string;
  readonly no: string;
  readonly numbers: readonly string[];
  readonly store: string | null;
  readonly cents: number;
  readonly at: string;
  readonly status: RefundStatus;
}
const COLUMNS = sql`r.id, r.refund_no as no, array_remove(array[r.refund_no, r.channel_refund_no], null) as numbers,
  (select s.short_name from stores s where s.service_provider_id = r.service_provider_id and s.id = r.store_id) as store,
  r.value_cents as cents, r.created_at as at, r.status`;

/** 退款 by any of their numbers, whole, or six digits in a row of one; those of the last days by their amount. */
export const refundFinder: Finder = {
  kind: "refunds",
  title: "退款",
  access: "/dataCentre/payRefund",
  match: (sought) => partOf(sought.text) !== undefined || sought.cents !== undefined,
  find: async (ctx, sought) => withAmount(sought, await numbered(ctx, sought), (cents) => byAmount(ctx, cents)),
};
async function numbered(ctx: Ctx, sought: Sought): Promise<Found> {
  const { rows, recent } = await byNumber<Row>(ctx, sought, REFUNDS);
  return { hits: rows.map((row) => shown(row, row.near)), recent };
}
const REFUNDS: Numbered = { kind: "refund", columns: COLUMNS, numbers: ["refund_no", "channel_refund_no"], whole: refundsNumbered };
async function byAmount(ctx: Ctx, cents: number): Promise<Hit[]> {
  const { rows } = await sql<Row>`select ${COLUMNS} from ${lately(ctx, "refund")}
    where r.value_cents = ${cents} or r.amount_cents = ${cents} order by r.created_at desc limit 8`.execute(ctx.tx);
  return rows.map((row) => shown(row, 0));
}
const shown = ({ id, no, store, cents, at, status }: Row, near: 0 | 1 | 2): Hit => ({
  title: no,
  hint: [store, `¥${yuan(cents)}`, shanghaiTime(at).slice(5, 16), refundStatus.label(status)].filter(Boolean).join(" · "),
  to: `/dataCentre/payRefund?id=${id}`,
  near,
});
