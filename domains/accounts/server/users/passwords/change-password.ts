import { implement } from "@zhangfang/server/calls/call.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { conflict, invalid } from "@zhangfang/server/calls/errors.ts";
import { changePassword } from "../../../contract/users.ts";
import { endOthers } from "../../session/end-others.ts";
import { sessionOf } from "../../session/read-session.ts";
import { checkPassword } from "../../sign-in/check-password.ts";
import { hashPassword } from "../../sign-in/hash-password.ts";
import { proveSelf } from "../../sign-in/prove-self.ts";

/** Changes the caller's own password; every other session of the account ends. */
export const changePasswordRoute = implement(changePassword, async (ctx, { oldPassword, newPassword }) => {
  const proven = await proveSelf(ctx, oldPassword, "oldPassword", "原密码错误");
  checkPassword(newPassword, sessionOf(ctx.principal).login);
  if (newPassword === oldPassword) throw invalid("newPassword", "新密码不能与原密码相同");
  const password_hash = await hashPassword(newPassword);
  return ctx.transaction(async (tx) => {
    mustChange(
      await tx
        .updateTable("users")
        .set({ password_hash, must_change_password: false, password_expires_at: null })
        .where("id", "=", ctx.principal.id)
        .where("password_hash", "=", proven.hash)
        .executeTakeFirst(),
      () => conflict("密码已被更改，请重新登录"),
    );
    await proven.done(tx);
    await endOthers(tx, ctx, "修改密码");
    await ctx.audit(tx, { targetKind: "user", targetId: ctx.principal.id });
    return { ok: true as const };
  });
});
