import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done } from "@zhangfang/contract/fields.ts";
import { z } from "zod";

/** Six digits of the app, or one of the recovery codes, its dashes or not. */
export const secondFactor = z
  .string()
  .trim()
  .regex(/^(\d{6}|[A-Za-z2-7]{4}(-?[A-Za-z2-7]{4}){3})$/, "请输入 6 位动态验证码，或一个恢复码");
const password = z.string().min(1, "请输入当前密码").max(128);
/** What every call here has: nobody does it in another's name, and guesses are slowed. */
const own = { access: "signed-in", outside: true, closedToActing: true, rate: "login" } as const;

/** How the own account is secured. */
export const getSecurity = read({
  path: "/api/security",
  title: "安全设置",
  access: "signed-in",
  input: z.object({}),
  output: z.object({ totp: z.boolean(), recoveryCodesLeft: z.int() }),
});
/** Makes a secret, shown this once; it counts only after `confirmTotp`. Refused while one is in force. */
export const startTotp = write({
  path: "/api/security/totp/start",
  title: "设置动态验证码",
  ...own,
  input: z.object({ password }),
  /** The secret in base32, and the address that an app reads from the QR code. */
  output: z.object({ secret: z.string(), uri: z.string() }),
});
/** The app's first code puts it in force and ends the other sessions. The recovery codes are shown this once. */
export const confirmTotp = write({
  path: "/api/security/totp/confirm",
  title: "启用动态验证码",
  ...own,
  input: z.object({ code: z.string().regex(/^\d{6}$/, "动态验证码为 6 位数字") }),
  output: z.object({ recoveryCodes: z.array(z.string()) }),
});
export const endTotp = write({
  path: "/api/security/totp/end",
  title: "关闭动态验证码",
  ...own,
  input: z.object({ password, code: secondFactor }),
  output: done,
});
