import { sql } from "kysely";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { needFor, notGranted } from "../apps/granted.ts";
import { openRefresh, openSecret, openToken } from "../apps/app-keys.ts";
import type { WechatAnswer, WechatJson } from "./answers.ts";
import { type Asked, livingToken, type Minted, mintedOf, tokenOf } from "./app-token.ts";
import { callComponent, componentOf } from "./call-component.ts";
import { sendWechat, underToken } from "./send-wechat.ts";

const CALLS = platformScope("call WeChat for an official account");
/** The account took its authorisation back: WeChat knows the refresh token no more. */
const TAKEN_BACK: readonly number[] = [61_003, 61_023];
/** As long as somebody may be changing a new code of it. */
const TAKING_MS = 90_000;
/** 授权里没有这个接口. */
const NOT_GRANTED = 61_007;
const isTakenBack = (answer: WechatAnswer<unknown>): boolean => answer.kind === "refused" && TAKEN_BACK.includes(answer.code!);

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
  let token = "";
  const answer = await underToken(
    (dead) =>
      dead === undefined && account.token !== undefined
        ? Promise.resolve({ kind: "ok", value: account.token })
        : tokenOf(services, account, mint, dead),
    (access_token) => sendWechat(services, caller, path, { access_token: (token = access_token) }, body),
  );
  if (account.secret === null && isTakenBack(answer)) await endAuthorisation(services, account, { token });
  if (account.secret !== null || answer.kind !== "refused" || answer.code !== NOT_GRANTED) return answer;
  // What we know of its permissions is older than this refusal.
  await withScope(services.pool, CALLS, (tx) =>
    sql`update wx_apps a set facts_at = null where a.service_provider_id = ${app.service_provider_id} and a.id = ${app.id}`.execute(tx),
  );
  const need = needFor(path);
  return need === undefined ? answer : { ...answer, message: `${notGranted([need])}（${NOT_GRANTED}）` };
}
/** Asks for the next token of an authorised account at once: WeChat tells by it whether it still knows the authorisation. */
export async function renewToken(services: Services, app: WechatApp): Promise<void> {
  const account = await accountOf(services, app);
  if ("kind" in account || account.secret !== null) return;
  await tokenOf(services, account, (asked) => mintAuthorised(services, account, asked), { token: account.token ?? "", force: false });
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
  if (isTakenBack(answer)) await endAuthorisation(services, account, { refresh });
  return answer;
}
/** WeChat's news of it got lost; found by asking with this token or that. Not where it was authorised anew meanwhile, or is just being so. */
const endAuthorisation = (
  services: Services,
  { service_provider_id, id }: Account,
  by: { readonly token: string } | { readonly refresh: string },
): Promise<unknown> =>
  withScope(services.pool, CALLS, async (tx) => {
    const now_ms = services.clock.now_ms();
    const now = new Date(now_ms).toISOString();
    const { rows } = await sql<{ busy: boolean }>`select exists (select 1 from wx_authorisations w
        where w.service_provider_id = a.service_provider_id and w.app_row = a.id
          and (w.state = 'taking' and w.taken_at > ${new Date(now_ms - TAKING_MS).toISOString()}
            or w.state = 'open' and w.came_at is not null and w.grant_sealed is null)) as busy
      from wx_apps a where a.service_provider_id = ${service_provider_id} and a.id = ${id} and a.auth_state = 'on' for update of a`.execute(
      tx,
    );
    if (rows[0]?.busy !== false) return;
    const held = await tx
      .selectFrom("wx_app_tokens")
      .select(["token_sealed", "refresh_sealed"])
      .where("service_provider_id", "=", service_provider_id)
      .where("app_row", "=", id)
      .forUpdate()
      .executeTakeFirst();
    const { token_sealed = null, refresh_sealed = null } = held ?? {};
    const row = { service_provider_id, id };
    const same =
      "token" in by
        ? token_sealed !== null && openToken(services, row, token_sealed) === by.token
        : refresh_sealed !== null && openRefresh(services, row, refresh_sealed) === by.refresh;
    if (!same) return;
    await sql`update wx_apps a set auth_state = 'off', auth_at = ${now}, updated_at = ${now}, revision = a.revision + 1
      where a.service_provider_id = ${service_provider_id} and a.id = ${id} and a.auth_state = 'on'`.execute(tx);
  });
