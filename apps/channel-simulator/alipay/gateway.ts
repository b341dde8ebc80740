import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { Console } from "../control.ts";
import { REQUEST_FAULTS, takeFault } from "../faults.ts";
import type { Fault } from "../faults.ts";
import { bag, text } from "../reply.ts";
import type { Bag, Desk } from "../reply.ts";
import type { Merchant, Trade } from "../state.ts";
import { billAddress, billZip } from "./bill.ts";
import { bind, giveBack, ratio, settle, settleQuery, unsettled } from "./royalty.ts";
import { canonical, holds, rsa2 } from "./sign.ts";
import { cancel, close, failed, find, place, query, queryRefund, refund } from "./trades.ts";
import type { Node } from "./trades.ts";

const KINDS = { precreate: "NATIVE", create: "JSAPI", pay: "MICROPAY" } as const;
/** Our word for a call, for faults. */
const WORDS: Readonly<Record<string, string>> = {
  "alipay.trade.precreate": "pay",
  "alipay.trade.create": "pay",
  "alipay.trade.pay": "pay",
  "alipay.trade.query": "query",
  "alipay.trade.close": "close",
  "alipay.trade.cancel": "reverse",
  "alipay.trade.refund": "refund",
  "alipay.trade.fastpay.refund.query": "query-refund",
  "alipay.trade.order.settle": "share",
  "alipay.trade.order.settle.query": "query-share",
  "alipay.trade.order.onsettle.query": "unsplit",
  "alipay.trade.royalty.relation.bind": "add-receiver",
  "alipay.trade.royalty.relation.unbind": "remove-receiver",
  "alipay.trade.royalty.rate.query": "max-ratio",
  "alipay.open.app.alipaycert.download": "certificate",
  "alipay.data.dataservice.bill.downloadurl.query": "bill",
};

/** gateway.do: public parameters in the address or the form, biz_content in the form, the answer's node signed as it stands. */
export async function answerAlipay(
  console: Console,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  body: string,
): Promise<void> {
  const fields = Object.fromEntries([...url.searchParams, ...new URLSearchParams(body)]);
  const method = fields["method"] ?? "";
  const merchant = console.state.merchants.get(fields["app_id"] ?? "");
  const send = (name: string, node: Node, sign?: string, sn?: string) =>
    write(response, `{"${name}":${raw(node)}${sn ? `,"alipay_cert_sn":"${sn}"` : ""}${sign ? `,"sign":"${sign}"` : ""}}`);
  // Whoever cannot be recognised gets an answer without a signature.
  const stranger = (sub_code: string, sub_msg: string) =>
    send("error_response", { code: "40002", msg: "Invalid Arguments", sub_code, sub_msg });
  if (!merchant?.alipay) return stranger("isv.invalid-app-id", "无效的AppID参数");
  if (fields["sign_type"] !== "RSA2" || !holds(merchant.publicKeyPem, canonical(fields, ["sign"]), fields["sign"] ?? ""))
    return stranger("isv.invalid-signature", "验签出错，建议检查签名字符串或签名私钥与应用公钥是否匹配");
  const { certificates } = merchant.alipay;
  if (certificates && (fields["app_cert_sn"] !== certificates.appSn || fields["alipay_root_cert_sn"] !== certificates.rootSn))
    return stranger("isv.missing-cert-sn", "证书序列号不匹配");
  const seller = sellerOf(merchant, fields["app_auth_token"]);
  if (seller === undefined) return stranger("aop.invalid-app-auth-token", "无效的应用授权令牌");
  const content = json(fields["biz_content"] ?? "");
  const word = Array.isArray(content["refund_royalty_parameters"]) ? "share-return" : WORDS[method];
  if (!word) return stranger("isv.invalid-method", "不存在的方法名");
  const number = text(content["out_request_no"]) || text(content["out_trade_no"]);
  const fault = takeFault(console.faults, REQUEST_FAULTS, word, number);
  if (fault?.kind === "slow") await wait(fault.delay_ms);
  if (fault?.kind === "lost-request") return void request.socket.destroy();
  const instead = fault && insteadOf(fault);
  const node =
    instead && !fault.kind.endsWith("-done")
      ? instead
      : word === "bill"
        ? billAddress(console.desk(merchant), url.origin, seller, text(content["bill_type"]), text(content["bill_date"]))
        : word === "certificate"
          ? certificateOf(merchant, text(content["alipay_cert_sn"]))
          : act(console.desk(merchant), method, seller, content, fields["notify_url"] ?? null);
  if (fault?.kind === "lost-reply") return void request.socket.destroy();
  const shown = instead ?? node;
  const certificate = certificates?.alipay.at(-1);
  const signed = await rsa2(
    (certificate ?? console.keys().publicKey).privateKeyPem,
    `${raw(shown)}${fault?.kind === "forged-answer" ? " " : ""}`,
  );
  const name = `${method.replaceAll(".", "_")}_response`;
  if (fault?.kind === "garbled-answer") return write(response, `{"${name}":${raw(shown).slice(0, -2)}`);
  send(name, shown, fault?.kind === "unsigned-answer" ? undefined : signed, certificate?.sn);
}

