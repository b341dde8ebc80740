import { openOutbound } from "@zhangfang/server/outside/outbound.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { CHANNEL_HOSTS } from "./payment-channel.ts";
import { wechatStores } from "./wechat-pay/stores.ts";
import type { StoreChannel } from "./types/stores.ts";

export type { ChannelStore, KnownStore, ChannelGuide, StoreChannel } from "./types/stores.ts";

const opened = new WeakMap<Services, StoreChannel>();
/** The channel that these services tell about stores: WeChat Pay, and in the demo the simulator on this machine as well. */
export function storeChannelOf(services: Services): StoreChannel {
  const known = opened.get(services);
  if (known) return known;
  const { demo, simulator_port } = services.config;
  const channel = wechatStores(openOutbound(demo ? [...CHANNEL_HOSTS, `127.0.0.1:${simulator_port}`] : CHANNEL_HOSTS, { loopback: demo }));
  opened.set(services, channel);
  return channel;
}
/** Gives these services another one, for a test. */
export function giveStoreChannel(services: Services, channel: StoreChannel): void {
  opened.set(services, channel);
}
