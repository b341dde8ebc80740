import { generateKeyPairSync } from "node:crypto";
import type { Fault } from "./faults.ts";
import type { PlatformKey } from "./keys.ts";
import { bag } from "./reply.ts";
import type { Merchant, Notice } from "./state.ts";
import { alipayForm, alipayMessage } from "./alipay/notice.ts";
import type { TradeNews } from "./alipay/notice.ts";
import { rfc3339, sealResource, signedHeaders } from "./wire.ts";

const SUMMARIES = { transaction: "支付成功", refund: "退款结果", profitsharing: "分账", mch_payment: "商家转账单据终态通知" } as const;
const ANSWER_WITHIN_MS = 5_000;
const STALE_MS = 10 * 60_000;
const LIAR = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" }).toString();

/** Seals, signs and posts one notification; the status of the answer, 0 where there was none. */
export async function postNotice(
  merchant: Merchant,
  key: PlatformKey,
  notice: Notice,
  fault: Fault | undefined,
  now: number,
): Promise<number> {
  const body = JSON.stringify({
    id: notice.key,
    create_time: rfc3339(notice.createdAt),
    resource_type: "encrypt-resource",
    event_type: notice.eventType,
    summary: SUMMARIES[notice.kind],
    resource: sealResource(merchant.apiV3Key, notice.kind, fault ? spoil(notice.resource, fault) : notice.resource),
  });
  const signer = fault?.kind === "forged" ? { ...key, privateKeyPem: LIAR } : key;
  const signed = await signedHeaders(signer, body, fault?.kind === "stale" ? now - STALE_MS : now);
  const probe = fault?.kind === "probe" ? { "Wechatpay-Signature": `WECHATPAY/SIGNTEST/${signed["Wechatpay-Signature"]?.slice(19)}` } : {};
  try {
    const answer = await fetch(notice.url, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "*/*", "User-Agent": "Mozilla/4.0", ...signed, ...probe },
      body,
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      redirect: "manual",
    });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}

/** The same for a merchant at Alipay, which takes nothing but the text `success` for a yes. */
export async function postForm(
  merchant: Merchant,
  key: PlatformKey,
  notice: Notice,
  news: TradeNews | { readonly content: object },
  fault: Fault | undefined,
  now: number,
): Promise<number> {
  const forged = fault?.kind === "forged" || fault?.kind === "probe" || fault?.kind === "stale";
  const signer = forged ? { ...key, privateKeyPem: LIAR } : key;
  const body =
    "content" in news
      ? await alipayMessage(merchant, signer, notice, news.content, now)
      : await alipayForm(merchant, signer, notice, news, fault, now);
  try {
    const answer = await fetch(notice.url, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded; charset=utf-8", "User-Agent": "Mozilla/4.0" },
      body,
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      redirect: "manual",
    });
    const said = await answer.text();
    return answer.status === 200 && said !== "success" ? 406 : answer.status;
  } catch {
    return 0;
  }
}

/** A cent more, or another merchant, in a message that is otherwise sealed and signed as it should be. */
function spoil(resource: Notice["resource"], fault: Fault): object {
  if (fault.kind === "wrong-merchant") {
    const name = ["sub_mchid", "mch_id"].find((one) => one in resource) ?? "mchid";
    return { ...resource, [name]: "1999999999" };
  }
  if (fault.kind !== "wrong-amount") return resource;
  const transfer = resource["transfer_amount"];
  if (typeof transfer === "number") return { ...resource, transfer_amount: transfer + 1 };
  const amount = Object.entries(bag(resource["amount"])).map(([name, value]) => [name, typeof value === "number" ? value + 1 : value]);
  return { ...resource, amount: Object.fromEntries(amount) };
}
