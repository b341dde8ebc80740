import { z } from "zod";
import type { ChannelAccount, ChannelAnswer, Outcome, Transport } from "../../channel.ts";
import type { Refusals } from "../read/refusals.ts";
import { signRequest } from "./sign-request.ts";
import { signedHeaders, verifySignature } from "./verify-signature.ts";

const TIMEOUT_MS = 8_000;

/** What the adapter needs from outside. */
export interface Means {
  readonly transport: Transport;
  readonly now: () => Date;
  readonly nonce: () => string;
}

/** One call: where, what, which codes are a no, and how to read a yes. */
export interface Call<T> {
  readonly method: "GET" | "POST" | "PATCH";
  readonly path: string;
  readonly body?: object;
  /** A picture goes as multipart/form-data with the body as its `meta`, which alone is signed (channels.md 1.1). */
  readonly file?: { readonly name: string; readonly contentType: string; readonly bytes: Buffer };
  readonly refusals: Refusals;
  /** Undefined where the answer is not understood; that is unknown, not a no. */
  readonly read: (status: number, body: unknown) => T | undefined;
}

/** Signs, sends, checks and sorts the answer into yes, no and unknown. It never throws for what the channel does. */
export async function sendRequest<T>(means: Means, account: ChannelAccount, call: Call<T>): Promise<Outcome<T>> {
  const url = new URL(account.baseUrl + call.path);
  const body = call.body ? JSON.stringify(call.body) : "";
  const form = call.file && multipart(body, call.file, means.nonce());
  const headers = {
    Accept: "application/json",
    "Content-Type": form?.contentType ?? "application/json",
    "User-Agent": "zhangfang",
    "Wechatpay-Serial": answerSerial(account),
    Authorization: signRequest(account, call.method, url.pathname + url.search, body, means.now(), means.nonce()),
  };
  let answer: ChannelAnswer;
  try {
    answer = await means.transport({ method: call.method, url: url.href, headers, body: form?.bytes ?? body, timeout_ms: TIMEOUT_MS });
  } catch (error) {
    return unknown(`没有收到应答：${error instanceof Error ? error.message : String(error)}`);
  }
  return sortAnswer(account, answer, call, means.now());
}

function multipart(meta: string, file: NonNullable<Call<unknown>["file"]>, boundary: string): { contentType: string; bytes: Buffer } {
  const part = (name: string, type: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name=${name}\r\nContent-Type: ${type}\r\n\r\n`;
  const before = `${part('"meta"', "application/json")}${meta}\r\n${part(`"file"; filename="${file.name}"`, file.contentType)}`;
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([Buffer.from(before), file.bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}

/**
 * While keys change, the answer is signed by the key that the request names; only `PUB_KEY_ID_…` has to be asked for
 * (pay.weixin.qq.com/doc/v3/merchant/4012154180).
 */
export function answerSerial(account: ChannelAccount): string {
  const serials = Object.keys(account.platformKeys);
  return serials.find((serial) => serial.startsWith("PUB_KEY_ID_")) ?? serials[0] ?? "";
}

function sortAnswer<T>(account: ChannelAccount, answer: ChannelAnswer, call: Call<T>, now: Date): Outcome<T> {
  const { status } = answer;
  const headers = signedHeaders(answer.headers);
  const forged = verifySignature(account.platformKeys, headers, answer.body, now);
  const body = parsed(answer.body);
  if (status >= 200 && status < 300) {
    // A success without a signature is to be taken for forged (pay.weixin.qq.com/doc/global/v3/zh/4012354982).
    if (forged) return unknown(`应答验签不通过：${forged}`);
    const value = call.read(status, body);
    return value === undefined ? unknown(`应答内容无法识别：HTTP ${status}`) : { kind: "ok", value };
  }
  const problem = refusal.safeParse(body);
  if (!problem.success) return unknown(`应答内容无法识别：HTTP ${status}`);
  const { code, message } = problem.data;
  // A 4xx may come without a signature (the same page); where there is one, it has to hold.
  const trusted = status >= 400 && status < 500 && status !== 429 && (!forged || !answer.headers["wechatpay-signature"]);
  const reported = trusted && Object.hasOwn(call.refusals, code) ? call.refusals[code] : undefined;
  return reported ? { kind: "refused", code: reported, message } : unknown(`HTTP ${status} ${code}：${message}`);
}

const refusal = z.object({ code: z.string().min(1).max(64), message: z.string().max(1000).default("") });

function parsed(body: Buffer): unknown {
  try {
    return body.length === 0 ? undefined : JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}
const unknown = (reason: string) => ({ kind: "unknown", reason }) as const;
