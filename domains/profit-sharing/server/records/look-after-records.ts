import { sql } from "kysely";
import { yuan } from "@zhangfang/contract/money.ts";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { byTurns, waitsFor } from "../../../channels/server/index.ts";
import { failWords, lineResult } from "../../contract/index.ts";
import { saidOf } from "../rows.ts";
import { tellDifference } from "../tell-waiting.ts";
import { type Answer, askChannel } from "./ask-channel.ts";
import { refOf } from "./decide-record.ts";
import { nextAsk } from "./recorded.ts";
import { lockSubject, type RecordRow } from "./subject.ts";

const SCOPE = platformScope("ask on about records");
/** For so long the channel is asked on; our figure, as long as WeChat Pay takes returns. */
const ASK_FOR_MS = 180 * 86_400_000;

const SINCE = sql.ref("x.next_ask_at");
/** Records to ask on about, of each account what has waited longest first, each with whom it waits for. */
export const dueRecords = (tx: Transaction, now: string) =>
  tx
    .selectFrom("sharing_records as x")
    .leftJoin("sharing_orders as s", (on) =>
      on.onRef("s.service_provider_id", "=", "x.service_provider_id").onRef("s.id", "=", "x.sharing_id"),
    )
    .leftJoin("sharing_returns as r", (on) =>
      on.onRef("r.service_provider_id", "=", "x.service_provider_id").onRef("r.id", "=", "x.return_id"),
    )
    .innerJoin("pay_orders as o", (on) =>
      on.onRef("o.service_provider_id", "=", "x.service_provider_id").on("o.id", "=", sql<string>`coalesce(s.order_id, r.order_id)`),
    )
    .selectAll("x")
    .select(["o.channel", "o.tool"])
    .where("x.state", "=", "settled")
    .where("x.answered_at", "is", null)
    .where("x.next_ask_at", "<=", now)
    .orderBy(byTurns(SINCE))
    .orderBy(SINCE)
    .limit(500)
    .execute();
/** Every minute: where people's word was booked, the channel is asked on; what it says otherwise is told, and moves nothing by itself. */
export const lookAfterRecords = lookAfter({ name: "look-after-share-records", due: dueRecords, one: askOn, waitsFor });

async function askOn(services: Services, record: RecordRow): Promise<void> {
  const kind = record.sharing_id === null ? "return" : "share";
  const answer = await askChannel(services, kind, refOf(record), record.channel_try);
  await withScope(services.pool, SCOPE, async (tx) => {
    const found = await lockSubject(tx, kind, refOf(record));
    if (!found) return;
    const now_ms = services.clock.now_ms();
    const settled_ms = Date.parse(record.decided_at ?? record.created_at);
    const silent = answer.kind === "none" || answer.kind === "processing";
    const difference = silent ? null : differenceOf(record, answer, found.row.amount_cents);
    const set = silent
      ? { next_ask_at: now_ms - settled_ms > ASK_FOR_MS ? null : nextAsk(settled_ms, now_ms) }
      : { answered_at: new Date(now_ms).toISOString(), next_ask_at: null, difference };
    const moved = await tx
      .updateTable("sharing_records")
      .set(set)
      .where("service_provider_id", "=", record.service_provider_id)
      .where("id", "=", record.id)
      .where("answered_at", "is", null)
      .executeTakeFirst();
    if (moved.numUpdatedRows !== 1n || difference === null) return;
    services.log.error({ number: record.number, difference }, "a recorded result differs from the channel's");
    await tellDifference(tx, found.order, { kind, id: found.row.id, number: record.number, difference }, now_ms);
  });
}

/** How the channel's answer differs from what was recorded; null where it does not. */
function differenceOf(record: RecordRow, answer: Answer, amount_cents: number): string | null {
  if (answer.kind === "return") {
    const { result, failReason: reason } = answer.news;
    if (answer.news.amount_cents !== amount_cents) return `登记 ¥${yuan(amount_cents)}，通道为 ¥${yuan(answer.news.amount_cents)}`;
    if ((result === "success") === (record.result === "done")) return null;
    return result === "success" ? "登记为没有退回，通道为已退回" : `登记为已退回，通道为没有退回（${failWords(reason)}）`;
  }
  if (answer.kind !== "share") return null;
  const differing = answer.lines.flatMap((line) => {
    const said = saidOf(line, answer.news);
    const got = record.line_ids.includes(line.id);
    if (!said || (said.result === "success") === got) return [];
    const why = said.failReason ? `（${failWords(said.failReason)}）` : "";
    return [`「${line.alias}」登记为${lineResult.label(got ? "success" : "closed")}，通道为${lineResult.label(said.result)}${why}`];
  });
  return differing.length === 0 ? null : differing.join("；").slice(0, 400);
}
