import { sql } from "kysely";
import type { ItemPath } from "@zhangfang/contract/endpoint.ts";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, forbidden, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { percent } from "@zhangfang/contract/money.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { giveShareRatio } from "./give-terms.ts";
import { getShareRatio, ratioLevel, setShareRatio, type RatioLevel } from "../../contract/index.ts";

const TABLE = { group: "business_groups", team: "business_teams", salesman: "salesmen" } as const;
const ITEM = {
  group: "/businessGroup/businessGroup/ratio",
  team: "/businessGroup/businessTeam/ratio",
  salesman: "/salesman/salesman/ratio",
} as const satisfies Record<RatioLevel, ItemPath>;

interface Node {
  readonly provider: string;
  readonly name: string;
  readonly version: number;
  readonly limit: number;
  readonly ratio: number;
  readonly tomorrow: number;
}
/** Whose ratio is meant, in sight of the caller, who holds the button of that level. @throws 403 and 404 */
async function findNode(ctx: Ctx, level: RatioLevel, id: string): Promise<Node> {
  if (!ctx.principal.holds([ITEM[level]])) throw forbidden();
  const today = shanghaiDay(ctx.now_ms);
  const { rows } = await sql<Node>`
    select x.service_provider_id as provider, x.name, p.agent_ratio_limit as "limit",
      (select count(*)::int from share_ratios r where r.service_provider_id = x.service_provider_id and r.node_id = x.id) as version,
      app.share_ratio(x.service_provider_id, x.id, ${today}::date) as ratio, app.share_ratio(x.service_provider_id, x.id, ${addDays(today, 1)}::date) as tomorrow
    from ${sql.table(TABLE[level])} x join service_providers p on p.id = x.service_provider_id where x.id = ${id} and ${inScope(ctx.scope, "x")}`.execute(
    ctx.tx,
  );
  const node = rows[0];
  if (!node) throw notFound(ratioLevel.label(level));
  return node;
}

/** 分润比例 of a group, a team or a salesman. */
export const getShareRatioRoute = implement(getShareRatio, async (ctx, { level, id }) => {
  const { provider, ...node } = await findNode(ctx, level, id);
  const history = await sql<OutputOf<typeof getShareRatio>["history"][number]>`
    select r.ratio, r.effective_from as "effectiveFrom", r.set_by as "setBy", r.created_at as "setAt" from share_ratios r
    where r.service_provider_id = ${provider} and r.node_id = ${id} order by r.seq desc limit 100`.execute(ctx.tx);
  return { ...node, history: history.rows };
});

/** 调整分润比例: one more row of its history. Whoever sets ratios of one tree does so one after the other. */
export const setShareRatioRoute = implement(setShareRatio, async (ctx, { level, id, version, ratio, start }) => {
  const { provider } = await findNode(ctx, level, id);
  await sql`select 1 from service_providers where id = ${provider} for no key update`.execute(ctx.tx);
  const node = await findNode(ctx, level, id);
  if (node.version !== version) throw conflict("分润比例已被其他人修改，请刷新后重试");
  if (ratio > node.limit) throw invalid("ratio", `不能超过服务商的上限 ${percent(node.limit)}`);
  const today = shanghaiDay(ctx.now_ms);
  const effectiveFrom = start === "today" ? today : addDays(today, 1);
  const given = { level, serviceProviderId: provider, id, ratio, from: effectiveFrom };
  await giveShareRatio(ctx.tx, { ...given, by: ctx.principal.name, at: ctx.now });
  const before = start === "today" ? node.ratio : node.tomorrow;
  ctx.note({ targetKind: level, targetId: id, before: { ratio: before }, after: { ratio, effectiveFrom }, provider });
  return { effectiveFrom };
});
