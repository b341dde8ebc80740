import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { sha256 } from "@zhangfang/server/crypto.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { autoLogin } from "../../contract/sign-in.ts";
import { enterAs } from "../session/enter-as.ts";

/** Takes a ticket by one guarded update: of any number at once one is signed in, and only with the parameters sealed in it. */
export const autoLoginRoute = implement(autoLogin, (ctx, input) =>
  ctx.platform("ticket sign-in", async (tx) => {
    const taken = await tx
      .updateTable("login_tickets")
      .set({ used_at: ctx.now })
      .where("ticket_hash", "=", sha256(input.requestId))
      .where("kind", "=", "auto")
      .where("used_at", "is", null)
      .where("expires_at", ">", ctx.now)
      .where(sql<boolean>`service_provider_id is not distinct from ${input.serviceProviderId || null}`)
      .where(sql<boolean>`business_team_id is not distinct from ${input.businessTeamId || null}`)
      .returning("user_id")
      .executeTakeFirst();
    if (!taken) throw new Refusal(401, "ticket", "登录凭证无效或已使用");
    return enterAs(ctx, tx, taken.user_id, input.rememberMe);
  }),
);
