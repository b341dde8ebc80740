import { yuan } from "@zhangfang/contract/money.ts";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { payWallet, walletOf } from "../../../channels/contract.ts";
import { voucherPlatform, type VoucherPlatform } from "../../../platforms/contract/codes.ts";
import type { OutputCause, ReceiptTemplate } from "../../contract/codes.ts";

/** One line of a receipt before any maker's markup. Texts may come from anybody: a renderer takes their markup away. */
export type ReceiptLine =
  | { readonly kind: "title" | "big" | "text"; readonly text: string }
  | { readonly kind: "pair"; readonly label: string; readonly value: string }
  | { readonly kind: "rule" }
  /** A QR code of an address of ours, in the middle. */
  | { readonly kind: "code"; readonly url: string };
export type Receipt = readonly ReceiptLine[];

/** What a receipt says of a payment or a refund. */
export interface ReceiptFacts {
  readonly storeName: string;
  readonly orderNo: string;
  readonly subject: string;
  readonly tool: number;
  readonly gross_cents: number;
  readonly discount_cents: number;
  /** Vouchers of platforms among what came off. */
  readonly vouchers: readonly { readonly name: string; readonly cents: number }[];
  /** Paid with stored value: 储值支付. */
  readonly stored_cents: number;
  readonly paid_cents: number;
  readonly paidAt: string | null;
  readonly cashierName: string | null;
  readonly channelNo: string | null;
  /** The page where its invoice is applied for; null where the store issues none. */
  readonly invoiceUrl: string | null;
  /** The same page, where it tells of a discounted order only why it came to its price. */
  readonly whyUrl?: string | undefined;
  readonly refund?: { readonly refundNo: string; readonly amount_cents: number; readonly finishedAt: string | null } | undefined;
}

const pair = (label: string, value: string): ReceiptLine => ({ kind: "pair", label, value });

/** The receipt of an order: short or whole; a refund and a reprint say what they are. */
export function receiptOf(facts: ReceiptFacts, template: ReceiptTemplate, cause: OutputCause): Receipt {
  const { refund } = facts;
  const amount = refund ? refund.amount_cents : facts.paid_cents;
  const head: ReceiptLine[] = [
    { kind: "title", text: facts.storeName },
    { kind: "text", text: refund ? "退款凭证" : cause === "reprint" ? "收款凭证（补打）" : "收款凭证" },
    { kind: "rule" },
    { kind: "big", text: `${refund ? "退款" : "实收"} ${yuan(amount)} 元` },
    { kind: "rule" },
  ];
  const off_cents = facts.discount_cents - facts.vouchers.reduce((sum, { cents }) => sum + cents, 0);
  const at = refund ? refund.finishedAt : facts.paidAt;
  const short = [pair("订单号", facts.orderNo), pair(refund ? "退款时间" : "支付时间", at ? shanghaiTime(at) : "—")];
  const whole = [
    pair("商品", facts.subject),
    pair("钱包", payWallet.label(walletOf(facts.tool))),
    pair("订单金额", yuan(facts.gross_cents)),
    ...facts.vouchers.flatMap(({ name, cents }) => [pair("平台券", `−${yuan(cents)}`), { kind: "text", text: name } as const]),
    ...(off_cents > 0 ? [pair("优惠", `−${yuan(off_cents)}`)] : []),
    ...(facts.stored_cents > 0 ? [pair("储值支付", yuan(facts.stored_cents))] : []),
    pair("实收", yuan(facts.paid_cents)),
    ...(refund ? [pair("本次退款", yuan(refund.amount_cents)), pair("退款单号", refund.refundNo)] : []),
    ...(facts.cashierName ? [pair("收银员", facts.cashierName)] : []),
    ...(facts.channelNo ? [pair("通道单号", facts.channelNo)] : []),
  ];
  const url = facts.invoiceUrl ?? facts.whyUrl;
  const invoice: ReceiptLine[] =
    refund || url === undefined
      ? []
      : [
          { kind: "rule" },
          { kind: "text", text: facts.invoiceUrl === null ? "扫码看为什么是这个价" : "扫码开发票" },
          { kind: "code", url },
        ];
  const body = template === "brief" ? short : [...whole, { kind: "rule" } as const, ...short];
  return [...head, ...body, ...invoice, { kind: "text", text: "谢谢惠顾" }];
}
/** What a receipt says of a platform's voucher that was used. */
export interface VoucherFacts {
  readonly storeName: string;
  readonly platform: VoucherPlatform;
  readonly title: string;
  readonly tail: string;
  readonly pay_cents: number;
  readonly at: string;
  readonly byName: string;
  /** 要上的菜, one a line; empty where nobody said. */
  readonly serve: string;
}
/** The paper of a use: what to serve for it, large, for it goes to the kitchen as well. */
export const voucherReceipt = (
  { storeName, platform, title, tail, pay_cents, at, byName, serve }: VoucherFacts,
  cause: OutputCause,
): Receipt => [
  { kind: "title", text: storeName },
  { kind: "text", text: cause === "reprint" ? "核销凭证（补打）" : "核销凭证" },
  { kind: "rule" },
  { kind: "big", text: title },
  ...serve.split(/[\n；;]/).flatMap((line) => (line.trim() === "" ? [] : [{ kind: "text", text: line } as const])),
  { kind: "rule" },
  pair("平台", voucherPlatform.label(platform)),
  pair("券码", tail === "" ? "扫码" : `尾号 ${tail}`),
  pair("用户实付", yuan(pay_cents)),
  pair("核销时间", shanghaiTime(at)),
  pair("经手人", byName),
  { kind: "rule" },
  { kind: "text", text: "由平台结算，不是本店收款" },
];
/** What a printer prints when somebody tries it. */
export const testReceipt = (storeName: string, name: string, now: string): Receipt => [
  { kind: "title", text: "测试打印" },
  { kind: "rule" },
  pair("门店", storeName),
  pair("打印机", name),
  pair("时间", shanghaiTime(now)),
  { kind: "rule" },
  { kind: "text", text: "看到这张小票，说明打印机可以使用" },
];

/** What a speaker says. @example announcementOf({ tool: 1, amount_cents: 1250, cause: "payment" }) // 微信收款 12.50 元 */
export function announcementOf({ tool, amount_cents, cause }: { tool: number; amount_cents: number; cause: "payment" | "refund" }): string {
  const whose = walletOf(tool);
  return `${whose === "other" || whose === "member" ? "" : payWallet.label(whose)}${cause === "refund" ? "退款" : "收款"} ${yuan(amount_cents).replaceAll(",", "")} 元`;
}
export const TEST_ANNOUNCEMENT = "测试播报，云喇叭可以使用";
