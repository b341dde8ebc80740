import { sql } from "kysely";
import { dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { storeAtWork, type StoreAtWork } from "../../../stores/server/index.ts";
import { usedAloneSince } from "../../../coupons/server/index.ts";
import { timesUsesSince } from "../../../vip/server/index.ts";
import {
  cancelVoucher,
  decideVoucherFound,
  getDesk,
  listDeskStores,
  noteVoucherFound,
  type OwnUse,
  prepareVoucher,
  verifyVoucher,
  voucherPlatform,
  type VoucherPlatform,
} from "../../contract/index.ts";
import { readViews, viewsOf } from "./attempt-view.ts";
import { cancelVerification } from "../verifying/cancel.ts";
import { noCancel } from "../platform/open-platform.ts";
import { decideFound, noteFound } from "../verifying/find-out.ts";
import { prepareVoucher as prepare } from "../verifying/prepare.ts";
import { type Attempt, holdAttempt } from "../verifying/settle.ts";
import { mustHold } from "../vouchers/read-vouchers.ts";
import type { Place } from "../verifying/tickets.ts";
import { type Clerk, verifyVouchers } from "../verifying/verify.ts";

/** The platforms whose vouchers somebody may see. */
const seenBy = ({ principal }: Pick<Ctx, "principal">): string[] =>
  voucherPlatform.options.map(({ value }) => value).filter((platform) => principal.holds([`/plat-${platform}/coupon`]));
/** 核销门店 */
export const listDeskStoresRoute = implement(listDeskStores, async (ctx) => {
  const { tx, scope } = ctx;
  const { rows } = await sql<{ id: string; name: string; connected: VoucherPlatform[] }>`select s.id, s.short_name as name,
      array(select distinct o.platform from other_stores o join platform_accounts a on a.service_provider_id = o.service_provider_id
          and a.merchant_id = o.merchant_id and a.platform = o.platform and a.state = 'active'
        where o.service_provider_id = s.service_provider_id and o.merchant_id = s.merchant_id and o.mapped_store_id = s.id
          and o.platform = any(${seenBy(ctx)}::text[]) order by 1) as connected
    from stores s where ${inScope(scope, "s")} and s.state = 'active' order by s.created_at, s.id limit 500`.execute(tx);
  return rows;
});

/** 今天, what has no result yet, and of the evening before what may still be taken back. */
export const getDeskRoute = implement(getDesk, async (ctx, { storeId }) => {
  const { tx, principal, now_ms } = ctx;
  const place = await storeAtWork(tx, ctx, storeId);
  const here = sql`a.service_provider_id = ${place.service_provider_id} and a.merchant_id = ${place.merchant_id} and a.store_id = ${place.store_id}
    and a.platform = any(${seenBy(ctx)}::text[])`;
  const from = dayStart(shanghaiDay(now_ms));
  const never = voucherPlatform.values.filter((platform) => noCancel(ctx.services, platform) !== undefined);
  const open = await readViews(tx, ctx.services, sql`${here} and a.status in (0, 3, 4, 5)`, principal.id);
  const today = await readViews(
    tx,
    ctx.services,
    sql`${here} and (a.started_at >= ${from} or a.started_at >= ${from}::timestamptz - interval '1 day' and a.status = 1 and a.can_cancel
    and a.cancel_until > ${ctx.now} and not (a.platform = any(${never}::text[])))`,
    principal.id,
  );
  const { rows } = await sql<{
    verified: number;
    reversed: number;
  }>`select count(*) filter (where a.verified_at >= ${from})::int as verified,
      count(*) filter (where a.reversed_at >= ${from})::int as reversed from voucher_verifications a
    where ${here} and a.started_at >= ${from}::timestamptz - interval '8 days' and (a.verified_at >= ${from} or a.reversed_at >= ${from})`.execute(
    tx,
  );
  const own = await ownToday(ctx, place, from);
  const { verified, reversed } = rows[0]!;
  const taken = own.filter(({ status }) => status === 6).length;
  const used = own.filter(({ startedAt }) => Date.parse(startedAt) >= Date.parse(from)).length;
  return { verified: verified + used, reversed: reversed + taken, open, today, own, now: ctx.now as never };
});
/** What was used today of what the merchant itself gave out: 次卡 for whoever sees their uses, 商家券 without an order. The newest first. */
async function ownToday({ tx, principal, now }: Ctx, place: StoreAtWork, from: string): Promise<OwnUse[]> {
  const times = principal.holds(["/vip-member/timesRecords"]) ? await timesUsesSince(tx, place, from) : [];
  const coupons = await usedAloneSince(tx, place, from);
  return [
    ...times.map(({ at, reversibleUntil, reversedAt, ...use }): OwnUse => ({
      ...use,
      source: "times",
      startedAt: at,
      status: reversedAt === null ? 1 : 6,
      cancelUntil: reversibleUntil !== null && reversibleUntil > now ? reversibleUntil : null,
      reversedAt,
    })),
    ...coupons.map(({ at, ...use }): OwnUse => ({
      ...use,
      source: "coupon",
      times: 1,
      startedAt: at,
      status: 1,
      cancelUntil: null,
      reversedAt: null,
    })),
  ].toSorted((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
}

/** 查券 */
export const prepareVoucherRoute = implement(prepareVoucher, async (ctx, { storeId, scan }) => {
  const place = await ctx.transaction((tx) => storeAtWork(tx, ctx, storeId), { readOnly: true });
  const may = (platform: VoucherPlatform) => ctx.principal.holds([`/plat-${platform}/coupon/verify`]);
  return (await prepare(ctx.services, place, scan, may)) as never;
});
/** What stands in the record about a use: never a code. */
export const noteUse =
  (ctx: Ctx, place: Place, act: string) =>
  (
    tx: Transaction,
    { ids, platform, title }: { readonly ids: readonly string[]; readonly platform: string; readonly title: string },
  ): Promise<void> =>
    ctx.audit(tx, {
      targetKind: "platform_voucher",
      targetId: ids[0]!,
      provider: place.service_provider_id,
      merchant: place.merchant_id,
      after: { act, platform, title, attempts: ids.length },
    });
/** 核销 */
export const verifyVoucherRoute = implement(verifyVoucher, async (ctx, { storeId, ...wish }) => {
  const place = await ctx.transaction((tx) => storeAtWork(tx, ctx, storeId), { readOnly: true });
  const asker = askerOf(ctx);
  const clerk: Clerk = { ...place, by_name: asker.name, user_id: asker.id, cashier_id: null, device_id: null, ip: ctx.incoming.ip };
  const ids = await verifyVouchers(ctx.services, clerk, wish, (tx, about) => {
    mustHold(ctx, about.platform as VoucherPlatform, "/coupon/verify");
    return noteUse(ctx, place, "verify")(tx, about);
  });
  return ctx.transaction((tx) => viewsOf(tx, ctx.services, place.service_provider_id, ids, ctx.principal.id), { readOnly: true });
});

/** Whether an attempt is in sight of people: their merchant's, and one of their stores'. */
const inSight =
  ({ scope }: Pick<Ctx, "scope">) =>
  ({ service_provider_id, merchant_id, store_id }: Attempt): boolean =>
    scope.provider === service_provider_id &&
    scope.merchant === merchant_id &&
    (scope.stores === undefined || scope.stores.includes(store_id));
/** 撤销核销 */
export const cancelVoucherRoute = implement(cancelVoucher, async (ctx, { id, reason }) => {
  const { provider = "" } = ctx.scope;
  const asker = askerOf(ctx);
  const ref = { service_provider_id: provider, id };
  await cancelVerification(
    ctx.services,
    ref,
    { by_name: asker.name, user_id: asker.id, cashier_id: null, device_id: null, reason },
    inSight(ctx),
    (tx, attempt) => {
      mustHold(ctx, attempt.platform as VoucherPlatform, "/coupon/reverse");
      return noteUse(ctx, attempt, `reverse: ${reason}`)(tx, { ids: [id], platform: attempt.platform, title: "" });
    },
  );
  const [view] = await ctx.transaction((tx) => viewsOf(tx, ctx.services, provider, [id], ctx.principal.id), { readOnly: true });
  return view!;
});

/** An attempt of one's own, held. @throws 404 */
async function ownAttempt(ctx: Ctx, id: string): Promise<Attempt> {
  const { provider = "" } = ctx.scope;
  const attempt = await holdAttempt(ctx.tx, { service_provider_id: provider, id });
  if (!attempt || !inSight(ctx)(attempt)) throw notFound("核销");
  mustHold(ctx, attempt.platform as VoucherPlatform, "/coupon/reverse");
  ctx.note({ targetKind: "platform_voucher", targetId: id, provider, merchant: attempt.merchant_id });
  return attempt;
}
export const noteVoucherFoundRoute = implement(noteVoucherFound, async (ctx, { id, used, verifyId }) => {
  const attempt = await ownAttempt(ctx, id);
  await noteFound(ctx.tx, ctx.services, attempt, askerOf(ctx), { used, verifyId });
  ctx.note({ after: { found: used } });
  return { ok: true } as const;
});
export const decideVoucherFoundRoute = implement(decideVoucherFound, async (ctx, { id, ...found }) => {
  const attempt = await ownAttempt(ctx, id);
  await decideFound(ctx.tx, ctx.services, attempt, askerOf(ctx), found);
  ctx.note({ after: { agree: found.agree, used: attempt.found_used } });
  return { ok: true } as const;
});
