import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done, flag, id, instant } from "@zhangfang/contract/fields.ts";
import { z } from "zod";
import { secondFactor } from "./security.ts";

const token = z.string();
const password = z.string().min(1, "请输入密码").max(128);
/** Scope parameters of the legacy sign-in calls; empty counts as absent. */
const optionalId = z.union([id, z.literal("")]).optional();
/** Codes of a refused sign-in that the login page acts on; the rest is shown as it stands. */
export const LOGIN_NEEDS = { totp: "login.totp", newPassword: "login.change-password" } as const;

/**
 * Signs in with a password. Refusals: `login.failed` (one answer for every cause; `fields.captcha` is there once a captcha
 * is asked for), `login.totp` (send `totp` as well), `login.change-password` (a one-time password: send `newPassword`
 * as well), `login.locked` (429, wait for Retry-After).
 */
export const authenticate = write({
  path: "/api/authenticateNew",
  title: "登录",
  access: "public",
  envelope: "bare",
  rate: "login",
  input: z.object({
    username: z.string().trim().min(1, "请输入用户名").max(64),
    password,
    rememberMe: flag.default(false),
    captchaId: z.uuid().optional(),
    captcha: z.string().max(8).optional(),
    totp: secondFactor.optional(),
    newPassword: z.string().max(128).optional(),
  }),
  output: z.object({ id_token: token }),
});
/** A picture of five characters, asked for after three failures; good once, for five minutes. */
export const getCaptcha = read({
  path: "/api/captcha",
  title: "图形验证码",
  access: "public",
  rate: "login",
  input: z.object({}),
  output: z.object({ captchaId: id, image: z.string() }),
});

const requestId = z.string().regex(/^[\w-]{22}$/, "二维码已失效，请刷新");
/** The browser keeps the verifier, shows the request id as a code and the match number beside it. */
export const createQrRequest = write({
  path: "/api/qr-requests",
  title: "扫码登录申请",
  access: "public",
  rate: "login",
  input: z.object({}),
  output: z.object({ requestId, verifier: z.string(), matchNumber: z.string(), expiresAt: instant }),
});
export const QR_VERIFIER_HEADER = "x-qr-verifier";
/** What the login page asks once a second, with its verifier in the header; anything unknown is `expired`. */
export const pollQrRequest = read({
  path: "/api/qr-requests/:requestId",
  title: "扫码登录状态",
  access: "public",
  rate: "poll",
  input: z.object({ requestId }),
  output: z.object({ state: z.enum(["waiting", "scanned", "confirmed", "refused", "expired"]) }),
});
/** The phone took the code: whoever scans is the only one who may confirm. */
export const scanQrRequest = write({
  path: "/api/qr-requests/scan",
  title: "扫码",
  access: "signed-in",
  closedToActing: true,
  input: z.object({ requestId }),
  output: z.object({ ip: z.string().nullable(), device: z.string().nullable(), createdAt: instant, expiresAt: instant }),
});
/** The phone says yes with the number that stands beside the code, or no. A wrong number ends the request. */
export const confirmQrRequest = write({
  path: "/api/qr-requests/confirm",
  title: "确认扫码登录",
  access: "signed-in",
  closedToActing: true,
  input: z.object({ requestId, accept: flag, matchNumber: z.string().max(2).default("") }),
  output: z.object({ confirmed: z.boolean() }),
});
/** The login page fetches its token, once. */
export const authorizeQrCode = write({
  path: "/api/authorizeQrCode/v2",
  source: "query",
  title: "扫码登录",
  access: "public",
  envelope: "code-data",
  rate: "poll",
  input: z.object({ requestId, rememberMe: flag.default(false) }),
  output: token,
});

/** A ticket from a signed-in system of the same tenant; good once, for a minute, with just the parameters sealed in it. */
export const autoLogin = write({
  path: "/sfpfacadeservicepc/api/authorize/autoLogin",
  source: "query",
  title: "免密登录",
  access: "public",
  envelope: "status-data",
  rate: "login",
  input: z.object({
    requestId: z.string().min(1).max(100),
    rememberMe: flag.default(false),
    serviceProviderId: optionalId,
    businessTeamId: optionalId,
  }),
  output: token,
});
/** Log in as somebody below; see account-rules.ts for whom. */
export const manualLogin = write({
  path: "/sfpfacadeservicepc/api/authorize/manualLogin",
  source: "query",
  title: "代管登录",
  envelope: "status-data",
  rate: "login",
  closedToActing: true,
  access: [
    "/admin/serviceProvider/loginAs",
    "/agent/agent/loginAs",
    "/merchants/merchants/loginAs",
    "/account/account/loginAs",
    "/bypass/bypass/loginAs",
  ],
  input: z.object({ userId: id, serviceProviderId: optionalId, businessTeamId: optionalId }),
  output: token,
});
/** The hand-over between our systems: a stamp signed by us for `id` (who issues) and `targetId` (who is signed in), good once for a minute. */
export const handOverLogin = write({
  path: "/newokpayorderservice/api/user/login",
  source: "both",
  title: "系统间登录",
  access: "public",
  envelope: "bare",
  rate: "login",
  input: z.object({ id, targetId: id, stamp: z.string().min(1).max(200) }),
  output: z.object({ id_token: token }),
});

export const logout = write({ path: "/api/sessions/logout", title: "退出登录", access: "signed-in", input: z.object({}), output: done });
export const listSessions = read({
  path: "/api/sessions",
  title: "我的登录设备",
  access: "signed-in",
  input: z.object({}),
  output: z.object({
    items: z.array(
      z.object({
        id,
        current: z.boolean(),
        ip: z.string().nullable(),
        device: z.string().nullable(),
        createdAt: instant,
        seenAt: instant,
        expiresAt: instant,
        remember: z.boolean(),
        actorLogin: z.string().nullable(),
      }),
    ),
  }),
});
export const endOtherSessions = write({
  path: "/api/sessions/end-others",
  title: "退出其他设备",
  access: "signed-in",
  closedToActing: true,
  input: z.object({}),
  output: z.object({ ended: z.int() }),
});
