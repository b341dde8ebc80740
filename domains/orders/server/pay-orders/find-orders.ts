import { sql } from "kysely";
import { yuan } from "@zhangfang/contract/money.ts";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import type { Finder, Found, Hit, Sought } from "../../../find/server/index.ts";
import { orderStatus, type OrderStatus } from "../../contract/codes.ts";
import { byNumber, lately, type Numbered, partOf, withAmount } from "../find-numbers.ts";
import { ordersNumbered } from "./pay-order-filter.ts";

interface Row {
  readonly id: string;
  readonly no: string;
  readonly numbers: readonly string[];
  readonly store: string | null;
  readonly cents: number;
  readonly at: string;
  readonly status: OrderStatus;
  readonly refundable: boolean;
}
const COLUMNS = sql`o.id, o.order_no as no, array_remove(array[o.order_no, o.till_no, o.channel_no], null) as numbers,
  (select s.short_name from stores s where s.service_provider_id = o.service_provider_id and s.id = o.store_id) as store,
  o.gross_cents as cents, o.created_at as at, o.status, o.status = 2 and o.purpose = 0 as refundable`;
/** 支付订单 by any of their numbers, whole, or six digits in a row of one, or the last four of ours; those of the last days by their amount. */
export const orderFinder: Finder = {
  kind: "orders",
  title: "支付订单",
  promise: "单号或金额",
  access: "/dataCentre/payOrder",
  match: (sought) => partOf(sought.text) !== undefined || sought.cents !== undefined,
  find: async (ctx, sought) => withAmount(sought, await numbered(ctx, sought), (cents) => byAmount(ctx, cents)),
};
async function numbered(ctx: Ctx, sought: Sought): Promise<Found> {
  const { rows, recent } = await byNumber<Row>(ctx, sought, ORDERS);
  return { hits: rows.map((row) => shown(row, row.near)), recent };
}
const ORDERS: Numbered = { kind: "order", columns: COLUMNS, numbers: ["order_no", "till_no", "channel_no"], whole: ordersNumbered };
async function byAmount(ctx: Ctx, cents: number): Promise<Hit[]> {
  const { rows } = await sql<Row>`select ${COLUMNS} from ${lately(ctx, "order")}
    where o.gross_cents = ${cents} or o.paid_cents = ${cents} order by o.created_at desc limit 8`.execute(ctx.tx);
  return rows.map((row) => shown(row, 0));
}
const shown = ({ id, no, store, cents, at, status, refundable }: Row, near: 0 | 1 | 2): Hit => ({
  title: no,
  hint: [store, `¥${yuan(cents)}`, shanghaiTime(at).slice(5, 16), orderStatus.label(status)].filter(Boolean).join(" · "),
  to: `/dataCentre/payOrder?id=${id}`,
  near,
  acts: refundable ? { refund: `/dataCentre/payOrder?panel=refund:${id}` } : {},
});
