import { sql } from "kysely";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { writeOver } from "@zhangfang/server/database/write-over.ts";
import { setAgentRatio } from "../../contract/index.ts";
import { checkRatio } from "./check-ratio.ts";
import { findAgent } from "./find-agent.ts";

/** 调整分润比例: one more row of its history, from today or tomorrow on. What is past keeps the ratio that it was earned with. */
export const setAgentRatioRoute = implement(setAgentRatio, async (ctx, { id, version, profitRatio, start }) => {
  const { service_provider_id: provider } = await findAgent(ctx.tx, ctx.scope, id);
  await checkRatio(ctx.tx, provider, profitRatio);
  await writeOver(ctx.tx, "agents", { service_provider_id: provider, id }, version, {}, "代理商资料");
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
