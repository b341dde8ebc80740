import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, Refusal } from "@zhangfang/server/calls/errors.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { deliveryWay, resendInvoice } from "../../contract/index.ts";
import { heldInvoice, noteOf } from "../read/held-invoice.ts";
import { DAY_MS, putDown, waysTo } from "./ways.ts";

const AGAIN_S = 60;
const DAY_MOST = 10;
const tooOften = (message: string, seconds: number) =>
  new Refusal(429, "invoice.sent-lately", message, undefined, { "retry-after": String(seconds) });

/** 重新发送: the link once more, by each way that the buyer left; once a minute and ten times a day. @throws 409, 429 */
export const resendInvoiceRoute = implement(resendInvoice, async (ctx, { id }) => {
  const { tx, services, now_ms } = ctx;
  const invoice = await heldInvoice(ctx, id);
  const { service_provider_id, merchant_id } = invoice;
  if (![2, 4, 6].includes(invoice.status)) throw conflict("只有已开出、没有红冲的发票可以发送", "invoice.not-issued");
  const { rows } = await sql<{ kept: boolean; open: boolean; round: number; minute: number; day: number }>`select
      exists (select from invoice_files f where f.service_provider_id = ${service_provider_id} and f.invoice_id = ${id} and f.red_id is null and f.sha256 is not null) as kept,
      coalesce(bool_or(d.status in (0, 3)), false) as open, coalesce(max(d.round), 0)::int as round,
      count(*) filter (where d.created_at > ${new Date(now_ms - AGAIN_S * 1000).toISOString()}::timestamptz)::int as minute,
      count(distinct d.round) filter (where d.round > 0 and d.created_at > ${new Date(now_ms - DAY_MS).toISOString()}::timestamptz)::int as day
    from invoice_deliveries d where d.service_provider_id = ${service_provider_id} and d.invoice_id = ${id}`.execute(tx);
  const { kept, open, round, minute, day } = rows[0]!;
  if (!kept) throw conflict("发票文件还没有取到，取到后再发", "invoice.no-files");
  const ways = await waysTo(tx, services, { service_provider_id, invoice_id: id });
  if (ways.length === 0) throw conflict("购方没有留能发送的邮箱或手机号", "invoice.no-address");
  if (open) throw conflict("上一次还在发送，请稍后再看结果", "invoice.sending");
  if (minute > 0) throw tooOften("刚刚发过，请 1 分钟后再试", AGAIN_S);
  if (day >= DAY_MOST) throw tooOften("这张发票今天已经重新发送 10 次，请明天再试", DAY_MS / 1000);
  await putDown(tx, services, { service_provider_id, merchant_id, invoice_id: id }, ways, { round: round + 1, by_name: askerOf(ctx).name });
  noteOf(ctx, invoice, { 重新发送: ways.map((way) => deliveryWay.label(way)).join("、") });
  return { ways };
});
