import { sql } from "kysely";
import { yuan } from "@zhangfang/contract/money.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Outcome } from "../../../channels/server/index.ts";
import { tell } from "../../../messages/server/index.ts";
import { announce } from "../deliver/ways.ts";
import { type BlueState, type IssuedFile, QUOTA_SHORT, SAME_NUMBER, SESSION_LOST, UNKNOWN_NUMBER } from "../provider/provider.ts";
import { redEnded, takeBackHeld } from "../red/hold-refund.ts";
import { holdOrdersOf, settleOrders } from "../red/settle-orders.ts";
import { startRedOf } from "../red/start-red.ts";
import { BELIEVED_MS, MOST_SEALS, nextAsk_s, quotaSince_ms } from "../rules/ask-times.ts";
import { loseSession } from "./sessions.ts";

export type Op = "quota" | "issue" | "query" | "seal";
/** What an answer is about. */
export interface AskedInvoice {
  readonly service_provider_id: string;
  readonly id: string;
  readonly merchant_id: string;
  readonly application_id: string;
  readonly subject_id: string;
  readonly number: string;
  readonly total_cents: number;
  readonly sent_at: string | null;
  readonly asked: number;
  readonly seals: number;
  readonly turn: number;
  readonly why: string | null;
  /** What the platform issued in its place, where it said another sum; a person's word makes it count. */
  readonly issued_cents: number | null;
  readonly take_why: string | null;
}
export type Answer = BlueState | { readonly serial: string } | { readonly left_cents: number } | null;
export const later = (services: Services, seconds: number): string => new Date(services.clock.now_ms() + seconds * 1000).toISOString();

interface Hearing {
  readonly tx: Transaction;
  readonly services: Services;
  readonly row: AskedInvoice;
  readonly now: string;
  set(values: Readonly<Record<string, unknown>>): Promise<void>;
  /** It is on its way no more: what its orders lost meanwhile goes off it, so that it is not sent again for more than they are worth. */
  settle(): Promise<undefined>;
  /** It is asked about at its time, in `most_s` at the latest; after a day of that a person looks at it. */
  askLater(more?: Readonly<Record<string, unknown>>, most_s?: number): Promise<undefined>;
  fail(why: string, spent: boolean): Promise<undefined>;
}
function hearing(tx: Transaction, services: Services, row: AskedInvoice): Hearing {
  const { service_provider_id, id } = row;
  const set = async (values: Readonly<Record<string, unknown>>): Promise<void> => {
    await tx
      .updateTable("invoices")
      .set({ op: null, ...values })
      .where("service_provider_id", "=", service_provider_id)
      .where("id", "=", id)
      .where("turn", "=", row.turn)
      .execute();
  };
  const settle = async (): Promise<undefined> => {
    await settleOrders(tx, services, { service_provider_id, invoice_id: id });
    return undefined;
  };
  return {
    tx,
    services,
    row,
    set,
    settle,
    now: new Date(services.clock.now_ms()).toISOString(),
    async askLater(more = {}, most_s = Infinity) {
      const wait = nextAsk_s(row.asked);
      await set({
        ...more,
        asked: row.asked + 1,
        ...(wait === undefined ? { manual: true, next_at: null } : { next_at: later(services, Math.min(wait, most_s)) }),
      });
      if (wait === undefined) {
        await alarm(tx, services, row, "平台一天没有说开没开出来，请人工核对");
        await redEnded(tx, services, { service_provider_id, invoice_id: id }, "发票开没开出来还不知道");
      }
      return undefined;
    },
    async fail(why, spent) {
      await set({ status: 3, spent, why: why.slice(0, 200), next_at: null });
      await redEnded(tx, services, { service_provider_id, invoice_id: id }, undefined);
      await alarm(tx, services, row, `开票失败：${why}`);
      return settle();
    },
  };
}

