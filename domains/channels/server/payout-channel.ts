import { openOutbound } from "@zhangfang/server/outbound.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { ChannelAccount, Outcome } from "./channel.ts";
import { CHANNEL_HOSTS } from "./payment-channel.ts";
import { wechatTransfers } from "./wechat-pay/transfers.ts";

/** A payment out of a provider's own account at the channel to one person. */
export interface TransferOrder {
  /** 1 to 32 letters and digits; one number is one transfer, and the same number with the same content may be sent again. */
  readonly outBillNo: string;
  readonly openId: string;
  /** Sealed on the way; the channel compares it with the payee's own, and asks for it from 2,000 yuan on. */
  readonly payeeName: string;
  readonly amount_cents: number;
  /** At most 32 characters; the payee reads it. */
  readonly remark: string;
  /** What the provider has applied for at the channel; 1005 is for commissions. */
  readonly sceneId: string;
}
/** `waiting`: the payee has to confirm it in WeChat. `failed` and `cancelled` moved no money and will move none. */
export type TransferState = "processing" | "waiting" | "success" | "failed" | "cancelled";
/** A transfer as the channel has it; `channelState` and `failReason` are its own words. */
export interface Transfer {
  readonly outBillNo: string;
  readonly transferNo: string | null;
  readonly state: TransferState;
  readonly channelState: string;
  readonly failReason: string | null;
  /** Null where the answer does not say it. */
  readonly amount_cents: number | null;
  /** ISO in UTC; of the last change. */
  readonly updatedAt: string | null;
}
/** Payouts. Unknown is settled by `queryTransfer` and by nothing else; a number is never replaced while it may have worked. */
export interface PayoutChannel {
  transfer(account: ChannelAccount, order: TransferOrder): Promise<Outcome<Transfer>>;
  queryTransfer(account: ChannelAccount, outBillNo: string): Promise<Outcome<Transfer>>;
}

const opened = new WeakMap<Services, PayoutChannel>();
/** The channel that these services pay out through: WeChat Pay, and in the demo the simulator on this machine as well. */
export function payoutChannelOf(services: Services): PayoutChannel {
  const known = opened.get(services);
  if (known) return known;
  const { demo, simulator_port } = services.config;
  const channel = wechatTransfers(
    openOutbound(demo ? [...CHANNEL_HOSTS, `127.0.0.1:${simulator_port}`] : CHANNEL_HOSTS, { loopback: demo }),
  );
  opened.set(services, channel);
  return channel;
}
/** Gives these services another one, for a test. */
export function givePayoutChannel(services: Services, channel: PayoutChannel): void {
  opened.set(services, channel);
}
