import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, id, instant, oneOf } from "@zhangfang/contract/fields.ts";
import { z } from "zod";
import { orderStatus } from "../orders/contract/codes.ts";

/** One payment at a code is at most this: beyond it a person at a till should look. */
export const MOST_CENTS = 5_000_000;
/** So many posters are drawn at once. */
export const POSTERS_AT_ONCE = 100;

const poster = z.object({
  id,
  storeId: id,
  storeName: z.string(),
  storeNumber: z.string(),
  merchantName: z.string(),
  brandName: z.string(),
  logoUrl: z.string().nullable(),
  /** Whose own code it is; none is the store's. */
  cashierId: id.nullable(),
  cashierName: z.string().nullable(),
  cashierCode: z.string().nullable(),
  /** What the poster's code says. */
  url: z.string(),
  createdAt: instant,
});
/** The codes of stores; a store that has none gets one. Out of sight and not there are left out alike. */
export const openPayCodes = write({
  path: "/api/pay-codes/open",
  title: "查看收款码",
  access: "/store/store",
  input: z.object({ storeIds: z.array(id).min(1, "请选择门店").max(POSTERS_AT_ONCE, `一次最多 ${POSTERS_AT_ONCE} 家门店`) }),
  output: z.object({ items: z.array(poster) }),
});
/** Ends the code that was seen and makes another: every printed poster of the old one is void at once. */
export const renewPayCode = write({
  path: "/api/pay-codes/renew",
  title: "更换收款码",
  access: "/store/store/payCode",
  input: z.object({ id, storeId: id }),
  output: poster,
});

/** The cashiers' own codes: what is paid at one carries its cashier. */
export const openCashierCodes = write({
  path: "/api/pay-codes/cashiers/open",
  title: "查看收银员收款码",
  access: "/cashier/cashier",
  input: z.object({ cashierIds: z.array(id).min(1, "请选择收银员").max(POSTERS_AT_ONCE, `一次最多 ${POSTERS_AT_ONCE} 人`) }),
  output: z.object({ items: z.array(poster) }),
});
export const renewCashierCode = write({
  path: "/api/pay-codes/cashiers/renew",
  title: "更换收银员收款码",
  access: "/cashier/cashier/payCode",
  input: z.object({ id, cashierId: id }),
  output: poster,
});

/** What stands in the address of a poster. */
export const payCode = z.string().regex(/^[A-Za-z0-9_-]{20,64}$/, "收款码无效");
/** What the page of a code shows first. `closed` says why nothing can be paid. */
export const getPayPage = read({
  path: "/api/pay-codes/page/:code",
  title: "收款码页面",
  access: "public",
  rate: "poll",
  input: z.object({ code: payCode }),
  output: z.object({
    /** Whose member page it is where somebody signs in, and where they then are. */
    merchantId: id,
    storeId: id,
    storeName: z.string(),
    merchantName: z.string(),
    brandName: z.string(),
    closed: z.string().nullable(),
    mostCents: cents,
    /** Where WeChat's own browser goes to be told who pays; null where the merchant's official account isn't set up. */
    wechatUrl: z.string().nullable(),
  }),
});
/** What a page at a code is told of its payment. */
export const codePayment = z.object({
  status: oneOf(orderStatus),
  orderNo: z.string(),
  paidCents: cents,
  message: z.string().nullable(),
  /** What the wallet is to open; in the demo also the page of the simulated customer. */
  codeUrl: z.string().nullable(),
  /** The same as a picture: one SVG path on so many cells. */
  qr: z.object({ path: z.string(), cells: z.int() }).nullable(),
  payUrl: z.string().nullable(),
  /** Inside WeChat: goes unchanged into its bridge. */
  clientParams: z.record(z.string(), z.string()).nullable(),
  /** Once it is paid: where the payer says how it was. */
  commentUrl: z.string().nullable(),
  /** Where its invoice is applied for. */
  invoiceUrl: z.string().nullable(),
});
/** Who pays, told by the code with which WeChat sent the page back; once for each code. */
export const namePayer = write({
  path: "/api/pay-codes/payer",
  title: "识别付款人",
  access: "public",
  rate: "login",
  outside: true,
  deadline_ms: 15_000,
  input: z.object({ code: payCode, wechatCode: z.string().regex(/^[A-Za-z0-9_-]{8,128}$/, "授权码无效") }),
  /** Sealed: the page brings it back with the payment and can read nothing in it. */
  output: z.object({ payer: z.string() }),
});
/** So much may be typed at a code. */
export const codeAmount = z
  .int("请输入金额")
  .min(1, "金额须大于 0")
  .max(MOST_CENTS, `单笔最多 ${(MOST_CENTS / 100).toLocaleString("en-US")} 元，请到收银台付款`);
/** The app that opened the page; WeChat where it is none of the others. */
export const codeWallet = z.enum(["wechat", "alipay", "unionpay"]).default("wechat");
/** Begins a payment. The same request with the same amount is the same order. */
export const payAtCode = write({
  path: "/api/pay-codes/pay",
  title: "扫码付款",
  access: "public",
  rate: "login",
  deadline_ms: 15_000,
  input: z.object({
    code: payCode,
    requestId: id,
    wallet: codeWallet,
    amountCents: codeAmount,
    /** From `namePayer`: the payment is made inside WeChat. */
    payer: z.string().max(1024).optional(),
  }),
  output: codePayment,
});
/** What became of a payment that this page began. */
export const followPayment = read({
  path: "/api/pay-codes/payments/:code/:requestId",
  title: "扫码付款结果",
  access: "public",
  rate: "poll",
  input: z.object({ code: payCode, requestId: id }),
  output: codePayment,
});
