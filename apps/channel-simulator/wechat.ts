import { billFile, tradeBill } from "./trades/bill.ts";
import { bag, refuse, text } from "./reply.ts";
import type { Bag, Desk, Reply } from "./reply.ts";
import { applyRefund, queryRefund, redirectRefund } from "./trades/refunds.ts";
import { findBankOperation } from "./applyment/banks.ts";
import { findApplymentOperation } from "./applyment/applyments.ts";
import { findBusifavorOperation } from "./coupons/busifavor.ts";
import { findFavorOperation } from "./coupons/favor.ts";
import { findSharingOperation } from "./sharing/sharing.ts";
import { findStoreOperation } from "./tills/stores.ts";
import { findTransferOperation } from "./trades/transfers.ts";
import { closeOrder, placeOrder, queryOrder, reverseOrder } from "./trades/trades.ts";
import type { Operation } from "./operation.ts";

const ORDER = /^\/v3\/pay(\/partner)?\/transactions\/(native|jsapi|codepay)$/;
const BY_NUMBER = /^\/v3\/pay(\/partner)?\/transactions\/(out-trade-no|id)\/([^/]+)(?:\/(close|reverse))?$/;
const REFUND = /^\/v3\/refund\/domestic\/refunds(?:\/([^/]+))?$/;
const REDIRECT = /^\/v3\/refund\/domestic\/refunds\/([^/]+)\/apply-abnormal-refund$/;
const KIND = { native: "NATIVE", jsapi: "JSAPI", codepay: "MICROPAY" } as const;

/** Source of the addresses: channels.md 3 and 5, 付款码支付 4012382150. */
export function findOperation(method: string, url: URL, rawBody: string): Operation | undefined {
  const body = method !== "GET" ? json(rawBody) : {};
  const path = url.pathname;
  const order = ORDER.exec(path);
  if (order && method === "POST") {
    const kind = KIND[order[2] as keyof typeof KIND];
    return { name: "pay", number: text(body["out_trade_no"]), answer: (desk) => placeOrder(desk, kind, Boolean(order[1]), body) };
  }
  const numbered = BY_NUMBER.exec(path);
  if (numbered) return byNumber(method, url, body, numbered);
  const redirect = REDIRECT.exec(path);
  if (redirect && method === "POST")
    return {
      name: "redirect-refund",
      number: text(body["out_refund_no"]),
      answer: (desk) => redirectRefund(desk, decodeURIComponent(redirect[1] ?? ""), body),
    };
  const refund = REFUND.exec(path);
  if (refund?.[1] && method === "GET") {
    const number = decodeURIComponent(refund[1]);
    return { name: "query-refund", number, answer: (desk) => queryRefund(desk, url.searchParams.get("sub_mchid"), number) };
  }
  if (refund && method === "POST")
    return { name: "refund", number: text(body["out_refund_no"]), answer: (desk) => applyRefund(desk, body) };
  if ((path === "/v3/bill/tradebill" || path === "/v3/bill/fundflowbill") && method === "GET")
    return { name: "bill", number: "", answer: (desk) => tradeBill(desk, url) };
  if (path === "/v3/billdownload/file" && method === "GET") return { name: "bill-file", number: "", answer: (desk) => billFile(desk, url) };
  return (
    findSharingOperation(method, url, body) ??
    findTransferOperation(method, url, body) ??
    findStoreOperation(method, url, body) ??
    findBusifavorOperation(method, url, body) ??
    findFavorOperation(method, url, body) ??
    findApplymentOperation(method, url, body) ??
    findBankOperation(method, url)
  );
}

function byNumber(method: string, url: URL, body: Bag, match: RegExpExecArray): Operation | undefined {
  const partner = Boolean(match[1]);
  const number = decodeURIComponent(match[3] ?? "");
  const action = match[4];
  const given = (name: string) => (method === "GET" ? (url.searchParams.get(name) ?? "") : text(body[name]));
  const subMchId = partner ? given("sub_mchid") : null;
  const guarded = (rule: (desk: Desk) => Reply) => (desk: Desk) =>
    given(partner ? "sp_mchid" : "mchid") === desk.merchant.mchId ? rule(desk) : refuse(403, "NO_AUTH", "商户号与签名商户号不一致");
  if (method === "GET" && !action) {
    return { name: "query", number, answer: guarded((desk) => queryOrder(desk, subMchId, match[2] as "out-trade-no" | "id", number)) };
  }
  if (method !== "POST" || match[2] !== "out-trade-no") return undefined;
  if (action === "close") return { name: "close", number, answer: guarded((desk) => closeOrder(desk, subMchId, number)) };
  if (action !== "reverse") return undefined;
  // Without the app id the real call ends in SYSTEM_ERROR (developers.weixin.qq.com, comments on 撤销).
  const withApp = (desk: Desk) =>
    given(partner ? "sp_appid" : "appid") ? reverseOrder(desk, subMchId, number) : refuse(500, "SYSTEM_ERROR", "系统异常，请稍后重试");
  return { name: "reverse", number, answer: guarded(withApp) };
}

function json(rawBody: string): Bag {
  try {
    return bag(JSON.parse(rawBody));
  } catch {
    return {};
  }
}
