import { sql } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { asPlatform, inSavepoint, type Transaction } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { filledFields } from "../../../members/server/index.ts";
import { formField, formOf, giftWords, lacking, openCard } from "../../contract/index.ts";
import { tellWxHolder } from "../wx/touch-wx.ts";
import { giveOpeningGifts } from "./gifts.ts";
import { servesStore } from "./serves.ts";

/** Who gets a card, and where. */
export interface NewHolding {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly store_id: string;
  readonly member_id: string;
  readonly way: "till" | "office" | "sheet" | "page";
  readonly by_name: string;
  /** Where it is done at a till: what the till is bound to goes before what its store is. */
  readonly device_id?: string;
  /** A certain card; else the one of the place. */
  readonly card_id?: string;
  /** The phone on whose page it is. */
  readonly from?: { readonly device?: string | undefined };
}
export interface Holding {
  readonly id: string;
  readonly code: string;
  readonly card_id: string;
  readonly made: boolean;
  readonly points: number;
  readonly giftCents: number;
  /** In words. */
  readonly coupons: string;
}

interface PlaceCard {
  readonly id: string;
  readonly form: string;
  readonly activation: string;
}
type AtPlace = Pick<NewHolding, "service_provider_id" | "merchant_id" | "store_id" | "device_id" | "card_id">;
/** The card of a place: what its device is bound to, then its store, then the oldest open one that serves it. */
export async function cardOf(tx: Transaction, services: Services, given: AtPlace): Promise<PlaceCard | undefined> {
  const { service_provider_id, merchant_id, store_id, device_id = null, card_id = null } = given;
  const { rows } = await sql<PlaceCard>`select c.id, c.form, c.activation from member_cards c
      left join card_bindings b on b.service_provider_id = c.service_provider_id and b.merchant_id = c.merchant_id and b.card_id = c.id
        and (b.kind = 'device' and b.target = ${device_id}::text or b.kind = 'store' and b.target = ${store_id}::text)
    where c.service_provider_id = ${service_provider_id} and c.merchant_id = ${merchant_id} and c.status in (2, 4)
      and coalesce(c.ends_on >= ${shanghaiDay(services.clock.now_ms())}::date, true) and c.id = coalesce(${card_id}::uuid, c.id)
      and (b.kind is not null or ${card_id}::uuid is not null or ${servesStore("c", sql`${store_id}::uuid`)})
    order by case b.kind when 'device' then 0 when 'store' then 1 else 2 end, c.created_at, c.id limit 1`.execute(tx);
  return rows[0];
}

const closed = () => conflict("会员卡已暂停或过期，不能开卡", "card.closed");
/**
 * Gives a member the card of a place, once for a member and a card, with what opening brings. Whoever is not confirmed yet, or has left,
 * gets none; nor does anybody where no card is open, nor who has not filled the form of a card that is good only then (填表后可用).
 * @throws 409 `card.closed`, `card.form` where a certain card is asked for that is not open, or whose form is not filled
 */
