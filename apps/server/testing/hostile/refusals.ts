import type { Policy } from "../matrix/policy.ts";

/**
 * What is wrong with the form of a refusal; undefined where it is one of the three that callers know: problem+json, the
 * legacy code with a message, or what the channel reads.
 */
export function shapeFault(
  policy: Pick<Policy, "envelope"> | undefined,
  status: number,
  headers: Readonly<Record<string, unknown>>,
  body: unknown,
): string | undefined {
  // Whoever opens a page is refused with a page.
  if (policy?.envelope === "plain" && String(headers["content-type"]).startsWith("text/html")) return undefined;
  if (typeof body !== "object" || body === null) return `answered ${status} with no object: ${JSON.stringify(body)}`;
  const given = body as Record<string, unknown>;
  const texts = (...names: string[]) => names.every((name) => typeof given[name] === "string" && given[name] !== "");
  if (policy?.envelope === "notice" && given["code"] === "FAIL")
    return texts("message") ? undefined : "a notice's refusal without its words";
  if (!String(headers["content-type"]).startsWith("application/problem+json"))
    return `answered ${status} as ${String(headers["content-type"])}`;
  if (!texts("title", "message", "code", "traceId")) return `lacks a part: ${JSON.stringify(body).slice(0, 100)}`;
  if (!/\p{Script=Han}/u.test(String(given["message"]))) return `says ${String(given["message"])}`;
  return headers["x-trace-id"] === given["traceId"] ? undefined : "names another trace than its header";
}
