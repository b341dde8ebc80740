import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, id, instant } from "@zhangfang/contract/fields.ts";
import { z } from "zod";

const token = z.string().regex(/^[\w-]{44}$/, "收款链接无效");
/** What the page of a payout shows to whoever holds its link; only the payee's own WeChat can confirm it. */
export const getPayoutPage = read({
  path: "/api/commissions/payout-page/:token",
  title: "确认收款页面",
  access: "public",
  rate: "poll",
  input: z.object({ token }),
  output: z.object({
    brandName: z.string(),
    withdrawalNo: z.string(),
    /** What arrives. */
    netCents: cents,
    /** `soon`: it is being prepared. `over`: it came to nothing or is too late. */
    state: z.enum(["soon", "waiting", "arrived", "over"]),
    until: instant.nullable(),
    /** Inside WeChat: goes unchanged into its bridge. */
    invoke: z.object({ mchId: z.string(), appId: z.string(), package: z.string() }).nullable(),
    /** Outside of WeChat: this page's own address as a picture, to be scanned. */
    qr: z.object({ path: z.string(), cells: z.int() }),
    /** In the demo: the phone of the simulated payee. */
    phoneUrl: z.string().nullable(),
  }),
});
/** Lets the page inside WeChat call what WeChat guards. */
export const openPayoutInWechat = write({
  path: "/api/commissions/payout-page/wechat",
  title: "微信内确认收款",
  access: "public",
  rate: "login",
  outside: true,
  deadline_ms: 15_000,
  input: z.object({
    token,
    /** What follows the page's path in its address. */ query: z
      .string()
      .max(1024)
      .regex(/^(?:\?[^#]*)?$/)
      .default(""),
  }),
  output: z.object({ appId: z.string(), timestamp: z.string(), nonceStr: z.string(), signature: z.string() }),
});

/** WeChat Pay tells how a transfer ended; the address names the provider, whose key has to fit. */
export const notifyTransfer = write({
  path: "/notify/wechat-transfer/:providerId",
  title: "商家转账通知",
  access: "channel",
  rate: "channel",
  outside: true,
  deadline_ms: 5_000,
  input: z.object({ providerId: id }),
  output: z.null(),
});
