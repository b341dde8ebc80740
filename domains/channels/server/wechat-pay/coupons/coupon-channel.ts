import { openOutbound } from "@zhangfang/server/outside/outbound.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Transport } from "../../channel.ts";
import { CHANNEL_HOSTS } from "../../payment-channel.ts";
import type { CouponCarrier, CouponChannel } from "../../types/coupons.ts";
import { wechatBusifavor } from "./busifavor.ts";
import { wechatFavor } from "./favor.ts";

export { CODES_AT_ONCE } from "../../types/coupons.ts";
export type { ChannelCouponState, ChannelStock, CodeAt, CodeStep, CouponCarrier, CouponChannel, StockOrder } from "../../types/coupons.ts";

/** Both of WeChat's coupons by their name. */
export type CouponCarriers = Readonly<Record<CouponCarrier, CouponChannel>>;
export const carryThrough = (transport: Transport): CouponCarriers => ({
  busifavor: wechatBusifavor(transport),
  favor: wechatFavor(transport),
});

const opened = new WeakMap<Services, CouponCarriers>();
/** What carries the coupons of these services: WeChat Pay, and in the demo the simulator on this machine as well. */
export function couponChannelOf(services: Services, carrier: CouponCarrier): CouponChannel {
  const known = opened.get(services);
  if (known) return known[carrier];
  const { demo, simulator_port } = services.config;
  const all = carryThrough(openOutbound(demo ? [...CHANNEL_HOSTS, `127.0.0.1:${simulator_port}`] : CHANNEL_HOSTS, { loopback: demo }));
  opened.set(services, all);
  return all[carrier];
}
/** Gives these services others, for a test. */
export function giveCouponChannel(services: Services, all: CouponCarriers): void {
  opened.set(services, all);
}
