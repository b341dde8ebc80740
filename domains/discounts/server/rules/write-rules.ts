import { sql } from "kysely";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, forbidden, invalid, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { askerOf } from "../../../orders/server/index.ts";
import {
  addDiscountRule,
  type DiscountKind,
  getDiscountRules,
  lacksOf,
  sayRule,
  setDiscountRuleState,
  sortDiscountRules,
  updateDiscountRule,
} from "../../contract/index.ts";

const MOST = 100;
/** 优惠规则: those of the merchant, the most urgent first. */
export const getDiscountRulesRoute = implement(getDiscountRules, async ({ tx, scope }) => {
  const { rows } =
    await sql<never>`select r.id, r.name, r.kind, r.state, r.said, r.terms, r.group_name as "group", r.priority, r.once, r.budget_cents as "budgetCents",
      coalesce(b.spent_cents, u.off, 0)::bigint as "spentCents", coalesce(u.uses, 0)::int as uses, coalesce(u.off, 0)::bigint as "offCents", r.revision,
      r.changed_by_name as "changedBy", r.updated_at as "updatedAt"
    from discount_rules r left join discount_budgets b on b.service_provider_id = r.service_provider_id and b.rule_id = r.id
    left join lateral (select count(*) as uses, sum(x.off_cents) as off from discount_uses x
      where x.service_provider_id = r.service_provider_id and x.rule_id = r.id and x.state in ('TAKEN', 'BORNE')) u on true
    where ${inScope(scope, "r", "merchant")} order by r.priority desc, r.id limit ${MOST}`.execute(tx);
  return { items: rows };
});

type Given = Omit<ParsedOf<typeof addDiscountRule>, "requestId">;
/** @throws 400 where a kind lacks something, or a store is none of the merchant's */
async function check({ tx, scope }: Ctx, { kind, terms }: Pick<Given, "kind" | "terms">): Promise<void> {
  const lacks = lacksOf(kind, terms);
  const [why] = Object.values(lacks);
  if (why !== undefined) throw new Refusal(400, "invalid", why, lacks);
  if (terms.storeIds.length === 0) return;
  const { rows } = await sql<{
    n: number;
  }>`select count(*)::int as n from stores s where s.service_provider_id = ${scope.provider} and s.id = any(${`{${terms.storeIds.join(",")}}`}::uuid[])
    and ${inScope(scope, "s", "merchant")}`.execute(tx);
  if (rows[0]?.n !== new Set(terms.storeIds).size) throw notFound("门店");
}
const columnsOf = (kind: DiscountKind, { name, terms, group, priority, once, budgetCents }: Omit<Given, "kind">) => ({
  name,
  terms: JSON.stringify(terms),
  said: sayRule(kind, terms, { once: once || kind === 1, budgetCents, group }),
  group_name: group,
  priority,
  once: once || kind === 1,
  budget_cents: budgetCents,
});
const taken = (name: string) => invalid("name", `已有名为「${name}」的规则`);
const told = (ctx: Ctx, id: string, after: object) =>
  ctx.note({ targetKind: "discount_rule", targetId: id, provider: ctx.scope.provider, merchant: ctx.scope.merchant, after });

