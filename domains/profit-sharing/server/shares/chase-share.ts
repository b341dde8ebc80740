import { withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { whyNo } from "../../../channels/contract.ts";
import {
  bearsOut,
  type No,
  NOT_FOUND,
  type Outcome,
  type Shared,
  type ShareOrder,
  type SharingAccount,
  sharingChannelOf,
} from "../../../channels/server/index.ts";
import { accountOf, beginCall, endCall, firstSent, hasOpenCall, standingNo, type OpenCall } from "../sharing-calls.ts";
import { channelNumber, lockShare, nextLook, type OrderRow, type Ref, type SharingRow, walletOf } from "../rows.ts";
import { recordedShare } from "../records/recorded.ts";
import { tellLongWait } from "../tell-waiting.ts";
import { reserveShare } from "./reserve-share.ts";
import { failShare, settleShare } from "./settle-share.ts";
import { shareOrderOf } from "./share-order.ts";
import { waitsUntil } from "./sharing-rules.ts";

const SCOPE = platformScope("chase a share");
type Step = "send" | "ask";

/**
 * Takes a share one step on: reserves and sends it where it waits, else asks what became of it, and sends it again only where
 * the channel has never heard of its number. The same number twice is one share, so that this bears being run twice at once
 * and being cut off anywhere; no answer changes nothing.
 */
export async function chaseShare(services: Services, ref: Ref): Promise<void> {
  if (await settleRecorded(services, ref)) return;
  let step: Step | undefined = await firstStep(services, ref);
  // At most: ask, send, and ask once more, for a refusal is believed only where the number is unknown then too.
  let no: No | undefined;
  for (let steps = 0; step !== undefined && steps < 3; steps++) {
    const begun = await begin(services, ref, step);
    if (!begun) return;
    const outcome = await ask(services, begun, step);
    const next = await take(services, begun, step, outcome, no);
    no = step === "send" && outcome.kind === "refused" ? outcome : undefined;
    step = next;
  }
}

/** What people said of it and others confirmed is taken as the channel's answer is. @returns whether there is such a word */
async function settleRecorded(services: Services, ref: Ref): Promise<boolean> {
  return withScope(services.pool, SCOPE, async (tx) => {
    const found = await lockShare(tx, ref);
    const said = found?.share.status === 1 ? await recordedShare(tx, services, found.share) : undefined;
    if (!found || !said) return false;
    if (said === "later") return true;
    await settleShare(tx, services, found.order, found.share, said);
    return true;
  });
}

interface Begun {
  readonly share: SharingRow;
  readonly account: SharingAccount;
  readonly call: OpenCall;
  readonly order: ShareOrder;
}
const sendingOf = (share: SharingRow) => (share.kind === "unfreeze" ? "unfreeze" : "share");

async function firstStep(services: Services, ref: Ref): Promise<Step | undefined> {
  return withScope(services.pool, SCOPE, async (tx) => {
    const share = await tx
      .selectFrom("sharing_orders")
      .selectAll()
      .where("service_provider_id", "=", ref.service_provider_id)
      .where("id", "=", ref.id)
      .executeTakeFirst();
    if (!share || share.status > 1) return undefined;
    if (share.status === 0) return "send";
    const number = channelNumber(share.share_no, share.channel_try);
    return (await firstSent(tx, share.service_provider_id, number, sendingOf(share))) ? "ask" : "send";
  });
}

async function begin(services: Services, ref: Ref, step: Step): Promise<Begun | undefined> {
  return withScope(services.pool, SCOPE, async (tx) => {
    const found = await lockShare(tx, ref);
    if (!found || found.share.status > 1) return undefined;
    if (found.share.status === 0 && !(await isDue(tx, services, found))) return undefined;
    const share = found.share.status === 1 ? found.share : (await lockShare(tx, ref))?.share;
    if (share?.status !== 1) return undefined;
    await tx
      .updateTable("sharing_orders")
      .set({ next_query_at: nextLook(share.sent_at ?? share.created_at, services.clock.now_ms()) })
      .where("service_provider_id", "=", share.service_provider_id)
      .where("id", "=", share.id)
      .execute();
    const number = channelNumber(share.share_no, share.channel_try);
    const { id, amount_cents } = share;
    await tellLongWait(
      tx,
      found.order,
      { kind: "share", id, number, amount_cents },
      share.sent_at ?? share.created_at,
      services.clock.now_ms(),
    );
    const account = await accountOf(tx, services, share, walletOf(found.order));
    if (!account) return undefined;
    const operation = step === "ask" ? "query-share" : sendingOf(share);
    const { service_provider_id, merchant_id } = share;
    const call = await beginCall(tx, services, { service_provider_id, merchant_id, sharing_id: share.id }, operation, number);
    return { share, account, call, order: await shareOrderOf(tx, services, found.order, share, number) };
  });
}
/**
 * Reserves a share whose time has come. One that waits for receivers is asked again, ever less often; one that cannot be made fails and says why; one that comes to nothing lets the
 * merchant have the payment instead, where its rule does so with every share.
 */
async function isDue(tx: Transaction, services: Services, { order, share }: { order: OrderRow; share: SharingRow }): Promise<boolean> {
  const now_ms = services.clock.now_ms();
  if (share.due_at === null || Date.parse(share.due_at) > now_ms) return false;
  const refused = await reserveShare(tx, services, order, share);
  if (refused === undefined) return true;
  const row = tx
    .updateTable("sharing_orders")
    .where("service_provider_id", "=", share.service_provider_id)
    .where("id", "=", share.id)
    .where("status", "=", 0);
  if (refused.waits) {
    const last = new Date(waitsUntil(order)).toISOString();
    const next = nextLook(share.created_at, now_ms);
    await row.set({ due_at: next < last ? next : last, failure: refused.why }).execute();
    return false;
  }
  const now = new Date(now_ms).toISOString();
  const instead = refused.nothing && share.unfreeze ? ("unfreeze" as const) : undefined;
  await row
    .set({
      status: 1,
      failure: null,
      sent_at: now,
      next_query_at: now,
      ...(instead ? { kind: instead, attempts: share.attempts + 1 } : {}),
    })
    .execute();
  if (instead) return true;
  await failShare(tx, services, order, share, refused.why);
  return false;
}

function ask(services: Services, { share, account, order }: Begun, step: Step): Promise<Outcome<Shared>> {
  const channel = sharingChannelOf(services);
  if (step === "ask") return channel.queryShare(account, order);
  return share.kind === "unfreeze" ? channel.unfreeze(account, { ...order, reason: "解冻剩余资金" }) : channel.share(account, order);
}

/** Takes over what the channel said. @returns what has to be asked next, if anything */
async function take(
  services: Services,
  { share, call }: Begun,
  step: Step,
  outcome: Outcome<Shared>,
  said: No | undefined,
): Promise<Step | undefined> {
  return withScope(services.pool, SCOPE, async (tx) => {
    await endCall(tx, services, call, outcome);
    if (outcome.kind === "unknown") return undefined;
    const found = await lockShare(tx, share);
    if (found?.share.status !== 1 || found.share.channel_try !== share.channel_try) return undefined;
    if (outcome.kind === "ok") {
      await settleShare(tx, services, found.order, found.share, outcome.value);
      return undefined;
    }
    if (step === "send") return "ask";
    const no = said ?? (await standingNo(tx, call, sendingOf(found.share)));
    // An earlier sending with the same number that nobody heard the end of may still be a yes.
    if (!bearsOut(no, outcome) || (await hasOpenCall(tx, call, sendingOf(found.share))))
      return outcome.code === NOT_FOUND ? "send" : undefined;
    await failShare(tx, services, found.order, found.share, `通道拒绝：${whyNo(no)}`);
    return undefined;
  });
}
