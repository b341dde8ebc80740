import { shanghaiDay, weekdayOf } from "@zhangfang/contract/time.ts";
import type { Offer } from "../../../pricing/server/index.ts";
import type { PointRule } from "../../contract/index.ts";

/** What a balance may pay there and then; nothing where the rule says so. */
export function spendOffer(spend: PointRule["spend"], balance: number, where: { readonly store_id: string; readonly at: string }): Offer[] {
  const elsewhere = spend.storeIds.length > 0 && !spend.storeIds.includes(where.store_id);
  const otherDay = spend.weekdays.length > 0 && !spend.weekdays.includes(weekdayOf(shanghaiDay(where.at)));
  if (!spend.on || elsewhere || otherDay || balance === 0) return [];
  return [
    {
      source: "points",
      ref: "points",
      name: "积分抵扣",
      priority: 0,
      min_cents: 0,
      provider_rate: 0,
      without: [],
      ...(spend.mostCents !== null && { cap_cents: spend.mostCents }),
      rule: {
        kind: "points",
        balance,
        least_points: spend.leastPoints,
        step_points: spend.stepPoints,
        step_cents: (spend.stepPoints * spend.cents) / spend.points,
        most_rate: spend.mostRate,
      },
    },
  ];
}
