import { openOutbound } from "@zhangfang/server/outside/outbound.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { PayChannel } from "../contract.ts";
import { alipay } from "./alipay/alipay.ts";
import { acquirer } from "./acquirer/acquirer.ts";
import type { PayAccount, PaymentChannel, Transport } from "./channel.ts";
import { wechatPay } from "./wechat-pay/wechat-pay.ts";

export const CHANNEL_HOSTS: readonly string[] = ["api.mch.weixin.qq.com", "api2.mch.weixin.qq.com", "openapi.alipay.com"];
const opened = new WeakMap<Services, PaymentChannel>();

/** Every channel behind one: which one is asked stands in the account. */
export function payThrough(transport: Transport): PaymentChannel {
  const all = { wechat: wechatPay(transport), alipay: alipay(transport), acquirer: acquirer(transport) };
  const of = (account: PayAccount | undefined): PaymentChannel => all[account && "family" in account ? account.family : "wechat"];
  return {
    pay: (account, order) => of(account).pay(account, order),
    query: (account, by) => of(account).query(account, by),
    close: (account, outTradeNo) => of(account).close(account, outTradeNo),
    reverse: (account, outTradeNo) => of(account).reverse(account, outTradeNo),
    refund: (account, refund) => of(account).refund(account, refund),
    queryRefund: (account, outRefundNo, outTradeNo) => of(account).queryRefund(account, outRefundNo, outTradeNo),
    readNotification: (candidates, headers, rawBody, now) => of(candidates[0]).readNotification(candidates, headers, rawBody, now),
    replyToNotification: (taken, message) => all.wechat.replyToNotification(taken, message),
  };
}

/** The channel that these services pay through: the real ones, and in the demo the simulator on this machine as well. */
export function channelOf(services: Services): PaymentChannel {
  const known = opened.get(services);
  if (known) return known;
  const { demo, simulator_port, acquirer_urls } = services.config;
  const hosts = [...CHANNEL_HOSTS, ...Object.values(acquirer_urls).map((url) => new URL(url).host)];
  const channel = payThrough(openOutbound(demo ? [...hosts, `127.0.0.1:${simulator_port}`] : hosts, { loopback: demo }));
  opened.set(services, channel);
  return channel;
}
/** Where a new account of channel_accounts is asked; undefined where nobody has said yet. In the demo it is the simulator. */
export function addressOf({ config: { demo, simulator_port, acquirer_urls } }: Services, channel: PayChannel): string | undefined {
  if (channel !== 0) return demo ? `http://127.0.0.1:${simulator_port}/acquirer/${channel}` : acquirer_urls[channel];
  return demo ? `http://127.0.0.1:${simulator_port}/alipay/gateway.do` : "https://openapi.alipay.com/gateway.do";
}
/** Gives these services another channel, for a test or for a world whose clock is not the machine's. */
export function giveChannel(services: Services, channel: PaymentChannel): void {
  opened.set(services, channel);
}
