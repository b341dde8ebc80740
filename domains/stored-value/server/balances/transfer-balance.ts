import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid } from "@zhangfang/server/calls/errors.ts";
import { storeOf, type TillStore } from "../../../orders/server/index.ts";
import { customersOf } from "../../../pricing/server/index.ts";
import { lockHolders, moveLots } from "../../../value-book/server/index.ts";
import { transferBalance } from "../../contract/index.ts";
import { posterOf } from "../contributor.ts";
import { frozenWords, type HoldingMember, keepMember } from "../member.ts";
import { mustBeTheirs, whyNoRoom } from "./room.ts";

/**
 * 余额转移: both have been identified at this till; the sender as for any spending. Members are held in one order, so that two who send
 * to each other never wait in a ring.
 */
export const transferBalanceRoute = implement(transferBalance, async (ctx, { requestId, ticket, toTicket, pin, amountCents }) => {
  const { tx, services, now } = ctx;
  const store = storeOf(ctx.scope);
  const where = { ...store, at: now };
  const door = customersOf(services);
  const from = await door.open(tx, services, where, ticket);
  const to = await door.open(tx, services, where, toTicket);
  if (from.member_id === to.member_id) throw invalid("toTicket", "不能转给自己");
  // What is proved without a PIN is counted into the sender's day, and both are held in one order.
  const holderOf = (member_id: string) => ({ service_provider_id: store.service_provider_id, merchant_id: store.merchant_id, member_id });
  if (pin === undefined) await lockHolders(tx, [holderOf(from.member_id), holderOf(to.member_id)]);
  await door.prove(tx, services, where, ticket, { points: 0, stored_cents: amountCents }, pin);
  const given = { store, from: from.member_id, to: to.member_id, requestId, amountCents };
  return moveBalance(ctx, given, async (id) => {
    const bind = (bound: string, member_id: string, its: string) =>
      door.use(tx, services, where, { id: bound, member_id }, its, { points: 0, stored_cents: 0 }, undefined);
    await bind(id, from.member_id, ticket);
    await bind(services.ids.uuid(ctx.now_ms), to.member_id, toTicket);
  });
});

/** A balance that goes from one member to another at a store. */
export interface Moving {
  readonly store: TillStore;
  readonly from: string;
  readonly to: string;
  readonly requestId: string;
  readonly amountCents: number;
}
/**
 * Moves a balance between two members of a merchant who stand at a till. Whoever calls has proved the sender.
 * @param bind runs when both are held and may, before anything moves
 * @throws 409 where one of them may not, 400 at `amountCents` where it is not there or more than the receiver may hold
 */
async function moveBalance(
  ctx: Pick<Ctx, "tx" | "services" | "now" | "now_ms" | "note">,
  { store, from, to, requestId, amountCents }: Moving,
  bind: (id: string) => Promise<void>,
) {
  const { tx, services, now } = ctx;
  const kept = new Map<string, HoldingMember>();
  for (const member_id of [from, to].toSorted()) {
    const member = await keepMember(tx, { ...store, member_id });
    kept.set(member_id, member);
    const why = frozenWords(member);
    if (why !== undefined) throw conflict(why, "member.frozen");
    if (member_id === to && (member.stage === 0 || !member.named)) throw conflict("接收人须先登记姓名并确认手机号", "member.unconfirmed");
  }
  const id = services.ids.uuid(ctx.now_ms);
  await bind(id);
  const { service_provider_id, merchant_id } = store;
  const sender = { service_provider_id, merchant_id, member_id: from };
  await mustBeTheirs(tx, sender);
  const moved = await moveLots(tx, posterOf(services), sender, {
    cause_id: id,
    store_id: store.store_id,
    to_member_id: to,
    cents: amountCents,
  });
  // After the move: both are locked from there on.
  const why = await whyNoRoom(tx, kept.get(to)!);
  if (why !== undefined) throw invalid("amountCents", why);
  await tx
    .insertInto("value_transfers")
    .values({ ...store, id, request_id: requestId, member_id: from, to_member_id: to, ...moved, created_at: now })
    .execute();
  ctx.note({ targetKind: "value_transfer", targetId: id, after: { from, to, amountCents } });
  return { id, principalCents: moved.principal_cents as never, giftCents: moved.gift_cents as never };
}
