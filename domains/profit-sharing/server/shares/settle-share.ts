import { yuan } from "@zhangfang/contract/money.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Shared } from "../../../channels/server/index.ts";
import { tell } from "../../../messages/server/index.ts";
import { postShareDone, postShareRelease } from "../../../money/server/index.ts";
import { failWords } from "../../contract/index.ts";
import { overtake } from "../records/recorded.ts";
import { limitsOf } from "./sharing-rules.ts";
import { shareAmountsOf } from "../share-amounts.ts";
import { channelNumber, linesOf, nextLook, type OrderRow, posterOf, saidOf, type SharingRow } from "../rows.ts";

/**
 * The only way 处理中 becomes 已完成 or 失败: what the channel says of each receiver. Those who got it have it; what the others
 * did not get stays with the merchant. The order and the share are held.
 */
export async function settleShare(tx: Transaction, services: Services, order: OrderRow, share: SharingRow, news: Shared): Promise<void> {
  if (share.status !== 1 || news.outOrderNo !== channelNumber(share.share_no, share.channel_try)) return;
  const { letsGoWithSuccess } = limitsOf(order);
  if (share.kind === "unfreeze" || (share.unfreeze && !letsGoWithSuccess)) await markUnfrozen(tx, services, order);
  if (!news.finished) return lookAgain(tx, services, share, news);
  if (share.kind === "unfreeze") return endShare(tx, services, share, { status: 2, ...numberOf(news), failure: null });
  const lines = await linesOf(tx, share);
  const now = new Date(services.clock.now_ms()).toISOString();
  let done = 0;
  let finished_at = "";
  const reasons = new Set<string>();
  for (const line of lines) {
    const said = saidOf(line, news);
    if (!said) {
      // A share that is finished and does not name a receiver as we asked is not understood: nothing is settled on it.
      services.log.error({ share: share.share_no, line: line.id, said: news.lines }, "channel and share differ");
      return lookAgain(tx, services, share, news);
    }
    if (said.result === "success") done += line.amount_cents;
    else reasons.add(failWords(said.failReason));
    const at = said.finishedAt ?? now;
    if (said.result === "success" && at > finished_at) finished_at = at;
    await tx
      .updateTable("sharing_lines")
      .set({ result: said.result, fail_reason: said.failReason, detail_no: said.detailId, finished_at: at })
      .where("service_provider_id", "=", line.service_provider_id)
      .where("id", "=", line.id)
      .execute();
  }
  if (share.unfreeze && letsGoWithSuccess && done > 0) await markUnfrozen(tx, services, order);
  await shareAmountsOf(services).settle(tx, order, share.amount_cents, done);
  const occurred_at = finished_at || now;
  await postShareDone(tx, posterOf(services), order, { id: share.id, amount_cents: done, occurred_at });
  await postShareRelease(tx, posterOf(services), order, { id: share.id, amount_cents: share.amount_cents - done, occurred_at: now });
  const failure = reasons.size === 0 ? null : [...reasons].join("、");
  await endShare(tx, services, share, { status: done > 0 ? 2 : 3, shared_cents: done, ...numberOf(news), failure });
  if (failure !== null) await tellFailure(tx, services, order, failure, share.amount_cents - done);
}

/** The query of some channels does not repeat the number that the answer named. */
const numberOf = ({ orderId }: Shared): { channel_no?: string } => (orderId === null ? {} : { channel_no: orderId });

/** The channel said no to the request, or it cannot be made: what was set aside is the merchant's as before. */
export async function failShare(tx: Transaction, services: Services, order: OrderRow, share: SharingRow, failure: string): Promise<void> {
  if (share.kind === "share") {
    await shareAmountsOf(services).settle(tx, order, share.amount_cents, 0);
    const now = new Date(services.clock.now_ms()).toISOString();
    await postShareRelease(tx, posterOf(services), order, { id: share.id, amount_cents: share.amount_cents, occurred_at: now });
  }
  await endShare(tx, services, share, { status: 3, failure: failure.slice(0, 200) });
  await tellFailure(tx, services, order, failure, share.amount_cents);
}

const markUnfrozen = (tx: Transaction, services: Services, order: OrderRow): Promise<void> =>
  shareAmountsOf(services).unfreeze(tx, order, new Date(services.clock.now_ms()).toISOString());
async function lookAgain(tx: Transaction, services: Services, share: SharingRow, news: Shared): Promise<void> {
  await tx
    .updateTable("sharing_orders")
    .set({ ...numberOf(news), next_query_at: nextLook(share.sent_at ?? share.created_at, services.clock.now_ms()) })
    .where("service_provider_id", "=", share.service_provider_id)
    .where("id", "=", share.id)
    .execute();
}
async function endShare(
  tx: Transaction,
  services: Services,
  share: SharingRow,
  to: { status: 2 | 3; shared_cents?: number; channel_no?: string; failure: string | null },
): Promise<void> {
  const moved = await tx
    .updateTable("sharing_orders")
    .set({ ...to, finished_at: new Date(services.clock.now_ms()).toISOString(), next_query_at: null })
    .where("service_provider_id", "=", share.service_provider_id)
    .where("id", "=", share.id)
    .where("status", "=", 1)
    .executeTakeFirst();
  mustChange(moved, () => new Error("a held share moved"));
  await overtake(tx, "share", share);
}
async function tellFailure(tx: Transaction, services: Services, order: OrderRow, failure: string, cents: number): Promise<void> {
  const now_ms = services.clock.now_ms();
  const day = shanghaiDay(now_ms);
  await tell(
    tx,
    { level: "MCH", provider: order.service_provider_id, node: order.merchant_id },
    {
      kind: "sharingFailed",
      title: "有分账未到账",
      body: `订单 ${order.order_no} 的 ${yuan(cents)} 元：${failure}。今天同样原因的不再逐笔提醒`,
      href: `/dataCentre/sharing?from=${day}&to=${day}`,
      item: "/dataCentre/sharing",
      // A receiver whose account is closed fails with every order: once a day is enough to be told.
      once: `sharing:${day}:${order.merchant_id}:${failure}`,
      at: new Date(now_ms).toISOString(),
    },
  );
}
