import { sql } from "kysely";
import { z } from "zod";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job, type Job } from "@zhangfang/server/jobs/jobs.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { Fields } from "@zhangfang/server/outside/flat-xml.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { giveQuotaBack } from "./quota.ts";
import { askMass } from "./wx-mass.ts";

const HEAR = platformScope("hear what became of a group note");
const nowOf = ({ clock }: Services): string => new Date(clock.now_ms()).toISOString();

// err(…) of MASSSENDJOBFINISH. Source: developers.weixin.qq.com, 事件推送群发结果.
const WHY: Readonly<Record<string, string>> = {
  10001: "涉嫌广告",
  20001: "涉嫌政治",
  20002: "涉嫌色情",
  20004: "涉嫌社会",
  20006: "涉嫌违法犯罪",
  20008: "涉嫌欺诈",
  20013: "涉嫌版权",
  21000: "涉嫌其他",
  22000: "涉嫌互推（互相宣传）",
  30001: "原创校验出错",
  30002: "原创校验没有通过",
  30003: "原创校验判定为转载",
  40001: "管理员拒绝了，这次作废，额度没扣",
  40002: "管理员没在 30 分钟内确认，这次作废，额度没扣",
};
/** What an event says of a message. */
function readStatus(status: string): { readonly state: "sent" | "failed" | "void"; readonly reason: string } {
  const code = /^err\((\d+)\)$/.exec(status)?.[1];
  if (code === "40001" || code === "40002") return { state: "void", reason: WHY[code]! };
  if (code !== undefined) return { state: "failed", reason: `微信没有发：${WHY[code] ?? "没有说原因"}（${code}）` };
  return /^send ?success$/i.test(status) ? { state: "sent", reason: "" } : { state: "failed", reason: "微信没有发出去，没有说原因" };
}

export interface MassApp {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly id: string;
}
const count = (text: string | undefined): number => (/^\d{1,9}$/.test(text ?? "") ? Number(text) : 0);
const message = z.object({ service_provider_id: z.uuid(), app_row: z.uuid(), msg_id: z.string() });
/** The quota of a million followers is given back in one statement. */
const LONG = { deadline_ms: 600_000, planEach: true } as const;
/** Takes a result to its batch. */
export const settleMass: Job<typeof message> = job({
  name: "settle-group-note",
  data: message,
  lease_s: 900,
  run: (services, given) => withScope(services.pool, HEAR, (tx) => heardBefore(tx, services, given), LONG),
});
/** MASSSENDJOBFINISH, once for each message, as it came; a job takes it to its batch. It may come before the answer to the call did. */
export async function takeMassResult(tx: Transaction, services: Services, app: MassApp, fields: Fields): Promise<void> {
  const msg_id = fields["MsgID"] ?? fields["MsgId"] ?? "";
  if (!/^\d{1,32}$/.test(msg_id)) return;
  const { service_provider_id, merchant_id, id: app_row } = app;
  await tx
    .insertInto("wx_mass_results")
    .values({
      service_provider_id,
      merchant_id,
      app_row,
      id: services.ids.uuid(services.clock.now_ms()),
      msg_id,
      status: (fields["Status"] ?? "").slice(0, 64),
      sent: count(fields["SentCount"]),
      filtered: Math.max(0, count(fields["TotalCount"]) - count(fields["FilterCount"])),
      errors: count(fields["ErrorCount"]),
      heard_at: nowOf(services),
    })
    .onConflict((twice) => twice.columns(["service_provider_id", "app_row", "msg_id"]).doNothing())
    .execute();
  await services.jobs.enqueue(tx, settleMass, { service_provider_id, app_row, msg_id });
}
interface Message {
  readonly service_provider_id: string;
  readonly app_row: string;
  readonly msg_id: string;
}
/** Takes what WeChat told of a message, where its batch is known by now. Of one that was found sent already only the figures are new. */
export async function heardBefore(tx: Transaction, services: Services, { service_provider_id, app_row, msg_id }: Message): Promise<void> {
  const { rows } = await sql<{ note_id: string; id: string; status: string; sent: number; filtered: number; errors: number }>`
    select b.note_id, b.id, r.status, r.sent, r.filtered, r.errors from wx_note_batches b
    join wx_mass_results r on r.service_provider_id = b.service_provider_id and r.app_row = b.app_row and r.msg_id = b.msg_id
    where b.service_provider_id = ${service_provider_id} and b.app_row = ${app_row} and b.msg_id = ${msg_id}`.execute(tx);
  const [heard] = rows;
  if (!heard) return;
  const { note_id, id, status, ...figures } = heard;
  const read = readStatus(status);
  // Who got it got it, whatever the status says: it counts, and is not sent again.
  const told = figures.sent > 0 ? { ...read, state: "sent" as const } : read;
  await settleMessage(tx, services, { service_provider_id, note_id, id }, { ...told, figures });
}

