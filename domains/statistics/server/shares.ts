import type { Cents } from "@zhangfang/contract/fields.ts";
import type { PayChannel, PayTool } from "../../channels/contract.ts";
import type { Span, Wallet } from "../contract/index.ts";
import { payDrill } from "./drills.ts";
import { added, rateOf, type Sums } from "./takings/figures.ts";

type Shared = Sums & { readonly channel: number; readonly tool: number };

/** Whose wallet a tool opens (spec.md section 3, payment tools). */
const WALLET_OF: Readonly<Record<number, Wallet>> = {
  1: "wechat",
  2: "wechat",
  6: "wechat",
  3: "alipay",
  4: "alipay",
  7: "alipay",
  5: "card",
  8: "unionpay",
  9: "unionpay",
};
export const walletOf = (tool: number): Wallet => WALLET_OF[tool] ?? "other";

/** What each payment tool took, most first. */
export function toolShares(rows: readonly Shared[], span: Span, more: Readonly<Record<string, string>> = {}) {
  return parts(rows, "tool").map(([tool, part]) => ({
    tool: tool as PayTool,
    wallet: walletOf(tool),
    ...part,
    drill: payDrill(span, { ...more, tool: String(tool) }),
  }));
}
/** What each channel took, most first. */
export function channelShares(rows: readonly Shared[], span: Span, more: Readonly<Record<string, string>> = {}) {
  return parts(rows, "channel").map(([channel, part]) => ({
    channel: channel as PayChannel,
    ...part,
    drill: payDrill(span, { ...more, channel: String(channel) }),
  }));
}

function parts(rows: readonly Shared[], by: "tool" | "channel") {
  const whole = added(rows).paid_cents;
  return [...Map.groupBy(rows, (row) => row[by])]
    .map(([key, group]) => {
      const sums = added(group);
      return [
        key,
        {
          payCount: sums.pay_count,
          paidCents: sums.paid_cents as Cents,
          refundCents: sums.refund_cents as Cents,
          rate: rateOf(sums.paid_cents, whole),
        },
      ] as const;
    })
    .toSorted(([a, x], [b, y]) => y.paidCents - x.paidCents || a - b);
}
