import type { Problem } from "@zhangfang/contract/problem.ts";

/**
 * A refusal that the caller is told about. Anything else that is thrown is a fault: 500 with a trace id and no details.
 * @example throw new Refusal(409, "refund.exceeds", "退款金额超过可退金额", { amount: "最多可退 129.00 元" });
 */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: Readonly<Record<string, string>> | undefined;
  readonly headers: Readonly<Record<string, string>>;
  constructor(
    status: number,
    code: string,
    message: string,
    fields?: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.headers = headers;
  }
}

/** Not found and not allowed to see are one answer, so that nobody learns what exists. */
export const notFound = (what = "记录") => new Refusal(404, "not-found", `${what}不存在或无权查看`);
/** Signed in, but the item is not held. */
export const forbidden = () => new Refusal(403, "forbidden", "没有权限执行此操作");
/** Somebody acts for another who lets nobody change anything. */
export const actingReadOnly = () => new Refusal(403, "acting.read-only", "代管登录为只读，服务商未开放代管修改");
/** No live session. */
export const unauthorized = () => new Refusal(401, "unauthorized", "登录已过期，请重新登录");
/** A field is wrong; the form shows the message there. */
export const invalid = (field: string, message: string) => new Refusal(400, "invalid", message, { [field]: message });
/** The thing is no longer in the state that this act needs. */
export const conflict = (message: string, code = "conflict") => new Refusal(409, code, message);
/** Too busy: the caller may try again after the seconds given. */
export const busy = (seconds = 1, message = "系统繁忙，请稍后再试") =>
  new Refusal(503, "busy", message, undefined, { "retry-after": String(seconds) });

/** Whether the transaction is to be tried again: serialization failure, deadlock, a statement prepared before a migration. */
export function isRetryable(error: unknown): boolean {
  const code = sqlState(error);
  return code === "40001" || code === "40P01" || code === "0A000";
}
/** PostgreSQL's code of what it refused. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  // EPIPE of a connection that broke has five letters too.
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) && code !== "EPIPE" ? code : undefined;
}

/**
 * Turns what was thrown into a refusal, where it is one. What users can cause in PostgreSQL (class 22, 23, 54001) is a 4xx,
 * a lack of connections or time is a 503; the rest is undefined: a fault of ours.
 */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  const state = sqlState(error);
  if (state !== undefined) return refusalOfState(state, error);
  const message = (error as Error | null)?.message ?? "";
  const system = (error as { code?: string } | null)?.code ?? "";
  if (
    /timeout exceeded when trying to connect|Connection terminated|terminating connection|is not queryable|EPIPE|ECONNREFUSED|ECONNRESET/.test(
      message,
    )
  )
    return busy(1);
  if (["ECONNREFUSED", "ECONNRESET", "ENOENT", "EPIPE"].includes(system) && (error as { syscall?: string }).syscall === "connect")
    return busy(1);
  return undefined;
}
function refusalOfState(state: string, error: unknown): Refusal | undefined {
  const detail = error as { constraint?: string };
  if (state === "57014") return new Refusal(503, "deadline", "处理超时，请缩小范围后重试", undefined, { "retry-after": "1" });
  if (state === "55P03") return busy(1, "记录正被其他人修改，请稍后再试");
  // 25006: the server has become a standby.
  if (state.startsWith("08") || state.startsWith("57P") || state.startsWith("53") || state === "25006") return busy(2);
  if (state.startsWith("22") || state.startsWith("54")) return new Refusal(400, "invalid", "输入内容格式不正确");
  if (state === "23505") return new Refusal(409, "exists", "记录已存在", undefined);
  if (state === "23503") return new Refusal(409, "reference", "关联的记录不存在");
  if (state === "23514")
    return new Refusal(
      409,
      detail.constraint === "ledger_floor" ? "balance" : "check",
      detail.constraint === "ledger_floor" ? "余额不足" : "数据不符合规则，请刷新后重试",
    );
  if (state === "42501") return notFound();
  if (state === "ZF001") return conflict("当前状态不允许此操作，请刷新后查看");
  return undefined;
}

/** The refusal as it stands on the wire. */
export function problemOf(refusal: Refusal, traceId: string): Problem {
  return {
    title: refusal.message,
    message: refusal.message,
    code: refusal.code,
    ...(refusal.fields ? { fields: refusal.fields } : {}),
    traceId,
  };
}
