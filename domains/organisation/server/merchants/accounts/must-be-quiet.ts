import { sql } from "kysely";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import { walletOfTool } from "../../../../channels/server/index.ts";

/** The tools of Alipay's payments, which have their own number at the direct channel. */
const ALIPAY = Array.from({ length: 10 }, (_, tool) => tool).filter((tool) => walletOfTool(tool) === "alipay");

/**
 * Whether a merchant's number at a channel may be changed: money on its way out is asked about under the number that sent it. Under another
 * one the channel has never heard of it, and what counts as never sent would be paid a second time. The same of what a customer may be
 * paying now: nobody would hear of it.
 * @throws 409 while a refund, a share or a return through it has no end, or an order waits to be paid
 */
export async function mustBeQuiet(
  tx: Transaction,
  merchant: { readonly service_provider_id: string; readonly id: string },
  at: { readonly channel: number; readonly alipay: boolean },
): Promise<void> {
  const through = sql`o.service_provider_id = ${merchant.service_provider_id} and o.merchant_id = ${merchant.id} and o.channel = ${at.channel}
    and (o.channel <> 0 or (o.tool = any(${ALIPAY}::int[])) = ${at.alipay})`;
  const open = (table: "refunds" | "sharing_orders" | "sharing_returns") => sql`exists (select 1 from ${sql.table(table)} x
    join pay_orders o on o.service_provider_id = x.service_provider_id and o.id = x.order_id
    where x.service_provider_id = ${merchant.service_provider_id} and x.merchant_id = ${merchant.id} and x.status = 1 and ${through})`;
  const { rows } = await sql<{ unpaid: string | null; open: boolean }>`select
    (select max(o.expires_at) from pay_orders o where o.status = 0 and ${through}) as unpaid,
    ${open("refunds")} or ${open("sharing_orders")} or ${open("sharing_returns")} as open`.execute(tx);
  const [found] = rows;
  if (found?.unpaid)
    throw conflict(`还有订单在等待支付，等它们支付或关闭（最晚 ${shanghaiTime(new Date(found.unpaid))}）后再更换商户号`, "channel.busy");
  if (found?.open) throw conflict("还有退款、分账或分账回退没有结果，请等它们完成后再更换商户号", "channel.busy");
}
