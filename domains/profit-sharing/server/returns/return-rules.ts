import { partBack, splitCents } from "@zhangfang/contract/money.ts";
import { SHARING_LIMITS, walletOfReceiver } from "../../../channels/server/index.ts";
import { baseOf, type SharingFacts, takenOf } from "../shares/sharing-rules.ts";

/** What a receiver got of an order and still has. */
export interface HeldLine {
  readonly id: string;
  readonly type: string;
  /** Got, less what came back, is on its way back, or is borne by the merchant already. */
  readonly held_cents: number;
  /** When it arrived, ISO. */
  readonly finished_at: string | null;
}
export interface ReturnPlan {
  /** By line, in the order given: what comes back. */
  readonly parts: readonly {
    readonly line_id: string;
    readonly back_cents: number;
    readonly borne_cents: number;
    readonly refusal: string | null;
  }[];
  readonly back_cents: number;
  /** What the merchant bears because it cannot come back. */
  readonly borne_cents: number;
  /** Why the refund has to wait. */
  readonly refusal: string | undefined;
}

/** Why a line cannot come back: at WeChat Pay only merchants give back, and everywhere within the channel's days. */
export function whyNotBack(line: HeldLine, now_ms: number): string | null {
  const wallet = walletOfReceiver(line.type);
  if (wallet === "wechat" && line.type !== "MERCHANT_ID") return "个人接收方不支持回退，由商户承担";
  const { returnDays } = SHARING_LIMITS[wallet];
  if (line.finished_at !== null && now_ms - Date.parse(line.finished_at) > returnDays * 86_400_000)
    return `分账已超过 ${returnDays} 天，不能回退，由商户承担`;
  return null;
}

/**
 * What a refund takes back from the receivers: in proportion to what it is of the part that is not refunded yet, as the fee
 * does, so that the refund that empties the order takes the rest; at least what the merchant's own part does not cover.
 * @param fee_back_cents what of the fee comes back with it
 * @param again it is sent again: its proportion was taken before, and only what the merchant's own part does not cover now is missing
 */
export function planReturns(
  order: SharingFacts,
  lines: readonly HeldLine[],
  { amount_cents, fee_back_cents }: { readonly amount_cents: number; readonly fee_back_cents: number },
  now_ms: number,
  again = false,
): ReturnPlan {
  const left = order.paid_cents - order.refunded_cents - order.refunding_cents;
  const cost = amount_cents - fee_back_cents;
  const owed = lines.reduce((sum, line) => sum + line.held_cents, 0);
  const need = takenOf(order) - baseOf(order) + cost;
  const wanted = Math.min(Math.max(again ? 0 : partBack(owed, 0, amount_cents, left), need), cost);
  const back = Math.max(0, Math.min(wanted, owed));
  if (need > back)
    return {
      parts: [],
      back_cents: 0,
      borne_cents: 0,
      refusal: order.sharing_cents > 0 ? "这笔订单正在分账，分账完成后才能退这么多，请稍后再试" : "可退金额不足：已分账的部分不能回退",
    };
  const cut =
    owed === 0
      ? []
      : splitCents(
          back,
          lines.map((line) => line.held_cents),
        );
  const parts = lines.map((line, at) => {
    const cents = cut[at] ?? 0;
    const refusal = whyNotBack(line, now_ms);
    return { line_id: line.id, back_cents: refusal === null ? cents : 0, borne_cents: refusal === null ? 0 : cents, refusal };
  });
  const sum = (pick: (part: (typeof parts)[number]) => number) => parts.reduce((all, part) => all + pick(part), 0);
  return { parts, back_cents: sum((part) => part.back_cents), borne_cents: sum((part) => part.borne_cents), refusal: undefined };
}
