import { openOutbound } from "@zhangfang/server/outside/outbound.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { CHANNEL_HOSTS } from "./payment-channel.ts";
import { wechatAbnormalRefunds } from "./wechat-pay/abnormal-refund.ts";
import type { AbnormalRefundChannel } from "./types/abnormal-refunds.ts";

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
