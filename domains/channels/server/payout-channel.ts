import { openOutbound } from "@zhangfang/server/outside/outbound.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { CHANNEL_HOSTS } from "./payment-channel.ts";
import { wechatTransfers } from "./wechat-pay/transfers.ts";
import type { PayoutChannel } from "./types/payouts.ts";

export type { TransferOrder, TransferState, Transfer, TransferNews, PayoutChannel } from "./types/payouts.ts";

/** A payee who has not confirmed for a day gets nothing: the channel closes the transfer (FAQ 4013778940), at times later than that. */
export const CONFIRM_WITHIN_MS = 24 * 3_600_000;
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
