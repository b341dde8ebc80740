import { sql } from "kysely";
import { yuan } from "@zhangfang/contract/money.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { mailerOf, UNKNOWN } from "../../../messages/server/index.ts";
import { hasSms, smsOf } from "../../../members/server/index.ts";
import type { DeliveryWay } from "../../contract/index.ts";
import { addressOf, announceAnother, deliveredUrlOf, endOf, openedBuyer } from "./ways.ts";

const WITHIN = platformScope("deliver invoices");
/** Minutes until what did not go out is tried again; after the last of them it is given up. */
const AGAIN_MIN = [1, 5, 30, 120, 360];
/** What was asked for so long ago belongs to a process that died. */
const DEAD_MIN = 10;
const MINUTE_MS = 60_000;

interface Due {
  readonly service_provider_id: string;
  readonly id: string;
  readonly status: number;
  readonly way: DeliveryWay;
}
interface Taken {
  readonly way: DeliveryWay;
  readonly tries: number;
  readonly invoice_id: string;
  readonly application_id: string;
  readonly buyer_sealed: string;
  readonly merchant: string;
  readonly status: number;
  readonly invoice_no: string;
  readonly total_cents: number;
  readonly issued_at: string;
}
/** How a sending ended. `again`: it did not go out; `ask`: nobody knows yet, and it can be found out. */
type End =
  | { readonly state: "sent" }
  | { readonly state: "failed"; readonly why: string }
  | { readonly state: "again" | "ask"; readonly why: string }
  /** It waits for the end of a red letter, which is no try. */
  | { readonly state: "held"; readonly why: string };
const failed = (why: string): End => ({ state: "failed", why });
const inMinutes = (services: Services, minutes: number) => new Date(services.clock.now_ms() + minutes * MINUTE_MS).toISOString();

