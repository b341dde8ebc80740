import { openOutbound } from "@zhangfang/server/outside/outbound.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { alipayBills } from "./alipay/bills.ts";
import type { PayAccount, Transport } from "./channel.ts";
import { CHANNEL_HOSTS } from "./payment-channel.ts";
import { wechatBills } from "./wechat-pay/bills.ts";

/** ALL, SUCCESS and REFUND are WeChat's trade bills, FUNDFLOW its account's movements, TRADE is Alipay's 业务明细. */
export type BillType = "ALL" | "SUCCESS" | "REFUND" | "FUNDFLOW" | "TRADE";
export interface BillAsk {
  readonly type: BillType;
  /** A Shanghai day before today. */
  readonly day: string;
}
/**
 * What became of asking for a bill.
 * - `file`: it went into the sink, whole, and its content is what the channel's hash says.
 * - `empty`: a day without trades; there is nothing to ask for again.
 * - `later`: the channel is still writing it; half an hour is its own advice.
 * - `refused`: a no that another try does not change.
 * - `unknown`: no answer, or not the whole of it.
 */
export type BillFetch =
  | { readonly kind: "file"; readonly size_bytes: number }
  | { readonly kind: "empty" }
  | { readonly kind: "later"; readonly reason: string }
  | { readonly kind: "refused"; readonly code: string; readonly message: string }
  | { readonly kind: "unknown"; readonly reason: string };
/** Bills as files. Reading changes nothing at the channel, so that every call may be repeated. */
export interface BillChannel<A extends PayAccount = PayAccount> {
  /** @param sink gets the file as it comes, packed or not; what it got is void unless the answer is `file` */
  download(account: A, ask: BillAsk, sink: (bytes: Buffer) => Promise<void>): Promise<BillFetch>;
}

/** Bills of every channel behind one: which one is asked stands in the account. The acquirers' interfaces are not public. */
export function billsThrough(transport: Transport): BillChannel {
  const [wechat, alipay] = [wechatBills(transport), alipayBills(transport)];
  return {
    download: async (account, ask, sink) => {
      if (!("family" in account)) return wechat.download(account, ask, sink);
      if (account.family === "alipay") return alipay.download(account, ask, sink);
      return { kind: "refused", code: "NO_AUTH", message: "此渠道的账单须上传文件" };
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
