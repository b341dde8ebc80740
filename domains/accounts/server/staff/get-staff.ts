import { sql } from "kysely";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { getStaff, listStaffChoices } from "../../contract/staff.ts";
import { TARGET_FROM } from "../users/read-target.ts";
import { liveAt } from "../users/user-columns.ts";
import { ownStaff } from "./own-staff.ts";

/** One sub-account of the root, as its form fills in. */
export const getStaffRoute = implement(getStaff, async (ctx, { id }) => {
  const found = await sql<OutputOf<typeof getStaff>>`
    select u.id, u.login, u.first_name as "firstName", u.level, u.position_id as "positionId",
      array(select x.store_id from user_stores x where x.service_provider_id = u.service_provider_id and x.user_id = u.id order by x.store_id) as "storeIds",
      array(select x.area_id from user_areas x where x.service_provider_id = u.service_provider_id and x.user_id = u.id order by x.area_id) as "areaIds",
      (select count(*)::int from sessions x where x.user_id = u.id and ${liveAt(ctx.now)}) as sessions
    from ${TARGET_FROM} where u.id = ${id} and ${ownStaff(ctx)}`.execute(ctx.tx);
  if (!found.rows[0]) throw notFound("子账号");
  return found.rows[0];
});

/** The root's positions, and of a merchant the stores and areas in the root's own sight. */
export const listStaffChoicesRoute = implement(listStaffChoices, async (ctx) => {
  const positions = await ctx.tx
    .selectFrom("positions")
    .select(["id", "name"])
    .where("root_user_id", "=", ctx.principal.id)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  if (ctx.scope.level !== "MCH") return { positions, stores: [], areas: [] };
  const stores = await sql<{ id: string; name: string }>`
    select s.id, s.short_name as name from stores s where ${inScope(ctx.scope, "s")} order by s.created_at, s.id limit 1000`.execute(
    ctx.tx,
  );
  const areas = await sql<{ id: string; name: string }>`
    select a.id, a.name from areas a where ${inScope(ctx.scope, "a", "merchant")} order by a.created_at, a.id limit 200`.execute(ctx.tx);
  return { positions, stores: stores.rows, areas: areas.rows };
});
