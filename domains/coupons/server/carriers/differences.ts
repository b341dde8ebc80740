import { sql } from "kysely";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import { listPage } from "@zhangfang/server/lists/list-page.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { checkDifference, type DifferenceKind, listDifferences, mayRetry, retryDifference } from "../../contract/index.ts";

/** 同步差异: what is not the same here and at WeChat. */
export const listDifferencesRoute = implement(listDifferences, (ctx, input) =>
  listPage<RowOf<typeof listDifferences>>(ctx.tx, input as never, {
    columns: sql`d.id, d.campaign_id as "campaignId", g.name as campaign, d.coupon_id as "couponId", coalesce(right(c.no, 4), '') as "couponTail", d.kind, d.ours,
      d.theirs, d.reason, d.since, d.checked_by_name as "checkedBy", d.checked_at as "checkedAt"`,
    from: sql`coupon_differences d join coupon_campaigns g on g.service_provider_id = d.service_provider_id and g.id = d.campaign_id
      left join coupons c on c.service_provider_id = d.service_provider_id and c.id = d.coupon_id`,
    where: all([
      inScope(ctx.scope, "d", "merchant"),
      sql`d.gone_at is null`,
      is("d.campaign_id", input.campaignId),
      input.checked !== undefined && sql`(d.checked_at is not null) = ${input.checked}`,
    ]),
    order: "d.since",
  }),
);

interface Difference {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly campaign_id: string;
  readonly coupon_id: string | null;
  readonly kind: DifferenceKind;
  readonly ours: string;
  readonly theirs: string;
  readonly seen: string;
}
/** One in sight that stands, held. @throws 404, and 409 where it is gone */
async function heldDifference({ tx, scope }: Ctx, id: string): Promise<Difference> {
  const { rows } = await sql<
    Difference & { gone: boolean }
  >`select d.service_provider_id, d.merchant_id, d.campaign_id, d.coupon_id, d.kind, d.ours, d.theirs, d.seen,
      d.gone_at is not null as gone
    from coupon_differences d where d.id = ${id} and ${inScope(scope, "d", "merchant")} for no key update`.execute(tx);
  if (!rows[0]) throw notFound("同步差异");
  if (rows[0].gone) throw conflict("这个差异已经消除，请刷新后查看");
  return rows[0];
}
const noteOf = (ctx: Ctx, { service_provider_id, merchant_id, campaign_id, kind, ours, theirs }: Difference, act: object) =>
  ctx.note({
    targetKind: "coupon_campaign",
    targetId: campaign_id,
    provider: service_provider_id,
    merchant: merchant_id,
    before: { kind, ours, theirs },
    after: act,
  });

/** What a comparison saw is how it is there: from that on the job tells what is to be. */
const SEEN_CODE: Readonly<Record<string, string>> = {
  UPLOADED: "SENDED",
  SENDED: "SENDED",
  USED: "USED",
  DEACTIVATED: "DEACTIVATED",
  NOT_FOUND: "NONE",
};
/** 重试. */
export const retryDifferenceRoute = implement(retryDifference, async (ctx, { id }) => {
  const difference = await heldDifference(ctx, id);
  const { service_provider_id, campaign_id, coupon_id, kind, seen } = difference;
  if (!mayRetry(kind)) throw conflict("这个差异重试也不会变，请在微信商户平台核对后标记");
  // A call that may be on its way is not overtaken: it is asked about in a minute at the latest.
  const due = sql`rev = x.rev + 1, tries = 0, next_at = case when x.op is null then ${ctx.now}::timestamptz
    else least(x.next_at, ${ctx.now}::timestamptz + interval '60 seconds') end`;
  const touched =
    coupon_id === null
      ? await sql`update coupon_mirrors x set ${due}, total = case when ${kind} = 'total' and x.op is null then ${kind === "total" ? seen : null}::bigint else x.total end,
          there = case when ${kind} = 'stock-state' and x.op is null then ${seen} else x.there end
        where x.service_provider_id = ${service_provider_id} and x.campaign_id = ${campaign_id}`.execute(ctx.tx)
      : await sql`update coupon_copies x set ${due}, there = case when x.op is null then coalesce(${kind === "coupon" ? (SEEN_CODE[seen] ?? null) : null}, x.there) else x.there end
        where x.service_provider_id = ${service_provider_id} and (x.coupon_id = ${coupon_id} or x.op = 'codes' and x.campaign_id = ${campaign_id}
          and x.op_no = (select y.op_no from coupon_copies y where y.service_provider_id = ${service_provider_id} and y.coupon_id = ${coupon_id}))`.execute(
          ctx.tx,
        );
  // Codes that went together under one number go together again.
  if ((touched.numAffectedRows ?? 0n) === 0n) throw conflict("这个差异已经消除，请刷新后查看");
  noteOf(ctx, difference, { 重试: true });
  return { ok: true as const };
});
/** 标记已核对. */
export const checkDifferenceRoute = implement(checkDifference, async (ctx, { id, remark }) => {
  const difference = await heldDifference(ctx, id);
  const by = askerOf(ctx).name;
  await sql`update coupon_differences d set checked_at = ${ctx.now}, checked_by_name = ${by}
    where d.service_provider_id = ${difference.service_provider_id} and d.id = ${id} and d.gone_at is null`.execute(ctx.tx);
  noteOf(ctx, difference, { 已核对: remark === "" ? by : remark });
  return { ok: true as const };
});
