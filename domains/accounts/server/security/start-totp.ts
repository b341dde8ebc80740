import { implement } from "@zhangfang/server/calls/call.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import { startTotp } from "../../contract/security.ts";
import { sessionOf } from "../session/read-session.ts";
import { base32 } from "../sign-in/check-totp.ts";
import { proveSelf } from "../sign-in/prove-self.ts";
import { newTotpSecret } from "../sign-in/totp-secret.ts";

/** Makes the secret that an authenticator app gets. Sign-in does not ask for it before its first code has come. */
export const startTotpRoute = implement(startTotp, async (ctx, { password }) => {
  const proven = await proveSelf(ctx, password, "password", "当前密码错误");
  const { secret, sealed } = newTotpSecret(ctx.services, ctx.principal.id);
  await ctx.transaction(async (tx) => {
    // A password alone must not replace the factor that stands beside it.
    mustChange(
      await tx
        .updateTable("users")
        .set({ totp_pending_sealed: sealed })
        .where("id", "=", ctx.principal.id)
        .where("totp_sealed", "is", null)
        .executeTakeFirst(),
      () => conflict("已启用动态验证码，如需更换请先关闭", "totp.on"),
    );
    await proven.done(tx);
    await ctx.audit(tx, { targetKind: "user", targetId: ctx.principal.id });
  });
  const text = base32(secret);
  const label = encodeURIComponent(`账房:${sessionOf(ctx.principal).login}`);
  return { secret: text, uri: `otpauth://totp/${label}?secret=${text}&issuer=${encodeURIComponent("账房")}` };
});
