import { implement } from "@zhangfang/server/call.ts";
import { heartbeat as endpoint } from "../contract/index.ts";

/** A device says that it is there; online and offline follow from when it last did. The answer lets it set its clock. */
export const heartbeat = implement(endpoint, async (ctx, { version }) => {
  await ctx.transaction((tx) =>
    tx
      .updateTable("devices")
      .set({ last_seen_at: ctx.now, ...(version !== undefined && { version }) })
      .where("service_provider_id", "=", ctx.scope.provider ?? "")
      .where("id", "=", ctx.principal.id)
      .execute(),
  );
  return { ok: true as const, now: ctx.now as never };
});
