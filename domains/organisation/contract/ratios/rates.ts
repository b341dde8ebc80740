import { read, write } from "@zhangfang/contract/endpoint.ts";
import { day, id, instant, oneOf, rate } from "@zhangfang/contract/fields.ts";
import { labelled, type CodeOf } from "@zhangfang/contract/labelled.ts";
import { z } from "zod";
import { payChannel } from "../../../channels/contract.ts";

/** Whose rate it is: each pays at least what the levels above it pay. */
export const rateLevel = labelled({ provider: "服务商", agent: "代理商", merchant: "商户" });
export type RateLevel = CodeOf<typeof rateLevel>;
/** What is paid by: a way of asking the channel, or all of them that have no rate of their own. */
export const rateProduct = labelled({ ALL: "全部产品", NATIVE: "扫码支付", JSAPI: "公众号/小程序支付", MICROPAY: "付款码支付" });
/** From which day a new rate holds. */
export const rateStart = labelled({ today: "立即生效", tomorrow: "次日生效" });

const ACCESS = ["/admin/serviceProvider/rates", "/agent/agent/rates", "/merchants/merchants/rates"] as const;
const owner = { level: oneOf(rateLevel), id };

/** What an owner pays by channel and product, today and from tomorrow on, and how it came to that. */
export const getRates = read({
  path: "/api/organisation/rates",
  title: "费率",
  access: ACCESS,
  input: z.object(owner),
  output: z.object({
    name: z.string(),
    version: z.int(),
    rates: z.array(
      z.object({
        channel: oneOf(payChannel),
        product: oneOf(rateProduct),
        rate: z.int(),
        tomorrow: z.int(),
        /** What the levels above pay, the least that may be set. */
        floor: z.int(),
        /** Whether it has a rule; without one it goes by the rate that it was made with. */
        own: z.boolean(),
      }),
    ),
    /** Newest first. */
    history: z.array(
      z.object({
        channel: oneOf(payChannel),
        product: oneOf(rateProduct),
        rate: z.int(),
        fromDay: day,
        byName: z.string(),
        at: instant,
      }),
    ),
  }),
});
/**
 * Sets a rate from today or tomorrow on. Never below what the levels above pay nor above what the levels below pay; payments
 * that were settled keep theirs.
 */
export const setRate = write({
  path: "/api/organisation/rates/set",
  title: "设置费率",
  access: ACCESS,
  input: z.object({
    ...owner,
    /** How many rules its owner has: nobody overwrites what they did not see. */
    version: z.int(),
    channel: oneOf(payChannel),
    product: oneOf(rateProduct),
    rate,
    start: oneOf(rateStart),
  }),
  output: z.object({ fromDay: day }),
});
