import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { updateStaff } from "../../contract/staff.ts";
import { isRoot, sessionOf } from "../session/read-session.ts";
import { checkStores } from "../users/check-stores.ts";
import { actorOf, readTargets } from "../users/read-target.ts";
import { updateUser } from "../users/update-user.ts";

/** Changes a sub-account of the root: name, position, stores, areas. A right that changes signs it out; the same ones don't. */
export const updateStaffRoute = implement(updateStaff, async (ctx, { id, firstName, positionId, storeIds, areaIds }) => {
  const session = sessionOf(ctx.principal);
  const [target] = await readTargets(ctx.tx, ctx.scope, [id]);
  if (!target || !isRoot(session) || target.rootLogin !== session.login || target.login === target.rootLogin) throw notFound("子账号");
  const { level } = target;
  if (level !== "AE" && positionId === null) throw invalid("positionId", "请选择岗位");
  if (level === "AE" && areaIds.length > 0 === storeIds.length > 0) throw invalid("storeIds", "区域经理选择区域，员工选择门店");
  if (level !== "AE" && areaIds.length > 0) throw invalid("areaIds", "只有区域经理可选择区域");
  if (level !== "AE" && level !== "MCH" && storeIds.length > 0) throw invalid("storeIds", "只有商户的账号可限定门店");
  if (level === "AE" || level === "MCH") await checkStores(ctx.tx, actorOf(ctx.principal), { storeIds, areaIds });
  const { rows } = await sql<{ firstName: string; positionId: string | null; storeIds: string[]; areaIds: string[] }>`
    select u.first_name as "firstName", u.position_id as "positionId",
      array(select x.store_id::text from user_stores x where x.service_provider_id = u.service_provider_id and x.user_id = u.id) as "storeIds",
      array(select x.area_id::text from user_areas x where x.service_provider_id = u.service_provider_id and x.user_id = u.id) as "areaIds"
    from users u where u.id = ${id}`.execute(ctx.tx);
  const before = rows[0]!;
  const moves = !same(before.storeIds, storeIds) || !same(before.areaIds, areaIds);
  await updateUser(ctx.tx, ctx.services, id, {
    firstName,
    ...(before.positionId !== positionId && { positionId }),
    ...(moves && { storeIds, areaIds }),
  });
  ctx.note({
    targetKind: "user",
    targetId: id,
    before,
    after: { firstName, positionId, storeIds, areaIds },
  });
  return { ok: true as const };
});
const same = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((id) => other.includes(id));
