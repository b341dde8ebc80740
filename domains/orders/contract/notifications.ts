import { z } from "zod";
import { write } from "@zhangfang/contract/endpoint.ts";
import { id } from "@zhangfang/contract/fields.ts";

/**
 * WeChat Pay tells about a payment or a refund. The raw body is verified with the keys of the setting that the address
 * names; an empty 200 follows the commit, anything else asks the channel to send it again (channels.md 3.1).
 */
export const notifyWechatPay = write({
  path: "/notify/wechat-pay/:settingsId",
  title: "微信支付通知",
  access: "channel",
  rate: "channel",
  outside: true,
  deadline_ms: 5_000,
  input: z.object({ settingsId: id }),
  output: z.null(),
});

/** Alipay tells about a payment, as a form; it repeats itself until it reads the plain text `success` (channels.md 6.1). */
export const notifyAlipay = write({
  path: "/notify/alipay/:settingsId",
  title: "支付宝通知",
  access: "channel",
  rate: "channel",
  outside: true,
  deadline_ms: 5_000,
  input: z.object({ settingsId: id }),
  output: z.literal("success"),
});

/** An acquirer tells about a payment or a refund, in its own words and encoding; what it reads for a yes is its own, too. */
export const notifyAcquirer = write({
  path: "/notify/acquirer/:settingsId",
  title: "收单机构通知",
  access: "channel",
  rate: "channel",
  outside: true,
  deadline_ms: 5_000,
  input: z.object({ settingsId: id }),
  output: z.string(),
});