/** What is being taken back waits for the end of that: then it is good again, or goes to nobody. */
const READY = sql`(d.status = 3 or i.status <> 4)`;
/** Writes down that it is asked for. @returns nothing where another process has it */
async function take(
  tx: Transaction,
  services: Services,
  { service_provider_id, id, status }: Omit<Due, "way">,
): Promise<Taken | undefined> {
  const { rows } =
    await sql<Taken>`update invoice_deliveries d set status = 3, tries = d.tries + 1, next_at = ${inMinutes(services, DEAD_MIN)}
    from invoices i join invoice_applications a on a.service_provider_id = i.service_provider_id and a.id = i.application_id
      join merchants m on m.service_provider_id = i.service_provider_id and m.id = i.merchant_id
    where d.service_provider_id = ${service_provider_id} and d.id = ${id} and d.status = ${status} and d.next_at <= ${inMinutes(services, 0)}
      and i.service_provider_id = d.service_provider_id and i.id = d.invoice_id and ${READY}
    returning d.way, d.tries, d.invoice_id, i.application_id, a.buyer_sealed, m.short_name as merchant, i.status, i.invoice_no,
      coalesce(i.issued_cents, i.total_cents) as total_cents, i.issued_at`.execute(tx);
  return rows[0];
}
/** @param known whether it was asked for before, and nobody wrote down the end */
async function send(services: Services, { service_provider_id, id }: Due, taken: Taken, known: boolean): Promise<End> {
  const { way, invoice_id, application_id, buyer_sealed, merchant, status, invoice_no, total_cents, issued_at } = taken;
  if (way === "mail" && known) return failed(UNKNOWN);
  const buyer = openedBuyer(services, { service_provider_id, id: application_id }, buyer_sealed);
  if (!buyer) return failed("购方信息打不开，没有发送");
  const to = addressOf(buyer, way);
  const not = notToSend(services, status, issued_at);
  const url = deliveredUrlOf(services, invoice_id);
  const sum = `${yuan(total_cents)} 元`;
  if (way === "sms") return sendSms(services, { id, phone: to, params: { no: invoice_no.slice(-4), sum, url } }, known, not);
  if (not) return not;
  const mailer = await mailerOf(services);
  if (!mailer) return failed("平台没有配置邮件服务器");
  const text = [
    `${merchant} 为您开的电子发票已经开好，价税合计 ${sum}，发票号码 ${invoice_no}。`,
    "",
    `查看和下载：${url}`,
    `链接在 ${shanghaiDay(endOf(issued_at))} 前有效，请不要转发给别人。`,
  ].join("\n");
  const end = await mailer.send({ id, to, subject: `电子发票：${merchant} ${sum}`, text });
  if (end.state === "sent") return end;
  return end.state === "later" ? { state: "again", why: end.why } : failed(end.why);
}
/** Why it does not go out, where it should not any more. */
function notToSend(services: Services, status: number, issued_at: string): End | undefined {
  if (status === 5) return failed("发票已红冲，没有发送");
  if (endOf(issued_at) <= services.clock.now_ms()) return failed("链接已过期，没有发送");
  return status === 4 ? { state: "held", why: "发票在红冲，等结果" } : undefined;
}
type Message = { readonly id: string; readonly phone: string; readonly params: Readonly<Record<string, string>> };
/** One id is one message: what nobody knows the end of is asked about before it goes out again. */
async function sendSms(services: Services, message: Message, known: boolean, not: End | undefined): Promise<End> {
  try {
    const sms = smsOf(services);
    const before = known ? await sms.ask(message.id) : { state: "none" as const };
    if (before.state === "none" && not) return not;
    const end = before.state === "none" ? await sms.send({ ...message, template: "invoice" }) : before;
    // In its own words a carrier may name the number.
    return end.state === "sent" ? end : failed(hasSms(services) ? "短信服务拒收，没有发送" : "平台没有配置短信服务");
  } catch {
    return { state: "ask", why: "短信服务没有应答，会再查" };
  }
}
async function settle(services: Services, { service_provider_id, id }: Due, { tries, status, invoice_id }: Taken, end: End): Promise<void> {
  const wait_min = end.state === "held" ? 1 : end.state === "again" || end.state === "ask" ? AGAIN_MIN[tries - 1] : undefined;
  const why = end.state === "sent" ? null : end.state === "ask" && wait_min === undefined ? UNKNOWN : end.why.slice(0, 200);
  const ended =
    wait_min === undefined
      ? { status: why === null ? 1 : 2, ended_at: inMinutes(services, 0) }
      : { status: end.state === "ask" ? 3 : 0, next_at: inMinutes(services, wait_min) };
  await withScope(services.pool, WITHIN, async (tx) => {
    await tx
      .updateTable("invoice_deliveries")
      .set({ ...ended, why })
      .where("service_provider_id", "=", service_provider_id)
      .where("id", "=", id)
      .where("status", "=", 3)
      .where("tries", "=", tries)
      .execute();
    if (status === 5 && ended.status === 2) await announceAnother(tx, services, { service_provider_id, invoice_id });
  });
  if (ended.status === 2) services.log.warn({ delivery: id, why }, "an invoice was not delivered");
}
/** Each ten seconds, of each way as many, so that one whose server is down holds up no other: what goes out to buyers is marked as asked for, handed over, and settled. */
export const deliverInvoices = lookAfter<Due>({
  name: "deliver-invoices",
  every: 10,
  due: async (tx, now) =>
    (
      await sql<Due>`select due.* from unnest(array['mail', 'sms']) as w (way) cross join lateral (
          select d.service_provider_id, d.id, d.status, d.way from invoice_deliveries d
          join invoices i on i.service_provider_id = d.service_provider_id and i.id = d.invoice_id
          where d.way = w.way and d.status in (0, 3) and d.next_at <= ${now} and ${READY} order by d.next_at limit 100) due`.execute(tx)
    ).rows,
  waitsFor: ({ way, service_provider_id }) => [way, service_provider_id],
  async one(services, due) {
    const taken = await withScope(services.pool, WITHIN, (tx) => take(tx, services, due));
    if (taken) await settle(services, due, taken, await send(services, due, taken, due.status === 3));
  },
});

/** Of a provider that was restored elsewhere: what waited there is sent from there or not at all. */
export const holdBackDeliveries = (tx: Transaction, provider: string) =>
  sql`update invoice_deliveries d set status = 2, why = '恢复时未发送', ended_at = now() where d.service_provider_id = ${provider} and d.status in (0, 3)`.execute(
    tx,
  );
