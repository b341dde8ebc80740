import { z } from "zod";
import { write } from "@zhangfang/contract/endpoint.ts";
import { cents, id, instant } from "@zhangfang/contract/fields.ts";
import { memberPin } from "../../members/contract/index.ts";
import { codeAmount, codePayment, codeWallet, payCode } from "../../pay-codes/contract.ts";
import { pricePart, priceTender } from "../../pricing/contract.ts";
import { merchant } from "./session.ts";

/** What a member would pay at a store's code: the level comes off by itself, points and balance as far as they are wished. Nothing is set aside. */
export const quoteAtCode = write({
  path: "/api/customer/:merchant/pay/quote",
  title: "会员扫码报价",
  access: "member",
  rate: "poll",
  outside: true,
  input: z.object({ merchant, code: payCode, amountCents: codeAmount, points: z.boolean(), stored: z.boolean() }),
  output: z.object({
    /** Goes unchanged into the payment, within five minutes. */
    quote: z.string(),
    expiresAt: instant,
    grossCents: cents,
    /** What is left to pay in money; nothing is paid at once. */
    paidCents: cents,
    parts: z.array(pricePart),
    tenders: z.array(priceTender),
    /** Why points or balance that were wished take nothing off. */
    refused: z.array(z.string()),
    /** Points that it would earn. */
    earns: z.int(),
    /** The sum asks for the PIN. */
    asksPin: z.boolean(),
  }),
});
/** Places the order at the price that was quoted and has it paid. The same request is the same order; it is followed as any other at the code. */
export const payAsMember = write({
  path: "/api/customer/:merchant/pay",
  title: "会员扫码付款",
  access: "member",
  rate: "money",
  outside: true,
  deadline_ms: 15_000,
  input: z.object({
    merchant,
    code: payCode,
    requestId: id,
    amountCents: codeAmount,
    quote: z.string().max(8_000, "报价无效，请重新报价"),
    wallet: codeWallet,
    payer: z.string().max(1024).optional(),
    pin: memberPin.optional(),
  }),
  output: codePayment.extend({ parts: z.array(pricePart), tenders: z.array(priceTender) }),
});
