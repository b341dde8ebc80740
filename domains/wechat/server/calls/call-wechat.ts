import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { openRefresh, openSecret } from "../apps/app-keys.ts";
import type { WechatAnswer, WechatJson } from "./answers.ts";
import { type Asked, livingToken, type Minted, mintedOf, tokenOf } from "./app-token.ts";
import { callComponent, componentOf } from "./call-component.ts";
import { sendWechat, underToken } from "./send-wechat.ts";

const CALLS = platformScope("call WeChat for an official account");
/** The account took its authorisation back: WeChat knows the refresh token no more. */
const TAKEN_BACK: readonly number[] = [61_003, 61_023];

/** An official account by its row. */
export interface WechatApp {
  readonly service_provider_id: string;
  readonly id: string;
}
interface Account extends WechatApp {
  readonly merchant_id: string;
  readonly app_id: string;
  /** Its AppSecret; null where it was authorised to the provider's component. */
  readonly secret: string | null;
  /** Its access token, where one is there that lives. */
  readonly token: string | undefined;
}
type Refused = WechatAnswer<never> & { kind: "refused" };
const no = (message: string): Refused => ({ kind: "refused", code: null, message });

/**
 * Calls WeChat in the name of an account, with its access token. Outside of every transaction: it writes down the call before it goes out and how
 * it ended. A token that WeChat takes no more is replaced, and the same call made once again: nothing of it was done then.
 * @param path below `/cgi-bin/`, with its query: `user/get?next_openid=…`
 * @param body sent as JSON by POST, a `WechatFile` as a file; without it the call is a GET
 * @returns ok with the whole answer; refused with WeChat's errcode, or null where the account can't ask at all; unknown where nobody knows
 * whether it was done. Never throws for what WeChat does.
 */
export async function callWechat(services: Services, app: WechatApp, path: string, body?: object): Promise<WechatAnswer<WechatJson>> {
  const account = await accountOf(services, app);
  if ("kind" in account) return account;
  const caller = { service_provider_id: account.service_provider_id, merchant_id: account.merchant_id, app_row: account.id };
  const mint = (asked: Asked) => (account.secret === null ? mintAuthorised(services, account, asked) : mintOwn(services, account, asked));
  return underToken(
    (dead) =>
      dead === undefined && account.token !== undefined
        ? Promise.resolve({ kind: "ok", value: account.token })
        : tokenOf(services, account, mint, dead),
    (access_token) => sendWechat(services, caller, path, { access_token }, body),
  );
}

async function accountOf(services: Services, { service_provider_id, id }: WechatApp): Promise<Account | Refused> {
  const row = await withScope(
    services.pool,
    CALLS,
    (tx) =>
      tx
        .selectFrom("wx_apps as a")
        .leftJoin("wx_app_tokens as t", (on) =>
          on.onRef("t.service_provider_id", "=", "a.service_provider_id").onRef("t.app_row", "=", "a.id"),
        )
        .select(["a.service_provider_id", "a.id", "a.merchant_id", "a.app_id", "a.state", "a.secret_sealed", "a.way", "a.auth_state"])
        .select(["t.token_sealed", "t.ends_at"])
        .where("a.service_provider_id", "=", service_provider_id)
        .where("a.id", "=", id)
        .executeTakeFirst(),
    { readOnly: true },
  );
  if (!row) return no("公众号不存在");
  if (row.state !== "active") return no("公众号已停用");
  const token = livingToken(services, row, row);
  if (row.way === "component") return row.auth_state === "on" ? { ...row, token, secret: null } : no(NOT_AUTHORISED);
  if (row.secret_sealed === null) return no("公众号还没有填 AppSecret（微信应用 → 凭据）");
  return { ...row, token, secret: openSecret(services, row, row.secret_sealed) };
}
const NOT_AUTHORISED = "公众号已取消授权，请到 微信应用 重新授权";

/** Asks for a token by stable_token: the same for everybody who asks, until it is replaced by force. */
async function mintOwn(services: Services, { service_provider_id, merchant_id, id, ...account }: Account, { force }: Asked) {
  const body = { grant_type: "client_credential", appid: account.app_id, secret: account.secret, force_refresh: force };
  const answer = await sendWechat(services, { service_provider_id, merchant_id, app_row: id }, "stable_token", {}, body);
  return answer.kind === "ok" ? mintedOf(answer.value, "access_token") : answer;
}
/** Asks for the token of an account that is authorised, by its refresh token. */
async function mintAuthorised(services: Services, account: Account, { refresh }: Asked): Promise<WechatAnswer<Minted>> {
  const component = await componentOf(services, account.service_provider_id);
  if (!component || refresh === null) return no("公众号的授权不全，请到 微信应用 重新授权");
  const answer = await callComponent(services, component, "component/api_authorizer_token", {
    component_appid: component.app_id,
    authorizer_appid: account.app_id,
    authorizer_refresh_token: refresh,
  });
  if (answer.kind === "ok") return mintedOf(answer.value, "authorizer_access_token");
  if (answer.kind === "refused" && TAKEN_BACK.includes(answer.code!)) await endAuthorisation(services, account, refresh);
  return answer;
}
/** WeChat's news of it got lost; found by asking. Not where it was authorised anew meanwhile. */
const endAuthorisation = (services: Services, { service_provider_id, id }: Account, refresh: string): Promise<unknown> =>
  withScope(services.pool, CALLS, async (tx) => {
    const now = new Date(services.clock.now_ms()).toISOString();
    const token = await tx
      .selectFrom("wx_app_tokens")
      .select("refresh_sealed")
      .where("service_provider_id", "=", service_provider_id)
      .where("app_row", "=", id)
      .forUpdate()
      .executeTakeFirst();
    const sealed = token?.refresh_sealed ?? null;
    if (sealed === null || openRefresh(services, { service_provider_id, id }, sealed) !== refresh) return;
    await tx
      .updateTable("wx_apps")
      .set({ auth_state: "off", auth_at: now, updated_at: now })
      .where("service_provider_id", "=", service_provider_id)
      .where("id", "=", id)
      .where("auth_state", "=", "on")
      .execute();
  });
