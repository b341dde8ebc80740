import { sql } from "kysely";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { maskName, maskTail } from "@zhangfang/contract/text.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { type Listed, listPage, oneRow } from "@zhangfang/server/lists/list-page.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { addGuide, getGuide, listGuides, retryGuide, updateGuide } from "../../contract/index.ts";
import { sealPhone, sendGuide } from "./send-guide.ts";

type Row = RowOf<typeof listGuides> & { readonly tail: string };
type Filter = Pick<ParsedOf<typeof listGuides>, "storeId" | "keyword" | "status">;
const listed = (scope: Scope, { storeId, keyword, status }: Filter): Listed => ({
  columns: sql`g.id, g.code, g.name, g.phone_tail as tail, g.store_id as "storeId", s.short_name as "storeName", g.corp_id as "corpId",
    g.wecom_user_id as "wecomUserId", g.qr_code as "qrCode", g.avatar, g.guide_id as "guideId", g.status, g.message, g.version,
    g.created_at as "createdAt", g.updated_at as "updatedAt"`,
  from: sql`guides g join stores s on s.service_provider_id = g.service_provider_id and s.id = g.store_id`,
  counted: sql`guides g`,
  where: sql`${inScope(scope, "g", "store")} ${storeId ? sql`and g.store_id = ${storeId}` : sql``}
    ${status ? sql`and g.status = ${status}` : sql``}
    ${keyword ? sql`and (g.code = ${keyword} or g.name = ${keyword} or g.wecom_user_id = ${keyword} or g.phone_tail = ${keyword})` : sql``}`,
  order: "g.created_at",
  most: Infinity,
});
const masked = ({ tail, ...row }: Row) => ({ ...row, name: maskName(row.name), phone: maskTail(`0${tail}`) });

/** 支付即服务: the staff that the channel shows after a payment, newest first. */
export const listGuidesRoute = implement(listGuides, async ({ tx, scope }, input) => {
  const { items, ...rest } = await listPage<Row>(tx, input, listed(scope, input));
  return { items: items.map(masked), ...rest };
});
export const getGuideRoute = implement(getGuide, async ({ tx, scope }, { id }) =>
  masked(await oneRow<Row>(tx, "服务人员", id, listed(scope, {}))),
);

/** 新增服务人员. */
export const addGuideRoute = implement(addGuide, async (ctx, { storeId, phone, ...given }) => {
  const id = ctx.services.ids.uuid(ctx.now_ms);
  await ctx.transaction(async (tx) => {
    const store = await sql<{ service_provider_id: string; merchant_id: string; wx_store_id: string | null }>`
      select s.service_provider_id, s.merchant_id, w.wx_store_id from stores s
      left join wx_stores w on w.service_provider_id = s.service_provider_id and w.store_id = s.id
      where s.id = ${storeId} and ${inScope(ctx.scope, "s")}`.execute(tx);
    const found = store.rows[0];
    if (!found) throw notFound("门店");
    if (found.wx_store_id === null) throw conflict("门店还没有关联微信门店，请先在微信门店里提交");
    const provider = found.service_provider_id;
    const added = await tx
      .insertInto("guides")
      .values({
        service_provider_id: provider,
        id,
        merchant_id: found.merchant_id,
        store_id: storeId,
        code: given.code,
        name: given.name,
        phone_sealed: sealPhone(ctx.services, provider, id, phone),
        phone_tail: phone.slice(-4),
        corp_id: given.corpId,
        wecom_user_id: given.wecomUserId,
        qr_code: given.qrCode,
        avatar: given.avatar,
        status: "registering",
        created_at: ctx.now,
        updated_at: ctx.now,
      })
      .onConflict((conflicting) => conflicting.doNothing())
      .executeTakeFirst();
    if (added.numInsertedOrUpdatedRows !== 1n) throw invalid("code", "编号已存在，或该门店已有这位员工");
  });
  return sendGuide(ctx, id, true);
});

/** 修改服务人员: kept first, then told to the channel. */
export const updateGuideRoute = implement(updateGuide, async (ctx, { id, version, name, phone, qrCode, avatar }) => {
  await ctx.transaction(async (tx) => {
    const found = await tx
      .selectFrom("guides as g")
      .select(["g.service_provider_id", "g.merchant_id"])
      .where("g.id", "=", id)
      .where(inScope(ctx.scope, "g", "store"))
      .executeTakeFirst();
    if (!found) throw notFound("服务人员");
    const provider = found.service_provider_id;
    mustChange(
      await tx
        .updateTable("guides")
        .set({
          qr_code: qrCode,
          avatar,
          version: version + 1,
          ...(name && { name }),
          ...(phone && { phone_sealed: sealPhone(ctx.services, provider, id, phone), phone_tail: phone.slice(-4) }),
        })
        .where("service_provider_id", "=", provider)
        .where("id", "=", id)
        .where("version", "=", version)
        .where("status", "<>", "registering")
        .executeTakeFirst(),
      () => conflict("服务人员已被其他人修改或正在登记，请刷新后重试"),
    );
  });
  return sendGuide(ctx, id, false);
});
/** 重新登记服务人员. */
export const retryGuideRoute = implement(retryGuide, (ctx, { id }) => sendGuide(ctx, id, false));
