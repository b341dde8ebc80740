import { openOutbound } from "@zhangfang/server/outbound.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { PaymentChannel } from "./channel.ts";
import { wechatPay } from "./wechat-pay/wechat-pay.ts";

export const CHANNEL_HOSTS: readonly string[] = ["api.mch.weixin.qq.com", "api2.mch.weixin.qq.com"];
const opened = new WeakMap<Services, PaymentChannel>();

/** The channel that these services pay through: WeChat Pay, and in the demo the simulator on this machine as well. */
export function channelOf(services: Services): PaymentChannel {
  const known = opened.get(services);
  if (known) return known;
  const { demo, simulator_port } = services.config;
  const channel = wechatPay(openOutbound(demo ? [...CHANNEL_HOSTS, `127.0.0.1:${simulator_port}`] : CHANNEL_HOSTS, { loopback: demo }));
  opened.set(services, channel);
  return channel;
}
/** Gives these services another channel, for a test or for a world whose clock is not the machine's. */
export function giveChannel(services: Services, channel: PaymentChannel): void {
  opened.set(services, channel);
}
