import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { sendCounted } from "./send-counted.ts";
import { ApiError, envelopeFailure, EXPIRED, failureOf, isLoginCall } from "./api-errors.ts";
import { error as errorToast } from "../notify.ts";
import { endSession, freezeIfForeign, rememberReturn, session } from "./session.ts";

export { ApiError } from "./api-errors.ts";

/** The client gives up after 50 seconds (spec.md section 9). */
export const TIMEOUT_MS = 50_000;

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** The caller shows the failure itself: no toast. For polling. */
  readonly quiet?: boolean;
  /** The caller is a form: blamed fields go to it, and a toast is shown only where no field is to blame. */
  readonly form?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** Told how much of the body is on its way, from 0 to 1: for pictures. */
  readonly onSent?: (share: number) => void;
}

/**
 * Calls an endpoint: typed by its contract, with the error catalogue of spec.md section 8.
 * Rejects with `ApiError`; a 404 rejects as `not-found` and says nothing on the screen.
 * @example const { items } = await call(listPayOrders, { from, to, pageSize: 20 }, { signal });
 */
export async function call<E extends Endpoint>(endpoint: E, input: InputOf<E>, options: CallOptions = {}): Promise<OutputOf<E>> {
  try {
    return (await request(endpoint, input as Record<string, unknown>, options)) as OutputOf<E>;
  } catch (failure) {
    if (failure instanceof ApiError) announce(endpoint, failure, options);
    throw failure;
  }
}

/** Like `call`, for the legacy lookups where a 404 is an ordinary answer: it resolves to undefined. */
export async function lookup<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  options: CallOptions = {},
): Promise<OutputOf<E> | undefined> {
  try {
    return await call(endpoint, input, options);
  } catch (failure) {
    if (failure instanceof ApiError && failure.kind === "not-found") return undefined;
    throw failure;
  }
}

function announce(endpoint: Endpoint, failure: ApiError, options: CallOptions): void {
  if (isLoginCall(endpoint.path)) return;
  if (failure.kind === "expired") return expire();
  if (options.quiet || (options.form && Object.keys(failure.fields).length > 0)) return;
  if (failure.toast) errorToast(failure.toast, 5000);
}

let expiring = false;
/** A 401: says so, forgets the token, goes to the login page and reloads after a second (spec.md section 8). */
function expire(): void {
  if (expiring) return;
  expiring = true;
  errorToast(EXPIRED);
  rememberReturn(location.hash);
  endSession();
  location.hash = "#/login";
  setTimeout(() => location.reload(), 1000);
}

/**
 * What a `file` endpoint streams, to be shown.
 * @example const picture = URL.createObjectURL(await fetchFile(getCommandFile, { id }))
 */
export async function fetchFile<E extends Endpoint>(endpoint: E, input: InputOf<E>, options: CallOptions = {}): Promise<Blob> {
  return (await streamed(endpoint, input, options)).blob();
}
async function streamed(endpoint: Endpoint, input: unknown, options: CallOptions): Promise<Response> {
  const response = await send(endpoint, input as Record<string, unknown>, options);
  if (!response.ok) throw failureOf(response, (await response.json().catch(() => undefined)) as Record<string, unknown> | undefined);
  return response;
}

/**
 * Downloads what a `file` endpoint streams, under the name that the server gives it.
 * @example await download(printStatement, { day })
 */
export async function download<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<void> {
  try {
    const response = await streamed(endpoint, input, {});
    const name = /filename\*=UTF-8''([^;]+)/i.exec(response.headers.get("content-disposition") ?? "")?.[1];
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await response.blob());
    link.download = decodeURIComponent(name ?? "download");
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  } catch (failure) {
    if (failure instanceof ApiError) announce(endpoint, failure, {});
    throw failure;
  }
}

async function request(endpoint: Endpoint, input: Record<string, unknown>, options: CallOptions): Promise<unknown> {
  const response = await send(endpoint, input, options);
  const answer = (await response.json().catch((reason: unknown) => {
    if (response.ok) throw broken(endpoint, options, reason);
  })) as Record<string, unknown> | undefined;
  if (!response.ok) throw failureOf(response, answer);
  if (endpoint.envelope !== "code-data" && endpoint.envelope !== "status-data") return answer;
  const refused = envelopeFailure(endpoint.envelope, answer);
  if (refused) throw refused;
  return answer?.data;
}

async function send(endpoint: Endpoint, input: Record<string, unknown>, options: CallOptions): Promise<Response> {
  if (freezeIfForeign()) throw new ApiError("frozen", "本页面已停用，请重新加载");
  const { url, body } = address(endpoint, input, Date.now());
  const token = session().token;
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const headers = {
    accept: "application/json",
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { "content-type": "application/json" }),
    ...options.headers,
  };
  const { onSent } = options;
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  const asked =
    onSent && body !== undefined
      ? sendCounted({ url, verb: endpoint.verb, headers, body, signal, onSent })
      : fetch(url, { method: endpoint.verb, credentials: "include", signal, headers, ...(body !== undefined && { body }) });
  const response = await asked.catch((reason: unknown) => {
    throw broken(endpoint, options, reason);
  });
  // The answer to a question of the last session belongs to nobody.
  if (session().token !== token) throw new ApiError("frozen", "登录账号已变更");
  return response;
}

/** What it means that an answer did not come, or not whole; where the caller does not want it any more, what was thrown. */
function broken(endpoint: Endpoint, options: CallOptions, reason: unknown): unknown {
  if (options.signal?.aborted) return reason;
  const late = (reason as { name?: string }).name === "TimeoutError";
  // The page of a proxy, or half an answer, can't be read.
  const cause = late ? "等待超过 50 秒没有答复" : reason instanceof SyntaxError ? "服务器的答复无法识别" : "网络连接失败";
  // A write may have happened: never let somebody pay twice because an answer was lost. Signing in can be done twice.
  const advice = endpoint.kind === "write" && endpoint.access !== "public" ? "，结果未知，请先查询再重试" : "，请稍后重试";
  return new ApiError(late ? "timeout" : "network", cause + advice, { toast: `请求错误: ${cause}${advice}` });
}

/**
 * Where a call goes: path parameters are filled from the input, the rest travels as the endpoint says,
 * and `_t` in seconds stands in every query (spec.md section 7).
 */
export function address(
  endpoint: Pick<Endpoint, "path" | "source">,
  input: Record<string, unknown>,
  now_ms: number,
): { url: string; body?: string } {
  const rest = { ...input };
  const path = endpoint.path.replace(/:(\w+)/g, (_whole, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(queryText(value));
  });
  const query = new URLSearchParams();
  if (endpoint.source !== "body") {
    for (const [name, value] of Object.entries(rest)) {
      const text = queryText(value);
      if (text !== "") query.set(name, text);
    }
  }
  query.set("_t", String(Math.floor(now_ms / 1000)));
  return { url: `${path}?${query.toString()}`, ...(endpoint.source !== "query" && { body: JSON.stringify(rest) }) };
}

function queryText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return Array.isArray(value)
    ? value.map(queryText).join(",")
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value as string | number | boolean);
}
