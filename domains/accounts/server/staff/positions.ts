import { sql } from "kysely";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { listPage } from "@zhangfang/server/lists/list-page.ts";
import { addOwnPosition, listOwnItems, listPositions, removeOwnPosition, updateOwnPosition } from "../../contract/staff.ts";
import { holderOf, sessionOf } from "../session/read-session.ts";
import { addPosition, givenAway } from "../users/positions/add-position.ts";
import { treeOf } from "../users/positions/grantable.ts";
import { updatePosition } from "../users/positions/update-position.ts";
import { liveAt } from "../users/user-columns.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";

const ownItems = (ctx: Ctx) => {
  const { level, granted } = holderOf(sessionOf(ctx.principal));
  return givenAway(level, granted ?? null);
};

/** The root's positions, newest first: what each names, what of it is still the root's, and who holds it. */
export const listPositionsRoute = implement(listPositions, async (ctx, input) => {
  const held = new Set<string>(ownItems(ctx).map((item) => item.path));
  const { items, ...rest } = await listPage<Omit<RowOf<typeof listPositions>, "held" | "holders">>(ctx.tx, input, {
    columns: sql`p.id, p.name, p.items, p.created_at as "createdAt",
      array(select u.id from users u where u.position_id = p.id and u.root_login = p.root_login order by u.created_at, u.id) as "holderIds",
      (select count(*)::int from users u join sessions x on x.user_id = u.id and ${liveAt(ctx.now)}
        where u.position_id = p.id and u.root_login = p.root_login) as sessions`,
    from: sql`positions p`,
    where: sql`p.root_user_id = ${ctx.principal.id} ${input.keyword ? sql`and p.name ilike ${likeText(input.keyword)}` : sql``}`,
    order: "p.created_at",
    most: Infinity,
  });
  return {
    items: items.map((row) => ({ ...row, holders: row.holderIds.length, held: row.items.filter((item) => held.has(item)).length })),
    ...rest,
  };
});

export const listOwnItemsRoute = implement(listOwnItems, async (ctx) => ({ tree: treeOf(ownItems(ctx)) }));

/** Adds a position out of what the root holds at this moment. */
export const addOwnPositionRoute = implement(addOwnPosition, async (ctx, { name, items }) => {
  await freeName(ctx, name);
  const id = await addPosition(ctx.tx, ctx.services, ctx.principal.id, { name, items });
  ctx.note({ targetKind: "position", targetId: id, after: { name, items } });
  return { id };
});

/** Renames a position and puts other items in it; where the items change, whoever holds it signs in again. */
export const updateOwnPositionRoute = implement(updateOwnPosition, async (ctx, { id, name, items }) => {
  const before = await own(ctx, id);
  if (name !== before.name) {
    await freeName(ctx, name);
    await ctx.tx.updateTable("positions").set({ name }).where("id", "=", id).where("root_user_id", "=", ctx.principal.id).execute();
  }
  const same = before.items.length === items.length && before.items.every((item) => items.includes(item));
  if (!same) await updatePosition(ctx.tx, ctx.services, ctx.principal.id, id, items);
  ctx.note({ targetKind: "position", targetId: id, before: { name: before.name, items: before.items }, after: { name, items } });
  return { ok: true as const };
});

export const removeOwnPositionRoute = implement(removeOwnPosition, async (ctx, { id }) => {
  const before = await own(ctx, id);
  const { holders } = await ctx.tx
    .selectFrom("users")
    .select((of) => of.fn.countAll<number>().as("holders"))
    .where("position_id", "=", id)
    .executeTakeFirstOrThrow();
  if (holders > 0) throw conflict(`岗位还有 ${holders} 个子账号使用，请先改派`, "position.held");
  mustChange(
    await ctx.tx.deleteFrom("positions").where("id", "=", id).where("root_user_id", "=", ctx.principal.id).executeTakeFirst(),
    () => notFound("岗位"),
  );
  ctx.note({ targetKind: "position", targetId: id, before: { name: before.name, items: before.items } });
  return { ok: true as const };
});

async function own(ctx: Ctx, id: string): Promise<{ name: string; items: string[] }> {
  const found = await ctx.tx
    .selectFrom("positions")
    .select(["name", "items"])
    .where("id", "=", id)
    .where("root_user_id", "=", ctx.principal.id)
    .forUpdate()
    .executeTakeFirst();
  if (!found) throw notFound("岗位");
  return found;
}
async function freeName(ctx: Ctx, name: string): Promise<void> {
  const taken = await ctx.tx
    .selectFrom("positions")
    .select("id")
    .where("root_user_id", "=", ctx.principal.id)
    .where("name", "=", name)
    .executeTakeFirst();
  if (taken) throw invalid("name", "已有同名岗位");
}