export const addDiscountRuleRoute = implement(addDiscountRule, async (ctx, { requestId: _once, kind, ...given }) => {
  const { tx, scope, services, now, now_ms } = ctx;
  const { provider, merchant } = scope;
  if (provider === undefined || merchant === undefined) throw forbidden();
  await check(ctx, { kind, terms: given.terms });
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from discount_rules r where r.service_provider_id = ${provider}
    and r.merchant_id = ${merchant}`.execute(tx);
  if (rows[0]!.n >= MOST) throw conflict(`最多 ${MOST} 条规则，请修改已有的`, "discount.most");
  const id = services.ids.uuid(now_ms);
  const by = askerOf(ctx).name;
  const added = await tx
    .insertInto("discount_rules")
    .values({
      service_provider_id: provider,
      merchant_id: merchant,
      id,
      kind,
      ...columnsOf(kind, given),
      made_by_name: by,
      changed_by_name: by,
      created_at: now,
      updated_at: now,
    })
    .onConflict((twice) => twice.columns(["service_provider_id", "merchant_id", "name"]).doNothing())
    .executeTakeFirst();
  if (added.numInsertedOrUpdatedRows !== 1n) throw taken(given.name);
  if (given.budgetCents !== null)
    await tx
      .insertInto("discount_budgets")
      .values({ service_provider_id: provider, merchant_id: merchant, rule_id: id, budget_cents: given.budgetCents })
      .execute();
  told(ctx, id, { kind, ...given });
  return { id };
});

/** A rule in sight, held. @throws 404 */
async function holdRule({ tx, scope }: Ctx, id: string) {
  const found = await tx
    .selectFrom("discount_rules as r")
    .selectAll("r")
    .where("r.id", "=", id)
    .where(inScope(scope, "r", "merchant"))
    .forUpdate()
    .executeTakeFirst();
  if (!found) throw notFound("优惠规则");
  return found;
}
export const updateDiscountRuleRoute = implement(updateDiscountRule, async (ctx, { id, revision, ...given }) => {
  const { tx, now } = ctx;
  const rule = await holdRule(ctx, id);
  const kind = rule.kind as DiscountKind;
  if (rule.revision !== revision) throw conflict("规则已被他人修改，请刷新后再改", "discount.changed");
  await check(ctx, { kind, terms: given.terms });
  // Only so is what was spent before counted: a budget is there from the beginning, and grows.
  if ((rule.budget_cents === null) !== (given.budgetCents === null))
    throw invalid("budgetCents", "有没有预算新建后不能改，请停用后另建一条");
  if (given.budgetCents !== null && given.budgetCents < rule.budget_cents!) throw invalid("budgetCents", "预算只能增加");
  const { rows } =
    await sql`select 1 from discount_rules r where r.service_provider_id = ${rule.service_provider_id} and r.merchant_id = ${rule.merchant_id}
    and r.name = ${given.name} and r.id <> ${id}`.execute(tx);
  if (rows.length > 0) throw taken(given.name);
  const changed = await tx
    .updateTable("discount_rules")
    .set({ ...columnsOf(kind, given), revision: revision + 1, changed_by_name: askerOf(ctx).name, updated_at: now })
    .where("service_provider_id", "=", rule.service_provider_id)
    .where("id", "=", id)
    .where("revision", "=", revision)
    .executeTakeFirst();
  mustChange(changed, () => conflict("规则已被他人修改，请刷新后再改", "discount.changed"));
  if (given.budgetCents !== null)
    await tx
      .updateTable("discount_budgets")
      .set({ budget_cents: given.budgetCents })
      .where("service_provider_id", "=", rule.service_provider_id)
      .where("rule_id", "=", id)
      .execute();
  told(ctx, id, { before: { said: rule.said, priority: rule.priority }, ...given });
  return { ok: true as const };
});
export const setDiscountRuleStateRoute = implement(setDiscountRuleState, async (ctx, { id, state }) => {
  const rule = await holdRule(ctx, id);
  if (rule.state === state) return { ok: true as const };
  const changed = await ctx.tx
    .updateTable("discount_rules")
    .set({ state, changed_by_name: askerOf(ctx).name, updated_at: ctx.now })
    .where("service_provider_id", "=", rule.service_provider_id)
    .where("id", "=", id)
    .where("state", "=", rule.state)
    .executeTakeFirst();
  mustChange(changed, () => conflict("规则已被他人修改，请刷新后再改", "discount.changed"));
  told(ctx, id, { state });
  return { ok: true as const };
});
/** The order that was seen: a rule that is missing in it, or new, is refused. */
export const sortDiscountRulesRoute = implement(sortDiscountRules, async (ctx, { ids }) => {
  const { tx, scope } = ctx;
  const { rows } = await sql<{
    id: string;
  }>`select r.id from discount_rules r
    where r.service_provider_id = ${scope.provider} and ${inScope(scope, "r", "merchant")} order by r.id for update`.execute(tx);
  if (ids.some((id) => rows.every((row) => row.id !== id))) throw notFound("优惠规则");
  if (rows.length !== ids.length || rows.some(({ id }) => !ids.includes(id)))
    throw conflict("规则有增减，请刷新后再排序", "discount.changed");
  const places = sql`${`{${ids.join(",")}}`}::uuid[]`;
  await sql`update discount_rules r set priority = ${ids.length} - p.n::int, updated_at = ${ctx.now}, revision = r.revision + 1
    from unnest(${places}) with ordinality as p(id, n) where r.service_provider_id = ${scope.provider} and p.id = r.id and ${inScope(scope, "r", "merchant")}`.execute(
    tx,
  );
  ctx.note({ targetKind: "discount_rule", targetId: ids[0]!, provider: scope.provider, merchant: scope.merchant, after: { order: ids } });
  return { ok: true as const };
});
