import { proportion, RATE_ONE, share, splitCents, yuan } from "@zhangfang/contract/money.ts";
import { dayStart, addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { SHARING_LIMITS, type SharingLimits } from "../../../channels/server/index.ts";
import { type OrderRow, walletOf } from "../rows.ts";

/** What the rules need to know of an order. */
export type SharingFacts = Pick<
  OrderRow,
  | "tool"
  | "status"
  | "profit_sharing"
  | "unfrozen_at"
  | "paid_at"
  | "paid_cents"
  | "fee_cents"
  | "refunded_cents"
  | "refunding_cents"
  | "refunded_fee_cents"
  | "refunding_fee_cents"
  | "sharing_cents"
  | "shared_cents"
  | "share_returned_cents"
  | "share_returning_cents"
  | "share_borne_cents"
>;

/** paid − fee − refunded, with what goes back of the fee: what shares are reckoned from. */
export const baseOf = (order: SharingFacts): number =>
  order.paid_cents - order.fee_cents - order.refunded_cents - order.refunding_cents + order.refunded_fee_cents + order.refunding_fee_cents;
/** What receivers have of it or are about to get, less what the merchant bears in their place. */
export const takenOf = (order: SharingFacts): number =>
  order.sharing_cents + order.shared_cents - order.share_returned_cents - order.share_returning_cents - order.share_borne_cents;

/** The most that may be shared of a payment in all, rounded down so that the channel never finds a cent too much. */
export const capOf = (paid_cents: number, max_ratio: number): number => Number((BigInt(paid_cents) * BigInt(max_ratio)) / BigInt(RATE_ONE));

export interface SharingPlan {
  readonly base_cents: number;
  readonly total_cents: number;
  readonly parts: readonly number[];
  /** What the channel's cap left of it, where it was less than the ratios came to. */
  readonly capped_cents: number | null;
  readonly refusal: string | undefined;
  /** It could be shared, and comes to less than a cent. */
  readonly nothing: boolean;
}

/** What the channel of an order's wallet allows. */
export const limitsOf = (order: Pick<SharingFacts, "tool">): SharingLimits => SHARING_LIMITS[walletOf(order)];

/** Until when a share waits for receivers: a day before the channel lets the money go by itself. */
export const waitsUntil = ({ paid_at, tool }: Pick<SharingFacts, "paid_at" | "tool">): number =>
  Date.parse(paid_at ?? "") + (limitsOf({ tool }).freezeDays - 1) * 86_400_000;

/** Why nothing of an order may be shared now; undefined where something may. */
export function refusalOf(order: SharingFacts, now_ms: number): string | undefined {
  if (!order.profit_sharing) return "下单时没有标记分账，资金未冻结";
  if (order.paid_at === null || order.status < 2) return "订单未支付，不能分账";
  if (order.unfrozen_at !== null) return "剩余资金已解冻给商户，不能再分账";
  const { afterPayment_ms, freezeDays } = limitsOf(order);
  const since_ms = now_ms - Date.parse(order.paid_at);
  if (since_ms < afterPayment_ms)
    return afterPayment_ms === 60_000 ? "支付满 1 分钟后才能分账" : `支付满 ${afterPayment_ms / 1_000} 秒后才能分账`;
  if (since_ms > freezeDays * 86_400_000) return `支付已超过 ${freezeDays} 天，资金已自动解冻给商户`;
  return undefined;
}

/**
 * What a share would be: base times the ratios' sum, at most the channel's cap and at most what is left, split among the
 * receivers by largest remainder. Pure; the reserving UPDATE has the last word.
 * @param ratios by receiver, parts per 100,000
 * @param max_ratio of the payment, over all its shares
 * @param again the parts that it makes good for and the base that they were reckoned from: those to the cent, less where less is left
 */
export function planShare(
  order: SharingFacts,
  ratios: readonly number[],
  max_ratio: number,
  now_ms: number,
  again?: { readonly base_cents: number; readonly parts: readonly number[] },
): SharingPlan {
  const base_cents = baseOf(order);
  const sum = ratios.reduce((all, ratio) => all + ratio, 0);
  const missing = (again?.parts ?? []).reduce((all, part) => all + part, 0);
  const wanted = again
    ? proportion(missing, Math.max(0, Math.min(base_cents, again.base_cents)), again.base_cents)
    : share(Math.max(0, base_cents), Math.min(sum, RATE_ONE));
  const cap = Math.max(0, capOf(order.paid_cents, max_ratio) - order.sharing_cents - order.shared_cents);
  const left = Math.max(0, base_cents - takenOf(order));
  const total_cents = Math.min(wanted, cap, left);
  const not = refusalOf(order, now_ms);
  const { receiversPerRequest } = limitsOf(order);
  const refusal =
    not ??
    (ratios.length === 0
      ? "没有可用的接收方"
      : ratios.length > receiversPerRequest
        ? `一次最多分给 ${receiversPerRequest} 个接收方`
        : sum > RATE_ONE
          ? "接收方比例之和超过 100%"
          : total_cents === 0
            ? `可分金额不足 1 分（基数 ¥${yuan(base_cents)}）`
            : undefined);
  return {
    base_cents,
    total_cents: refusal === undefined ? total_cents : 0,
    parts: refusal === undefined ? splitCents(total_cents, again?.parts ?? ratios) : ratios.map(() => 0),
    capped_cents: cap < wanted ? cap : null,
    refusal,
    nothing: not === undefined && total_cents === 0,
  };
}

/** Channels tell the moment of a payment in whole seconds, cut off: it may be as much later. */
const WHOLE_SECOND_MS = 1_000;
/** When a share goes by itself: as soon as the channel allows, or the next day at one in the morning in Shanghai. */
export function dueAt(
  { paid_at, tool }: { readonly paid_at: string; readonly tool: number },
  timing: "now" | "next-day",
  now_ms: number,
): string {
  const earliest =
    timing === "now"
      ? Date.parse(paid_at) + limitsOf({ tool }).afterPayment_ms + WHOLE_SECOND_MS
      : Date.parse(dayStart(addDays(shanghaiDay(paid_at), 1))) + 3_600_000;
  return new Date(Math.max(now_ms, earliest)).toISOString();
}
