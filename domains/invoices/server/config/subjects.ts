import { sql } from "kysely";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, forbidden, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { type Listed, listPage, oneRow } from "@zhangfang/server/lists/list-page.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { askerOf } from "../../../orders/server/index.ts";
import {
  addTaxSubject,
  getTaxSubject,
  listTaxSubjects,
  refreshSession,
  setSubjectStores,
  testTaxSubject,
  updateTaxSubject,
} from "../../contract/index.ts";
import { accountOf, recorded } from "../issue/invoice-calls.ts";
import { keepSession } from "../issue/sessions.ts";
import { invoicesOf } from "../provider/open-provider.ts";
import { UNKNOWN_NUMBER } from "../provider/provider.ts";
import { sealToken } from "./seals.ts";

type Row = RowOf<typeof listTaxSubjects>;
type Filter = Pick<ParsedOf<typeof listTaxSubjects>, "state" | "keyword">;
const listed = ({ scope, now_ms }: Pick<Ctx, "scope" | "now_ms">, { state, keyword }: Filter): Listed => ({
  columns: sql`t.id, t.merchant_id as "merchantId", m.short_name as "merchantName", t.tax_no as "taxNo", t.name, t.address, t.phone, t.bank,
    t.bank_account as "bankAccount", t.extension, t.drawer, t.taxpayer, t.tax_code as "taxCode", t.tax_rate as "taxRate", t.tax_policy as "taxPolicy",
    t.goods_name as "goodsName", t.most_lines as "mostLines", t.most_cents as "mostCents", t.auto, t.special, t.vouchers, t.auto_limit_cents as "autoLimitCents",
    t.apply_days as "applyDays", t.red_first as "redFirst", t.state = 'active' as active, t.state, t.session, t.session_qr as "sessionQr",
    t.quota_cents as "quotaCents", t.quota_at as "quotaAt", t.tested_at as "testedAt", t.test_said as "testSaid", t.revision, t.by_name as "byName",
    t.created_at as "createdAt", coalesce((select json_agg(json_build_object('id', s.id, 'name', s.short_name, 'fromDay', x.from_day::text) order by s.number)
      from stores s join lateral (select y.subject_id, y.from_day from tax_subject_stores y where y.service_provider_id = s.service_provider_id
        and y.store_id = s.id and y.from_day <= ${shanghaiDay(now_ms)}::date order by y.from_day desc limit 1) x on x.subject_id = t.id
      where s.service_provider_id = t.service_provider_id and s.merchant_id = t.merchant_id), '[]'::json) as stores`,
  from: sql`tax_subjects t join merchants m on m.service_provider_id = t.service_provider_id and m.id = t.merchant_id`,
  where: all([
    inScope(scope, "t", "merchant"),
    is("t.state", state),
    keyword !== undefined && sql`t.tax_no = ${keyword} or t.name ilike ${likeText(keyword)} or m.short_name ilike ${likeText(keyword)}`,
  ]),
  order: "t.created_at",
});
/** 开票主体. */
export const listTaxSubjectsRoute = implement(listTaxSubjects, (ctx, input) => listPage<Row>(ctx.tx, input, listed(ctx, input)));
export const getTaxSubjectRoute = implement(getTaxSubject, (ctx, { id }) => oneRow<Row>(ctx.tx, "开票主体", id, listed(ctx, {})));

