import { percent } from "@zhangfang/contract/money.ts";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { feePart } from "../../contract/index.ts";
import { commissionsOf } from "./commissions-of.ts";

type Cents = Awaited<ReturnType<typeof commissionsOf>>[number]["amountCents"];

/** The station of an order's money trace at which its fee is shared, as much of it as the caller may see. */
export async function traceCommissions(ctx: Ctx, order: { readonly service_provider_id: string; readonly id: string }) {
  const parts = await commissionsOf(ctx.tx, order.service_provider_id, order.id);
  if (parts.length === 0) return undefined;
  const lines = parts.map(({ part, name, amountCents, clawedCents, differenceCents, remainderCents, ownRate, ratio, posted }) => ({
    label: part === "cost" || part === "provider" ? feePart.label(part) : `${feePart.label(part)} ${name}`,
    note: [
      differenceCents > 0 && ownRate !== null && `底价 ${percent(ownRate)} 的费率差`,
      ratio !== null && `比例 ${percent(ratio)}`,
      clawedCents > 0 && "已减退款扣回",
      posted ? "已入账" : "预计，次日凌晨入账",
    ]
      .filter(Boolean)
      .join("，"),
    amountCents: (amountCents - clawedCents) as Cents,
    rounding: remainderCents > 0 ? `含尾差 ${remainderCents} 分` : null,
    at: null,
  }));
  const total = lines.reduce((sum, line) => sum + line.amountCents, 0) as Cents;
  return { station: "commissions" as const, lines, sum: { label: "手续费分成", amountCents: total } };
}
