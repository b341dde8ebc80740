import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, Refusal } from "@zhangfang/server/calls/errors.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { deliveryWay, resendInvoice } from "../../contract/index.ts";
import { heldInvoice, noteOf } from "../read/held-invoice.ts";
import { DAY_MS, endOf, FILE_DAYS, putDown, waysTo } from "./ways.ts";

const AGAIN_S = 60;
const HOUR_S = 3_600;
const DAY_MOST = 10;
const tooOften = (message: string, seconds: number) =>
  new Refusal(429, "invoice.sent-lately", message, undefined, { "retry-after": String(seconds) });

/**
 * 重新发送: the link once more, by each way that the buyer left and that nothing is on its way by; once a minute and ten times a day. What waits
 * to be tried again is tried at once instead.
 * @throws 409, 429
 */
export const resendInvoiceRoute = implement(resendInvoice, async (ctx, { id }) => {
  const { tx, services, now_ms } = ctx;
  const invoice = await heldInvoice(ctx, id);
  const { service_provider_id, merchant_id } = invoice;
  if (invoice.status !== 2 && invoice.status !== 6) throw conflict("只有已开出、没有红冲也不在红冲的发票可以发送", "invoice.not-issued");
  if (endOf(invoice.issued_at!) <= now_ms) throw conflict(`开票已满 ${FILE_DAYS} 天，链接已过期，不再发送`, "invoice.link-over");
  const ways = await waysTo(tx, services, { service_provider_id, invoice_id: id });
  if (ways.length === 0) throw conflict("购方没有留能发送的邮箱或手机号", "invoice.no-address");
  const { rows } = await sql<{ open: string[]; waiting: string[]; round: number; minute: number; day: number }>`select
      coalesce(array_agg(d.way) filter (where d.status in (0, 3)), '{}') as open,
      coalesce(array_agg(d.way) filter (where d.status = 0 and d.why is not null), '{}') as waiting, coalesce(max(d.round), 0)::int as round,
      count(*) filter (where d.created_at > ${new Date(now_ms - AGAIN_S * 1000).toISOString()}::timestamptz)::int as minute,
      count(distinct d.round) filter (where d.round > 0 and d.created_at > ${new Date(now_ms - DAY_MS).toISOString()}::timestamptz)::int as day
    from invoice_deliveries d where d.service_provider_id = ${service_provider_id} and d.invoice_id = ${id}`.execute(tx);
  const { open, waiting, round, minute, day } = rows[0]!;
  const fresh = ways.filter((way) => !open.includes(way));
  const sooner = ways.filter((way) => waiting.includes(way));
  if (fresh.length + sooner.length === 0) throw conflict("上一次还在发送，请稍后再看结果", "invoice.sending");
  if (minute > 0) throw tooOften("刚刚发过，请 1 分钟后再试", AGAIN_S);
  if (fresh.length > 0 && day >= DAY_MOST) throw tooOften("这张发票今天已经重新发送 10 次，请明天再试", DAY_MS / 1000);
  const down = await putDown(tx, services, { service_provider_id, merchant_id, invoice_id: id }, fresh, {
    round: round + 1,
    by_name: askerOf(ctx).name,
  });
  // What a process took meanwhile is on its way.
  await sql`update invoice_deliveries d set next_at = ${ctx.now} where d.service_provider_id = ${service_provider_id} and d.invoice_id = ${id}
    and d.status = 0 and d.why is not null`.execute(tx);
  const sent = [...down.flatMap(({ way, why }) => (why === undefined ? [way] : [])), ...sooner];
  const refused = down.find(({ why }) => why !== undefined)?.why;
  if (sent.length === 0 && refused !== undefined) throw tooOften(refused, HOUR_S);
  noteOf(ctx, invoice, { 重新发送: sent.map((way) => deliveryWay.label(way)).join("、") });
  return { ways: sent };
});
