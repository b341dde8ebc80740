import { implement } from "@zhangfang/server/calls/call.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import { setPreference } from "../../contract/self.ts";

const MOST = 200;
/** Saves a preference of the caller's own. */
export const setPreferenceRoute = implement(setPreference, async (ctx, { key, value }) => {
  const owner_user_id = ctx.principal.id;
  const { count } = await ctx.tx
    .selectFrom("preferences")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("owner_user_id", "=", owner_user_id)
    .where("key", "<>", key)
    .executeTakeFirstOrThrow();
  if (count >= MOST) throw invalid("key", "保存的偏好过多");
  const saved = { value: JSON.stringify(value), updated_at: ctx.now };
  await ctx.tx
    .insertInto("preferences")
    .values({ owner_user_id, key, ...saved })
    .onConflict((conflicting) => conflicting.columns(["owner_user_id", "key"]).doUpdateSet(saved))
    .execute();
  ctx.note({ targetKind: "preference", targetId: key });
  return { ok: true as const };
});
