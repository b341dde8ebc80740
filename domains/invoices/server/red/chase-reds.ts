import { sql } from "kysely";
import { yuan } from "@zhangfang/contract/money.ts";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Outcome } from "../../../channels/server/index.ts";
import { tell } from "../../../messages/server/index.ts";
import { bureauState } from "../../contract/index.ts";
import { openBuyer } from "../config/seals.ts";
import { accountOf, ISSUE, recorded } from "../issue/invoice-calls.ts";
import { keepFiles, later, syncApplication } from "../issue/hear-answers.ts";
import { invoicesOf } from "../provider/open-provider.ts";
import { loseSession } from "../issue/sessions.ts";
import { type InvoiceAccount, type RedState, SAME_NUMBER, SESSION_LOST, UNKNOWN_NUMBER } from "../provider/provider.ts";
import { BELIEVED_MS, CONFIRM_MS, FORM_S, nextAsk_s } from "../rules/ask-times.ts";
import { redEnded } from "./hold-refund.ts";
import { holdOrdersOf, overWorth, renewOf } from "./settle-orders.ts";

interface RedRef {
  readonly service_provider_id: string;
  readonly id: string;
}
type Op = "request" | "query" | "revoke";
interface Row extends RedRef {
  readonly merchant_id: string;
  readonly invoice_id: string;
  readonly application_id: string;
  readonly subject_id: string;
  readonly number: string;
  readonly status: number;
  readonly reason: "01" | "02" | "03" | "04";
  readonly renew: boolean;
  readonly sent_at: string | null;
  readonly asked: number;
  readonly revoke: boolean;
  readonly turn: number;
  readonly why: string | null;
  readonly total_cents: number;
  readonly said_cents: number | null;
  readonly take_why: string | null;
  readonly invoice_no: string;
  readonly kind: "pc" | "bs";
  readonly buyer_sealed: string;
  readonly tax_no: string;
  readonly token_sealed: string;
  readonly seller_name: string;
  readonly session: string;
  readonly created_at: string;
}
interface Begun {
  readonly row: Row;
  readonly op: Op;
  readonly account: InvoiceAccount | undefined;
}
const LEASE_S = 60;
const ROUNDS = 4;
const WAIT_S = 600;
const NO_DRAWER = "等开票人扫码登录";
/** The platform says itself that the other side's time is over; where it does not, so much later somebody decides. */
const LATE_MS = CONFIRM_MS + 3_600_000;