export async function giveCard(tx: Transaction, services: Services, given: NewHolding): Promise<Holding | undefined> {
  const { service_provider_id, merchant_id, store_id, member_id, way, by_name } = given;
  const card = await cardOf(tx, services, given);
  if (!card) {
    if (given.card_id !== undefined) throw closed();
    return undefined;
  }
  const card_id = card.id;
  // A holding that was made elsewhere is out of a till's sight; the key of holdings knows it.
  const known = await asPlatform(tx, () =>
    sql<{
      id: string;
      code: string;
    }>`select h.id, h.code from card_holders h where h.service_provider_id = ${service_provider_id} and h.card_id = ${card_id}
      and h.member_id in (select f.id from members f where f.service_provider_id = ${service_provider_id} and (f.id = ${member_id} or f.merged_into = ${member_id}))
      limit 1`.execute(tx),
  );
  if (known.rows[0]) return { ...known.rows[0], card_id, made: false, points: 0, giftCents: 0, coupons: "" };
  const { rows: member } =
    await sql`select 1 from members m where m.service_provider_id = ${service_provider_id} and m.merchant_id = ${merchant_id}
    and m.id = ${member_id} and m.stage = 1 and m.status = 1`.execute(tx);
  if (member.length === 0) return undefined;
  const missing =
    card.activation === "form"
      ? lacking(formOf(card.form), await filledFields(tx, services, { service_provider_id, merchant_id, id: member_id }))
      : [];
  if (missing.length > 0) {
    if (given.card_id === undefined) return undefined;
    throw conflict(
      `这张卡填好表单才能用，会员还没填${missing.map((field) => formField.label(field)).join("、")}，请会员在会员页填写`,
      "card.form",
    );
  }
  const now_ms = services.clock.now_ms();
  const at = new Date(now_ms).toISOString();
  const id = services.ids.uuid(now_ms);
  const code = services.ids.digits(12);
  const added = await tx
    .insertInto("card_holders")
    .values({ service_provider_id, id, merchant_id, store_id, card_id, member_id, code, way, by_name, created_at: at })
    .onConflict((twice) => twice.columns(["service_provider_id", "card_id", "member_id"]).doNothing())
    .executeTakeFirst();
  if (added.numInsertedOrUpdatedRows !== 1n) return giveCard(tx, services, given);
  const counted = await tx
    .updateTable("member_cards")
    .set((column) => ({ holders: column("holders", "+", 1) }))
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", card_id)
    .where("status", "in", [2, 4])
    .executeTakeFirst();
  if (counted.numUpdatedRows !== 1n) throw closed();
  const gifts = await giveOpeningGifts(
    tx,
    services,
    { service_provider_id, merchant_id, store_id, card_id, member_id, holder_id: id, device: given.from?.device },
    now_ms,
  );
  await tellWxHolder(tx, { service_provider_id, merchant_id, store_id, card_id, member_id, holder_id: id }, at);
  return { id, code, card_id, made: true, ...gifts };
}
/** The same for somebody who joins: a card that closes in that moment is no reason not to be a member. */
export async function giveCardOnJoining(tx: Transaction, services: Services, given: NewHolding): Promise<void> {
  await inSavepoint(tx, () => giveCard(tx, services, given)).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    services.log.warn({ member: given.member_id, why: error.message }, "joined without a card");
  });
}

/** 给会员开卡. */
export const openCardRoute = implement(openCard, async (ctx, { cardId, memberNo, storeId }) => {
  const { rows: cards } = await sql<{ id: string; name: string }>`select c.id, c.name from member_cards c where c.id = ${cardId}
    and ${inScope(ctx.scope, "c", "merchant")}`.execute(ctx.tx);
  if (!cards[0]) throw notFound("会员卡");
  const { rows: stores } = await sql<{
    service_provider_id: string;
    merchant_id: string;
    ok: boolean;
  }>`select s.service_provider_id, s.merchant_id,
      exists (select 1 from member_cards c where c.service_provider_id = s.service_provider_id and c.id = ${cardId} and ${servesStore("c", sql`s.id`)}) as ok
    from stores s where s.id = ${storeId} and s.state = 'active' and ${inScope(ctx.scope, "s")}`.execute(ctx.tx);
  const [store] = stores;
  if (!store) throw notFound("门店");
  if (!store.ok) throw invalid("storeId", "这张卡不适用于该门店");
  const { service_provider_id, merchant_id } = store;
  const member = await ctx.tx
    .selectFrom("members")
    .select(["id", "stage", "status"])
    .where("service_provider_id", "=", service_provider_id)
    .where("merchant_id", "=", merchant_id)
    .where("no", "=", memberNo)
    .executeTakeFirst();
  if (!member) throw invalid("memberNo", "没有这个会员号");
  if (member.stage !== 1) throw invalid("memberNo", "还是准会员，请先验证手机号");
  if (member.status !== 1) throw invalid("memberNo", "会员已冻结或已注销，不能开卡");
  const held = await giveCard(ctx.tx, ctx.services, {
    service_provider_id,
    merchant_id,
    store_id: storeId,
    member_id: member.id,
    way: "office",
    by_name: askerOf(ctx).name,
    card_id: cardId,
  });
  if (!held) throw invalid("memberNo", "会员已冻结或已注销，不能开卡");
  ctx.note({
    targetKind: "card_holder",
    targetId: held.id,
    provider: service_provider_id,
    merchant: merchant_id,
    after: { cardId, memberNo, made: held.made },
  });
  return { ok: true as const, code: held.code, made: held.made, gift: giftWords(held) };
});
