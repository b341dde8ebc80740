import { sql } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { tell } from "../../../messages/server/index.ts";
import { invoicesOf } from "../provider/open-provider.ts";
import { CODE_MS, SESSION_DAY, SESSION_S } from "../rules/ask-times.ts";
import { accountOf, ISSUE, recorded } from "./invoice-calls.ts";

interface Ref {
  readonly service_provider_id: string;
  readonly id: string;
}
const BLIND_MS = 3_600_000;
const iso = (ms: number): string => new Date(ms).toISOString();

/** The drawer is signed out at the bureau: nothing of this subject is sent until somebody has scanned the code. */
export async function loseSession(tx: Transaction, services: Services, { service_provider_id, id }: Ref): Promise<void> {
  await sql`update tax_subjects t set session = 'login', session_next_at = ${iso(services.clock.now_ms())}
    where t.service_provider_id = ${service_provider_id} and t.id = ${id} and t.session = 'ok'`.execute(tx);
}
/**
 * Asks how the drawer stands at the bureau, and lets the subject's queue go on where they are there again. A code to scan is asked for where
 * there is none or a person wants a new one, at most once a minute and twenty times a day.
 * @returns how it stands, with the code that is known
 */
export async function keepSession(services: Services, ref: Ref, { fresh }: { readonly fresh: boolean }): Promise<Standing> {
  const now_ms = services.clock.now_ms();
  const begun = await withScope(services.pool, ISSUE, async (tx) => {
    const { rows } =
      await sql<Asked>`select t.service_provider_id, t.id, t.merchant_id, t.tax_no, t.token_sealed, t.session, t.session_qr, t.session_at, t.session_count
      from tax_subjects t where t.service_provider_id = ${ref.service_provider_id} and t.id = ${ref.id} for no key update`.execute(tx);
    const [subject] = rows;
    const account = subject && (await accountOf(tx, services, subject));
    if (!subject || !account) return undefined;
    const at_ms = subject.session_at === null ? undefined : Date.parse(subject.session_at);
    const today = at_ms !== undefined && shanghaiDay(at_ms) === shanghaiDay(now_ms) ? subject.session_count : 0;
    const wantsCode =
      (fresh || subject.session_qr === null) && (at_ms === undefined || at_ms <= now_ms - SESSION_S * 1000) && today < SESSION_DAY;
    await sql`update tax_subjects t set session_next_at = ${iso(now_ms + SESSION_S * 1000)},
        session_at = ${wantsCode ? iso(now_ms) : subject.session_at}, session_count = ${wantsCode ? today + 1 : subject.session_count}
      where t.service_provider_id = ${ref.service_provider_id} and t.id = ${ref.id}`.execute(tx);
    const asks = {
      code: wantsCode ? (fresh && subject.session_qr !== null ? ("new" as const) : ("known" as const)) : null,
      old: subject.session_qr,
      face: subject.session === "face",
      scanned: subject.session_qr !== null && at_ms !== undefined && at_ms > now_ms - CODE_MS,
    };
    return { subject, account, asks };
  });
  if (!begun) return withScope(services.pool, ISSUE, (tx) => standingOf(tx, ref));
  const { subject, account, asks } = begun;
  const about = {
    service_provider_id: subject.service_provider_id,
    merchant_id: subject.merchant_id,
    subject_id: subject.id,
    about_id: null,
  };
  const outcome = await recorded(services, about, { operation: "session", number: subject.tax_no }, () =>
    invoicesOf(services).provider.session(account, asks),
  );
  return withScope(services.pool, ISSUE, async (tx) => {
    const now = iso(services.clock.now_ms());
    if (outcome.kind === "refused") await tryBlind(tx, services, subject, outcome.message);
    if (outcome.kind !== "ok") return standingOf(tx, ref);
    const { value } = outcome;
    // A code is of one login or one face: it goes with it, and where a new one was wanted.
    const kept = asks.code === "new" ? null : sql`case when t.session = ${value.state} then t.session_qr end`;
    const { rows } = await sql<{ name: string; qr: string | null }>`update tax_subjects t set session = ${value.state},
        session_qr = ${value.state === "ok" ? null : sql`coalesce(${value.qr?.slice(0, 4000) ?? null}::text, ${kept})`},
        session_next_at = ${value.state === "ok" ? null : sql`t.session_next_at`}
      where t.service_provider_id = ${ref.service_provider_id} and t.id = ${ref.id} returning t.name, t.session_qr as qr`.execute(tx);
    if (value.state === "ok") await wake(tx, ref, now);
    else
      await tell(
        tx,
        { level: "MCH", provider: ref.service_provider_id, node: subject.merchant_id },
        {
          kind: "invoice",
          title: `${rows[0]?.name ?? "开票主体"} ${value.state === "login" ? "要扫码登录电子税务局" : "要人脸认证"}`,
          body: "开票人登录失效，新发票先排队，扫码后接着开",
          href: "/invoice/merchant",
          item: "/invoice/merchant",
          once: `invoice-session:${ref.id}:${now.slice(0, 10)}`,
          at: now,
        },
      );
    return { session: value.state, qr: rows[0]?.qr ?? null };
  });
}
interface Asked extends Ref {
  readonly merchant_id: string;
  readonly tax_no: string;
  readonly token_sealed: string;
  readonly session: Standing["session"];
  readonly session_qr: string | null;
  readonly session_at: string | null;
  readonly session_count: number;
}
/** The platform does not say how the drawer stands: what waits is tried each hour, and tells by its answer. */
async function tryBlind(tx: Transaction, services: Services, { service_provider_id, id, merchant_id }: Asked, said: string): Promise<void> {
  const now_ms = services.clock.now_ms();
  await sql`update tax_subjects t set session = 'ok', session_qr = null, session_next_at = null where t.service_provider_id = ${service_provider_id} and t.id = ${id}
    and t.session <> 'ok'`.execute(tx);
  await wake(tx, { service_provider_id, id }, iso(now_ms + BLIND_MS));
  await tell(
    tx,
    { level: "MCH", provider: service_provider_id, node: merchant_id },
    {
      kind: "invoice",
      title: "问不到开票人有没有登录电子税务局",
      body: `请开票人在诺诺确认登录，排队的发票每小时试一次：${said}`.slice(0, 200),
      href: "/invoice/merchant",
      item: "/invoice/merchant",
      once: `invoice-session-blind:${id}:${iso(now_ms).slice(0, 10)}`,
      at: iso(now_ms),
    },
  );
}
interface Standing {
  readonly session: "ok" | "login" | "face";
  readonly qr: string | null;
}
async function standingOf(tx: Transaction, { service_provider_id, id }: Ref): Promise<Standing> {
  const { rows } = await sql<Standing>`select t.session, t.session_qr as qr from tax_subjects t
    where t.service_provider_id = ${service_provider_id} and t.id = ${id}`.execute(tx);
  return rows[0]!;
}
/** What waited for the drawer goes on. */
async function wake(tx: Transaction, { service_provider_id, id }: Ref, now: string): Promise<void> {
  await sql`update invoices i set next_at = ${now} where i.service_provider_id = ${service_provider_id} and i.subject_id = ${id}
    and i.next_at is not null and not i.manual and (i.status = 0 or i.status = 1 and i.sent_at is null)`.execute(tx);
  await sql`update invoice_reds r set next_at = ${now} from invoices i where r.service_provider_id = ${service_provider_id} and r.next_at is not null
    and r.status in (0, 1) and r.sent_at is null and not r.manual and i.service_provider_id = r.service_provider_id and i.id = r.invoice_id and i.subject_id = ${id}`.execute(
    tx,
  );
}
/** Each minute: subjects whose drawer is signed out are asked about. */
export const askSessions = lookAfter<Ref>({
  name: "ask-invoice-sessions",
  due: async (tx, now) =>
    (
      await sql<Ref>`select t.service_provider_id, t.id from tax_subjects t where t.session_next_at <= ${now} order by t.session_next_at limit 100`.execute(
        tx,
      )
    ).rows,
  one: async (services, ref) => void (await keepSession(services, ref, { fresh: false })),
});
