import { implement } from "@zhangfang/server/calls/call.ts";
import { getPreference } from "../../contract/self.ts";

/** A saved preference of the caller's own; null where nothing was saved. */
export const getPreferenceRoute = implement(getPreference, async (ctx, { key }) => {
  const found = await ctx.tx
    .selectFrom("preferences")
    .select("value")
    .where("owner_user_id", "=", ctx.principal.id)
    .where("key", "=", key)
    .executeTakeFirst();
  return { value: (found?.value ?? null) as never };
});
