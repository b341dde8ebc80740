import { sql } from "kysely";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { traceOrder } from "../../../orders/contract/index.ts";
import { bureauState, invoiceKind, invoiceStatus, redStatus } from "../../contract/index.ts";

type Part = OutputOf<typeof traceOrder>["parts"][number];
interface Row {
  readonly number: string;
  readonly kind: "pc" | "bs";
  readonly status: number;
  readonly title: string;
  readonly cents: number;
  readonly at: string;
  readonly red: number | null;
  readonly bureau: number | null;
  readonly redNo: string | null;
  readonly redAt: string | null;
}
const ALIVE = new Set([2, 4, 6]);

/** 发票 in an order's money trace: what of it stands on each invoice, and what was taken back in red. Stores see none of it. */
export async function traceInvoices(
  { tx, scope }: Pick<Ctx, "tx" | "scope">,
  order: { readonly service_provider_id: string; readonly id: string },
): Promise<Part | undefined> {
  const { rows } = await sql<Row>`select coalesce(i.invoice_no, i.number) as number, i.kind, i.status, a.title_shown as title, l.cents,
      coalesce(i.issued_at, i.created_at) as at, r.status as red, r.bureau::int as bureau, r.red_no as "redNo", coalesce(r.ended_at, r.created_at) as "redAt"
    from (select x.invoice_id, sum(x.total_cents)::bigint as cents from invoice_lines x
        where x.service_provider_id = ${order.service_provider_id} and x.order_id = ${order.id} group by 1) l
    join invoices i on i.service_provider_id = ${order.service_provider_id} and i.id = l.invoice_id and ${inScope(scope, "i", "merchant")}
    join invoice_applications a on a.service_provider_id = i.service_provider_id and a.id = i.application_id
    left join lateral (select r.* from invoice_reds r where r.service_provider_id = i.service_provider_id and r.invoice_id = i.id
      order by r.created_at desc, r.id desc limit 1) r on true
    order by i.created_at, i.id`.execute(tx);
  if (rows.length === 0) return undefined;
  const lines = rows.flatMap((row): Part["lines"] => [
    {
      label: `${invoiceKind.label(row.kind)} ${row.number}`,
      note: `${row.title}，${invoiceStatus.label(row.status as 0)}`,
      // What was never issued only says so.
      amountCents: ALIVE.has(row.status) || row.status === 5 ? (row.cents as never) : null,
      rounding: null,
      at: row.at as never,
    },
    ...(row.red === null
      ? []
      : [
          {
            label: `红字 ${row.redNo ?? ""}`.trim(),
            note: [redStatus.label(row.red as 0), row.bureau === null ? "" : bureauState.label(row.bureau as 1)].filter(Boolean).join("，"),
            amountCents: row.red === 3 ? ((0 - row.cents) as never) : null,
            rounding: null,
            at: row.redAt as never,
          },
        ]),
  ]);
  const alive = rows.reduce((sum, { status, cents }) => sum + (ALIVE.has(status) ? cents : 0), 0);
  return { station: "invoice", lines, sum: { label: "发票上还有", amountCents: alive as never } };
}
