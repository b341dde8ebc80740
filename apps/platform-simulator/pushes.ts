import type { IncomingHttpHeaders } from "node:http";
import { createHmac, timingSafeEqual } from "node:crypto";

/** What a receiver of pushes answers by its path, so that the demo world has deliveries of every kind. */
const ANSWERS: Readonly<Record<string, { status: number; text: string }>> = {
  "/push/ok": { status: 200, text: "ok" },
  "/push/failing": { status: 503, text: "upstream connect error" },
  "/push/gone": { status: 410, text: "gone" },
};
interface Heard {
  readonly id: string;
  readonly path: string;
  readonly body: string;
  /** Null: nobody told the secret. */
  readonly right: boolean | null;
}

/**
 * Plays a provider's own system that pushes go to. It verifies with code of its own under the secrets that `POST /push/_control
 * {"secrets": [...]}` added, and remembers the last messages, which `GET /push/_control` tells. `{"ok": 503}` changes what `/push/ok` answers.
 */
export function openPushes() {
  let secrets: readonly string[] = [];
  let ok: number | undefined;
  const heard: Heard[] = [];
  return (url: string, method: string, headers: IncomingHttpHeaders, body: string) => {
    if (!url.startsWith("/push/")) return undefined;
    const json = (value: unknown) => ({ status: 200, type: "application/json; charset=utf-8", text: JSON.stringify(value) });
    if (url === "/push/_control") {
      if (method === "POST") {
        const given = JSON.parse(body) as { secrets?: readonly string[]; ok?: number };
        secrets = [...secrets, ...(given.secrets ?? [])];
        ok = given.ok ?? ok;
      }
      return json({ heard: heard.slice(-200) });
    }
    const said = ANSWERS[url.split("?")[0] ?? ""];
    if (method !== "POST" || !said) return { status: 404, type: "text/plain", text: "no such receiver" };
    const right = secrets.length === 0 ? null : secrets.some((secret) => verified(headers, body, secret));
    heard.push({ id: String(headers["webhook-id"]), path: url, body, right });
    if (right === false) return { status: 401, type: "text/plain", text: "bad signature" };
    return { status: url === "/push/ok" ? (ok ?? said.status) : said.status, type: "text/plain", text: said.text };
  };
}
function verified(headers: IncomingHttpHeaders, body: string, secret: string): boolean {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const due = createHmac("sha256", key)
    .update(`${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${body}`)
    .digest();
  return String(headers["webhook-signature"])
    .split(" ")
    .some((one) => {
      const got = Buffer.from(one.slice("v1,".length), "base64");
      return got.length === due.length && timingSafeEqual(got, due);
    });
}
