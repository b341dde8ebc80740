import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import { conflict, Refusal } from "@zhangfang/server/calls/errors.ts";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { networkOf } from "@zhangfang/server/network.ts";
import { authenticate, LOGIN_NEEDS } from "../../contract/sign-in.ts";
import { startSession } from "../session/start-session.ts";
import { checkPassword } from "./check-password.ts";
import { type Attempt, checkAttempt, countFailure, countSuccess, owe, settle, settleOthers } from "./guard-attempts.ts";
import { takeCaptcha } from "./get-captcha.ts";
import { hashPassword, verifyPassword } from "./hash-password.ts";
import { spendCode } from "./spend-code.ts";
import { takeTurns } from "./take-turns.ts";

type Input = ParsedOf<typeof authenticate>;
type User = NonNullable<Awaited<ReturnType<typeof findUser>>>;

/**
 * Signs in with a password. Whatever is wrong, the answer and its time are the same, and no connection is held while the
 * password is hashed. A one-time password signs in only together with a new one, so that no session ever waits for the change.
 */
export const authenticateRoute = implement(authenticate, (ctx, input) =>
  takeTurns(input.username.toLowerCase(), () => attempt(ctx, input)),
);

/** Under which name the counts of an account's sign-ins are owed. */
const owedBy = (login: string): string => `sign-in ${login.toLowerCase()}`;

async function attempt(ctx: Ctx, input: Input): Promise<{ id_token: string }> {
  // A wrong one whose count was not written must not be a guess for nothing.
  await settle(owedBy(input.username));
  const network = networkOf(ctx.incoming.ip);
  const { user, tried, captchaOk } = await ctx.platform("sign-in", async (tx) => {
    const found = await findUser(tx, input.username, network);
    const given: Attempt = { login: input.username, network, known: found?.known ?? false };
    const { captcha } = await checkAttempt(tx, given, ctx.now_ms);
    return { user: found, tried: given, captchaOk: !captcha || (await takeCaptcha(tx, input.captchaId, input.captcha, ctx.now)) };
  });
  if (!captchaOk)
    throw count(ctx, "captcha", new Refusal(401, "login.failed", "请输入正确的图形验证码", { captcha: "请输入正确的图形验证码" }));

  const right = await verifyPassword(user?.password_hash, input.password);
  const usable = right && user !== undefined && (!user.must_change_password || (user.password_expires_at ?? "") > ctx.now);
  if (!usable) throw await failed(ctx, tried);
  if (user.totp_sealed !== null && input.totp === undefined)
    throw count(ctx, "totp", new Refusal(401, LOGIN_NEEDS.totp, "请输入动态验证码", { totp: "请输入动态验证码" }));
  if (user.must_change_password && input.newPassword === undefined)
    throw count(ctx, "change", new Refusal(401, LOGIN_NEEDS.newPassword, "请设置新密码", { newPassword: "请设置新密码" }));
  const newHash = user.must_change_password ? await hashNew(user.login, input) : undefined;

  const token = await ctx
    .platform("sign-in", (tx) => enter(ctx, tx, { user, tried, input, newHash }))
    .catch((error: unknown) => {
      if (error instanceof Refusal && error.code === "login.failed") return undefined;
      throw error;
    });
  if (token === undefined) throw await failed(ctx, tried);
  ctx.services.metrics.logins.inc({ outcome: "ok" });
  return { id_token: token };
}

async function enter(
  ctx: Ctx,
  tx: Transaction,
  { user, tried, input, newHash }: { user: User; tried: Attempt; input: Input; newHash: string | undefined },
): Promise<string> {
  const { totp_sealed } = user;
  if (totp_sealed !== null && !(await spendCode(tx, ctx.services, { ...user, totp_sealed }, input.totp ?? "")))
    throw new Refusal(401, "login.failed", "动态验证码错误");
  if (newHash !== undefined) {
    mustChange(
      await tx
        .updateTable("users")
        .set({ password_hash: newHash, must_change_password: false, password_expires_at: null })
        .where("id", "=", user.id)
        .where("password_hash", "=", user.password_hash)
        .executeTakeFirst(),
      () => conflict("密码已被更改，请重新登录"),
    );
  }
  const token = await startSession(tx, ctx.services, {
    userId: user.id,
    limits: input.rememberMe ? "remembered" : "normal",
    ip: ctx.incoming.ip,
    device: ctx.incoming.headers["user-agent"],
  });
  await countSuccess(tx, tried, user.id, ctx.now_ms);
  await ctx.audit(tx, {
    userId: user.id,
    login: user.login,
    provider: user.service_provider_id ?? undefined,
    merchant: user.merchant_id ?? undefined,
    targetKind: "user",
    targetId: user.id,
    ...(newHash !== undefined && { after: { passwordChanged: true } }),
  });
  return token;
}

async function hashNew(login: string, input: Input): Promise<string> {
  checkPassword(input.newPassword ?? "", login);
  if (input.newPassword === input.password)
    throw new Refusal(400, "invalid", "新密码不能与原密码相同", { newPassword: "新密码不能与原密码相同" });
  return hashPassword(input.newPassword ?? "");
}

async function findUser(tx: Transaction, login: string, network: string) {
  return tx
    .selectFrom("users as u")
    .leftJoin("login_networks as n", (join) => join.onRef("n.user_id", "=", "u.id").on("n.network", "=", network))
    .select([
      "u.id",
      "u.login",
      "u.password_hash",
      "u.must_change_password",
      "u.password_expires_at",
      "u.totp_sealed",
      "u.totp_step",
      "u.service_provider_id",
      "u.merchant_id",
      sql<boolean>`n.user_id is not null`.as("known"),
    ])
    .where(sql`lower(u.login)`, "=", login.toLowerCase())
    .executeTakeFirst();
}

async function failed(ctx: Ctx, tried: Attempt): Promise<Refusal> {
  const counted: { captcha?: boolean } = {};
  const write = () => ctx.platform("sign-in failed", (tx) => countFailure(tx, tried, ctx.now_ms));
  owe(owedBy(tried.login), async () => Object.assign(counted, await write()));
  await settle(owedBy(tried.login));
  await settleOthers();
  return count(
    ctx,
    "failed",
    new Refusal(401, "login.failed", "用户名或密码错误", counted.captcha ? { captcha: "请输入图形验证码" } : undefined),
  );
}
function count(ctx: Ctx, outcome: string, refusal: Refusal): Refusal {
  ctx.services.metrics.logins.inc({ outcome });
  return refusal;
}
