import { openOutbound } from "@zhangfang/server/outside/outbound.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { ChannelAccount, Outcome, Refund } from "./channel.ts";
import { CHANNEL_HOSTS } from "./payment-channel.ts";
import { wechatAbnormalRefunds } from "./wechat-pay/abnormal-refund.ts";

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

const opened = new WeakMap<Services, AbnormalRefundChannel>();
/** The channel that these services redirect refunds through. */
export function abnormalRefundChannelOf(services: Services): AbnormalRefundChannel {
  const known = opened.get(services);
  if (known) return known;
  const { demo, simulator_port } = services.config;
  const channel = wechatAbnormalRefunds(
    openOutbound(demo ? [...CHANNEL_HOSTS, `127.0.0.1:${simulator_port}`] : CHANNEL_HOSTS, { loopback: demo }),
  );
  opened.set(services, channel);
  return channel;
}
/** Gives these services another one, for a test. */
export function giveAbnormalRefundChannel(services: Services, channel: AbnormalRefundChannel): void {
  opened.set(services, channel);
}
