import { sql, type RawBuilder } from "kysely";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { TARGET_FROM } from "./read-target.ts";

/** A list's row of an account `u`, in the contract's words. */
export const userColumns = (ctx: Pick<Ctx, "now">): RawBuilder<unknown> => sql`
  u.id, u.login, u.first_name as "firstName", u.level, u.role, u.login = u.root_login as root, p.name as "positionName", u.state,
  coalesce(m.short_name, s.name, t.name, g.name, a.name, sp.short_name) as "ownerName", u.last_login_at as "lastLoginAt", u.created_at as "createdAt",
  app.locked_until(u.login, ${ctx.now}) as "lockedUntil", u.granted is not null as limited,
  (select count(*)::int from sessions x where x.user_id = u.id and ${liveAt(ctx.now)}) as sessions`;
/** Whether the session `x` opens anything. */
export const liveAt = (now: string): RawBuilder<boolean> =>
  sql`x.ended_at is null and x.expires_at > ${now} and x.seen_at + x.idle_ms * interval '1 millisecond' > ${now}`;
/** What stands behind those columns. */
export const USER_ROW_FROM = sql`${TARGET_FROM}
  left join business_groups g on g.service_provider_id = u.service_provider_id and g.id = u.business_group_id
  left join agents a on a.service_provider_id = u.service_provider_id and a.id = u.agent_id
  left join service_providers sp on sp.id = u.service_provider_id
  left join positions p on p.id = u.position_id`;
