import { ERROR_HEADER, ERROR_TITLE_HEADER, USER_EXISTS } from "@zhangfang/contract/problem.ts";
import { saidWords } from "../level-names.ts";

export type FailureKind = "expired" | "not-found" | "refused" | "network" | "timeout" | "frozen";

/** A call that did not succeed. `message` is what a person may read; `fields` are the form's to show. */
export class ApiError extends Error {
  readonly kind: FailureKind;
  readonly status: number;
  readonly code: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly traceId: string | undefined;
  /** The words of the toast, or nothing where the catalogue asks for silence. */
  readonly toast: string | undefined;
  constructor(kind: FailureKind, message: string, more: Partial<Pick<ApiError, "status" | "code" | "fields" | "traceId" | "toast">> = {}) {
    super(message);
    this.name = "ApiError";
    this.kind = kind;
    this.status = more.status ?? 0;
    this.code = more.code ?? "";
    this.fields = more.fields ?? {};
    this.traceId = more.traceId;
    this.toast = more.toast;
  }
  /** Nobody was there to answer: the way is broken, or the service is being replaced. */
  get away(): boolean {
    return this.kind === "network" || (this.status > 501 && this.status < 505);
  }
}

const LOGIN_CALLS = new Set<string>(["/api/authenticateNew", "/api/authorizeQrCode/v2", "/sfpfacadeservicepc/api/authorize/autoLogin"]);
/** Whether a call signs somebody in: no toast then, and a 401 is only a wrong password (spec.md section 8). */
export const isLoginCall = (path: string): boolean => LOGIN_CALLS.has(path);

export const EXPIRED = "登录已过期，请重新登录！";
const UNKNOWN = "未知错误";

type Body = { readonly [key: string]: unknown } | undefined;
const words = (value: unknown): string | undefined => (typeof value === "string" && value.trim() !== "" ? value : undefined);

/** A msg that looks like JSON is parsed and its message is used; a bare "Internal Server Error" is said in Chinese. */
export function readableMessage(given: string): string {
  let text = given;
  if (/^\s*\{/.test(given)) {
    try {
      text = words((JSON.parse(given) as { message?: unknown }).message) ?? given;
    } catch {
      // Not JSON after all: show what came.
    }
  }
  return text.trim() === "Internal Server Error" ? "服务器内部错误" : saidWords(text);
}

/** What an answer without words means: it comes from something between us and the server, which speaks English or HTML. */
function wordsOfStatus(status: number): string {
  if (status === 429) return "操作过于频繁，请稍后再试";
  if (status === 413) return "提交的内容过大";
  if (status === 500) return "服务器内部错误";
  if (status > 500) return "服务器暂时无法访问，请稍后重试";
  return `${UNKNOWN}（${status}）`;
}

/** The failure that a response with an error status means, with the toast of spec.md section 8. */
export function failureOf(response: Response, body: Body): ApiError {
  const more = {
    status: response.status,
    code: words(body?.code) ?? "",
    fields: fieldsOf(body),
    traceId: words(body?.traceId) ?? response.headers.get("x-trace-id") ?? undefined,
  };
  if (response.status === 404) return new ApiError("not-found", saidWords(words(body?.title) ?? "内容不存在或无权访问"), more);
  if (response.headers.get(ERROR_HEADER) === USER_EXISTS) {
    const text = "账号已存在，请更换登录名";
    return new ApiError("refused", text, { ...more, toast: text });
  }
  const title = response.headers.get(ERROR_TITLE_HEADER);
  if (title) {
    const text = readableMessage(decoded(title));
    // Our server names every refusal there, also the end of a session.
    return new ApiError(response.status === 401 ? "expired" : "refused", text, { ...more, toast: text });
  }
  const said = words(body?.title) ?? words(body?.message) ?? words(body?.msg) ?? wordsOfStatus(response.status);
  const text = readableMessage(said);
  return new ApiError(response.status === 401 ? "expired" : "refused", text, { ...more, toast: `请求错误: ${text}` });
}

/** What the two legacy wrappers say: `code-data` succeeds with 1, `status-data` with any 2xx. */
export function envelopeFailure(envelope: "code-data" | "status-data", body: Body): ApiError | undefined {
  const code = Number(body?.code);
  const msg = words(body?.msg) ?? words(body?.message);
  if (envelope === "code-data") {
    if (code === 1) return undefined;
    const text = msg === undefined ? UNKNOWN : readableMessage(msg);
    return new ApiError("refused", text, { code: codeText(body), fields: fieldsOf(body), toast: `请求错误: ${text}` });
  }
  if (code >= 200 && code < 300) return undefined;
  const text = msg === undefined ? UNKNOWN : `${readableMessage(msg)} ${codeText(body)}`.trim();
  return new ApiError("refused", text, { code: codeText(body), fields: fieldsOf(body), toast: text });
}

const codeText = (body: Body): string => (typeof body?.code === "string" || typeof body?.code === "number" ? String(body.code) : "");
function fieldsOf(body: Body): Record<string, string> {
  const fields = body?.fields;
  return fields && typeof fields === "object"
    ? Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, saidWords(String(text))]))
    : {};
}
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
