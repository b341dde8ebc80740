import { openOutbound } from "@zhangfang/server/outside/outbound.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { CHANNEL_HOSTS } from "../../payment-channel.ts";
import type { ApplymentChannel } from "../../types/applyments.ts";
import { wechatApplyments } from "./applyments.ts";

export type { BankEntry, BankList, KnownApplyment } from "../../types/applyments.ts";

const opened = new WeakMap<Services, ApplymentChannel>();
/** Where these services open accounts for merchants: WeChat Pay, and in the demo the simulator on this machine as well. */
export function applymentChannelOf(services: Services): ApplymentChannel {
  const known = opened.get(services);
  if (known) return known;
  const { demo, simulator_port } = services.config;
  const channel = wechatApplyments(
    openOutbound(demo ? [...CHANNEL_HOSTS, `127.0.0.1:${simulator_port}`] : CHANNEL_HOSTS, { loopback: demo }),
  );
  opened.set(services, channel);
  return channel;
}
/** Gives these services another one, for a test. */
export function giveApplymentChannel(services: Services, channel: ApplymentChannel): void {
  opened.set(services, channel);
}
