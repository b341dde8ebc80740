import type { Selectable } from "kysely";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { mustChange, withScope, type DB, type Transaction } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { type Drawn, finishMove, type Holder, holdMove, releaseMove } from "../../../value-book/server/index.ts";
import { posterOf } from "../contributor.ts";
import { frozenWords, type HoldingMember, keepMember } from "../member.ts";
import { mustBeTheirs, whyNoRoom } from "./room.ts";
import type { Moving } from "./transfer-balance.ts";

const GOOD_MS = 86_400_000;
type Offer = Selectable<DB["transfer_offers"]>;
type Caller = Pick<Ctx, "tx" | "services" | "now" | "now_ms" | "note">;

/** Both, held in one order, and whether balance may go from one to the other. @returns the receiver @throws 409 with why not */
async function keepBoth(tx: Transaction, of: Omit<Holder, "member_id">, from: string, to: string): Promise<HoldingMember> {
  const kept = new Map<string, HoldingMember>();
  for (const member_id of [from, to].toSorted()) kept.set(member_id, await keepMember(tx, { ...of, member_id }));
  const [sender, receiver] = [kept.get(from)!, kept.get(to)!];
  for (const [who, member] of [
    ["转出方", sender],
    ["接收方", receiver],
  ] as const) {
    const why = frozenWords(member);
    if (why !== undefined) throw conflict(`${who}：${why}`, "member.frozen");
  }
  if (receiver.stage === 0 || !receiver.named) throw conflict("接收人须先登记姓名并确认手机号", "member.unconfirmed");
  return receiver;
}
/** @throws 409 where the receiver would hold more than the law lets them */
async function mustHaveRoom(...asked: Parameters<typeof whyNoRoom>): Promise<void> {
  const why = await whyNoRoom(...asked);
  if (why !== undefined) throw conflict(why, "stored.most");
}

/**
 * Sends a balance to another member, who has a day to take it; until then it is set aside. Whoever calls has proved the sender.
 * @throws 409 where one of them may not, where it is not there, or an earlier one still waits
 */
export async function offerTransfer(ctx: Caller, { store, from, to, requestId, amountCents }: Moving) {
  const { tx, services, now } = ctx;
  const receiver = await keepBoth(tx, store, from, to);
  const { service_provider_id, merchant_id } = store;
  const waits = await tx
    .selectFrom("transfer_offers")
    .select("id")
    .where("service_provider_id", "=", service_provider_id)
    .where("member_id", "=", from)
    .where("status", "=", 0)
    .executeTakeFirst();
  if (waits) throw conflict("上一笔还没被接收，请等对方接收，或先撤回", "transfer.waits");
  const id = services.ids.uuid(ctx.now_ms);
  const sender = { service_provider_id, merchant_id, member_id: from };
  await mustBeTheirs(tx, sender);
  const parts = await holdMove(tx, posterOf(services), sender, { cause_id: id, store_id: store.store_id, cents: amountCents });
  const principal_cents = parts.reduce((sum, part) => sum + part.principal_cents, 0);
  await mustHaveRoom(tx, receiver, { principal_cents, gift_cents: amountCents - principal_cents });
  const expires_at = new Date(ctx.now_ms + GOOD_MS).toISOString();
  await tx
    .insertInto("transfer_offers")
    .values({
      service_provider_id,
      merchant_id,
      store_id: store.store_id,
      id,
      request_id: requestId,
      member_id: from,
      to_member_id: to,
      principal_cents,
      gift_cents: amountCents - principal_cents,
      parts: JSON.stringify(parts),
      created_at: now,
      expires_at,
    })
    .execute();
  ctx.note({ targetKind: "transfer_offer", targetId: id, after: { from, to, amountCents } });
  return {
    id,
    principalCents: principal_cents as never,
    giftCents: (amountCents - principal_cents) as never,
    expiresAt: expires_at as never,
  };
}

/**
 * What becomes of a transfer that waits: the receiver takes or refuses it, the sender takes it back.
 * @throws 404 where it is not theirs, 409 where it is over
 */
export async function answerTransfer(ctx: Caller, self: Holder, id: string, act: "accept" | "refuse" | "withdraw") {
  const { tx, services } = ctx;
  const offer = await tx
    .selectFrom("transfer_offers")
    .selectAll()
    .where("service_provider_id", "=", self.service_provider_id)
    .where("merchant_id", "=", self.merchant_id)
    .where("id", "=", id)
    .where(act === "withdraw" ? "member_id" : "to_member_id", "=", self.member_id)
    .forUpdate()
    .executeTakeFirst();
  if (!offer) throw notFound("这笔转余额");
  if (offer.status !== 0 || Date.parse(offer.expires_at) <= ctx.now_ms) throw conflict("这笔转余额已处理或已过期", "transfer.over");
  if (act === "accept") await take(ctx, offer);
  else await giveUp(tx, services, offer, act === "refuse" ? 2 : 3, ctx.now);
  ctx.note({ targetKind: "transfer_offer", targetId: id, before: { status: 0 }, after: { act } });
  return { ok: true as const };
}
async function take({ tx, services, now }: Caller, offer: Offer): Promise<void> {
  const { service_provider_id, merchant_id, store_id, id, request_id, member_id, to_member_id, principal_cents, gift_cents } = offer;
  const of = { service_provider_id, merchant_id };
  const receiver = await keepBoth(tx, of, member_id, to_member_id);
  const move = { cause_id: id, store_id, to_member_id };
  await finishMove(tx, posterOf(services), { ...of, member_id }, offer.parts as unknown as Drawn[], move);
  await mustHaveRoom(tx, receiver);
  await end(tx, offer, 1, now);
  await tx
    .insertInto("value_transfers")
    .values({ ...of, store_id, id, request_id, member_id, to_member_id, principal_cents, gift_cents, created_at: now })
    .execute();
}
async function giveUp(tx: Transaction, services: Services, offer: Offer, status: 2 | 3 | 4, now: string): Promise<void> {
  const { id: cause_id, store_id, parts } = offer;
  await releaseMove(tx, posterOf(services), offer, parts as unknown as Drawn[], { cause_id, store_id });
  await end(tx, offer, status, now);
}
async function end(tx: Transaction, { service_provider_id, id }: Offer, status: 1 | 2 | 3 | 4, ended_at: string): Promise<void> {
  const ended = await tx
    .updateTable("transfer_offers")
    .set({ status, ended_at })
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .where("status", "=", 0)
    .executeTakeFirst();
  mustChange(ended, () => conflict("这笔转余额已处理或已过期", "transfer.over"));
}

/** Each minute: what nobody took within a day is the sender's again. */
export const endTransfers = lookAfter({
  name: "end-transfers",
  due: (tx, now) =>
    tx
      .selectFrom("transfer_offers")
      .select(["service_provider_id", "id"])
      .where("status", "=", 0)
      .where("expires_at", "<=", now)
      .orderBy("expires_at")
      .limit(500)
      .execute(),
  one: (services, { service_provider_id, id }) =>
    withScope(services.pool, platformScope("a transfer that nobody took"), async (tx) => {
      const offer = await tx
        .selectFrom("transfer_offers")
        .selectAll()
        .where("service_provider_id", "=", service_provider_id)
        .where("id", "=", id)
        .where("status", "=", 0)
        .forUpdate()
        .executeTakeFirst();
      if (offer) await giveUp(tx, services, offer, 4, new Date(services.clock.now_ms()).toISOString());
    }),
});
