import { z } from "zod";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import type { AlipayAccount, AlipayCertificates, ChannelAnswer, Outcome, Transport } from "../channel.ts";
import { trustedKey } from "./certificates.ts";
import { rawMembers } from "./raw-members.ts";
import { GATE, type Refusals } from "./refusals.ts";
import { signRsa2, textToSign, verifyRsa2 } from "../signed-form.ts";

const TIMEOUT_MS = 8_000;

/** What the adapter needs from outside. */
export interface Means {
  readonly transport: Transport;
  readonly now: () => Date;
  /** Keys of certificates that Alipay began to use meanwhile, by application and number. */
  readonly known: Map<string, string>;
}
export const meansOf = (transport: Transport, given: Partial<Pick<Means, "now">> = {}): Means => ({
  transport,
  now: given.now ?? (() => new Date()),
  known: new Map(),
});
/** One call: which, with what, which codes are a no, and how to read a yes. */
export interface Call<T> {
  readonly method: string;
  readonly content: Readonly<Record<string, unknown>>;
  readonly notifyUrl?: string | undefined;
  readonly refusals: Refusals;
  /** Undefined where the answer is not understood; that is unknown, not a no. @param pending code 10003, the customer is typing */
  readonly read: (node: unknown, pending: boolean) => T | undefined;
}

/**
 * Signs a call of the gateway, sends it, checks the answer and sorts it into yes, no and unknown. Public parameters travel
 * in the address and biz_content in the form, as alipay-sdk sends them. It never throws for what the channel does.
 */
export async function askGateway<T>(means: Means, account: AlipayAccount, call: Call<T>): Promise<Outcome<T>> {
  let answer: ChannelAnswer;
  try {
    answer = await post(means, account, call.method, call.content, call.notifyUrl);
  } catch (error) {
    return unknown(`没有收到应答：${error instanceof Error ? error.message : String(error)}`);
  }
  return sortAnswer(means, account, answer, call);
}
function post(
  means: Means,
  account: AlipayAccount,
  method: string,
  content: Call<never>["content"],
  notifyUrl?: string,
): Promise<ChannelAnswer> {
  const fields: Record<string, string> = {
    app_id: account.appId,
    method,
    format: "JSON",
    charset: "utf-8",
    sign_type: "RSA2",
    timestamp: shanghaiTime(means.now()),
    version: "1.0",
    ...(account.mode === "partner" && { app_auth_token: account.appAuthToken ?? "" }),
    ...(notifyUrl !== undefined && { notify_url: notifyUrl }),
    ...(account.certificates && { app_cert_sn: account.certificates.appSn, alipay_root_cert_sn: account.certificates.rootSn }),
  };
  const biz_content = JSON.stringify(content);
  const sign = signRsa2(account.privateKeyPem, textToSign({ ...fields, biz_content }, []));
  return means.transport({
    method: "POST",
    url: `${account.baseUrl}?${new URLSearchParams({ ...fields, sign }).toString()}`,
    headers: { Accept: "application/json", "Content-Type": "application/x-www-form-urlencoded;charset=utf-8", "User-Agent": "zhangfang" },
    body: new URLSearchParams({ biz_content }).toString(),
    timeout_ms: TIMEOUT_MS,
  });
}

const said = z.object({
  code: z.string().max(16),
  msg: z.string().max(500).default(""),
  sub_code: z.string().max(128).default(""),
  sub_msg: z.string().max(500).default(""),
});

async function sortAnswer<T>(means: Means, account: AlipayAccount, answer: ChannelAnswer, call: Call<T>): Promise<Outcome<T>> {
  const members = answer.status === 200 ? rawMembers(answer.body.toString("utf8")) : undefined;
  const raw = members?.get(`${call.method.replaceAll(".", "_")}_response`) ?? members?.get("error_response");
  const node: unknown = raw === undefined ? undefined : JSON.parse(raw);
  const found = said.safeParse(node);
  if (raw === undefined || !found.success) return unknown(`应答内容无法识别：HTTP ${answer.status}`);
  const signature = members?.get("sign");
  const key = signature === undefined ? undefined : await keyOf(means, account, members?.get("alipay_cert_sn"));
  const signed = signature !== undefined && key !== undefined && verifyRsa2(key, raw, String(JSON.parse(signature)));
  if (signature !== undefined && !signed) return unknown("应答验签不通过：SIGNATURE");
  const { code, sub_code, msg, sub_msg } = found.data;
  if (code === "10000" || code === "10003") {
    if (!signed) return unknown("应答验签不通过：没有签名");
    const value = call.read(node, code === "10003");
    return value === undefined ? unknown("应答内容无法识别") : { kind: "ok", value };
  }
  const message = sub_msg || msg;
  // What failed before the business may come without a signature (alipay-sdk takes it so), a failed business may not.
  const refusals = signed ? call.refusals : GATE;
  const reported = Object.hasOwn(refusals, sub_code) ? refusals[sub_code] : undefined;
  return reported ? { kind: "refused", code: reported, message } : unknown(`${code} ${sub_code}：${message}`);
}

const downloaded = z.object({ alipay_cert_content: z.string().max(100_000) });
/**
 * Which key an answer is to be checked with. With certificates the answer names Alipay's by its number; one that we do not know is
 * asked for (alipay.open.app.alipaycert.download) and trusted only where it goes back to the root that was set, whatever the answer's own
 * signature says. @returns undefined where no key is to be trusted
 */
async function keyOf(means: Means, account: AlipayAccount, named: string | undefined): Promise<string | undefined> {
  const { certificates } = account;
  if (!certificates) return account.publicKeyPem;
  if (named === undefined) return undefined;
  const sn = String(JSON.parse(named));
  if (sn === certificates.alipaySn) return account.publicKeyPem;
  const place = placeOf(account, sn);
  const found = means.known.get(place) ?? (await download(means, account, certificates, sn));
  if (found !== undefined) means.known.set(place, found);
  return found;
}
/** Where a key that was downloaded is kept: what it was trusted by is a part of it. */
const placeOf = ({ appId, certificates }: AlipayAccount, sn: string): string =>
  `${appId}/${certificates?.rootSn}/${certificates?.alipaySn}/${sn}`;

async function download(means: Means, account: AlipayAccount, certificates: AlipayCertificates, sn: string): Promise<string | undefined> {
  const method = "alipay.open.app.alipaycert.download";
  const answer = await post(means, account, method, { alipay_cert_sn: sn }).catch(() => undefined);
  const raw = answer?.status === 200 ? rawMembers(answer.body.toString("utf8"))?.get(`${method.replaceAll(".", "_")}_response`) : undefined;
  const found = raw === undefined ? undefined : downloaded.safeParse(JSON.parse(raw));
  if (!found?.success) return undefined;
  return trustedKey(Buffer.from(found.data.alipay_cert_content, "base64").toString("utf8"), sn, certificates, means.now());
}
/** The keys that may have signed what Alipay sends of itself: the one that was set, and those downloaded since. */
export function keysOf(means: Means, account: AlipayAccount): string[] {
  const since = [...means.known].filter(([place]) => account.certificates && place.startsWith(placeOf(account, "")));
  return [account.publicKeyPem, ...since.map(([, key]) => key)];
}

const unknown = (reason: string) => ({ kind: "unknown", reason }) as const;
