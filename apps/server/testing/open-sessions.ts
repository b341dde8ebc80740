import { signIn } from "../../demo/tree/tree.ts";
import type { TillWorld } from "@zhangfang/domains/orders/server/testing/till-world.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { type Caller, DISABLED, LOGINS } from "./matrix/people.ts";

/** A session for each login, and the sessions that are none any more. */
export async function openSessions(till: TillWorld, services: Services): Promise<Map<Caller, string>> {
  const tokens = new Map<Caller, string>();
  for (const login of LOGINS) tokens.set(login, await signIn(services, login));
  for (const [stranger, end] of [
    ["logged-out", "update sessions set ended_at = now(), ended_why = '退出登录' where token_hash = sha256($1)"],
    ["expired", "update sessions set expires_at = created_at where token_hash = sha256($1)"],
    ["disabled", "update users set state = 'disabled' where id = (select user_id from sessions where token_hash = sha256($1))"],
  ] as const) {
    const token = await signIn(services, stranger === "disabled" ? DISABLED : "mch01");
    await till.owner(end, [Buffer.from(token)]);
    tokens.set(stranger, token);
  }
  const good = tokens.get("mch01")!;
  tokens.set("tampered", `${good.slice(0, -1)}${good.endsWith("A") ? "B" : "A"}`);
  return tokens;
}
