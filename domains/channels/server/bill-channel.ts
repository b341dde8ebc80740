import { openOutbound } from "@zhangfang/server/outside/outbound.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { alipayBills } from "./alipay/bills.ts";
import type { Transport } from "./channel.ts";
import { CHANNEL_HOSTS } from "./payment-channel.ts";
import { wechatBills } from "./wechat-pay/bills.ts";
import type { BillChannel } from "./types/bills.ts";

export type { BillType, BillAsk, BillFetch, BillChannel } from "./types/bills.ts";

/** Bills of every channel behind one: which one is asked stands in the account. The acquirers' interfaces are not public. */
export function billsThrough(transport: Transport): BillChannel {
  const [wechat, alipay] = [wechatBills(transport), alipayBills(transport)];
  return {
    download: async (account, ask, sink) => {
      if (!("family" in account)) return wechat.download(account, ask, sink);
      if (account.family === "alipay") return alipay.download(account, ask, sink);
      return { kind: "refused", code: "NO_AUTH", message: "此通道的账单须上传文件" };
    },
  };
}

/** Alipay's files lie on a host of their own. */
const BILL_HOSTS: readonly string[] = [...CHANNEL_HOSTS, "dwbillcenter.alipay.com"];
const opened = new WeakMap<Services, BillChannel>();
/** Where these services fetch bills: WeChat Pay, and in the demo the simulator on this machine as well. */
export function billChannelOf(services: Services): BillChannel {
  const known = opened.get(services);
  if (known) return known;
  const { demo, simulator_port } = services.config;
  const channel = billsThrough(openOutbound(demo ? [...BILL_HOSTS, `127.0.0.1:${simulator_port}`] : BILL_HOSTS, { loopback: demo }));
  opened.set(services, channel);
  return channel;
}
/** Gives these services another one, for a test. */
export function giveBillChannel(services: Services, channel: BillChannel): void {
  opened.set(services, channel);
}