interface Settled {
  readonly state: "sent" | "failed" | "void";
  readonly reason: string;
  readonly figures?: { readonly sent: number; readonly filtered: number; readonly errors: number };
}
async function settleMessage(
  tx: Transaction,
  services: Services,
  { service_provider_id, note_id, id }: { service_provider_id: string; note_id: string; id: string },
  { state, reason, figures }: Settled,
): Promise<void> {
  await sql`select 1 from wx_notes n where n.service_provider_id = ${service_provider_id} and n.id = ${note_id} for no key update`.execute(
    tx,
  );
  const { rows } = await sql<{ state: string; period: string | null; sent: number | null }>`select b.state, b.period::text as period, b.sent
    from wx_note_batches b where b.service_provider_id = ${service_provider_id} and b.id = ${id} for no key update`.execute(tx);
  const batch = rows[0]!;
  const told = state === "sent" ? (figures ?? null) : null;
  if (batch.state === "sent" && told && batch.sent === null) {
    await sql`update wx_note_batches b set sent = ${told.sent}, filtered = ${told.filtered}, errors = ${told.errors}
      where b.service_provider_id = ${service_provider_id} and b.id = ${id} and b.state = 'sent'`.execute(tx);
    if (told.errors > 0)
      await sql`update wx_notes n set state = 'partly', updated_at = ${nowOf(services)} where n.service_provider_id = ${service_provider_id}
        and n.id = ${note_id} and n.state = 'sent'`.execute(tx);
  }
  if (told && told.sent > 0 && (batch.state === "failed" || batch.state === "void"))
    services.log.error({ note: note_id, batch: id }, "WeChat told that a failed batch was sent after all");
  if (batch.state !== "accepted") return;
  await sql`update wx_note_batches b set state = ${state}, settled_at = ${nowOf(services)}, reason = ${reason}, sent = ${told?.sent ?? null},
      filtered = ${told?.filtered ?? null}, errors = ${told?.errors ?? null}
    where b.service_provider_id = ${service_provider_id} and b.id = ${id} and b.state = 'accepted'`.execute(tx);
  // Nobody got anything: nothing of it counts.
  if (state !== "sent") await giveQuotaBack(tx, { service_provider_id, id, period: batch.period });
  await endNote(tx, services, { service_provider_id, id: note_id });
}

/** Where a note stands by its batches: waiting for the admin and WeChat, or ended. */
export async function endNote(
  tx: Transaction,
  services: Services,
  { service_provider_id, id }: { service_provider_id: string; id: string },
) {
  const { rows: notes } = await sql<{ state: string }>`select n.state from wx_notes n where n.service_provider_id = ${service_provider_id}
    and n.id = ${id} and n.state in ('sending', 'confirming') for no key update`.execute(tx);
  if (!notes[0]) return;
  const { rows } = await sql<Record<"open" | "going" | "good" | "bad" | "errors", number>>`
    select (count(*) filter (where b.state in ('waiting', 'asked')))::int as open, (count(*) filter (where b.state = 'accepted'))::int as going,
      (count(*) filter (where b.state = 'sent'))::int as good, (count(*) filter (where b.state in ('failed', 'void')))::int as bad,
      coalesce(sum(b.errors), 0)::int as errors
    from wx_note_batches b where b.service_provider_id = ${service_provider_id} and b.note_id = ${id} and not b.replaced`.execute(tx);
  const { open, going, good, bad, errors } = rows[0]!;
  if (open > 0) return;
  const state = going > 0 ? "confirming" : good === 0 ? "failed" : bad > 0 || errors > 0 ? "partly" : "sent";
  if (state === notes[0].state) return;
  await sql`update wx_notes n set state = ${state}, why = case when ${good + bad + going} = 0 then '粉丝的额度都用完了' else n.why end,
      ended_at = ${going > 0 ? null : nowOf(services)}, verdict = null, updated_at = ${nowOf(services)}
    where n.service_provider_id = ${service_provider_id} and n.id = ${id} and n.state = ${notes[0].state}`.execute(tx);
}

interface Due {
  readonly service_provider_id: string;
  readonly app_row: string;
  readonly note_id: string;
  readonly id: string;
  readonly msg_id: string;
}
/** Each minute: messages of which WeChat told nothing for ten minutes are asked about, for events get lost. */
export const askMassResults = lookAfter<Due>({
  name: "ask-mass-results",
  due: async (tx, now) =>
    (
      await sql<Due>`select b.service_provider_id, b.app_row, b.note_id, b.id, b.msg_id from wx_note_batches b
        where b.state = 'accepted' and b.next_at <= ${now} order by b.next_at limit 60`.execute(tx)
    ).rows,
  async one(services, { service_provider_id, app_row, note_id, id, msg_id }) {
    const { state, reason } = await askMass(services, { service_provider_id, id: app_row }, msg_id);
    const take = async (tx: Transaction) => {
      if (state !== "going") return settleMessage(tx, services, { service_provider_id, note_id, id }, { state, reason });
      // After a day it is for people to say, and is asked for seldom.
      await sql`update wx_note_batches b set reason = ${reason.slice(0, 200)}, next_at = ${nowOf(services)}::timestamptz
          + case when b.accepted_at < ${nowOf(services)}::timestamptz - interval '1 day' then interval '2 hours' else interval '10 minutes' end
        where b.service_provider_id = ${service_provider_id} and b.id = ${id} and b.state = 'accepted'`.execute(tx);
    };
    await withScope(services.pool, HEAR, take, LONG);
  },
});
