import type { Cents } from "@zhangfang/contract/fields.ts";
import type { PayChannel, PayWallet } from "../../channels/contract.ts";
import type { Drill } from "../contract/index.ts";
import { added, rateOf, type Sums } from "./takings/figures.ts";

/** The way to the payments of one part. */
type Open = (own: Readonly<Record<string, string>>) => Drill;
type Shared = Sums & { readonly channel: number; readonly wallet: PayWallet };

/** What came out of each wallet, most first. */
export function walletShares(rows: readonly Shared[], open: Open) {
  return parts(rows, (row) => row.wallet).map(([{ wallet }, part]) => ({ wallet, ...part, drill: open({ wallet }) }));
}
/** What each channel took, most first; WeChat Pay and Alipay, asked directly, each by itself. */
export function channelShares(rows: readonly Shared[], open: Open) {
  return parts(rows, (row) => (row.channel === 0 ? `0 ${row.wallet}` : String(row.channel))).map(([{ channel, wallet: whose }, part]) => {
    const wallet = channel === 0 ? whose : null;
    return {
      channel: channel as PayChannel,
      wallet,
      ...part,
      drill: open({ channel: String(channel), ...(wallet !== null && { wallet }) }),
    };
  });
}

/** The groups of rows by a key, each with its first row. */
function parts(rows: readonly Shared[], by: (row: Shared) => string) {
  const whole = added(rows).paid_cents;
  return [...Map.groupBy(rows, by).values()]
    .map((group) => {
      const sums = added(group);
      return [
        group[0]!,
        {
          payCount: sums.pay_count,
          paidCents: sums.paid_cents as Cents,
          refundCents: sums.refund_cents as Cents,
          rate: rateOf(sums.paid_cents, whole),
        },
      ] as const;
    })
    .toSorted(([a, x], [b, y]) => y.paidCents - x.paidCents || a.channel - b.channel || (a.wallet < b.wallet ? -1 : 1));
}
