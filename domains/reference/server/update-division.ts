import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { countDivisionUses, updateDivision } from "../contract.ts";

/** Changes what a division is called for short, and whether new addresses may name it. */
export const updateDivisionRoute = implement(updateDivision, async (ctx, { code, shortName, enabled }) => {
  if (shortName === undefined && enabled === undefined) throw invalid("enabled", "没有要修改的内容");
  const before = await ctx.tx
    .selectFrom("divisions")
    .select(["name", "short_name as shortName", "enabled"])
    .where("code", "=", code)
    .forUpdate()
    .executeTakeFirst();
  if (!before) throw notFound("行政区划");
  if (enabled === before.enabled && shortName === undefined)
    throw conflict(enabled ? `${before.name}已是启用状态` : `${before.name}已是停用状态`);
  const after = { shortName: shortName ?? before.shortName, enabled: enabled ?? before.enabled };
  mustChange(
    await ctx.tx
      .updateTable("divisions")
      .set({ short_name: after.shortName, enabled: after.enabled })
      .where("code", "=", code)
      .executeTakeFirst(),
    () => notFound("行政区划"),
  );
  const { name, ...was } = before;
  ctx.note({ targetKind: "division", targetId: code, before: { name, ...was }, after: { name, ...after } });
  return { ok: true as const };
});

/** How many addresses name a province, or a city of it. */
export const countDivisionUsesRoute = implement(countDivisionUses, async ({ tx }, { code }) => {
  const { rows } = await sql<{ merchants: number; stores: number }>`
    select u.merchants::int, u.stores::int from divisions d left join divisions p on p.code = d.parent_code
      cross join lateral app.division_uses(case when d.level = 1 then d.name else p.name end,
        case when d.level = 1 then null when d.name in ('市辖区', '县') then p.name else d.name end) u
    where d.code = ${code} and d.level < 3`.execute(tx);
  // An address keeps its district in its text.
  return rows[0] ?? { merchants: 0, stores: 0 };
});
