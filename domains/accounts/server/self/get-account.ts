import { implement } from "@zhangfang/server/calls/call.ts";
import { getAccount } from "../../contract/self.ts";
import { sessionOf } from "../session/read-session.ts";

/** Who is signed in, and who really acts. */
export const getAccountRoute = implement(getAccount, async (ctx) => {
  const session = sessionOf(ctx.principal);
  return {
    authorities: [session.role as "ROLE_ADMIN"],
    firstName: session.first_name,
    login: session.login,
    rootLogin: session.root_login,
    id: session.user_id,
    avatar: session.avatar,
    actingFor:
      session.actor_user_id === null
        ? null
        : { actorLogin: session.actor_login ?? "", until: session.expires_at as never, readOnly: !session.may_write },
  };
});