/** Takes a red letter on, as `chaseInvoice` does an invoice: one number, and what nobody knows is asked about. */
export async function chaseRed(services: Services, ref: RedRef): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const begun = await withScope(services.pool, ISSUE, (tx) => begin(tx, services, ref));
    if (!begun) return;
    if ("late" in begun) return withScope(services.pool, ISSUE, (tx) => noDrawer(tx, services, begun.late));
    const outcome = await carry(services, begun);
    const again = await withScope(services.pool, ISSUE, (tx) => settle(tx, services, begun, outcome));
    if (!again) return;
  }
}
async function begin(
  tx: Transaction,
  services: Services,
  { service_provider_id, id }: RedRef,
): Promise<Begun | { readonly late: Row } | undefined> {
  const now = new Date(services.clock.now_ms()).toISOString();
  const { rows } =
    await sql<Row>`select r.service_provider_id, r.id, r.merchant_id, r.invoice_id, r.number, r.status, r.reason, r.renew, r.sent_at, r.asked, r.revoke,
      r.turn, r.why, r.total_cents, r.said_cents, r.take_why, i.application_id, i.subject_id, i.invoice_no, a.kind, a.buyer_sealed, t.tax_no, t.token_sealed, t.name as seller_name, t.session, r.created_at
    from invoice_reds r join invoices i on i.service_provider_id = r.service_provider_id and i.id = r.invoice_id
    join invoice_applications a on a.service_provider_id = i.service_provider_id and a.id = i.application_id
    join tax_subjects t on t.service_provider_id = i.service_provider_id and t.id = i.subject_id
    where r.service_provider_id = ${service_provider_id} and r.id = ${id} and r.status in (0, 1, 2) and not r.manual and r.next_at <= ${now}
    for no key update of r skip locked`.execute(tx);
  const [row] = rows;
  if (!row) return undefined;
  const op: Op = row.sent_at === null ? "request" : row.revoke && row.asked === 0 ? "revoke" : "query";
  const sends = op === "request";
  if (sends && row.session !== "ok") {
    await sql`update invoice_reds r set next_at = ${later(services, WAIT_S)}, why = ${NO_DRAWER} where r.service_provider_id = ${service_provider_id} and r.id = ${id}`.execute(
      tx,
    );
    return services.clock.now_ms() - Date.parse(row.created_at) > CONFIRM_MS ? { late: row } : undefined;
  }
  await sql`update invoice_reds r set op = ${op}, turn = r.turn + 1, next_at = ${later(services, LEASE_S)}, status = ${row.status === 0 ? 1 : row.status},
      sent_at = ${sends ? now : row.sent_at}, asked = ${sends ? 0 : op === "revoke" ? 1 : row.asked}, why = ${sends ? null : row.why}
    where r.service_provider_id = ${service_provider_id} and r.id = ${id}`.execute(tx);
  const account = await accountOf(tx, services, {
    service_provider_id,
    id: row.subject_id,
    tax_no: row.tax_no,
    token_sealed: row.token_sealed,
  });
  return {
    row: { ...row, turn: row.turn + 1, ...(sends && { sent_at: now, asked: 0, why: null }), ...(op === "revoke" && { asked: 1 }) },
    op,
    account,
  };
}
async function carry(services: Services, { row, op, account }: Begun): Promise<Outcome<RedState | null>> {
  if (!account) return { kind: "unknown", reason: "服务商没有开票应用" };
  const { provider } = invoicesOf(services);
  const { service_provider_id, merchant_id, subject_id, id: about_id, number } = row;
  const buyer = openBuyer(services, { service_provider_id, id: row.application_id }, row.buyer_sealed);
  return recorded<RedState | null>(
    services,
    { service_provider_id, merchant_id, subject_id, about_id },
    { operation: `red-${op}`, number, buyer },
    () => {
      if (op === "query") return provider.queryRed(account, number);
      if (op === "revoke") return provider.revokeRed(account, number);
      return provider.requestRed(account, {
        number,
        kind: row.kind,
        invoice_no: row.invoice_no,
        reason: row.reason,
        seller_name: row.seller_name,
        buyer_name: buyer.title,
        buyer_tax_no: buyer.taxNo,
      });
    },
  );
}
/** Nobody scanned the code for 72 hours: refunds that wait for the red letter are somebody's to decide. It goes out once the drawer is back. */
async function noDrawer(tx: Transaction, services: Services, row: Row): Promise<void> {
  const { service_provider_id, id, invoice_id } = row;
  await holdOrdersOf(tx, { service_provider_id, invoice_id });
  await sql`select i.id from invoices i where i.service_provider_id = ${service_provider_id} and i.id = ${invoice_id} for no key update`.execute(
    tx,
  );
  const { rows } = await sql`select r.id from invoice_reds r where r.service_provider_id = ${service_provider_id} and r.id = ${id}
    and r.turn = ${row.turn} and r.sent_at is null and r.status in (0, 1) for no key update`.execute(tx);
  if (rows.length > 0) await undecided(hearing(tx, services, row), "开票人 72 小时没有扫码登录，红字还没有提交");
}
interface Hearing {
  readonly tx: Transaction;
  readonly services: Services;
  readonly row: Row;
  readonly now: string;
  set(values: Readonly<Record<string, unknown>>): Promise<void>;
  askLater(more?: Readonly<Record<string, unknown>>, most_s?: number): Promise<false>;
  /** Where the invoice stands after it. */
  moveInvoice(to: 2 | 5 | 6): Promise<void>;
}
function hearing(tx: Transaction, services: Services, row: Row): Hearing {
  const { service_provider_id, id, invoice_id } = row;
  const set = async (values: Readonly<Record<string, unknown>>): Promise<void> => {
    await tx
      .updateTable("invoice_reds")
      .set({ op: null, ...values })
      .where("service_provider_id", "=", service_provider_id)
      .where("id", "=", id)
      .where("turn", "=", row.turn)
      .execute();
  };
  const heard: Hearing = {
    tx,
    services,
    row,
    set,
    now: new Date(services.clock.now_ms()).toISOString(),
    async askLater(more = {}, most_s = Infinity) {
      const wait = nextAsk_s(row.asked);
      await set({
        ...more,
        asked: row.asked + 1,
        ...(wait === undefined ? { manual: true, next_at: null } : { next_at: later(services, Math.min(wait, most_s)) }),
      });
      if (wait === undefined) await undecided(heard, "平台一天没有说红冲没有，请人工核对");
      return false;
    },
    async moveInvoice(to) {
      await sql`update invoices i set status = ${to} where i.service_provider_id = ${service_provider_id} and i.id = ${invoice_id} and i.status = 4`.execute(
        tx,
      );
    },
  };
  return heard;
}
/** @returns whether something is to be done at once */
async function settle(tx: Transaction, services: Services, { row, op }: Begun, outcome: Outcome<RedState | null>): Promise<boolean> {
  const { service_provider_id, id, invoice_id } = row;
  await holdOrdersOf(tx, { service_provider_id, invoice_id });
  await sql`select i.id from invoices i where i.service_provider_id = ${service_provider_id} and i.id = ${invoice_id} for no key update`.execute(
    tx,
  );
  const { rows } = await sql<{
    turn: number;
    status: number;
  }>`select r.turn, r.status from invoice_reds r where r.service_provider_id = ${service_provider_id} and r.id = ${id}
    for no key update`.execute(tx);
  if (rows[0]?.turn !== row.turn || rows[0].status > 2) return false;
  const heard = hearing(tx, services, { ...row, status: rows[0].status });
  const { set, askLater, now } = heard;
  if (op === "revoke") {
    await set({ next_at: later(services, 3) });
    return false;
  }
  if (op === "request") {
    if (outcome.kind !== "refused" || outcome.code === SAME_NUMBER) return askLater();
    if (outcome.code === SESSION_LOST) {
      await set({ sent_at: null, next_at: later(services, WAIT_S), why: NO_DRAWER });
      await loseSession(tx, services, { service_provider_id, id: row.subject_id });
      return false;
    }
    await set({ next_at: now, why: `平台拒绝：${outcome.code} ${outcome.message}`.slice(0, 200) });
    return true;
  }
  if (outcome.kind === "ok") return hearState(heard, outcome.value!);
  if (outcome.kind === "unknown" || outcome.code !== UNKNOWN_NUMBER) return askLater();
  const wait_ms = BELIEVED_MS - (services.clock.now_ms() - Date.parse(row.sent_at ?? now));
  if (wait_ms > 0) return askLater({}, Math.ceil(wait_ms / 1000));
  if (row.why !== null) return fail(heard, row.why);
  await set({ sent_at: null, next_at: now });
  return true;
}
async function fail(heard: Hearing, why: string, bureau?: string): Promise<false> {
  const { set, moveInvoice, now } = heard;
  await set({ status: 4, why: why.slice(0, 200), ended_at: now, next_at: null, ...(bureau !== undefined && { bureau }) });
  await moveInvoice(6);
  await undecided(heard, why);
  return false;
}
/** It did not come to an end, or not in time: the merchant is told, and refunds that wait for it are somebody's to decide. */
async function undecided({ tx, services, row, now }: Hearing, why: string): Promise<void> {
  await redEnded(tx, services, row, why);
  await tell(
    tx,
    { level: "MCH", provider: row.service_provider_id, node: row.merchant_id },
    {
      kind: "invoice",
      title: `发票 ${row.invoice_no.slice(-8)} 没有红冲成`,
      body: why.slice(0, 200),
      href: `/invoice/merchant?view=reds&id=${row.id}`,
      item: "/invoice/merchant",
      once: `invoice-red:${row.id}:${why.slice(0, 40)}`,
      at: now,
    },
  );
}
/** 无需确认 and 已确认 are done once there is a red number; the others wait, or are over. */
async function hearState(heard: Hearing, { bureau, red_no, total_cents, why, files }: RedState): Promise<false> {
  const { tx, services, row, set, askLater, moveInvoice, now } = heard;
  const { service_provider_id, id, invoice_id, merchant_id } = row;
  const agreed = bureau === "01" || bureau === "04";
  if (agreed && red_no !== undefined && total_cents !== undefined) {
    // A bureau that names no sum takes the whole back.
    const other = total_cents !== null && total_cents !== row.total_cents;
    if (other && !(row.take_why !== null && row.said_cents === total_cents)) return otherSum(heard, bureau, total_cents);
    const taken = other ? {} : { said_cents: null, take_why: null };
    await set({ status: 3, bureau, red_no, ended_at: now, next_at: null, why: null, ...taken });
    await moveInvoice(5);
    await keepFiles(tx, services, { service_provider_id, merchant_id, invoice_id, red_id: id }, files);
    await renewOf(tx, services, { service_provider_id, id: invoice_id }, row.renew);
    await syncApplication(tx, service_provider_id, row.application_id);
    await redEnded(tx, services, row, undefined);
    return false;
  }
  if (agreed) return askLater({ bureau, ...(row.status === 2 && { status: 1 }), why: null });
  if (bureau === "02" || bureau === "03") {
    await set({ status: 2, bureau, next_at: later(services, FORM_S), asked: row.revoke ? row.asked : 0, why: null });
    if (services.clock.now_ms() - Date.parse(row.sent_at ?? now) > LATE_MS) await undecided(heard, "对方超过 72 小时没有确认");
    return false;
  }
  if (bureau === "08" || bureau === "09") {
    await set({ status: 5, bureau, ended_at: now, next_at: null, why: why || bureauWords(bureau) });
    await moveInvoice(2);
    // The money may be out: somebody has to ask for it anew.
    if (await overWorth(tx, { service_provider_id, id: invoice_id }))
      await undecided(heard, `${bureauWords(bureau)}，订单已退款或在退款，请再红冲`);
    else await redEnded(tx, services, row, bureauWords(bureau));
    return false;
  }
  return fail(heard, why || bureauWords(bureau), bureau);
}
/** The bureau took another sum back than stands on the invoice: nothing is taken as done, somebody looks at it there, and has it asked again or takes it as it is. */
async function otherSum(heard: Hearing, bureau: string, said_cents: number): Promise<false> {
  const why = `平台红冲了 ${yuan(said_cents)} 元，应为 ${yuan(heard.row.total_cents)} 元，差 ${yuan(Math.abs(said_cents - heard.row.total_cents))} 元，请人工核对`;
  await heard.set({ status: 1, bureau, manual: true, next_at: null, why, said_cents, take_why: null });
  await undecided(heard, why);
  return false;
}
const bureauWords = (bureau: string): string => bureauState.label(Number(bureau) as 1);
/** Every three seconds, as for blue ones. */
export const chaseReds = lookAfter<RedRef>({
  name: "chase-invoice-reds",
  every: 3,
  due: async (tx, now) =>
    (
      await sql<RedRef>`select r.service_provider_id, r.id from invoice_reds r where r.next_at <= ${now} and r.status in (0, 1, 2) and not r.manual order by r.next_at limit 200`.execute(
        tx,
      )
    ).rows,
  one: chaseRed,
});
