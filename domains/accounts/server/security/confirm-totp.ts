import { implement } from "@zhangfang/server/calls/call.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { conflict, invalid } from "@zhangfang/server/calls/errors.ts";
import { confirmTotp } from "../../contract/security.ts";
import { endOthers } from "../session/end-others.ts";
import { totpStep } from "../sign-in/check-totp.ts";
import { newRecoveryCodes } from "../sign-in/recovery-codes.ts";
import { openTotp } from "../sign-in/totp-secret.ts";

/** The first code shows that the app has the secret: from now on sign-in asks for one, and every other session ends. */
export const confirmTotpRoute = implement(confirmTotp, async (ctx, { code }) => {
  const { codes, hashes } = newRecoveryCodes();
  const me = ctx.principal.id;
  return ctx.transaction(async (tx) => {
    const { totp_pending_sealed: pending } = await tx
      .selectFrom("users")
      .select("totp_pending_sealed")
      .where("id", "=", me)
      .executeTakeFirstOrThrow();
    if (pending === null) throw conflict("请先获取密钥，再输入验证码", "totp.none");
    const step = totpStep(openTotp(ctx.services, me, pending), code, ctx.now_ms, null);
    if (step === undefined) throw invalid("code", "验证码不正确，请确认手机时间准确，并输入当前显示的 6 位数字");
    mustChange(
      await tx
        .updateTable("users")
        .set({ totp_sealed: pending, totp_step: step, totp_pending_sealed: null, recovery_hashes: hashes })
        .where("id", "=", me)
        .where("totp_pending_sealed", "=", pending)
        .executeTakeFirst(),
      () => conflict("密钥已更换，请重新获取", "totp.none"),
    );
    const ended = await endOthers(tx, ctx, "启用动态验证码");
    await ctx.audit(tx, { targetKind: "user", targetId: me, after: { totp: true, ended } });
    return { recoveryCodes: codes };
  });
});
