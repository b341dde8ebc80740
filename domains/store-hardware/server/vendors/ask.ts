import type { openOutbound, OutboundAnswer } from "@zhangfang/server/outside/outbound.ts";
import { ok, refused, unknown, type Outcome } from "./vendor.ts";

/** What an adapter needs from outside. */
export interface Means {
  readonly transport: ReturnType<typeof openOutbound>;
  readonly now_ms: () => number;
  /** A version 4 UUID. */
  readonly uuid: () => string;
}
const TIMEOUT_MS = 6_000;
/** The request never left this machine: nothing was printed. */
const NOT_SENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"]);

/** Sends a form or a query and reads the JSON object that answers it. */
export async function ask(
  means: Means,
  verb: "GET" | "POST",
  url: string,
  fields: Readonly<Record<string, string>>,
): Promise<Outcome<Readonly<Record<string, unknown>>>> {
  const form = new URLSearchParams(fields).toString();
  let answer: OutboundAnswer;
  try {
    answer = await means.transport({
      method: verb,
      url: verb === "GET" ? `${url}?${form}` : url,
      headers: verb === "POST" ? { "content-type": "application/x-www-form-urlencoded; charset=utf-8" } : {},
      timeout_ms: TIMEOUT_MS,
      ...(verb === "POST" && { body: form }),
    });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    return NOT_SENT.has(code) ? refused("连接不上厂商的云平台") : unknown("厂商的云平台没有应答");
  }
  if (answer.status !== 200) return unknown(`厂商的云平台应答异常（HTTP ${answer.status}）`);
  try {
    const body: unknown = JSON.parse(answer.body.toString("utf8"));
    if (typeof body === "object" && body !== null && !Array.isArray(body)) return ok(body as Record<string, unknown>);
  } catch {
    // Falls through: it is no JSON.
  }
  return unknown("厂商的云平台应答无法识别");
}
/** A maker's own words, cut to what a row holds. */
export const wordsOf = (given: unknown): string =>
  typeof given === "string" && given.trim() !== "" ? given.trim().slice(0, 120) : "没有说明原因";
