import { z } from "zod";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import type { AlipayAccount, ChannelAnswer, Outcome, Transport } from "../channel.ts";
import { rawMembers } from "./raw-members.ts";
import { GATE, type Refusals } from "./refusals.ts";
import { signRsa2, textToSign, verifyRsa2 } from "../signed-form.ts";

const TIMEOUT_MS = 8_000;

/** What the adapter needs from outside. */
export interface Means {
  readonly transport: Transport;
  readonly now: () => Date;
}
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
  const fields: Record<string, string> = {
    app_id: account.appId,
    method: call.method,
    format: "JSON",
    charset: "utf-8",
    sign_type: "RSA2",
    timestamp: shanghaiTime(means.now()),
    version: "1.0",
    ...(account.mode === "partner" && { app_auth_token: account.appAuthToken ?? "" }),
    ...(call.notifyUrl !== undefined && { notify_url: call.notifyUrl }),
  };
  const biz_content = JSON.stringify(call.content);
  const sign = signRsa2(account.privateKeyPem, textToSign({ ...fields, biz_content }, []));
  let answer: ChannelAnswer;
  try {
    answer = await means.transport({
      method: "POST",
      url: `${account.baseUrl}?${new URLSearchParams({ ...fields, sign }).toString()}`,
      headers: { Accept: "application/json", "Content-Type": "application/x-www-form-urlencoded;charset=utf-8", "User-Agent": "zhangfang" },
      body: new URLSearchParams({ biz_content }).toString(),
      timeout_ms: TIMEOUT_MS,
    });
  } catch (error) {
    return unknown(`没有收到应答：${error instanceof Error ? error.message : String(error)}`);
  }
  return sortAnswer(account, answer, call);
}

const said = z.object({
  code: z.string().max(16),
  msg: z.string().max(500).default(""),
  sub_code: z.string().max(128).default(""),
  sub_msg: z.string().max(500).default(""),
});

function sortAnswer<T>(account: AlipayAccount, answer: ChannelAnswer, call: Call<T>): Outcome<T> {
  const members = answer.status === 200 ? rawMembers(answer.body.toString("utf8")) : undefined;
  const raw = members?.get(`${call.method.replaceAll(".", "_")}_response`) ?? members?.get("error_response");
  const node: unknown = raw === undefined ? undefined : JSON.parse(raw);
  const found = said.safeParse(node);
  if (raw === undefined || !found.success) return unknown(`应答内容无法识别：HTTP ${answer.status}`);
  const signature = members?.get("sign");
  const signed = signature !== undefined && verifyRsa2(account.publicKeyPem, raw, String(JSON.parse(signature)));
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

const unknown = (reason: string) => ({ kind: "unknown", reason }) as const;