/** alipay.open.app.alipaycert.download: the certificate of a number, PEM in base64. */
function certificateOf({ alipay }: Merchant, sn: string): Node {
  const found = alipay?.certificates?.alipay.find((one) => one.sn === sn);
  return found
    ? { code: "10000", msg: "Success", alipay_cert_content: Buffer.from(found.pem).toString("base64") }
    : failed("isv.cert-not-exist", "证书不存在");
}

/** The file behind an address that was given out half a minute ago at most. */
export function answerBillFile(console: Console, response: ServerResponse, url: URL): void {
  const merchant = console.state.merchants.get(url.searchParams.get("app") ?? "");
  const file = merchant?.alipay && billZip(console.desk(merchant), url.searchParams);
  if (!file) return void response.writeHead(403).end();
  response.writeHead(200, { "Content-Type": "application/octet-stream" }).end(file);
}

/** The merchant that a token stands for; null for the application's own, undefined for a token that nobody gave. */
const sellerOf = ({ alipay }: Merchant, token: string | undefined): string | null | undefined =>
  token ? alipay?.tokens[token] : alipay?.sellerId ? null : undefined;

function act(desk: Desk, method: string, seller: string | null, content: Bag, notifyUrl: string | null): Node {
  const kind = KINDS[method.slice("alipay.trade.".length) as keyof typeof KINDS];
  if (kind) return place(desk, kind, seller, content, notifyUrl);
  const trade = find(desk, seller, content);
  if (method === "alipay.trade.query") return query(desk, trade);
  if (method === "alipay.trade.close") return close(desk, trade);
  if (method === "alipay.trade.cancel") return cancel(desk, trade, text(content["out_trade_no"]));
  const royalty = ROYALTIES[method];
  if (royalty) return royalty(desk, trade, seller, content);
  if (method === "alipay.trade.refund")
    return Array.isArray(content["refund_royalty_parameters"]) ? giveBack(desk, trade, seller, content) : refund(desk, trade, content);
  return queryRefund(desk, trade, text(content["out_request_no"]));
}

const ROYALTIES: Readonly<Record<string, (desk: Desk, trade: Trade | undefined, seller: string | null, content: Bag) => Node>> = {
  "alipay.trade.order.settle": settle,
  "alipay.trade.order.settle.query": settleQuery,
  "alipay.trade.order.onsettle.query": unsettled,
  "alipay.trade.royalty.relation.bind": (desk, _trade, seller, content) => bind(desk, seller, content, false),
  "alipay.trade.royalty.relation.unbind": (desk, _trade, seller, content) => bind(desk, seller, content, true),
  "alipay.trade.royalty.rate.query": (desk, _trade, seller) => ratio(desk, seller),
};

function insteadOf(fault: Fault): Node | undefined {
  if (fault.kind.startsWith("error-500"))
    return { code: "20000", msg: "Service Currently Unavailable", sub_code: "isp.unknow-error", sub_msg: "系统繁忙" };
  if (fault.kind.startsWith("rate-limited"))
    return { code: "40005", msg: "Call Limited", sub_code: "isv.app-call-limited", sub_msg: "应用调用次数超限" };
  return fault.kind.startsWith("refuse") ? failed(fault.code, fault.message) : undefined;
}

/** The real gateway writes a slash as `\/`, too. */
const raw = (node: Node): string => JSON.stringify(node).replaceAll("/", "\\/");
const write = (response: ServerResponse, body: string): void =>
  void response.writeHead(200, { "Content-Type": "text/html;charset=utf-8" }).end(body);
function json(given: string): Bag {
  try {
    return bag(JSON.parse(given));
  } catch {
    return {};
  }
}
