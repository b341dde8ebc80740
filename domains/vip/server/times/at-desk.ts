import { addDays, dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { asPlatform, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { spendMemberCode, tellMember, tryCode } from "../../../members/server/index.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { storeAtWork, type StoreAtWork } from "../../../stores/server/index.ts";
import { lookAtTimesCards, useTimesCardAtDesk } from "../../contract/index.ts";
import { barOfCard, spendTimesAt } from "./use-card.ts";

const noCard = () => new Refusal(404, "times.none", "没有这个号码的次卡", { code: "没有这个号码的次卡" });

/** 查次卡: whose code or card it is, which is good for this store from now on as at a till. */
export const lookAtTimesCardsRoute = implement(lookAtTimesCards, async (ctx, { storeId, code }) => {
  const { tx, services, now_ms } = ctx;
  const store = await storeAtWork(tx, ctx, storeId);
  const { service_provider_id: provider, merchant_id: merchant } = store;
  const today = shanghaiDay(now_ms);
  const byNumber = code.length === 12;
  // A member who came to other stores only is out of a store's sight, and welcome here all the same.
  return asPlatform(tx, async () => {
    const member = byNumber
      ? await holderOf(tx, services, store, code, askerOf(ctx).id)
      : await spendMemberCode(tx, services, store, code, "次卡号");
    ctx.note({ targetKind: "member", targetId: member.id, provider, merchant, after: { 查次卡: byNumber ? "次卡号" : "会员码" } });
    const { ticket, memberNo, name, proof } = await tellMember(tx, services, store, member, byNumber ? "weak" : "full");
    const cards = await tx
      .selectFrom("times_cards")
      .select(["card_no", "name", "left_times", "last_day", "status", "store_ids"])
      .where("service_provider_id", "=", provider)
      .where("member_id", "=", member.id)
      .where("status", "in", byNumber ? [1, 2, 3, 4, 5] : [1])
      .$if(byNumber, (of) => of.where("card_no", "=", code))
      .orderBy("last_day")
      .limit(50)
      .execute();
    return {
      ticket,
      memberNo,
      name,
      proof,
      cards: cards.map((card) => ({
        cardNo: card.card_no,
        name: card.name,
        left: card.left_times,
        endsAt: (card.last_day === null ? null : dayStart(addDays(card.last_day, 1))) as never,
        why: barOfCard(card, storeId, today)?.why ?? "",
      })),
    };
  });
});
/** Whose card it is; numbers that are nobody's count as wrong codes do. @throws 404, 400 at `code` */
async function holderOf(tx: Transaction, services: Services, store: StoreAtWork, no: string, by: string) {
  const { service_provider_id, merchant_id } = store;
  const card = await tryCode(tx, services, store, { kind: "times", no, by, field: "code", instead: "会员码" }, () =>
    tx
      .selectFrom("times_cards")
      .select("member_id as id")
      .where("service_provider_id", "=", service_provider_id)
      .where("merchant_id", "=", merchant_id)
      .where("card_no", "=", no)
      .where("paid_at", "is not", null)
      .executeTakeFirst(),
  );
  if (!card) throw noCard();
  return card;
}
/** 次卡核销 at the desk. */
export const useTimesCardAtDeskRoute = implement(useTimesCardAtDesk, async (ctx, { storeId, ...wish }) => {
  const { tx } = ctx;
  const store = await storeAtWork(tx, ctx, storeId);
  const used = await asPlatform(tx, () => spendTimesAt(tx, ctx.services, { ...store, device_id: null, by_name: askerOf(ctx).name }, wish));
  ctx.note({
    targetKind: "times_use",
    targetId: used.useId,
    provider: store.service_provider_id,
    merchant: store.merchant_id,
    after: { cardNo: used.cardNo, times: used.times, left: used.leftTimes },
  });
  return used;
});
