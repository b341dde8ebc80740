import { sql } from "kysely";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { asPlatform, mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { askerOf, storeOf } from "../../../orders/server/index.ts";
import { customersOf } from "../../../pricing/server/index.ts";
import { reverseTimes, useTimes as bookUse, waitForHolder } from "../../../value-book/server/index.ts";
import { reverseTimesUse, reverseTimesUseAtTill, timesCardStatus, useTimesCard } from "../../contract/index.ts";
import type { Merchant } from "../levels/read-rules.ts";
import { earnedBy, REVERSE_MS, usedOf } from "./times-rules.ts";

type By = { readonly card_no: string } | { readonly id: string };
const cardBy = (tx: Transaction, { service_provider_id, merchant_id }: Merchant, by: By) =>
  tx
    .selectFrom("times_cards")
    .selectAll()
    .where("service_provider_id", "=", service_provider_id)
    .where("merchant_id", "=", merchant_id)
    .where("id" in by ? "id" : "card_no", "=", "id" in by ? by.id : by.card_no);
/** Reads a card of a merchant; a card that another store sold is out of a till's sight and good there all the same. */
const findCard = (tx: Transaction, of: Merchant, by: By) => cardBy(tx, of, by).executeTakeFirst();
/** The same, and holds it; the member's value is held before. */
const holdCard = (tx: Transaction, of: Merchant, by: By) => cardBy(tx, of, by).forUpdate().executeTakeFirst();
const poster = ({ ids, clock }: Services) => ({ ids, now_ms: clock.now_ms() });
type Card = NonNullable<Awaited<ReturnType<typeof holdCard>>>;
const holderOf = ({ service_provider_id, merchant_id, member_id }: Card) => ({ service_provider_id, merchant_id, member_id });

/** Who uses it, where: a till, or somebody at a store's desk. */
export interface AtCounter extends Merchant {
  readonly store_id: string;
  readonly device_id: string | null;
  readonly by_name: string;
}
interface Wish {
  readonly ticket: string;
  readonly cardNo: string;
  readonly times: number;
  readonly pin?: string | undefined;
}
/** 次卡核销: guarded by what is left; the value of so many uses goes from what is owed to what is earned. @throws 400, 409 */
export async function spendTimesAt(
  tx: Transaction,
  services: Services,
  { device_id, by_name, ...of }: AtCounter,
  { ticket, cardNo, times, pin }: Wish,
) {
  const store = { service_provider_id: of.service_provider_id, merchant_id: of.merchant_id, store_id: of.store_id };
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  const where = { ...store, at: now };
  const { member_id } = await customersOf(services).open(tx, services, where, ticket);
  const id = services.ids.uuid(now_ms);
  // What it is worth counts like stored value, and a use worth nothing asks for the same proof; before the card is held, for a PIN counts
  // in transactions of its own.
  const seen = await asPlatform(tx, () => findCard(tx, store, { card_no: cardNo }));
  const worth_cents = seen && seen.left_times >= times ? earnedBy(seen, usedOf(seen) + times) - seen.earned_cents : 0;
  const spends = { points: 0, stored_cents: Math.max(1, worth_cents) };
  await customersOf(services).prove(tx, services, where, ticket, spends, pin);
  const { card, value_cents, left_times } = await asPlatform(tx, () =>
    takeTimes(tx, services, store, { member_id, cardNo, times, worth_cents }),
  );
  // The card's own order, so that a ticket is for this card alone.
  await customersOf(services).use(tx, services, where, { id: card.order_id, member_id }, ticket, { ...spends, proved: true }, pin);
  await tx
    .insertInto("times_uses")
    .values({
      ...store,
      id,
      card_id: card.id,
      card_no: cardNo,
      name: card.name,
      sold_store_id: card.store_id,
      member_id,
      times,
      value_cents,
      device_id,
      by_name,
      at: now,
    })
    .execute();
  await bookUse(tx, poster(services), holderOf(card), { cause_id: id, store_id: store.store_id, order_id: card.order_id }, value_cents);
  return {
    useId: id,
    cardNo,
    name: card.name,
    times,
    leftTimes: left_times,
    lastDay: card.last_day!,
    status: (left_times === 0 ? 2 : 1) as 1 | 2,
    at: now as never,
    reversibleUntil: new Date(now_ms + REVERSE_MS).toISOString() as never,
  };
}
/** Why a card can't be used at a store today, in words for whoever stands there. */
export function barOfCard(
  { status, last_day, store_ids }: Pick<Card, "status" | "last_day" | "store_ids">,
  store_id: string,
  today: string,
): { readonly why: string; readonly code: string } | undefined {
  if (status !== 1) return { why: `次卡${timesCardStatus.label(status as 1)}，不能核销`, code: "times.state" };
  if (last_day === null || last_day < today) return { why: `次卡已于 ${last_day} 到期，请到门店办理延期`, code: "times.ended" };
  if (store_ids.length > 0 && !store_ids.includes(store_id)) return { why: "这张次卡不能在本店使用", code: "times.store" };
  return undefined;
}
async function takeTimes(
  tx: Transaction,
  services: Services,
  store: Merchant & { readonly store_id: string },
  of: { readonly member_id: string; readonly cardNo: string; readonly times: number; readonly worth_cents: number },
) {
  const { member_id, cardNo, times, worth_cents } = of;
  await waitForHolder(tx, { ...store, member_id });
  const card = await holdCard(tx, store, { card_no: cardNo });
  if (!card || card.member_id !== member_id) throw invalid("cardNo", "会员没有这张次卡");
  const bar = barOfCard(card, store.store_id, shanghaiDay(services.clock.now_ms()));
  if (bar) throw conflict(bar.why, bar.code);
  if (card.left_times < times) throw invalid("times", `次卡只剩 ${card.left_times} 次`);
  const earned_cents = earnedBy(card, usedOf(card) + times);
  const value_cents = earned_cents - card.earned_cents;
  if (value_cents !== worth_cents) throw conflict("次卡刚被使用，请重试");
  const left_times = card.left_times - times;
  const changed = await tx
    .updateTable("times_cards")
    .set({ left_times, earned_cents, ...(left_times === 0 && { status: 2 }) })
    .where("service_provider_id", "=", card.service_provider_id)
    .where("id", "=", card.id)
    .where("status", "=", 1)
    .where("left_times", ">=", times)
    .executeTakeFirst();
  mustChange(changed, () => conflict("次卡刚被使用，请重试"));
  return { card, value_cents, left_times };
}

/** 次卡核销 at a till. */
export const useTimesCardRoute = implement(useTimesCard, async (ctx, wish) => {
  const counter = { ...storeOf(ctx.scope), device_id: ctx.principal.id, by_name: ctx.principal.name };
  const used = await spendTimesAt(ctx.tx, ctx.services, counter, wish);
  ctx.note({ targetKind: "times_use", targetId: used.useId, after: { cardNo: used.cardNo, times: used.times, left: used.leftTimes } });
  return used;
});

interface Use extends Merchant {
  readonly id: string;
  readonly card_id: string;
  readonly member_id: string;
  readonly store_id: string;
  readonly times: number;
  readonly at: string;
  readonly reversed_at: string | null;
}
/**
 * Takes a use back: within 24 hours, once. What is earned is again the price by what is used; a card that has ended meanwhile is good
 * for one more day. @throws 409 with why not
 */
async function takeBack(tx: Transaction, services: Services, use: Use, by: string) {
  const now_ms = services.clock.now_ms();
  await waitForHolder(tx, use);
  const card = await holdCard(tx, use, { id: use.card_id });
  if (!card) throw notFound("次卡");
  if (use.reversed_at !== null) throw conflict("这次核销已经撤销过", "times.reversed");
  if (now_ms > Date.parse(use.at) + REVERSE_MS) throw conflict("核销已超过 24 小时，不能撤销", "times.late");
  if (![1, 2, 3].includes(card.status)) throw conflict(`次卡${timesCardStatus.label(card.status as 4)}，不能撤销核销`, "times.state");
  const earned_cents = earnedBy(card, usedOf(card) - use.times);
  const value_cents = card.earned_cents - earned_cents;
  const reversed = await tx
    .updateTable("times_uses")
    .set({ reversed_at: new Date(now_ms).toISOString(), reversed_by: by, reversed_value_cents: value_cents })
    .where("service_provider_id", "=", use.service_provider_id)
    .where("id", "=", use.id)
    .where("reversed_at", "is", null)
    .executeTakeFirst();
  mustChange(reversed, () => conflict("这次核销已经撤销过", "times.reversed"));
  const tomorrow = addDays(shanghaiDay(now_ms), 1);
  const last_day = card.last_day !== null && card.last_day < shanghaiDay(now_ms) ? tomorrow : card.last_day;
  await tx
    .updateTable("times_cards")
    .set({ left_times: card.left_times + use.times, earned_cents, last_day, ...(card.status !== 1 && { status: 1 }) })
    .where("service_provider_id", "=", card.service_provider_id)
    .where("id", "=", card.id)
    .executeTakeFirstOrThrow();
  await reverseTimes(
    tx,
    poster(services),
    holderOf(card),
    { cause_id: use.id, store_id: use.store_id, order_id: card.order_id },
    value_cents,
  );
  return { card, left_times: card.left_times + use.times, last_day: last_day ?? tomorrow };
}
const USE = sql`u.service_provider_id, u.merchant_id, u.id, u.card_id, u.member_id, u.store_id, u.times, u.at, u.reversed_at`;

/** 撤销核销 at a till: where it was used, or where the card was sold. */
export const reverseTimesUseAtTillRoute = implement(reverseTimesUseAtTill, async (ctx, { useId }) => {
  const { tx, services, now } = ctx;
  const store = storeOf(ctx.scope);
  const done = await asPlatform(tx, async () => {
    const { rows } =
      await sql<Use>`select ${USE} from times_uses u join times_cards c on c.service_provider_id = u.service_provider_id and c.id = u.card_id
      where u.service_provider_id = ${store.service_provider_id} and u.merchant_id = ${store.merchant_id} and u.id = ${useId}
        and ${store.store_id}::uuid in (u.store_id, c.store_id)`.execute(tx);
    const [use] = rows;
    if (!use) throw notFound("核销记录");
    return { use, ...(await takeBack(tx, services, use, ctx.principal.name)) };
  });
  ctx.note({ targetKind: "times_use", targetId: useId, after: { reversed: true, left: done.left_times } });
  return {
    useId,
    cardNo: done.card.card_no,
    name: done.card.name,
    times: done.use.times,
    leftTimes: done.left_times,
    lastDay: done.last_day,
    status: 1 as const,
    at: now as never,
  };
});
/** 撤销核销 from the office. */
export const reverseTimesUseRoute = implement(reverseTimesUse, async (ctx, { id, reason }) => {
  const { tx, scope } = ctx;
  const { rows } = await sql<Use>`select ${USE} from times_uses u where u.id = ${id} and ${inScope(scope, "u", "store")}`.execute(tx);
  const [use] = rows;
  if (!use) throw notFound("核销记录");
  const { left_times } = await asPlatform(tx, () => takeBack(tx, ctx.services, use, askerOf(ctx).name));
  ctx.note({
    targetKind: "times_use",
    targetId: id,
    provider: use.service_provider_id,
    merchant: use.merchant_id,
    after: { reversed: true, reason, left: left_times },
  });
  return { ok: true as const };
});