/** Writes down what an answer means. @returns what has to be done at once, if anything */
export async function hearAnswer(
  tx: Transaction,
  services: Services,
  { row, op, at }: { readonly row: AskedInvoice; readonly op: Op; readonly at: string },
  outcome: Outcome<Answer>,
): Promise<Op | undefined> {
  const { service_provider_id, id } = row;
  if (op === "query" || op === "issue") await holdOrdersOf(tx, { service_provider_id, invoice_id: id });
  const { rows } = await sql<{
    status: number;
    turn: number;
  }>`select i.status, i.turn from invoices i where i.service_provider_id = ${service_provider_id}
    and i.id = ${id} for no key update`.execute(tx);
  // Somebody else is a step further.
  if (rows[0]?.turn !== row.turn || (rows[0].status !== 0 && rows[0].status !== 1)) return undefined;
  const heard = hearing(tx, services, row);
  if (op === "quota") return hearQuota(heard, at, outcome as Outcome<{ readonly left_cents: number }>);
  if (op === "issue") return hearIssue(heard, outcome as Outcome<{ readonly serial: string }>);
  if (op === "seal") return heard.askLater({ seals: row.seals + 1 });
  return hearQuery(heard, outcome as Outcome<BlueState>);
}
async function hearQuota(
  { tx, services, row, set, now }: Hearing,
  at: string,
  outcome: Outcome<{ readonly left_cents: number }>,
): Promise<Op | undefined> {
  if (outcome.kind === "unknown") {
    await set({ next_at: later(services, 300), why: "问不到开票额度，稍后再问" });
    return undefined;
  }
  const left = outcome.kind === "ok" ? outcome.value.left_cents : null;
  // It is as old as its question: asked before the 1st at 00:00 and heard after, it is the month's before, and is read anew.
  // Of several that asked at once the first counts: the others' answers may be from before something was set aside of it.
  await sql`update tax_subjects t set quota_cents = ${left}, quota_at = ${at} where t.service_provider_id = ${row.service_provider_id} and t.id = ${row.subject_id}
    and (t.quota_at is null or t.quota_at <= ${new Date(quotaSince_ms(services.clock.now_ms())).toISOString()})`.execute(tx);
  await set({ next_at: now, why: null });
  return "issue";
}
async function hearIssue(
  { tx, services, row, set, settle, askLater, now }: Hearing,
  outcome: Outcome<{ readonly serial: string }>,
): Promise<Op | undefined> {
  if (outcome.kind === "ok") {
    await set({ serial: outcome.value.serial, next_at: later(services, nextAsk_s(0)!), asked: 1 });
    return undefined;
  }
  if (outcome.kind === "unknown") return askLater();
  if (outcome.code === SESSION_LOST) {
    // Nothing was taken, and no retry is burnt.
    await set({ sent_at: null, next_at: later(services, 600), why: "等开票人扫码登录" });
    await redEnded(tx, services, { service_provider_id: row.service_provider_id, invoice_id: row.id }, undefined);
    await loseSession(tx, services, { service_provider_id: row.service_provider_id, id: row.subject_id });
    return settle();
  }
  if (outcome.code === QUOTA_SHORT) {
    // Somebody else spent it. It is asked about before it goes out again, and the quota is read anew then.
    await set({ next_at: later(services, BELIEVED_MS / 1000), why: null });
    await sql`update tax_subjects t set quota_at = null where t.service_provider_id = ${row.service_provider_id} and t.id = ${row.subject_id}`.execute(
      tx,
    );
    return undefined;
  }
  // The number is there already: it is asked about. Any other no is believed only where the question after it bears it out.
  await set({ next_at: now, why: outcome.code === SAME_NUMBER ? null : `平台拒绝：${outcome.code} ${outcome.message}`.slice(0, 200) });
  return "query";
}
async function hearQuery(heard: Hearing, outcome: Outcome<BlueState>): Promise<Op | undefined> {
  const { tx, services, row, set, settle, askLater, fail, now } = heard;
  if (outcome.kind === "ok") return hearState(heard, outcome.value);
  if (outcome.kind === "unknown" || outcome.code !== UNKNOWN_NUMBER) return askLater();
  // A refusal too may be of one that comes out all the same: neither is believed so soon.
  const wait_ms = BELIEVED_MS - (services.clock.now_ms() - Date.parse(row.sent_at ?? now));
  if (wait_ms > 0) return askLater({}, Math.ceil(wait_ms / 1000));
  if (row.why !== null) return fail(row.why, false);
  await set({ sent_at: null, next_at: now });
  // A refund that waited for it goes on; it goes out again for what is left then.
  await redEnded(tx, services, { service_provider_id: row.service_provider_id, invoice_id: row.id }, undefined);
  await settle();
  return "issue";
}
async function forPerson({ tx, services, row, set }: Hearing, why: string, issued_cents: number | null = null): Promise<undefined> {
  await set({ manual: true, next_at: null, why, issued_cents, take_why: null });
  await alarm(tx, services, row, `${why}，请人工核对`);
  await redEnded(tx, services, { service_provider_id: row.service_provider_id, invoice_id: row.id }, why);
  return undefined;
}
async function hearState(heard: Hearing, state: BlueState): Promise<Op | undefined> {
  const { tx, services, row, set, settle, askLater, fail, now } = heard;
  const { service_provider_id, id } = row;
  if (state.state === "issuing") return askLater({ serial: state.serial, why: null });
  if (state.state === "failed") return fail(state.why, true);
  if (state.state === "unsealed") {
    if (row.seals >= MOST_SEALS) return askLater({ serial: state.serial, why: null });
    await set({ serial: state.serial, next_at: now, why: null });
    return "seal";
  }
  const other = state.total_cents !== row.total_cents;
  if (other && !(row.take_why !== null && row.issued_cents === state.total_cents)) {
    const why = `平台开的是 ${yuan(state.total_cents)} 元，应为 ${yuan(row.total_cents)} 元`;
    return forPerson(heard, why, state.total_cents > 0 ? state.total_cents : null);
  }
  const { serial, invoice_no, issued_at } = state;
  const { rows } = await sql<{ known: boolean }>`select exists (select from invoices i where i.service_provider_id = ${service_provider_id}
    and i.invoice_no = ${invoice_no} and i.id <> ${id}) as known`.execute(tx);
  if (rows[0]!.known) return forPerson(heard, `平台说的发票号码 ${invoice_no} 已是另一张的`);
  const taken = other ? {} : { issued_cents: null, take_why: null };
  await set({ status: 2, serial, invoice_no, issued_at, next_at: null, why: null, ...taken });
  await keepFiles(tx, services, { ...row, invoice_id: id, red_id: null }, state.files);
  await syncApplication(tx, service_provider_id, row.application_id);
  if (other) await startRedOf(tx, services, { service_provider_id, id }, { reason: "01", renew: true, by: "平台金额不符" });
  await settle();
  await takeBackHeld(tx, services, { service_provider_id, id });
  // Of what is taken back at once nobody is told that it is good; a file that can't be fetched keeps nobody from hearing.
  if (!other) await announce(tx, services, { service_provider_id, merchant_id: row.merchant_id, invoice_id: id });
  return undefined;
}

