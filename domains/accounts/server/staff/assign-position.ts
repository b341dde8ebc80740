import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { assignPosition, listAssignable } from "../../contract/staff.ts";
import { TARGET_FROM } from "../users/read-target.ts";
import { updateUser } from "../users/update-user.ts";
import { ownStaff } from "./own-staff.ts";

type Assignable = OutputOf<typeof listAssignable>["items"][number] & { readonly positionId: string | null };

/**
 * Says who of the root's sub-accounts holds a position; everybody whose position changes signs in again. A sub-account of the
 * root's own level can't be left without one.
 */
export const assignPositionRoute = implement(assignPosition, async (ctx, { id, userIds }) => {
  const position = await ctx.tx
    .selectFrom("positions")
    .select("name")
    .where("id", "=", id)
    .where("root_user_id", "=", ctx.principal.id)
    .forUpdate()
    .executeTakeFirst();
  if (!position) throw notFound("岗位");
  const staff =
    await sql<Assignable>`select u.id, u.login, u.level, u.position_id as "positionId" from ${TARGET_FROM} where ${ownStaff(ctx)}`.execute(
      ctx.tx,
    );
  const wanted = new Set(userIds);
  if (userIds.some((user) => !staff.rows.some((row) => row.id === user))) throw notFound("子账号");
  const given = staff.rows.filter((row) => wanted.has(row.id) && row.positionId !== id);
  const taken = staff.rows.filter((row) => !wanted.has(row.id) && row.positionId === id);
  const bare = taken.filter((row) => row.level !== "AE");
  if (bare.length > 0) throw invalid("userIds", `${bare.map((row) => row.login).join("、")} 须有岗位，请为其改选其他岗位`);
  for (const row of given) await updateUser(ctx.tx, ctx.services, row.id, { positionId: id });
  for (const row of taken) await updateUser(ctx.tx, ctx.services, row.id, { positionId: null });
  const logins = (rows: readonly Assignable[]) => rows.map((row) => row.login);
  ctx.note({ targetKind: "position", targetId: id, after: { name: position.name, given: logins(given), taken: logins(taken) } });
  return { given: given.length, taken: taken.length };
});

/** The root's sub-accounts with the position that each holds now. */
export const listAssignableRoute = implement(listAssignable, async (ctx) => {
  const found = await sql<Assignable>`
    select u.id, u.login, u.first_name as "firstName", u.level, p.name as "positionName"
    from ${TARGET_FROM} left join positions p on p.id = u.position_id
    where ${ownStaff(ctx)} order by u.created_at, u.id limit 1000`.execute(ctx.tx);
  return { items: found.rows };
});
