import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { invoiceUrlFor, invoiceUrlOf } from "../../../orders/server/index.ts";
import type { ReceiptFacts, VoucherFacts } from "../receipts/receipt.ts";

/** What a receipt or an announcement says of an order, and of the refund where it is about one. */
export async function readFacts(
  tx: Transaction,
  services: Services,
  { service_provider_id, order_id, refund_id }: { service_provider_id: string; order_id: string; refund_id: string | null },
): Promise<ReceiptFacts | undefined> {
  const found = await sql<
    Omit<ReceiptFacts, "refund" | "invoiceUrl"> & {
      storeId: string;
      refundNo: string | null;
      refundCents: number | null;
      finishedAt: string | null;
    }
  >`
    select s.id as "storeId", s.short_name as "storeName", o.order_no as "orderNo", o.subject, o.tool, o.gross_cents, o.discount_cents, o.stored_value_cents as stored_cents, o.paid_cents,
      case when o.voucher_cents = 0 then '[]' else (select coalesce(json_agg(json_build_object('name', p.name, 'cents', p.off_cents) order by p.n), '[]') from price_parts p
        where p.service_provider_id = o.service_provider_id and p.order_id = o.id and p.source = 'voucher') end as vouchers, o.paid_at as "paidAt",
      c.name as "cashierName", o.channel_no as "channelNo", r.refund_no as "refundNo", r.amount_cents as "refundCents", r.finished_at as "finishedAt"
    from pay_orders o
    join stores s on s.service_provider_id = o.service_provider_id and s.id = o.store_id
    left join cashiers c on c.service_provider_id = o.service_provider_id and c.id = o.cashier_id
    left join refunds r on r.service_provider_id = o.service_provider_id and r.id = ${refund_id}
    where o.service_provider_id = ${service_provider_id} and o.id = ${order_id}`.execute(tx);
  const row = found.rows[0];
  if (!row) return undefined;
  const { refundNo, refundCents, finishedAt, storeId, ...told } = row;
  const order = { service_provider_id, id: order_id, store_id: storeId, paid_at: told.paidAt };
  const invoiceUrl = refund_id === null ? await invoiceUrlFor(tx, services, order) : null;
  const whyUrl = refund_id === null && invoiceUrl === null && told.discount_cents > 0 ? invoiceUrlOf(services, order_id) : undefined;
  const facts = { ...told, invoiceUrl, whyUrl };
  return refundNo === null || refundCents === null ? facts : { ...facts, refund: { refundNo, amount_cents: refundCents, finishedAt } };
}
/** What paper says of a use. One that is taken back, or is about to be, is not printed again. */
export async function readVoucher(
  tx: Transaction,
  { service_provider_id, attempt_id, cause }: { readonly service_provider_id: string; readonly attempt_id: string; readonly cause: string },
): Promise<VoucherFacts | undefined> {
  const standing = cause === "reprint" ? [1] : [1, 5, 6];
  const { rows } =
    await sql<VoucherFacts>`select s.short_name as "storeName", v.platform, p.title, p.tail, v.pay_cents, v.verified_at as at, v.by_name as "byName",
      coalesce(g.serve, '') as serve
    from voucher_verifications v
    join stores s on s.service_provider_id = v.service_provider_id and s.id = v.store_id
    join platform_vouchers p on p.service_provider_id = v.service_provider_id and p.id = v.voucher_id
    left join platform_goods g on g.service_provider_id = p.service_provider_id and g.account_id = p.account_id and g.goods_id = p.goods_id
    where v.service_provider_id = ${service_provider_id} and v.id = ${attempt_id} and v.status = any(${standing}::int[])`.execute(tx);
  return rows[0];
}
