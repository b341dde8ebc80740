import { sql } from "kysely";
import { mustChange, withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { whyNo } from "../../../channels/contract.ts";
import {
  bearsOut,
  type No,
  NOT_FOUND,
  type Outcome,
  type ShareReturned,
  type ShareReturnOrder,
  type SharingAccount,
  sharingChannelOf,
} from "../../../channels/server/index.ts";
import { postReturnDone, postReturnRelease } from "../../../money/server/index.ts";
import { failWords } from "../../contract/index.ts";
import { accountOf, beginCall, endCall, firstSent, hasOpenCall, standingNo, type OpenCall } from "../sharing-calls.ts";
import { shareAmountsOf } from "../share-amounts.ts";
import { channelNumber, lockReturn, nextLook, type OrderRow, posterOf, type Ref, type ReturnRow, walletOf } from "../rows.ts";
import { overtake, putBack, recordedReturn } from "../records/recorded.ts";
import { tellLongWait } from "../tell-waiting.ts";
import { claimOf, moveLine } from "./reserve-returns.ts";
import { returnOrderOf } from "./return-order.ts";

const SCOPE = platformScope("chase a return");
type Step = "share-return" | "query-return";
/** What a caller does in the same transaction when a return has failed, before its amount is released. The order is held. */
export type OnFailed = (tx: Transaction, order: OrderRow, failure: string) => Promise<void>;

/**
 * Takes the returns of a refund on until each is decided. @param failed told once for each that failed
 * @returns whether all that can come back is back, or some is still on its way
 */
export async function chaseReturns(services: Services, refund: Ref, failed: OnFailed): Promise<"back" | "waiting"> {
  const rows = await openReturns(services, refund);
  for (const row of rows) await chaseReturn(services, row, failed);
  return rows.length === 0 || (await openReturns(services, refund)).length === 0 ? "back" : "waiting";
}
const openReturns = (services: Services, refund: Ref): Promise<ReturnRow[]> =>
  withScope(services.pool, SCOPE, (tx) =>
    tx
      .selectFrom("sharing_returns as r")
      .innerJoin("sharing_lines as l", (on) =>
        on.onRef("l.service_provider_id", "=", "r.service_provider_id").onRef("l.id", "=", "r.line_id"),
      )
      .selectAll("r")
      .where("r.service_provider_id", "=", refund.service_provider_id)
      .where("r.refund_id", "=", refund.id)
      .where("r.status", "in", [0, 1])
      .orderBy("l.sharing_id")
      .orderBy("l.position")
      .execute(),
  );

/** Takes one return a step on, as a share is: sent once, asked about, and sent again only where its number is unknown. */
export async function chaseReturn(services: Services, ref: Ref, failed: OnFailed): Promise<void> {
  if (await settleRecorded(services, ref, failed)) return;
  let step: Step | undefined = await firstStep(services, ref);
  let no: No | undefined;
  for (let steps = 0; step !== undefined && steps < 3; steps++) {
    const begun = await begin(services, ref, step);
    if (!begun) return;
    const channel = sharingChannelOf(services);
    const outcome: Outcome<ShareReturned> =
      step === "share-return" ? await channel.giveBack(begun.account, begun.order) : await channel.queryReturn(begun.account, begun.order);
    const next = await take(services, begun, step, outcome, failed, no);
    no = step === "share-return" && outcome.kind === "refused" ? outcome : undefined;
    step = next;
  }
}

interface Begun {
  readonly row: ReturnRow;
  readonly account: SharingAccount;
  readonly call: OpenCall;
  readonly order: ShareReturnOrder;
}
async function firstStep(services: Services, ref: Ref): Promise<Step | undefined> {
  return withScope(services.pool, SCOPE, async (tx) => {
    const row = await tx
      .selectFrom("sharing_returns")
      .selectAll()
      .where("service_provider_id", "=", ref.service_provider_id)
      .where("id", "=", ref.id)
      .executeTakeFirst();
    if (!row || row.status > 1) return undefined;
    const sent = await firstSent(tx, row.service_provider_id, channelNumber(row.return_no, row.channel_try), "share-return");
    return sent ? "query-return" : "share-return";
  });
}
async function begin(services: Services, ref: Ref, step: Step): Promise<Begun | undefined> {
  return withScope(services.pool, SCOPE, async (tx) => {
    const found = await lockReturn(tx, ref);
    if (!found || found.row.status > 1) return undefined;
    const { row } = found;
    const now_ms = services.clock.now_ms();
    await tx
      .updateTable("sharing_returns")
      .set({ status: 1, attempts: row.attempts + (row.status === 0 ? 1 : 0), next_query_at: nextLook(row.created_at, now_ms) })
      .where("service_provider_id", "=", row.service_provider_id)
      .where("id", "=", row.id)
      .execute();
    const outReturnNo = channelNumber(row.return_no, row.channel_try);
    const { service_provider_id, merchant_id, id, amount_cents } = row;
    const since = (await firstSent(tx, service_provider_id, outReturnNo, "share-return")) ?? row.created_at;
    await tellLongWait(tx, found.order, { kind: "return", id, number: outReturnNo, amount_cents }, since, now_ms);
    const account = await accountOf(tx, services, row, walletOf(found.order));
    if (!account) return undefined;
    const call = await beginCall(tx, services, { service_provider_id, merchant_id, return_id: row.id }, step, outReturnNo);
    return { row, account, call, order: await returnOrderOf(tx, found.order, row, outReturnNo) };
  });
}

/** Takes over what the channel said. @returns what has to be asked next, if anything */
async function take(
  services: Services,
  { row, call }: Begun,
  step: Step,
  outcome: Outcome<ShareReturned>,
  failed: OnFailed,
  said: No | undefined,
): Promise<Step | undefined> {
  return withScope(services.pool, SCOPE, async (tx) => {
    await endCall(tx, services, call, outcome);
    if (outcome.kind === "unknown") return undefined;
    const found = await lockReturn(tx, row);
    if (found?.row.status !== 1 || found.row.channel_try !== row.channel_try) return undefined;
    if (outcome.kind === "ok") {
      await settleReturn(tx, services, found, outcome.value, failed);
      return undefined;
    }
    if (step === "share-return") return "query-return";
    const no = said ?? (await standingNo(tx, call, "share-return"));
    if (!bearsOut(no, outcome) || (await hasOpenCall(tx, call, "share-return")))
      return outcome.code === NOT_FOUND ? "share-return" : undefined;
    await failReturn(tx, services, found, `通道拒绝：${whyNo(no)}`, failed);
    return undefined;
  });
}

/** What people said of it and others confirmed is taken as the channel's answer is. @returns whether there is such a word */
async function settleRecorded(services: Services, ref: Ref, failed: OnFailed): Promise<boolean> {
  return withScope(services.pool, SCOPE, async (tx) => {
    const found = await lockReturn(tx, ref);
    const said = found?.row.status === 1 ? await recordedReturn(tx, services, found.row) : undefined;
    if (!found || !said) return false;
    if (said === "later") return true;
    await settleReturn(tx, services, found, said, failed);
    const now = await lockReturn(tx, ref);
    if (now?.row.status === 1) await putBack(tx, now.row);
    return true;
  });
}

type Found = { readonly order: OrderRow; readonly row: ReturnRow };
async function settleReturn(tx: Transaction, services: Services, found: Found, news: ShareReturned, failed: OnFailed): Promise<void> {
  const { order, row } = found;
  if (news.result === "processing") return;
  if (news.amount_cents !== row.amount_cents) {
    services.log.error({ return: row.return_no, news }, "channel and return differ");
    return;
  }
  if (news.result === "failed") return failReturn(tx, services, found, failWords(news.failReason), failed);
  const at = news.finishedAt ?? new Date(services.clock.now_ms()).toISOString();
  await endReturn(tx, row, { status: 2, finished_at: at, channel_no: news.returnId, failure: null, next_query_at: null });
  await moveLine(tx, order, row.line_id, { returning_cents: -row.amount_cents, returned_cents: row.amount_cents });
  await tx
    .updateTable("sharing_orders")
    .set({ returned_cents: sql`returned_cents + ${row.amount_cents}` })
    .where("service_provider_id", "=", row.service_provider_id)
    .where("id", "=", row.sharing_id)
    .execute();
  await shareAmountsOf(services).settleReturn(tx, order, row.amount_cents);
  await postReturnDone(tx, posterOf(services), order, { id: row.id, amount_cents: row.amount_cents, occurred_at: at });
}
/** It does not come back: the refund that needed it is told first, then the amount is released. */
async function failReturn(tx: Transaction, services: Services, { order, row }: Found, failure: string, failed: OnFailed): Promise<void> {
  const now = new Date(services.clock.now_ms()).toISOString();
  await failed(tx, order, failure);
  if ((await claimOf(tx, order)) < row.amount_cents) {
    // Given back to a payer meanwhile, on the strength of it. It stays as it is until the merchant has what it has to bear.
    services.log.error({ return: row.return_no, failure }, "a return that failed is not covered");
    return;
  }
  await endReturn(tx, row, { status: 3, finished_at: now, failure: failure.slice(0, 200), next_query_at: null });
  await moveLine(tx, order, row.line_id, { returning_cents: -row.amount_cents });
  await shareAmountsOf(services).failReturn(tx, order, row.amount_cents);
  await postReturnRelease(tx, posterOf(services), order, { id: row.id, amount_cents: row.amount_cents, occurred_at: now });
}
async function endReturn(tx: Transaction, row: ReturnRow, to: Partial<ReturnRow> & { status: 2 | 3 }): Promise<void> {
  const moved = await tx
    .updateTable("sharing_returns")
    .set(to)
    .where("service_provider_id", "=", row.service_provider_id)
    .where("id", "=", row.id)
    .where("status", "=", 1)
    .executeTakeFirst();
  mustChange(moved, () => new Error("a held return moved"));
  await overtake(tx, "return", row);
}
