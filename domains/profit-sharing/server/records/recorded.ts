import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Shared, ShareReturned } from "../../../channels/server/index.ts";
import { channelNumber, linesOf, type ReturnRow, type SharingRow } from "../rows.ts";
import { maySoonArrive } from "./doubts.ts";
import { type Kind, namedBy, type RecordRow } from "./subject.ts";

const DAY_MS = 86_400_000;

/**
 * What people say of a share that is held, in the words of the channel, where it was confirmed and nothing else came before. It counts
 * from now on, and the channel is asked on.
 * @returns 'later' where our own last sending may yet arrive: until then nothing is sent either
 */
export async function recordedShare(tx: Transaction, services: Services, share: SharingRow): Promise<Shared | "later" | undefined> {
  const number = channelNumber(share.share_no, share.channel_try);
  const record = await takeRecord(tx, services, share.service_provider_id, number);
  if (typeof record !== "object") return record;
  const finishedAt = new Date(services.clock.now_ms()).toISOString();
  const lines = share.kind === "unfreeze" ? [] : await linesOf(tx, share);
  return {
    outOrderNo: number,
    transactionId: "",
    orderId: record.channel_no,
    finished: true,
    lines: lines.map((line) => {
      const got = record.line_ids.includes(line.id);
      return {
        type: line.type as Shared["lines"][number]["type"],
        account: line.account,
        amount_cents: line.amount_cents,
        result: got ? ("success" as const) : ("closed" as const),
        failReason: got ? null : "RECORDED",
        detailId: null,
        finishedAt,
      };
    }),
  };
}
/** The same of a return. */
export async function recordedReturn(tx: Transaction, services: Services, row: ReturnRow): Promise<ShareReturned | "later" | undefined> {
  const number = channelNumber(row.return_no, row.channel_try);
  const record = await takeRecord(tx, services, row.service_provider_id, number);
  if (typeof record !== "object") return record;
  const done = record.result === "done";
  return {
    outOrderNo: "",
    outReturnNo: number,
    returnId: record.channel_no,
    amount_cents: row.amount_cents,
    result: done ? "success" : "failed",
    failReason: done ? null : "RECORDED",
    finishedAt: done ? new Date(services.clock.now_ms()).toISOString() : null,
  };
}
async function takeRecord(
  tx: Transaction,
  services: Services,
  service_provider_id: string,
  number: string,
): Promise<RecordRow | "later" | undefined> {
  const confirmed = await tx
    .selectFrom("sharing_records")
    .select("id")
    .where("service_provider_id", "=", service_provider_id)
    .where("number", "=", number)
    .where("state", "=", "confirmed")
    .executeTakeFirst();
  if (confirmed && (await maySoonArrive(tx, services, service_provider_id, number))) return "later";
  return tx
    .updateTable("sharing_records")
    .set({ state: "settled", next_ask_at: nextAsk(services.clock.now_ms(), services.clock.now_ms()) })
    .where("service_provider_id", "=", service_provider_id)
    .where("number", "=", number)
    .where("state", "=", "confirmed")
    .returningAll()
    .executeTakeFirst();
}
/** It could not be booked yet: it is taken once more at the next look. */
export async function putBack(tx: Transaction, { service_provider_id, return_no, channel_try }: ReturnRow): Promise<void> {
  await tx
    .updateTable("sharing_records")
    .set({ state: "confirmed", next_ask_at: null })
    .where("service_provider_id", "=", service_provider_id)
    .where("number", "=", channelNumber(return_no, channel_try))
    .where("state", "=", "settled")
    .execute();
}
/** The channel's own answer came first: what people said of it is over, and their word moves nothing. */
export async function overtake(tx: Transaction, kind: Kind, { service_provider_id, id }: SharingRow | ReturnRow): Promise<void> {
  const [column, value] = Object.entries(namedBy(kind, id))[0] as ["sharing_id", string];
  await tx
    .updateTable("sharing_records")
    .set({ state: "overtaken" })
    .where("service_provider_id", "=", service_provider_id)
    .where(column, "=", value)
    .where("state", "in", ["waiting", "confirmed"])
    .execute();
}
/** The channel told of a number: where people's word stands for it, it is asked at once. */
export async function askSoon(tx: Transaction, service_provider_id: string, number: string, now: string): Promise<void> {
  await tx
    .updateTable("sharing_records")
    .set({ next_ask_at: now })
    .where("service_provider_id", "=", service_provider_id)
    .where("number", "=", number)
    .where("state", "=", "settled")
    .where("answered_at", "is", null)
    .execute();
}
/** When the channel is asked again about what people said: ever less often, from ten minutes to a day. */
export const nextAsk = (since_ms: number, now_ms: number): string =>
  new Date(now_ms + Math.min(DAY_MS, Math.max(600_000, (now_ms - since_ms) / 2))).toISOString();
