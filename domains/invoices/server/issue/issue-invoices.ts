import { sql } from "kysely";
import { yuan } from "@zhangfang/contract/money.ts";
import { mustChange, type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Outcome } from "../../../channels/server/index.ts";
import { openBuyer } from "../config/seals.ts";
import { leftToPlatform, oursTo } from "../deliver/ways.ts";
import { holdOrdersOf, overWorth } from "../red/settle-orders.ts";
import { invoicesOf } from "../provider/open-provider.ts";
import type { BlueOrder, InvoiceAccount } from "../provider/provider.ts";
import { accountOf, ISSUE, recorded } from "./invoice-calls.ts";
import { quotaAgain_s, quotaSince_ms } from "../rules/ask-times.ts";
import { type Answer, hearAnswer, later, type Op } from "./hear-answers.ts";

export interface InvoiceRef {
  readonly service_provider_id: string;
  readonly id: string;
}
interface Row extends InvoiceRef {
  readonly merchant_id: string;
  readonly application_id: string;
  readonly subject_id: string;
  readonly number: string;
  readonly status: number;
  readonly kind: "pc" | "bs";
  readonly total_cents: number;
  readonly tax_cents: number;
  readonly serial: string | null;
  readonly sent_at: string | null;
  readonly asked: number;
  readonly seals: number;
  readonly turn: number;
  readonly why: string | null;
  readonly issued_cents: number | null;
  readonly take_why: string | null;
  readonly tax_no: string;
  readonly token_sealed: string;
  readonly paused: boolean;
  readonly session: string;
  readonly quota_cents: number | null;
  readonly quota_at: string | null;
  readonly buyer_sealed: string;
}
interface Begun {
  readonly row: Row;
  readonly op: Op;
  /** When it was asked. */
  readonly at: string;
  readonly account: InvoiceAccount | undefined;
  readonly order: BlueOrder | undefined;
}
const ROUNDS = 6;
/** Longer than a call lasts: whoever ends inside one is followed by a question. */
const LEASE_S = 60;

/**
 * Takes an invoice on: sends it where its number was never sent, else asks what became of it, and sends it again under the same number only
 * where the platform has never heard of it ten minutes after the last sending. No answer changes nothing.
 */
export async function chaseInvoice(services: Services, ref: InvoiceRef): Promise<void> {
  let forced: Op | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    const begun = await withScope(services.pool, ISSUE, (tx) => begin(tx, services, ref, forced));
    if (!begun) return;
    const outcome = await carry(services, begun);
    forced = await withScope(services.pool, ISSUE, (tx) => hearAnswer(tx, services, begun, outcome));
  }
}

async function begin(
  tx: Transaction,
  services: Services,
  { service_provider_id, id }: InvoiceRef,
  forced: Op | undefined,
): Promise<Begun | undefined> {
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  await holdOrdersOf(tx, { service_provider_id, invoice_id: id });
  const { rows } =
    await sql<Row>`select i.service_provider_id, i.id, i.merchant_id, i.application_id, i.subject_id, i.number, i.status, i.kind, i.total_cents, i.tax_cents,
      i.serial, i.sent_at, i.asked, i.seals, i.turn, i.why, i.issued_cents, i.take_why, t.tax_no, t.token_sealed, t.state <> 'active' or coalesce(s.state, '') <> 'active' as paused, t.session,
      t.quota_cents, t.quota_at, a.buyer_sealed
    from invoices i join invoice_applications a on a.service_provider_id = i.service_provider_id and a.id = i.application_id
    join tax_subjects t on t.service_provider_id = i.service_provider_id and t.id = i.subject_id
    left join invoice_settings s on s.service_provider_id = i.service_provider_id
    where i.service_provider_id = ${service_provider_id} and i.id = ${id} and i.status in (0, 1) and not i.manual and i.next_at <= ${now}
    for no key update of i skip locked`.execute(tx);
  const [row] = rows;
  if (!row) return undefined;
  const wait = async (seconds: number, why: string): Promise<undefined> => {
    await sql`update invoices i set next_at = ${later(services, seconds)}, why = ${why} where i.service_provider_id = ${service_provider_id} and i.id = ${id}`.execute(
      tx,
    );
    return undefined;
  };
  let op: Op = forced === "seal" ? "seal" : "query";
  if (row.sent_at === null) {
    if (row.paused) return wait(600, "开票已停用，启用后接着开");
    if (row.session !== "ok") return wait(600, "等开票人扫码登录");
    if (await overWorth(tx, row)) return wait(60, "订单在退款，等退款有结果再开");
    const fresh = row.quota_at !== null && Date.parse(row.quota_at) > quotaSince_ms(now_ms);
    op = fresh ? "issue" : "quota";
    if (fresh && row.quota_cents !== null && !(await takeQuota(tx, row)))
      return wait(quotaAgain_s(now_ms), `额度不足，这张要 ${yuan(row.total_cents - row.tax_cents)} 元`);
  }
  const account = await accountOf(tx, services, {
    service_provider_id,
    id: row.subject_id,
    tax_no: row.tax_no,
    token_sealed: row.token_sealed,
  });
  const order = op === "issue" ? await orderOf(tx, services, row, now) : undefined;
  const sends = op === "issue";
  const ours = sends ? sql`${oursTo(services, buyerOf(services, row))}::text[]` : sql`i.deliver_by`;
  const moved = await sql`update invoices i set deliver_by = ${ours}, op = ${op}, turn = i.turn + 1, next_at = ${later(services, LEASE_S)},
      status = ${sends ? 1 : row.status}, sent_at = ${sends ? now : row.sent_at}, asked = ${sends ? 0 : row.asked}, why = ${sends ? null : row.why}
    where i.service_provider_id = ${service_provider_id} and i.id = ${id} and i.turn = ${row.turn}`.execute(tx);
  if (moved.numAffectedRows !== 1n) throw new Error("a locked invoice moved");
  return {
    row: { ...row, turn: row.turn + 1, ...(sends && { sent_at: now, asked: 0, why: null, status: 1 }) },
    op,
    at: now,
    account,
    order,
  };
}

