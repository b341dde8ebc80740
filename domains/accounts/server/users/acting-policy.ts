import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { getActingPolicy, setActingPolicy } from "../../contract/grants.ts";

/** Whether those who act for somebody of the caller's tree may change things. Nobody may until the provider says so. */
export const getActingPolicyRoute = implement(getActingPolicy, async (ctx) => {
  const found = await ctx.tx
    .selectFrom("acting_policies as p")
    .innerJoin("users as u", "u.id", "p.changed_by")
    .select(["p.writes", "p.changed_at", "u.login"])
    .where("p.service_provider_id", "=", ctx.scope.provider ?? "")
    .executeTakeFirst();
  return { writes: found?.writes ?? false, changedAt: (found?.changed_at ?? null) as never, changedBy: found?.login ?? null };
});

/** Opens or closes it, for sessions that run as well. */
export const setActingPolicyRoute = implement(setActingPolicy, async (ctx, { writes }) => {
  const { provider } = ctx.scope;
  if (provider === undefined) throw notFound("服务商");
  const before = await ctx.tx.selectFrom("acting_policies").select("writes").where("service_provider_id", "=", provider).executeTakeFirst();
  const values = { writes, changed_by: ctx.principal.id, changed_at: ctx.now };
  await ctx.tx
    .insertInto("acting_policies")
    .values({ service_provider_id: provider, ...values })
    .onConflict((conflicting) => conflicting.column("service_provider_id").doUpdateSet(values))
    .execute();
  ctx.note({ targetKind: "acting-policy", targetId: provider, before: { writes: before?.writes ?? false }, after: { writes } });
  return { ok: true as const };
});
