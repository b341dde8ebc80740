import { sql } from "kysely";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { maskName } from "@zhangfang/contract/text.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { getUser } from "../../contract/users.ts";
import { isAbove, mayAdminister } from "./account-rules.ts";
import { actorOf, readTargets, usersInScope } from "./read-target.ts";
import { liveAt, USER_ROW_FROM, userColumns } from "./user-columns.ts";

type Found = Omit<OutputOf<typeof getUser>, "devices" | "can">;

/** One account that the caller administers: what it is, what it sees, and where it is signed in. */
export const getUserRoute = implement(getUser, async (ctx, { id }) => {
  const actor = actorOf(ctx.principal);
  const [target] = await readTargets(ctx.tx, ctx.scope, [id]);
  if (!target || !mayAdminister(actor, target)) throw notFound("账号");
  const found = await sql<Found>`
    select ${userColumns(ctx)}, u.root_login as "rootLogin", sp.short_name as "serviceProviderName",
      (select count(*)::int from users y where y.root_login = u.login and y.login <> y.root_login) as "subAccounts",
      array(select y.short_name from user_stores x join stores y on y.service_provider_id = x.service_provider_id and y.id = x.store_id
        where x.user_id = u.id order by y.created_at, y.id limit 200) as stores,
      array(select y.name from user_areas x join areas y on y.service_provider_id = x.service_provider_id and y.id = x.area_id
        where x.user_id = u.id order by y.created_at, y.id limit 200) as areas
    from ${USER_ROW_FROM} where u.id = ${id} and ${usersInScope(ctx.scope)}`.execute(ctx.tx);
  const row = found.rows[0];
  if (!row) throw notFound("账号");
  const devices = await sql<OutputOf<typeof getUser>["devices"][number]>`
    select x.ip, x.device, x.created_at as "createdAt", x.seen_at as "seenAt", app.login_of(x.actor_user_id) as "actorLogin"
    from sessions x where x.user_id = ${id} and ${liveAt(ctx.now)} order by x.seen_at desc, x.id limit 20`.execute(ctx.tx);
  const above = isAbove(actor, target);
  return {
    ...row,
    firstName: above ? maskName(row.firstName) : row.firstName,
    devices: devices.rows,
    can: { grant: above && actor.root && row.root, loginAs: above && row.state === "active" },
  };
});
