import { implement } from "@zhangfang/server/call.ts";
import { mustChange } from "@zhangfang/server/db.ts";
import { conflict, invalid } from "@zhangfang/server/errors.ts";
import { changePassword as endpoint } from "../../contract/users.ts";
import { sessionOf } from "../session/read-session.ts";
import { checkPassword } from "../sign-in/check-password.ts";
import { checkAttempt, countFailure, forgetFailures } from "../sign-in/guard-attempts.ts";
import { hashPassword, verifyPassword } from "../sign-in/hash-password.ts";
import { takeTurns } from "../sign-in/take-turns.ts";

/** Changes the caller's own password; every other session of the account ends. Guesses at the old one are slowed like a sign-in. */
export const changePassword = implement(endpoint, async (ctx, { oldPassword, newPassword }) => {
  const { login, session_id } = sessionOf(ctx.principal);
  const id = ctx.principal.id;
  // A stolen session must not become a password: it is held apart from the sign-ins, which it must not lock either.
  const tried = { login: `password-change ${login}`, network: "self", known: true };
  const hash = await takeTurns(tried.login, async () => {
    await ctx.platform("password change", (tx) => checkAttempt(tx, tried, ctx.now_ms));
    const user = await ctx.transaction(
      (tx) => tx.selectFrom("users").select("password_hash").where("id", "=", id).executeTakeFirstOrThrow(),
      { readOnly: true },
    );
    if (await verifyPassword(user.password_hash, oldPassword)) return user.password_hash;
    await ctx.platform("password change", (tx) => countFailure(tx, tried, ctx.now_ms));
    throw invalid("oldPassword", "原密码错误");
  });
  checkPassword(newPassword, login);
  if (newPassword === oldPassword) throw invalid("newPassword", "新密码不能与原密码相同");
  const password_hash = await hashPassword(newPassword);
  return ctx.transaction(async (tx) => {
    mustChange(
      await tx
        .updateTable("users")
        .set({ password_hash, must_change_password: false, password_expires_at: null })
        .where("id", "=", id)
        .where("password_hash", "=", hash)
        .executeTakeFirst(),
      () => conflict("密码已被更改，请重新登录"),
    );
    await forgetFailures(tx, tried.login);
    await tx
      .updateTable("sessions")
      .set({ ended_at: ctx.now, ended_why: "修改密码" })
      .where((where) => where.or([where("user_id", "=", id), where("actor_user_id", "=", id)]))
      .where("id", "<>", session_id)
      .where("ended_at", "is", null)
      .execute();
    await ctx.audit(tx, { targetKind: "user", targetId: id });
    return { ok: true as const };
  });
});
