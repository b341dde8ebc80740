import { sql } from "kysely";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { activityKind, giftStatus, grantStatus } from "../../contract/index.ts";

interface Given {
  readonly name: string;
  readonly status: (typeof grantStatus.values)[number];
  readonly reason: string;
  readonly cents: number;
  readonly at: string;
  readonly gifts: readonly { readonly kind: string; readonly status: number; readonly count: number; readonly amount: number }[];
}
/** 赠礼 in an order's money trace: what 支付有礼 gave for it, what became of that, and its highest cost. Whoever sees no members sees none. */
export async function tracePaidGifts(
  { tx, scope }: Pick<Ctx, "tx" | "scope">,
  order: { readonly service_provider_id: string; readonly id: string },
) {
  const { rows } =
    await sql<Given>`select a.name, g.status, g.reason, g.cost_cents as cents, g.at, coalesce((select json_agg(x order by x.kind, x.status)
      from (select x.kind, x.status, count(*)::int as count, sum(x.amount)::bigint as amount from activity_gifts x
        where x.service_provider_id = g.service_provider_id and x.grant_id = g.id group by x.kind, x.status) x), '[]') as gifts
    from activity_grants g
    join activities a on a.service_provider_id = g.service_provider_id and a.id = g.activity_id and a.kind = 'paid'
    join members m on m.service_provider_id = g.service_provider_id and m.id = g.member_id
    where g.service_provider_id = ${order.service_provider_id} and g.occasion = ${order.id} and length(g.occasion) = 36
      and ${inScope(scope, "g", "merchant")} order by g.at, g.id`.execute(tx);
  if (rows.length === 0) return undefined;
  const lines = rows.map(({ name, status, reason, cents, at, gifts }) => ({
    label: `${activityKind.label("paid")}「${name}」`,
    note: [
      ...(status === "refused" ? [] : gifts.map(giftWords)),
      ...(gifts.length === 0 || status === "refused" ? [grantStatus.label(status)] : []),
      reason,
    ]
      .filter((word) => word !== "")
      .join("，"),
    amountCents: (cents === 0 ? null : -cents) as never,
    rounding: null,
    at: at as never,
  }));
  const total = rows.reduce((sum, { cents }) => sum + cents, 0);
  return { station: "gifts" as const, lines, sum: { label: "赠礼最高成本", amountCents: (0 - total) as never } };
}
/** @example giftWords({ kind: "points", status: 1, count: 1, amount: 100 }) // "100 积分已发" */
const giftWords = ({ kind, status, count, amount }: Given["gifts"][number]): string =>
  `${kind === "coupon" ? `券 ${count} 张` : `${amount} 积分`}${giftStatus.label(status as 0)}`;
