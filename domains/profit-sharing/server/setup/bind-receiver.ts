import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, refusalOf } from "@zhangfang/server/calls/errors.ts";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { whyNo } from "../../../channels/contract.ts";
import {
  type ChannelReceiver,
  type Outcome,
  type SharingAccount,
  sharingChannelOf,
  type SharingWallet,
} from "../../../channels/server/index.ts";
import { type AccountRow, nextLook, type ReceiverRow } from "../rows.ts";
import { accountOf, beginCall, endCall, type OpenCall } from "../sharing-calls.ts";
import { openReceiverName } from "./receiver-secrets.ts";

export interface Binding {
  readonly receiver: ReceiverRow;
  /** The receiver's, at one wallet. */
  readonly at: AccountRow;
  readonly account: SharingAccount;
  readonly call: OpenCall;
}
interface Told {
  readonly id: string;
  readonly bindState: "bound" | "unsure" | "failed";
  readonly message: string | null;
}
/** A transaction of its own, of a request or of the job. */
export type Run = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;

/** Refusals for our keys, permissions or pace: they say nothing of the receiver, and may be over in a moment. */
const PASSING =
  /^(?:SIGN_ERROR|NO_AUTH|APPID_MCHID_NOT_MATCH|MCH_NOT_EXISTS|RULE_LIMIT(?:ED)?|(?:isv|aop)\..+|ACQ\.(?:ACCESS_FORBIDDEN|PARTNER_ERROR|PRODUCT_UNSIGN))$/;
/** For so long such a no is no answer: shares wait meanwhile. Then it is a no. */
const PASSES_MS = 86_400_000;

/**
 * Writes down that the channel is about to hear of a receiver's account, or that it goes. From now on it is expected to be known, so that
 * nothing is shared without it. The receiver is held. @returns undefined where the merchant has no keys there
 */
export async function beginBinding(
  services: Services,
  tx: Transaction,
  receiver: ReceiverRow,
  at: AccountRow,
  operation: "add-receiver" | "remove-receiver",
): Promise<Binding | undefined> {
  const { service_provider_id, merchant_id, id } = receiver;
  const account = await accountOf(tx, services, receiver, at.wallet as SharingWallet);
  if (!account) return undefined;
  const call = await beginCall(tx, services, { service_provider_id, merchant_id, receiver_id: id }, operation, at.account);
  if (operation === "add-receiver") {
    const next_bind_at = nextLook(at.told_at, services.clock.now_ms());
    const moved = await thatAccount(tx, at)
      .set({ bind_state: "binding", told_at: at.told_at, next_bind_at })
      .where("bind_state", "in", OPEN)
      .executeTakeFirst();
    mustChange(moved, () => conflict("登记状态已变化，请刷新后查看"));
  }
  return { receiver, at, account, call };
}
/** States that an answer may still change. */
const OPEN = ["binding", "unsure", "failed"];
/** A receiver's account as it was read. */
export const thatAccount = (tx: Transaction, at: AccountRow) =>
  tx
    .updateTable("sharing_accounts")
    .where("service_provider_id", "=", at.service_provider_id)
    .where("receiver_id", "=", at.receiver_id)
    .where("wallet", "=", at.wallet)
    // The word is about this account: another may have taken its place meanwhile.
    .where("type", "=", at.type)
    .where("account", "=", at.account);

/** Adds it at the channel and keeps what the channel said. Adding twice is fine, so that no answer may be asked again. */
export async function bind(services: Services, run: Run, binding: Binding): Promise<Told> {
  const { receiver, at, account, call } = binding;
  const given: ChannelReceiver = {
    type: at.type as ChannelReceiver["type"],
    account: at.account,
    name: openReceiverName(services, receiver),
    relation: receiver.relation,
    customRelation: receiver.custom_relation,
  };
  const outcome = await sharingChannelOf(services).addReceiver(account, given);
  const now_ms = services.clock.now_ms();
  const passes = outcome.kind === "refused" && PASSING.test(outcome.code) && now_ms - Date.parse(at.told_at) < PASSES_MS;
  const bindState = outcome.kind === "ok" ? "bound" : outcome.kind === "refused" && !passes ? "failed" : "unsure";
  const said = wordsOf(outcome);
  const message = bindState === "unsure" ? `${said}，系统会自动再次登记`.slice(0, 200) : said;
  const next_bind_at = bindState === "unsure" ? nextLook(at.told_at, now_ms) : null;
  const bound_at = bindState === "bound" ? new Date(now_ms).toISOString() : at.bound_at;
  try {
    await run(async (tx) => {
      await endCall(tx, services, call, outcome);
      // Where another call had its yes meanwhile, or it was taken out, that stands.
      await thatAccount(tx, at)
        .set({ bind_state: bindState, bind_message: message, bound_at, next_bind_at })
        .where("bind_state", "in", OPEN)
        .execute();
    });
  } catch (error) {
    // The account stands and the channel has heard of it: "try again later" would only find that it is there already.
    if (refusalOf(error)?.status !== 503) throw error;
    services.log.warn({ err: error, receiver: receiver.id }, "what a channel said to a receiver was not written down");
    return { id: receiver.id, bindState: "unsure", message: "系统繁忙，登记结果没有记下，系统会自动再查一次" };
  }
  return { id: receiver.id, bindState, message };
}
/** Takes an account away at the channel. @returns what the channel said, where it did not say yes */
export async function unbind(ctx: Ctx, { at, account, call }: Binding): Promise<string | null> {
  const party = { type: at.type as ChannelReceiver["type"], account: at.account };
  const outcome = await sharingChannelOf(ctx.services).removeReceiver(account, party);
  await ctx.transaction(async (tx) => {
    await endCall(tx, ctx.services, call, outcome);
    const gone = outcome.kind === "ok" ? { bind_state: "removed", next_bind_at: null } : {};
    await thatAccount(tx, at)
      .set({ ...gone, bind_message: wordsOf(outcome) })
      .execute();
  });
  return wordsOf(outcome);
}
/** What the channel said, where it did not say yes. */
const wordsOf = (outcome: Outcome<unknown>): string | null =>
  outcome.kind === "ok" ? null : (outcome.kind === "refused" ? whyNo(outcome) : "通道没有应答").slice(0, 180);
