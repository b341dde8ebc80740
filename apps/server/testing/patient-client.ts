import { setTimeout as wait } from "node:timers/promises";
import { textToSign } from "@zhangfang/domains/devices/server/index.ts";
import { hmacHex } from "@zhangfang/server/crypto.ts";
import type { DemoDevice } from "../../demo/tree/tree.ts";

const ANSWER_WITHIN_MS = 30_000;
const GIVE_UP_MS = 90_000;
const AGAIN_MS = 150;

export interface Call {
  readonly verb: "GET" | "POST";
  readonly path: string;
  readonly body?: object;
}
export interface Reply {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: unknown;
}
/** What a client saw of the server's deaths. */
export interface Seen {
  answers: number;
  /** Nobody answered, or the answer broke off: what became of the call is unknown. */
  silent: number;
  /** 503 and 429, which say to come back. */
  later: number;
  /** Answers that no caller should ever get. */
  readonly odd: string[];
}
/** Who asks: a device signs each call anew, a person shows a token. */
export type Caller = DemoDevice | string;

let nonce = 0;

/** Sends one call once. @throws where the answer did not come whole */
export async function sendOnce(api: string, caller: Caller, { verb, path, body }: Call): Promise<Reply> {
  const text = body === undefined ? "" : JSON.stringify(body);
  const headers = { ...(text && { "content-type": "application/json" }), ...headersOf(caller, verb, path, text) };
  const answer = await fetch(api + path, {
    method: verb,
    headers,
    ...(text && { body: text }),
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
  const said = await answer.text();
  return { status: answer.status, retryAfter: answer.headers.get("retry-after"), body: said === "" ? undefined : JSON.parse(said) };
}

// The headers that say who sends this.
function headersOf(caller: Caller, verb: string, url: string, body: string): Record<string, string> {
  if (typeof caller === "string") return { authorization: `Bearer ${caller}` };
  const signing = { verb, url, timestamp: String(Date.now()), nonce: `nonce-${String(++nonce).padStart(8, "0")}`, body: Buffer.from(body) };
  return {
    "x-device-sn": caller.sn,
    "x-timestamp": signing.timestamp,
    "x-nonce": signing.nonce,
    "x-signature": hmacHex(caller.key, textToSign(signing)),
  };
}

/**
 * Sends the same call until somebody says yes or no; `again_ms` is how long it waits before the next time, where it does not
 * insist. @throws where nobody answers for a minute and a half
 */
export async function sendUntilAnswered(
  api: string,
  caller: Caller,
  call: Call,
  seen: Seen,
  again_ms: (reply: Reply | undefined) => number = () => AGAIN_MS,
): Promise<Reply> {
  const giveUpAt_ms = performance.now() + GIVE_UP_MS;
  for (;;) {
    const reply = await sendOnce(api, caller, call).catch(() => undefined);
    if (!reply) seen.silent++;
    else if (reply.status === 503 || reply.status === 429) seen.later++;
    else {
      seen.answers++;
      if (reply.status >= 500 || reply.status === 401)
        seen.odd.push(`${reply.status} ${call.verb} ${call.path} ${JSON.stringify(reply.body)}`);
      if (reply.status < 500) return reply;
    }
    if (performance.now() > giveUpAt_ms) throw new Error(`no answer to ${call.verb} ${call.path}`);
    await wait(again_ms(reply));
  }
}
