import type { ChannelAccount, Outcome, Refund } from "../channel.ts";

/** Where a refund goes that could not go back the way it came. */
export interface AbnormalRefund {
  readonly refundId: string;
  readonly outRefundNo: string;
  /** To a debit card of the payer; without it to the merchant's own bank account, who then pays the payer by hand. */
  readonly card: { readonly bankType: string; readonly account: string; readonly name: string } | null;
}

export interface AbnormalRefundChannel {
  /** 发起异常退款: puts an abnormal refund on its way again, to another account. */
  redirect(account: ChannelAccount, refund: AbnormalRefund): Promise<Outcome<Refund>>;
}
