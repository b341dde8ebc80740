import { IN_QUERY } from "./calls.js";

const TIMEOUT_MS = 50_000;
const text = new TextEncoder();
const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const base64 = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)));
async function hmac(key, message) {
  const sealed = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return crypto.subtle.sign("HMAC", sealed, message);
}

export class ZhangfangError extends Error {
  constructor(message, { status = 0, code = "", fields = {}, traceId, unknown = false } = {}) {
    super(message);
    Object.assign(this, { name: "ZhangfangError", status, code, fields, traceId, unknown });
  }
}

export class Zhangfang {
  #options;
  constructor(options) {
    this.#options = options;
    this.token = options.token;
  }

  async call(call, input = {}, { signal, headers } = {}) {
    const [verb, path] = call.split(" ");
    const { target, body } = addressOf(call, verb, path, input);
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const { baseUrl, device, fetch: ask = fetch } = this.#options;
    const answer = await ask(new URL(target, baseUrl), {
      method: verb,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      headers: {
        accept: "application/json",
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(this.token && { authorization: `Bearer ${this.token}` }),
        ...(device && (await signed(device, verb, target, body))),
        ...headers,
      },
      ...(body !== undefined && { body }),
    }).catch((reason) => {
      if (signal?.aborted) throw reason;
      throw new ZhangfangError("no answer", { unknown: verb !== "GET" });
    });
    if (!answer.ok) throw await refusalOf(answer);
    if (!answer.headers.get("content-type")?.includes("json")) return answer.blob();
    return answer.json().catch(() => {
      throw new ZhangfangError("half an answer", { status: answer.status, unknown: verb !== "GET" });
    });
  }
}

function addressOf(call, verb, path, input) {
  const rest = { ...input };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  const inQuery = verb === "GET" || IN_QUERY.has(call);
  const query = new URLSearchParams();
  if (inQuery)
    for (const [name, value] of Object.entries(rest))
      if (value !== undefined && value !== null) query.set(name, Array.isArray(value) ? value.join(",") : String(value));
  query.set("_t", String(Math.floor(Date.now() / 1000)));
  return { target: `${filled}?${query}`, body: inQuery ? undefined : JSON.stringify(rest) };
}

/** docs/devices.md: five lines, each ended by a new line. */
async function signed({ sn, key }, verb, target, body = "") {
  const [at, nonce] = [String(Date.now()), crypto.randomUUID()];
  const digest = hex(await crypto.subtle.digest("SHA-256", text.encode(body)));
  const lines = [verb, target, at, nonce, digest].map((line) => `${line}\n`).join("");
  return { "x-device-sn": sn, "x-timestamp": at, "x-nonce": nonce, "x-signature": hex(await hmac(text.encode(key), text.encode(lines))) };
}

async function refusalOf(answer) {
  const { title = "", message, code, fields, traceId } = await answer.json().catch(() => ({}));
  return new ZhangfangError(title || message || `HTTP ${answer.status}`, {
    status: answer.status,
    code,
    fields,
    traceId,
    unknown: answer.status >= 500,
  });
}

export async function verifyPush(headers, body, secret, now_ms = Date.now()) {
  const [id, at, given] = ["id", "timestamp", "signature"].map((name) => String(headers[`webhook-${name}`] ?? ""));
  if (!/^\d+$/.test(at) || Math.abs(now_ms / 1000 - Number(at)) > 300) return false;
  const key = Uint8Array.from(atob(secret.slice("whsec_".length)), (letter) => letter.charCodeAt(0));
  const bytes = typeof body === "string" ? text.encode(body) : body;
  const head = text.encode(`${id}.${at}.`);
  const message = new Uint8Array(head.length + bytes.length);
  message.set(head);
  message.set(bytes, head.length);
  const due = `v1,${base64(await hmac(key, message))}`;
  return given.split(" ").some((one) => same(one, due));
}
/** Takes as long wherever they differ. */
function same(one, other) {
  let differs = one.length ^ other.length;
  for (let at = 0; at < other.length; at++) differs |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return differs === 0;
}
