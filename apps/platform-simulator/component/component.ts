import { randomBytes } from "node:crypto";
import { type ComponentsOf, said, type WechatAccount } from "../wechat-api.ts";
import { wechatWords } from "../wechat-fans.ts";
import { loginPage, statePage } from "./pages.ts";

type Json = Readonly<Record<string, unknown>>;
interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly location?: string;
}
const json = (status: number, body: object): Answer => ({ status, type: "application/json; charset=utf-8", text: JSON.stringify(body) });
const html = (status: number, text: string): Answer => ({ status, type: "text/html; charset=utf-8", text });
const textOf = (given: unknown): string => (typeof given === "string" ? given : "");
const drawn = (what: string): string => `${what}@@@${randomBytes(24).toString("base64url")}`;
const APP_ID = /^wx[0-9a-f]{16}$/;
const [TOKEN_MS, PRE_AUTH_MS, CODE_MS] = [7_200_000, 1_800_000, 3_600_000];

/** An account as its owner authorised it. */
interface Grant {
  name: string;
  /** WeChat's service_type_info: 0 订阅号, 2 服务号. */
  kind: number;
  permissions: number[];
  refresh: string;
  mini: boolean;
}
/** A 第三方平台 as it is set up at 微信开放平台. */
interface Component {
  readonly appId: string;
  secret: string;
  token: string;
  aesKey: string;
  eventUrl: string;
  messageUrl: string;
  ticket: string;
  access: { text: string; until_ms: number };
  readonly preAuth: Map<string, number>;
  readonly codes: Map<string, { readonly appId: string; readonly until_ms: number }>;
  readonly grants: Map<string, Grant>;
  /** Who took it back. */
  readonly gone: Set<string>;
}
const ALL: readonly number[] = [1, 2, 3, 4, 7, 11, 15];
/** WeChat sends a ticket so often. */
const TICKETS_MS = 600_000;
/** What a call needs to have been granted. */
const NEEDS: readonly (readonly [RegExp, number])[] = [
  [/^user\//, 2],
  [/^qrcode\//, 3],
  [/^message\/mass\//, 7],
  [/^(media|material|draft)\//, 11],
  [/^menu\//, 15],
];

/** WeChat's 第三方平台: tickets, tokens, the page of authorisation and what it tells of them. */
export class Components implements ComponentsOf {
  private readonly all = new Map<string, Component>();
  private readonly now_ms: () => number;
  private readonly accountOf: (appId: string) => WechatAccount;
  constructor(now_ms: () => number, accountOf: (appId: string) => WechatAccount) {
    this.now_ms = now_ms;
    this.accountOf = accountOf;
    setInterval(() => {
      for (const component of this.all.values()) void this.pushTicket(component).catch(() => undefined);
    }, TICKETS_MS).unref();
  }
  /** Whether an account's token was made by an authorisation that has this call in it. */
  allows(appId: string, path: string): boolean {
    const grant = [...this.all.values()].map(({ grants }) => grants.get(appId)).find((one) => one !== undefined);
    const need = NEEDS.find(([of]) => of.test(path))?.[1];
    return grant === undefined || need === undefined || grant.permissions.includes(need);
  }
  /** `/cgi-bin/component/…`; the caller has looked for faults. */
  call(path: string, query: URLSearchParams, body: Json): Json {
    const component = this.all.get(textOf(body["component_appid"]));
    if (!component) return said(40_013, "invalid appid");
    if (path === "api_component_token" || path === "api_start_push_ticket") {
      if (body[path === "api_component_token" ? "component_appsecret" : "component_secret"] !== component.secret)
        return said(40_125, "invalid appsecret");
      if (path === "api_start_push_ticket") {
        void this.pushTicket(component).catch(() => undefined);
        return said(0, "ok");
      }
      if (body["component_verify_ticket"] !== component.ticket) return said(61_006, "component ticket is invalid");
      component.access = { text: drawn("component"), until_ms: this.now_ms() + TOKEN_MS };
      return { component_access_token: component.access.text, expires_in: TOKEN_MS / 1_000 };
    }
    if (component.access.text === "" || query.get("component_access_token") !== component.access.text)
      return said(40_001, "invalid credential, access_token is invalid or not latest");
    if (component.access.until_ms <= this.now_ms()) return said(42_001, "component_access_token expired");
    return this.authorised(component, path, body);
  }
  private authorised(component: Component, path: string, body: Json): Json {
    if (path === "api_create_preauthcode") {
      const code = drawn("preauthcode");
      component.preAuth.set(code, this.now_ms() + PRE_AUTH_MS);
      return { pre_auth_code: code, expires_in: PRE_AUTH_MS / 1_000 };
    }
    if (path === "api_query_auth") {
      const code = textOf(body["authorization_code"]);
      const found = component.codes.get(code);
      component.codes.delete(code);
      const grant = found && component.grants.get(found.appId);
      if (!grant || found.until_ms <= this.now_ms()) return said(61_010, "code is expired");
      const func_info = grant.permissions.map((id) => ({ funcscope_category: { id } }));
      return { authorization_info: { authorizer_appid: found.appId, ...this.tokenFor(found.appId, grant), func_info } };
    }
    const appId = textOf(body["authorizer_appid"]);
    const grant = component.grants.get(appId) ?? this.known(component, path, body);
    if (!grant) return said(61_003, "component is not authorized by this account");
    if (path === "api_authorizer_token") {
      if (body["authorizer_refresh_token"] !== grant.refresh) return said(61_023, "refresh_token is invalid");
      return this.tokenFor(appId, grant);
    }
    if (path !== "api_get_authorizer_info") return said(48_001, "api unauthorized");
    const authorizer_info = {
      nick_name: grant.name,
      service_type_info: { id: grant.kind },
      verify_type_info: { id: 0 },
      user_name: `gh_${appId.slice(2, 14)}`,
      ...(grant.mini && { MiniProgramInfo: {} }),
    };
    const func_info = grant.permissions.map((id) => ({ funcscope_category: { id } }));
    return { authorizer_info, authorization_info: { authorizer_appid: appId, authorizer_refresh_token: grant.refresh, func_info } };
  }
  /** Authorised before this process began: believed by its refresh token, as an AppSecret is. */
  private known(component: Component, path: string, body: Json): Grant | undefined {
    const [appId, refresh] = [textOf(body["authorizer_appid"]), textOf(body["authorizer_refresh_token"])];
    if (path !== "api_authorizer_token" || refresh === "" || component.gone.has(appId)) return undefined;
    const grant = { name: "公众号", kind: 2, permissions: [...ALL], mini: false, refresh };
    component.grants.set(appId, grant);
    return grant;
  }
  /** Each time a new one, and a new one to refresh it by. */
  private tokenFor(appId: string, grant: Grant): Json {
    const account = this.accountOf(appId);
    account.token = { text: drawn("tok"), until_ms: this.now_ms() + TOKEN_MS };
    account.old = { text: "", until_ms: 0 };
    grant.refresh = drawn("refreshtoken");
    return { authorizer_access_token: account.token.text, expires_in: TOKEN_MS / 1_000, authorizer_refresh_token: grant.refresh };
  }

  /** What WeChat tells a component, as it goes out. */
  news(component: Component, fields: Readonly<Record<string, string>>) {
    const CreateTime = String(Math.floor(this.now_ms() / 1_000));
    return wechatWords(
      { address: component.eventUrl, ...component, sealedFor: component.appId },
      { AppId: component.appId, CreateTime, ...fields },
      this.now_ms(),
    );
  }
  private async tell(component: Component, fields: Readonly<Record<string, string>>): Promise<number> {
    if (!/^http:\/\/(127\.0\.0\.1|localhost)(:\d+)?\//.test(component.eventUrl)) return 0;
    const { url, body } = this.news(component, fields);
    const answer = await fetch(url, { method: "POST", headers: { "content-type": "text/xml" }, body });
    return answer.ok && (await answer.text()) !== "success" ? 0 : answer.status;
  }
  async pushTicket(component: Component): Promise<number> {
    component.ticket = drawn("ticket");
    return this.tell(component, { InfoType: "component_verify_ticket", ComponentVerifyTicket: component.ticket });
  }
  /** The owner of an account says yes on WeChat's page. */
  private grant(component: Component, appId: string, given: Partial<Grant>): string {
    const before = component.grants.get(appId);
    const fresh = { name: "公众号", kind: 2, permissions: [...ALL], mini: false, refresh: "" };
    component.gone.delete(appId);
    component.grants.set(appId, { ...fresh, ...before, ...given });
    const code = drawn("queryauthcode");
    component.codes.set(code, { appId, until_ms: this.now_ms() + CODE_MS });
    return code;
  }
  private granted = (InfoType: "authorized" | "updateauthorized", appId: string, code: string, preAuth: string) => ({
    InfoType,
    AuthorizerAppid: appId,
    AuthorizationCode: code,
    AuthorizationCodeExpiredTime: String(Math.floor((this.now_ms() + CODE_MS) / 1_000)),
    PreAuthCode: preAuth,
  });

  /**
   * POST /wechat-component `{ act, appId, … }`: `set` (secret, token, aesKey, eventUrl, messageUrl; sends a ticket), `ticket`, `expects` (a ticket that was sent by hand), `forget` (the token is good no
   * more), `changes` (authorizer, permissions: changed, and nobody is told), `authorise` (authorizer, preAuth?, permissions?, mini?, silent?: nobody is told; gives the code), `unauthorise` (authorizer, silent?), `keys` (authorizer).
   */
  private async control(given: Json): Promise<Answer> {
    const appId = textOf(given["appId"]);
    const authorizer = textOf(given["authorizer"]);
    if (given["act"] === "set") {
      const { secret, token, aesKey, eventUrl, messageUrl } = given as Record<string, string>;
      const known = this.all.get(appId);
      const kept = {
        preAuth: new Map(),
        codes: new Map(),
        grants: new Map(),
        gone: new Set(),
        access: { text: "", until_ms: 0 },
        ticket: "",
        ...known,
      };
      const component = { ...kept, appId, secret, token, aesKey, eventUrl, messageUrl } as Component;
      this.all.set(appId, component);
      return json(200, { told: await this.pushTicket(component).catch(() => 0) });
    }
    const component = this.all.get(appId);
    if (!component) return json(400, { message: "没有这个第三方平台" });
    if (given["act"] === "expects") {
      component.ticket = textOf(given["ticket"]);
      return json(200, {});
    }
    if (given["act"] === "ticket") return json(200, { told: await this.pushTicket(component) });
    if (given["act"] === "forget") {
      component.access = { text: "", until_ms: 0 };
      return json(200, {});
    }
    if (given["act"] === "authorise") {
      const { permissions, mini } = given as { permissions?: number[]; mini?: boolean };
      const again = component.grants.has(authorizer);
      const code = this.grant(component, authorizer, { ...(permissions && { permissions }), ...(mini !== undefined && { mini }) });
      const fields = this.granted(again ? "updateauthorized" : "authorized", authorizer, code, textOf(given["preAuth"]));
      return json(200, { code, told: given["silent"] === true ? 0 : await this.tell(component, fields) });
    }
    if (given["act"] === "changes") {
      component.grants.get(authorizer)!.permissions = given["permissions"] as number[];
      return json(200, {});
    }
    if (given["act"] === "unauthorise") {
      component.grants.delete(authorizer);
      component.gone.add(authorizer);
      this.accountOf(authorizer).token = { text: "", until_ms: 0 };
      return json(200, {
        told: given["silent"] === true ? 0 : await this.tell(component, { InfoType: "unauthorized", AuthorizerAppid: authorizer }),
      });
    }
    if (given["act"] !== "keys") return json(400, { message: "act" });
    return json(200, { ...this.keysFor(component, authorizer) });
  }
  /** With what an account's messages go out. */
  private keysFor({ appId, token, aesKey, messageUrl }: Component, authorizer: string) {
    return { address: messageUrl.replace("$APPID$", authorizer), appId: authorizer, sealedFor: appId, token, aesKey };
  }
  /** The page on which an account's owner says yes, with WeChat's own. */
  private async page(url: URL, method: string, text: string): Promise<Answer> {
    const asked = method === "POST" ? new URLSearchParams(text) : url.searchParams;
    const component = this.all.get(asked.get("component_appid") ?? "");
    const [preAuth, back] = [asked.get("pre_auth_code") ?? "", asked.get("redirect_uri") ?? ""];
    if (!component || (component.preAuth.get(preAuth) ?? 0) <= this.now_ms()) return html(400, "<p>预授权码无效或已过期</p>");
    if (!URL.canParse(back) || new URL(back).origin !== new URL(component.eventUrl).origin)
      return html(400, "<p>授权回调的域名没有登记</p>");
    if (method !== "POST") return html(200, loginPage(asked));
    const appId = asked.get("biz_appid") ?? asked.get("appId") ?? "";
    if (!APP_ID.test(appId)) return html(400, "<p>AppID 不对</p>");
    const permissions = asked.getAll("permission").map(Number);
    component.preAuth.delete(preAuth);
    if (asked.has("lost")) this.accountOf(component.appId).faults.push({ fault: "lost", times: 1, path: "component/api_query_auth" });
    const again = component.grants.has(appId);
    const code = this.grant(component, appId, { permissions, kind: Number(asked.get("kind") ?? 2), name: asked.get("name") ?? "公众号" });
    await this.tell(component, this.granted(again ? "updateauthorized" : "authorized", appId, code, preAuth)).catch(() => 0);
    const to = new URL(back);
    to.searchParams.set("auth_code", code);
    to.searchParams.set("expires_in", String(CODE_MS / 1_000));
    return { ...html(302, ""), location: to.href };
  }
  answer(given: string, method: string, text: string): Promise<Answer> | undefined {
    const url = new URL(given, "http://simulator");
    if (url.pathname === "/cgi-bin/componentloginpage") return this.page(url, method, text);
    if (url.pathname !== "/wechat-component") return undefined;
    if (method === "POST") return this.control(JSON.parse(text) as Json);
    return Promise.resolve(html(200, statePage([...this.all.values()])));
  }
}
