import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid } from "@zhangfang/server/calls/errors.ts";
import { endTotp } from "../../contract/security.ts";
import { endOthers } from "../session/end-others.ts";
import { proveSelf } from "../sign-in/prove-self.ts";
import { spendCode } from "../sign-in/spend-code.ts";
import { NO_TOTP } from "../sign-in/totp-secret.ts";

/** Switches the second factor off: with the password and a code, the app's or a recovery code. Every other session ends. */
export const endTotpRoute = implement(endTotp, async (ctx, { password, code }) => {
  const me = ctx.principal.id;
  const { totp_sealed, totp_step } = await ctx.transaction(
    (tx) => tx.selectFrom("users").select(["totp_sealed", "totp_step"]).where("id", "=", me).executeTakeFirstOrThrow(),
    { readOnly: true },
  );
  if (totp_sealed === null) throw conflict("尚未启用动态验证码", "totp.none");
  const proven = await proveSelf(ctx, password, "password", "当前密码错误");
  const right = await ctx.transaction(async (tx) => {
    if (!(await spendCode(tx, ctx.services, { id: me, totp_sealed, totp_step }, code))) return false;
    await tx.updateTable("users").set(NO_TOTP).where("id", "=", me).execute();
    await proven.done(tx);
    const ended = await endOthers(tx, ctx, "关闭动态验证码");
    await ctx.audit(tx, { targetKind: "user", targetId: me, after: { totp: false, ended } });
    return true;
  });
  if (!right) {
    await proven.failed();
    throw invalid("code", "验证码不正确或已使用");
  }
  return { ok: true as const };
});