/** An application is 已开票 where nothing of it is on its way or failed. */
export async function syncApplication(tx: Transaction, service_provider_id: string, id: string): Promise<void> {
  await sql`update invoice_applications a set status = x.status from (select case when bool_or(i.status in (0, 1, 3)) then 1 else 2 end as status, count(*) as n
      from invoices i where i.service_provider_id = ${service_provider_id} and i.application_id = ${id} and i.status not in (5, 7)) x
    where a.service_provider_id = ${service_provider_id} and a.id = ${id} and a.status in (1, 2) and a.status <> x.status and x.n > 0`.execute(
    tx,
  );
}
/** What the platform gave of it is fetched by a job. */
export async function keepFiles(
  tx: Transaction,
  services: Services,
  of: { readonly service_provider_id: string; readonly merchant_id: string; readonly invoice_id: string; readonly red_id: string | null },
  files: readonly IssuedFile[],
): Promise<void> {
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  const { service_provider_id, merchant_id, invoice_id, red_id } = of;
  for (const { format, url } of files)
    await tx
      .insertInto("invoice_files")
      .values({
        service_provider_id,
        id: services.ids.uuid(now_ms),
        merchant_id,
        invoice_id,
        red_id,
        format,
        url,
        next_at: now,
        created_at: now,
      })
      .onConflict((twice) =>
        twice
          .columns(["service_provider_id", "invoice_id", "red_id", "format"])
          .doUpdateSet({ url, tries: 0, next_at: now, why: null })
          .where("invoice_files.sha256", "is", null),
      )
      .execute();
}
async function alarm(
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id, id, number }: AskedInvoice,
  body: string,
): Promise<void> {
  const at = new Date(services.clock.now_ms()).toISOString();
  await tell(
    tx,
    { level: "MCH", provider: service_provider_id, node: merchant_id },
    {
      kind: "invoice",
      title: `发票 ${number} 要处理`,
      body: body.slice(0, 200),
      href: `/invoice/merchant?view=invoices&id=${id}`,
      item: "/invoice/merchant",
      once: `invoice:${id}:${body.slice(0, 40)}`,
      at,
    },
  );
}
