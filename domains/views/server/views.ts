import { sql } from "kysely";
import type { InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { type Ctx, implement, type Route } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound, sqlState } from "@zhangfang/server/calls/errors.ts";
import { inSavepoint, mustChange } from "@zhangfang/server/database/db.ts";
import { addView, changeView, listViews, MOST_VIEWS, removeView, shareView } from "../contract/index.ts";
import { changeable, heldView, inTurn, nodeOf, seenBy, tenantOf } from "./seen-views.ts";

type View = OutputOf<typeof listViews>["items"][number];

/** Own ones first, by name. */
const listViewsRoute: Route = implement(listViews, async (ctx) => {
  const { rows } = await sql<Omit<View, "mine" | "changeable"> & { user_id: string }>`
    select v.id, v.user_id, v.path, v.list, v.name, v.filters, v.days, v.sort, v.columns, v.version, v.shared, v.created_at as "createdAt",
      s.every as subscription, s.mail, coalesce(nullif(u.first_name, ''), u.login, '') as "ownerName"
    from saved_views v left join users u on u.id = v.user_id
      left join view_subscriptions s on s.service_provider_id = v.service_provider_id and s.view_id = v.id and s.user_id = ${ctx.principal.id}
    where ${seenBy(ctx.principal.id, ctx.scope)}
    order by v.user_id <> ${ctx.principal.id}, v.name, v.id limit 500`.execute(ctx.tx);
  const items = rows.map(({ user_id, ...row }) => ({
    ...row,
    mine: user_id === ctx.principal.id,
    changeable: changeable(ctx, { user_id }),
  }));
  return { items, mailOn: ctx.services.config.mail !== undefined };
});

/** What a view says, as it is stored. */
const stored = ({ filters, days, sort, columns }: Pick<InputOf<typeof addView>, "filters" | "days" | "sort" | "columns">) => ({
  filters: JSON.stringify(filters),
  days,
  sort,
  columns: columns === null ? null : JSON.stringify(columns),
});
/** A name stands once for each list of one person. */
async function named<T>(ctx: Ctx, write: () => Promise<T>): Promise<T> {
  try {
    return await inSavepoint(ctx.tx, write);
  } catch (error) {
    if (sqlState(error) === "23505") throw invalid("name", "已有同名视图");
    throw error;
  }
}

const addViewRoute: Route = implement(addView, async (ctx, { path, list: of, name, ...said }) => {
  const mine = { service_provider_id: tenantOf(ctx.scope), user_id: ctx.principal.id };
  await inTurn(ctx);
  const { count } = await ctx.tx
    .selectFrom("saved_views")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("service_provider_id", "=", mine.service_provider_id)
    .where("user_id", "=", mine.user_id)
    .executeTakeFirstOrThrow();
  if (count >= MOST_VIEWS) throw conflict(`最多保存 ${MOST_VIEWS} 个视图，请先删除不用的`);
  const id = ctx.services.ids.uuid(ctx.now_ms);
  const row = { ...mine, id, node_id: nodeOf(ctx.scope), path, list: of, name, ...stored(said), created_at: ctx.now };
  await named(ctx, () => ctx.tx.insertInto("saved_views").values(row).execute());
  ctx.note({ targetKind: "saved_view", targetId: id, after: { path, name, ...said } });
  return { id };
});

const changeViewRoute: Route = implement(changeView, async (ctx, { id, version, name, said }) => {
  const row = await heldView(ctx, id);
  if (name === undefined && said === undefined) throw invalid("name", "没有要修改的内容");
  const late = () => conflict("视图已被他人修改，请重新打开后再改");
  if (row.version !== version) throw late();
  const changed = await named(ctx, () =>
    ctx.tx
      .updateTable("saved_views")
      .set({ ...(name !== undefined && { name }), ...(said && stored(said)), version: version + 1 })
      .where("service_provider_id", "=", row.service_provider_id)
      .where("id", "=", id)
      .where("version", "=", version)
      .executeTakeFirst(),
  );
  mustChange(changed, late);
  ctx.note({ targetKind: "saved_view", targetId: id, before: { name: row.name }, after: { ...(name !== undefined && { name }), ...said } });
  return { ok: true as const };
});

const removeViewRoute: Route = implement(removeView, async (ctx, { id }) => {
  const row = await heldView(ctx, id);
  const gone = await ctx.tx
    .deleteFrom("saved_views")
    .where("service_provider_id", "=", row.service_provider_id)
    .where("id", "=", id)
    .executeTakeFirst();
  if (gone.numDeletedRows !== 1n) throw notFound("视图");
  ctx.note({ targetKind: "saved_view", targetId: id, before: { name: row.name, shared: row.shared } });
  return { ok: true as const };
});

/** Its maker alone shows it to others or takes it back. */
const shareViewRoute: Route = implement(shareView, async (ctx, { id, shared }) => {
  const changed = await ctx.tx
    .updateTable("saved_views")
    .set({ shared })
    .where("service_provider_id", "=", tenantOf(ctx.scope))
    .where("user_id", "=", ctx.principal.id)
    .where("id", "=", id)
    .executeTakeFirst();
  mustChange(changed, () => notFound("视图"));
  ctx.note({ targetKind: "saved_view", targetId: id, after: { shared } });
  return { ok: true as const };
});

export const viewRoutes: readonly Route[] = [listViewsRoute, addViewRoute, changeViewRoute, removeViewRoute, shareViewRoute];
