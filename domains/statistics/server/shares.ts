import type { Cents } from "@zhangfang/contract/fields.ts";
import type { PayChannel, PayTool } from "../../channels/contract.ts";
import type { Drill, Wallet } from "../contract/index.ts";
import { added, rateOf, type Sums } from "./takings/figures.ts";

/** The way to the payments of one part. */
type Open = (own: Readonly<Record<string, string>>) => Drill;
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
export function toolShares(rows: readonly Shared[], open: Open) {
  return parts(rows, "tool").map(([tool, part]) => ({
    tool: tool as PayTool,
    wallet: walletOf(tool),
    ...part,
    drill: open({ tool: String(tool) }),
  }));
}
/** What each channel took, most first. */
export function channelShares(rows: readonly Shared[], open: Open) {
  return parts(rows, "channel").map(([channel, part]) => ({
    channel: channel as PayChannel,
    ...part,
    drill: open({ channel: String(channel) }),
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