/** A subject in sight. @throws 404 */
async function findSubject({ tx, scope }: Pick<Ctx, "tx" | "scope">, id: string) {
  const found = await tx
    .selectFrom("tax_subjects as t")
    .selectAll("t")
    .where("t.id", "=", id)
    .where(inScope(scope, "t", "merchant"))
    .executeTakeFirst();
  if (!found) throw notFound("开票主体");
  return found;
}
type Facts = Omit<ParsedOf<typeof updateTaxSubject>, "id" | "revision" | "token" | "active">;
/** @throws 400 at the field */
function factsOf(given: Facts) {
  const { taxCode, taxRate, taxPolicy } = given;
  if ((taxCode === null) !== (taxRate === null)) throw invalid(taxCode === null ? "taxCode" : "taxRate", "税收分类编码和税率要一起填");
  if (taxRate !== null && taxRate !== 0 && taxPolicy !== 0) throw invalid("taxPolicy", "免税、不征税和零税率的税率是 0%");
  if (taxCode !== null && given.goodsName === "") throw invalid("goodsName", "请填写没有明细的订单在发票上叫什么，如 餐饮服务");
  return {
    name: given.name,
    address: given.address,
    phone: given.phone,
    bank: given.bank,
    bank_account: given.bankAccount,
    extension: given.extension,
    drawer: given.drawer,
    taxpayer: given.taxpayer,
    tax_code: taxCode,
    tax_rate: taxRate,
    tax_policy: taxPolicy,
    goods_name: given.goodsName,
    most_lines: given.mostLines,
    most_cents: given.mostCents,
    auto: given.auto,
    special: given.special,
    vouchers: given.vouchers,
    auto_limit_cents: given.autoLimitCents,
    apply_days: given.applyDays,
    red_first: given.redFirst,
  };
}
const MOST = 20;
export const addTaxSubjectRoute = implement(addTaxSubject, async (ctx, { requestId: _once, taxNo, token, ...given }) => {
  const { tx, scope, services, now, now_ms } = ctx;
  const { provider, merchant } = scope;
  if (provider === undefined || merchant === undefined) throw forbidden();
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from tax_subjects t where t.service_provider_id = ${provider}
    and t.merchant_id = ${merchant}`.execute(tx);
  if (rows[0]!.n >= MOST) throw conflict(`最多 ${MOST} 个开票主体`, "tax-subject.most");
  const row = { service_provider_id: provider, merchant_id: merchant, id: services.ids.uuid(now_ms) };
  const added = await tx
    .insertInto("tax_subjects")
    .values({
      ...row,
      tax_no: taxNo,
      token_sealed: sealToken(services, row, token),
      ...factsOf(given),
      by_name: askerOf(ctx).name,
      created_at: now,
      updated_at: now,
    })
    .onConflict((twice) => twice.columns(["service_provider_id", "merchant_id", "tax_no"]).doNothing())
    .executeTakeFirst();
  if (added.numInsertedOrUpdatedRows !== 1n) throw invalid("taxNo", "这个税号已经添加过");
  ctx.note({ targetKind: "tax_subject", targetId: row.id, provider, merchant, after: { taxNo, ...given } });
  return { id: row.id };
});
const changed = () => conflict("开票主体已被他人修改，请刷新后再改", "tax-subject.changed");
export const updateTaxSubjectRoute = implement(updateTaxSubject, async (ctx, { id, revision, token, active, ...given }) => {
  const subject = await findSubject(ctx, id);
  const { service_provider_id, merchant_id } = subject;
  const done = await ctx.tx
    .updateTable("tax_subjects")
    .set({
      ...factsOf(given),
      ...(token !== "" && { token_sealed: sealToken(ctx.services, subject, token), tested_at: null, test_said: null }),
      state: active ? "active" : "paused",
      revision: revision + 1,
      updated_at: ctx.now,
    })
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .where("revision", "=", revision)
    .executeTakeFirst();
  mustChange(done, changed);
  ctx.note({
    targetKind: "tax_subject",
    targetId: id,
    provider: service_provider_id,
    merchant: merchant_id,
    after: { ...given, active, ...(token !== "" && { token: "changed" }) },
  });
  return { ok: true } as const;
});

/** 门店: from a day on, never in the past, so that what was applied for keeps its subject. */
export const setSubjectStoresRoute = implement(setSubjectStores, async (ctx, { id, fromDay, ...given }) => {
  const storeIds = [...new Set(given.storeIds)];
  const subject = await findSubject(ctx, id);
  const { service_provider_id, merchant_id } = subject;
  const { rows } = await sql<{ id: string; known: boolean }>`select s.id, exists (select from tax_subject_stores x
      where x.service_provider_id = s.service_provider_id and x.store_id = s.id) as known
    from stores s where s.service_provider_id = ${service_provider_id} and s.merchant_id = ${merchant_id}
    and s.id = any(${storeIds}::uuid[]) and ${inScope(ctx.scope, "s", "merchant")}`.execute(ctx.tx);
  if (rows.length !== storeIds.length) throw notFound("门店");
  // The first one of a store may begin earlier: nothing was invoiced by another.
  if (fromDay < shanghaiDay(ctx.now_ms) && rows.some(({ known }) => known)) throw invalid("fromDay", "改换主体最早从今天开始");
  await sql`insert into tax_subject_stores as x (service_provider_id, merchant_id, store_id, from_day, subject_id, by_name, created_at)
    select ${service_provider_id}, ${merchant_id}, s, ${fromDay}::date, ${id}, ${askerOf(ctx).name}, ${ctx.now} from unnest(${storeIds}::uuid[]) s
    on conflict (service_provider_id, store_id, from_day) do update set subject_id = excluded.subject_id, by_name = excluded.by_name, created_at = excluded.created_at`.execute(
    ctx.tx,
  );
  ctx.note({ targetKind: "tax_subject", targetId: id, provider: service_provider_id, merchant: merchant_id, after: { storeIds, fromDay } });
  return { ok: true } as const;
});

const NOBODYS = "TEST0000000000000000";
/** 测试. */
export const testTaxSubjectRoute = implement(testTaxSubject, async (ctx, { id }) => {
  const subject = await ctx.transaction((tx) => findSubject({ tx, scope: ctx.scope }, id));
  const about = { service_provider_id: subject.service_provider_id, merchant_id: subject.merchant_id, subject_id: id, about_id: null };
  const signs = await ctx.platform("the account of a tax subject", (tx) => accountOf(tx, ctx.services, subject));
  if (!signs) throw conflict("服务商还没有配置开票应用", "invoice.no-application");
  const outcome = await recorded(ctx.services, about, { operation: "test", number: NOBODYS }, () =>
    invoicesOf(ctx.services).provider.query(signs, NOBODYS),
  );
  const ok = outcome.kind === "refused" && outcome.code === UNKNOWN_NUMBER;
  const said = ok
    ? "平台认得这个应用、授权和签名"
    : outcome.kind === "unknown"
      ? `没有问到：${outcome.reason}`
      : outcome.kind === "refused"
        ? `平台拒绝：${outcome.code} ${outcome.message}`
        : "平台说有一张不可能有的发票，请联系平台";
  await ctx.transaction(async (tx) => {
    await tx
      .updateTable("tax_subjects")
      .set({ tested_at: ok ? ctx.now : null, test_said: said.slice(0, 200) })
      .where("service_provider_id", "=", subject.service_provider_id)
      .where("id", "=", id)
      .execute();
    await ctx.audit(tx, {
      targetKind: "tax_subject",
      targetId: id,
      provider: about.service_provider_id,
      merchant: about.merchant_id,
      after: { 测试: said },
    });
  });
  return { ok, said };
});
/** 刷新登录状态. */
export const refreshSessionRoute = implement(refreshSession, async (ctx, { id }) => {
  const subject = await ctx.transaction((tx) => findSubject({ tx, scope: ctx.scope }, id));
  const kept = await keepSession(ctx.services, { service_provider_id: subject.service_provider_id, id }, { fresh: true });
  await ctx.transaction((tx) =>
    ctx.audit(tx, {
      targetKind: "tax_subject",
      targetId: id,
      provider: subject.service_provider_id,
      merchant: subject.merchant_id,
      after: { session: kept.session },
    }),
  );
  return kept;
});
