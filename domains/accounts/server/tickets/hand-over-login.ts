import { implement } from "@zhangfang/server/calls/call.ts";
import { sameText, sha256 } from "@zhangfang/server/crypto.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { handOverLogin } from "../../contract/sign-in.ts";
import { startSession } from "../session/start-session.ts";
import { isAbove } from "../users/account-rules.ts";
import { accountAsActor, readTargets } from "../users/read-target.ts";
import { signature, TICKET_MS } from "./issue-ticket.ts";

/**
 * Redeems a stamp: signed by us for just this issuer and target, a minute old at most, once. A stamp for somebody else than
 * its issuer opens a session that says who really acts.
 */
export const handOverLoginRoute = implement(handOverLogin, async (ctx, { id, targetId, stamp }) => {
  const refused = () => new Refusal(401, "ticket", "登录凭证无效或已使用");
  const inQuery = ctx.incoming.query["stamp"];
  const [at = "", ticket = "", mac = ""] = stamp.split(".");
  if (inQuery !== undefined && inQuery !== stamp) throw refused();
  if (
    !/^\d{13}$/.test(at) ||
    !sameText(mac, signature(ctx.services, id, targetId, Number(at), ticket)) ||
    Math.abs(ctx.now_ms - Number(at)) > TICKET_MS
  )
    throw refused();
  return ctx.platform("hand-over", async (tx) => {
    const taken = await tx
      .updateTable("login_tickets")
      .set({ used_at: ctx.now })
      .where("ticket_hash", "=", sha256(ticket))
      .where("kind", "=", "stamp")
      .where("user_id", "=", targetId)
      .where("issued_by", "=", id)
      .where("used_at", "is", null)
      .where("expires_at", ">", ctx.now)
      .returning("user_id")
      .executeTakeFirst();
    if (!taken) throw refused();
    const acting = id !== targetId;
    const rows = await readTargets(tx, platformScope("hand-over"), [id, targetId]);
    const issuer = rows.find((row) => row.id === id);
    const user = rows.find((row) => row.id === targetId);
    if (!issuer || !user || (acting && !isAbove(accountAsActor(issuer), user))) throw refused();
    const token = await startSession(tx, ctx.services, {
      userId: targetId,
      limits: acting ? "acting" : "normal",
      actorId: acting ? id : undefined,
      ip: ctx.incoming.ip,
      device: ctx.incoming.headers["user-agent"],
    });
    await ctx.audit(tx, {
      userId: targetId,
      login: user.login,
      provider: user.provider ?? undefined,
      merchant: user.merchant ?? undefined,
      targetKind: "user",
      targetId,
      after: { issuedBy: id },
    });
    return { id_token: token };
  });
});
