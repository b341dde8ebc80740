import { sql } from "kysely";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement } from "@zhangfang/server/call.ts";
import { mustChange } from "@zhangfang/server/db.ts";
import { conflict } from "@zhangfang/server/errors.ts";
import { setAgentRatio as endpoint } from "../../contract/index.ts";
import { checkRatio } from "./check-ratio.ts";
import { findAgent } from "./find-agent.ts";

/** 调整分润比例: one more row of its history, from today or tomorrow on. What is past keeps the ratio that it was earned with. */
export const setAgentRatio = implement(endpoint, async (ctx, { id, version, profitRatio, start }) => {
  const { service_provider_id: provider } = await findAgent(ctx.tx, ctx.scope, id);
  await checkRatio(ctx.tx, provider, profitRatio);
  mustChange(
    await ctx.tx
      .updateTable("agents")
      .set({ version: version + 1 })
      .where("service_provider_id", "=", provider)
      .where("id", "=", id)
      .where("version", "=", version)
      .executeTakeFirst(),
    () => conflict("代理商资料已被其他人修改，请刷新后重试"),
  );
  const today = shanghaiDay(ctx.now_ms);
  const effectiveFrom = start === "today" ? today : addDays(today, 1);
  const { rows } = await sql<{
    ratio: number;
  }>`select app.agent_ratio(${provider}, ${id}, ${effectiveFrom}::date) as ratio`.execute(ctx.tx);
  await ctx.tx
    .insertInto("agent_ratios")
    .values({
      service_provider_id: provider,
      agent_id: id,
      effective_from: effectiveFrom,
      profit_ratio: profitRatio,
      set_by: ctx.principal.name,
      created_at: ctx.now,
    })
    .execute();
  ctx.note({
    targetKind: "agent",
    targetId: id,
    before: { profitRatio: rows[0]?.ratio },
    after: { profitRatio, effectiveFrom },
    provider,
  });
  return { effectiveFrom };
});