/** Sets what an invoice takes aside of the quota that was read: of several at once no more go out than it holds. @returns whether there is so much */
async function takeQuota(
  tx: Transaction,
  {
    service_provider_id,
    subject_id,
    total_cents,
    tax_cents,
  }: Pick<Row, "service_provider_id" | "subject_id" | "total_cents" | "tax_cents">,
): Promise<boolean> {
  const taken = await sql`update tax_subjects t set quota_cents = t.quota_cents - ${total_cents - tax_cents}
    where t.service_provider_id = ${service_provider_id} and t.id = ${subject_id} and (t.quota_cents is null or t.quota_cents >= ${total_cents - tax_cents})`.execute(
    tx,
  );
  return taken.numAffectedRows === 1n;
}
async function orderOf(tx: Transaction, services: Services, row: Row, at: string): Promise<BlueOrder> {
  const { service_provider_id, id, subject_id, number, kind } = row;
  const seller = await tx
    .selectFrom("tax_subjects")
    .select(["name", "address", "phone", "bank", "bank_account as bankAccount", "extension", "drawer"])
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", subject_id)
    .executeTakeFirstOrThrow();
  const lines = await tx
    .selectFrom("invoice_lines")
    .select(["name", "tax_code", "tax_rate", "tax_policy", "units", "total_cents", "tax_cents"])
    .where("service_provider_id", "=", service_provider_id)
    .where("invoice_id", "=", id)
    .orderBy("place")
    .execute();
  const { rows } = await sql<{ numbers: string }>`select string_agg(distinct o.order_no, ' ') as numbers from invoice_lines l
    join pay_orders o on o.service_provider_id = l.service_provider_id and o.id = l.order_id
    where l.service_provider_id = ${service_provider_id} and l.invoice_id = ${id}`.execute(tx);
  return {
    number,
    kind,
    at: shanghaiOf(at),
    seller,
    buyer: leftToPlatform(services, buyerOf(services, row)),
    lines,
    remark: `订单 ${rows[0]?.numbers ?? ""}`.slice(0, 130),
    callback_url: `${services.config.public_url}/notify/invoices/${service_provider_id}`,
  };
}
const shanghaiOf = (at: string): string => new Date(Date.parse(at) + 8 * 3_600_000).toISOString().slice(0, 19).replace("T", " ");

const buyerOf = (services: Services, { service_provider_id, application_id: id, buyer_sealed }: Row) =>
  openBuyer(services, { service_provider_id, id }, buyer_sealed);

async function carry(services: Services, { row, op, account, order }: Begun): Promise<Outcome<Answer>> {
  if (!account) return { kind: "unknown", reason: "服务商没有开票应用" };
  const { provider } = invoicesOf(services);
  const about = {
    service_provider_id: row.service_provider_id,
    merchant_id: row.merchant_id,
    subject_id: row.subject_id,
    about_id: row.id,
  };
  return recorded<Answer>(services, about, { operation: op, number: row.number, buyer: buyerOf(services, row) }, () => {
    if (op === "issue" && order) return provider.issue(account, order);
    if (op === "quota") return provider.quota(account);
    if (op === "seal") return provider.retrySeal(account, { number: row.number, serial: row.serial ?? "" });
    return provider.query(account, row.number);
  });
}

/** Every three seconds: what is to be sent or asked about. Each row is taken by one process. */
export const issueInvoices = lookAfter<InvoiceRef>({
  name: "issue-invoices",
  every: 3,
  due: async (tx, now) =>
    (
      await sql<InvoiceRef>`select i.service_provider_id, i.id from invoices i where i.next_at <= ${now} and i.status in (0, 1) and not i.manual
        order by i.next_at limit 200`.execute(tx)
    ).rows,
  one: chaseInvoice,
});

/** 重试: what failed goes out again, under a new number where the old one is used up; where nobody knows it is asked about. @returns whether there was something to do */
export async function retry(
  tx: Transaction,
  services: Services,
  { service_provider_id, id }: InvoiceRef,
  newNumber: string,
): Promise<void> {
  const now = new Date(services.clock.now_ms()).toISOString();
  const moved = await tx
    .updateTable("invoices")
    .set({
      status: 1,
      manual: false,
      asked: 0,
      seals: 0,
      next_at: now,
      why: null,
      number: sql`case when spent then ${newNumber} else number end`,
      // Under the same number it is asked about first.
      sent_at: sql`case when spent then null else sent_at end`,
      serial: sql`case when spent then null else serial end`,
      spent: false,
    })
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .where(sql<boolean>`status = 3 or status = 1 and manual`)
    .executeTakeFirst();
  mustChange(moved, () => new Error("nothing to try again"));
}
