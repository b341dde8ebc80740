import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { openOutbound } from "@zhangfang/server/outside/outbound.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { PlatformAccount } from "../accounts/account-of.ts";
import { type Answer, type Json, readJson, unknown } from "./answers.ts";

const CALLS = platformScope("call a platform");
/** A till waits eight seconds in all. */
const TIMEOUT_MS = 6_000;

/** A request to a platform, before its token. */
export interface Ask {
  readonly operation: string;
  /** The attempt or day it is about; never a code. */
  readonly about?: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Writes down that a platform is asked, asks, and writes down how it ended. What throws is unknown; an answer is never lost for want of its record. */
export async function recorded<T>(
  services: Services,
  account: PlatformAccount,
  { operation, about = "" }: Pick<Ask, "operation" | "about">,
  call: () => Promise<Answer<T>>,
): Promise<Answer<T>> {
  const id = services.ids.uuid(services.clock.now_ms());
  const now = () => new Date(services.clock.now_ms()).toISOString();
  const { service_provider_id, merchant_id } = account;
  await withScope(services.pool, CALLS, (tx) =>
    tx
      .insertInto("platform_calls")
      .values({ service_provider_id, merchant_id, id, account_id: account.id, operation, about, started_at: now() })
      .execute(),
  );
  const answer = await call().catch((error: unknown) => unknown(error instanceof Error ? error.message : "没有应答"));
  services.metrics.channelCalls.inc({
    operation: `${account.platform}-${operation}`,
    outcome: answer.kind === "held" ? "unknown" : answer.kind,
  });
  await withScope(services.pool, CALLS, (tx) =>
    tx
      .updateTable("platform_calls")
      .set({
        ended_at: now(),
        outcome: answer.kind,
        ...("code" in answer && answer.code !== undefined && { code: answer.code.slice(0, 32) }),
        ...("message" in answer && { message: answer.message.slice(0, 200) }),
        ...("reason" in answer && { message: answer.reason.slice(0, 200) }),
      })
      .where("service_provider_id", "=", service_provider_id)
      .where("id", "=", id)
      .execute(),
  ).catch((error: unknown) => services.log.error({ err: error, operation, account: account.id }, "how a call ended is not written down"));
  return answer;
}

/** One request. @throws where nothing came back, or nothing that can be read */
export async function sendTo(baseUrl: string, { method, path, query, body, headers }: Ask): Promise<Json> {
  const url = new URL(`${baseUrl}${path}`);
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
  const send = openOutbound([url.host], { loopback: url.protocol === "http:" });
  const answer = await send({
    method,
    url: url.href,
    headers: { "content-type": "application/json", ...headers },
    ...(body && { body: JSON.stringify(body) }),
    timeout_ms: TIMEOUT_MS,
  });
  if (answer.status !== 200) throw new Error(`HTTP ${answer.status}`);
  return readJson(answer.body.toString("utf8"));
}
