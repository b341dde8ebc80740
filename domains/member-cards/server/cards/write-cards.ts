import { sql } from "kysely";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { addCard, CARD_MOVES, cardStatus, formText, FORM_DEFAULT, moveCard, setCardFace, setCardForm } from "../../contract/index.ts";
import { touchWxCard } from "../wx/touch-wx.ts";
import { cardPictureOf } from "./pictures.ts";
import { actorOf, holdCard, holds, mustHold, type OwnCard } from "./rights.ts";

type Face = Omit<ParsedOf<typeof addCard>, never>;
const changedMeanwhile = () => conflict("会员卡已被别人修改，请重新打开后再改");
const told = (
  ctx: Ctx,
  { id, service_provider_id, merchant_id }: Pick<OwnCard, "id" | "service_provider_id" | "merchant_id">,
  after: object,
) => ctx.note({ targetKind: "member_card", targetId: id, provider: service_provider_id, merchant: merchant_id, after });

/** The columns of a face. @throws 400 at the field that cannot be */
async function faceOf(ctx: Ctx, face: Face, own?: OwnCard) {
  const { name, tone, notice, phone, rights, activation, endsOn } = face;
  if (endsOn !== null && endsOn < shanghaiDay(ctx.now_ms)) throw invalid("endsOn", "有效期须在今天或以后");
  const { rows } = await sql`select 1 from member_cards c where ${inScope(ctx.scope, "c", "merchant")} and c.name = ${name}
    and c.id is distinct from ${own?.id ?? null}::uuid`.execute(ctx.tx);
  if (rows.length > 0) throw invalid("name", `已有名为「${name}」的会员卡`);
  return {
    name,
    tone,
    notice,
    phone,
    rights,
    activation,
    ends_on: endsOn,
    logo_id: await cardPictureOf(ctx.tx, ctx.scope, "logo", face.logo, own?.logo_id),
    background_id: await cardPictureOf(ctx.tx, ctx.scope, "background", face.background, own?.background_id),
  };
}

/** 新建会员卡: a draft with the form as it usually is. */
export const addCardRoute = implement(addCard, async (ctx, face) => {
  const { provider, merchant } = ctx.scope;
  if (!provider || !merchant || actorOf(ctx.scope) !== "MCH") throw notFound("商户");
  const own = { service_provider_id: provider, merchant_id: merchant, id: ctx.services.ids.uuid(ctx.now_ms) };
  const added = await ctx.tx
    .insertInto("member_cards")
    .values({ ...own, ...(await faceOf(ctx, face)), form: formText(FORM_DEFAULT), created_at: ctx.now })
    .onConflict((twice) => twice.columns(["service_provider_id", "merchant_id", "name"]).doNothing())
    .executeTakeFirst();
  if (added.numInsertedOrUpdatedRows !== 1n) throw invalid("name", `已有名为「${face.name}」的会员卡`);
  told(ctx, own, face);
  return { ok: true as const, id: own.id };
});

/** Changes a card by a right, where it is as it was seen. */
async function change(ctx: Ctx, own: OwnCard, right: "face" | "form", seen: number, set: object): Promise<void> {
  mustHold(ctx.scope, own, right);
  if (own.status === 5) throw conflict("会员卡已过期，不能再修改");
  const changed = await ctx.tx
    .updateTable("member_cards")
    .set({ ...set, revision: seen + 1 })
    .where("service_provider_id", "=", own.service_provider_id)
    .where("id", "=", own.id)
    .where("revision", "=", seen)
    .where("status", "<", 5)
    .where(holds(ctx.scope, "member_cards", right))
    .executeTakeFirst();
  mustChange(changed, changedMeanwhile);
  await touchWxCard(ctx.tx, own, ctx.now);
}
/** 修改卡面: holders see it as it is now, at WeChat too. */
export const setCardFaceRoute = implement(setCardFace, async (ctx, { id, revision, ...face }) => {
  const own = await holdCard(ctx.tx, ctx.scope, id);
  mustHold(ctx.scope, own, "face");
  await change(ctx, own, "face", revision, await faceOf(ctx, face, own));
  told(ctx, own, face);
  return { ok: true as const };
});
/** 修改开卡表单: of those who join from now on. */
export const setCardFormRoute = implement(setCardForm, async (ctx, { id, revision, form }) => {
  const own = await holdCard(ctx.tx, ctx.scope, id);
  await change(ctx, own, "form", revision, { form: formText(form) });
  told(ctx, own, { form });
  return { ok: true as const };
});

/** 会员卡状态: from what was seen to what comes next; pausing and going on may be given to the level below. */
export const moveCardRoute = implement(moveCard, async (ctx, { id, from, to }) => {
  const own = await holdCard(ctx.tx, ctx.scope, id);
  if (to >= 3) mustHold(ctx.scope, own, "pause");
  else if (actorOf(ctx.scope) !== "MCH") throw new Refusal(403, "card.right", "只有商户能创建和启用会员卡");
  if (!CARD_MOVES[from].includes(to)) throw conflict(`${cardStatus.label(from)}的卡不能改为${cardStatus.label(to)}`);
  const changed = await ctx.tx
    .updateTable("member_cards")
    .set({ status: to, revision: own.revision + 1 })
    .where("service_provider_id", "=", own.service_provider_id)
    .where("id", "=", id)
    .where("status", "=", from)
    .where(to >= 3 ? holds(ctx.scope, "member_cards", "pause") : sql<boolean>`coalesce(ends_on >= ${shanghaiDay(ctx.now_ms)}::date, true)`)
    .executeTakeFirst();
  mustChange(changed, () =>
    conflict(own.status === from ? "会员卡的有效期已过，请先改有效期" : `会员卡已是「${cardStatus.label(own.status)}」，请刷新后再试`),
  );
  told(ctx, own, { status: to });
  return { ok: true as const };
});
