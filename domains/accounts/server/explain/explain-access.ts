import { sql, type RawBuilder } from "kysely";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope, parseScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { explainAccess } from "../../contract/explain.ts";
import type { Level } from "../../contract/levels.ts";
import { MENU, type Holder } from "../../contract/menu.ts";
import { mayAdminister } from "../users/account-rules.ts";
import { actorOf, readTargets, TARGET_FROM } from "../users/read-target.ts";
import { itemSteps, recordSteps, type Standing, type Step } from "./explain-rules.ts";

interface Account {
  readonly level: Level;
  readonly root: boolean;
  readonly state: string;
  readonly open: boolean;
  readonly position: string[] | null;
  readonly granted: string[] | null;
  readonly scope: string;
}
type Kind = "order" | "refund" | "merchant" | "store";

/** Whether an account below may use an item or see a record, and which rule decides. */
export const explainAccessRoute = implement(explainAccess, async (ctx, { id, about, subject }) => {
  const account = await readAccount(ctx, id);
  const standing =
    about === "item" ? undefined : await ctx.transaction((tx) => readRecord(tx, ctx.scope, about, subject), { readOnly: true });
  const before: Step[] = [
    { title: "账号状态", ok: account.state === "active", note: account.state === "active" ? "账号启用中" : "账号已停用" },
    { title: "机构状态", ok: account.open, note: account.open ? "所属机构启用中" : "所属机构已停用" },
  ];
  if (standing === undefined) {
    const item = MENU.find((one) => one.parentId !== 0 && one.path === subject && (one.path !== "/" || one.levels.includes(account.level)));
    if (!item) throw invalid("subject", "没有这个功能");
    const parent = MENU.find((one) => one.id === item.parentId);
    return verdict(`${parent?.name ?? ""} / ${item.name}`, [...before, ...itemSteps(account as Holder, item)]);
  }
  const scope = parseScope(account.scope);
  const steps = [...before, ...recordSteps(scope, standing)];
  // What the fence itself says has the last word: were the rules above ever told wrongly, it would show.
  const seen = await withScope(ctx.services.pool, scope, (tx) => sees(tx, about as Kind, standing.id), { readOnly: true });
  return { ...verdict(standing.name, steps), allowed: seen && before.every((step) => step.ok) };
});

function verdict(subject: string, steps: readonly Step[]): { allowed: boolean; subject: string; rule: string; steps: Step[] } {
  const no = steps.find((step) => !step.ok);
  const decides = no ?? steps.at(-1);
  return { allowed: no === undefined, subject, rule: decides ? `${decides.title}：${decides.note}` : "", steps: [...steps] };
}

async function readAccount(ctx: Ctx, id: string): Promise<Account> {
  return ctx.transaction(
    async (tx) => {
      const [target] = await readTargets(tx, ctx.scope, [id]);
      if (!target || !mayAdminister(actorOf(ctx.principal), target)) throw notFound("账号");
      // The position of somebody else's sub-account is out of the caller's sight, and so is what it needs to know of it.
      return ctx.platform("explain what an account holds", async (all) => {
        const found = await sql<Account>`select u.level, u.login = u.root_login as root, u.state, p.items as position,
          app.granted_of(u) as granted, app.scope_of(u) as scope,
          coalesce(sp.state = 'active', true) and coalesce(m.state = 'active', true) and coalesce(s.state = 'active', true)
            and coalesce(t.state = 'active', true) and coalesce(g.state = 'active', true) and coalesce(a.state = 'active', true) as open
          from ${TARGET_FROM} left join positions p on p.id = u.position_id left join service_providers sp on sp.id = u.service_provider_id
          left join business_groups g on g.service_provider_id = u.service_provider_id
            and g.id = coalesce(u.business_group_id, t.business_group_id, s.business_group_id)
          left join agents a on a.service_provider_id = u.service_provider_id and a.id = coalesce(u.agent_id, s.agent_id)
          where u.id = ${id}`.execute(all);
        if (!found.rows[0]) throw notFound("账号");
        return found.rows[0];
      });
    },
    { readOnly: true },
  );
}

/** Each kind of record: its table, its number, and whether it keeps the attribution of its day. */
const RECORDS: Readonly<Record<Kind, { table: string; no: string; name: string; dated: boolean }>> = {
  order: { table: "pay_orders", no: "order_no", name: "支付订单", dated: true },
  refund: { table: "refunds", no: "refund_no", name: "退款单", dated: true },
  merchant: { table: "merchants", no: "number", name: "商户", dated: false },
  store: { table: "stores", no: "number", name: "门店", dated: false },
};
type Found = Standing & { readonly id: string; readonly name: string };

async function readRecord(tx: Transaction, scope: Scope, kind: Kind, no: string): Promise<Found> {
  const { table, no: column, name, dated } = RECORDS[kind];
  const of = kind === "store" ? "m" : "x";
  const attribution: RawBuilder<unknown> = sql`${sql.ref(`${of}.agent_id`)} as agent, ${sql.ref(`${of}.business_group_id`)} as "group",
    ${sql.ref(`${of}.business_team_id`)} as team, ${sql.ref(`${of}.salesman_id`)} as salesman`;
  const merchant = kind === "merchant" ? sql`x.id` : sql`x.merchant_id`;
  const store = kind === "merchant" ? sql`null::uuid` : kind === "store" ? sql`x.id` : sql`x.store_id`;
  const narrow = scope.level === "MCH" || scope.level === "AE";
  const fence = kind === "store" ? "store" : kind === "merchant" && narrow ? "merchant" : "full";
  const found = await sql<
    Omit<Found, "dated" | "name">
  >`select x.id, x.service_provider_id as provider, ${merchant} as merchant, ${store} as store, ${attribution}
    from ${sql.table(table)} x ${kind === "store" ? sql`join merchants m on m.service_provider_id = x.service_provider_id and m.id = x.merchant_id` : sql``}
    where ${sql.ref(`x.${column}`)} = ${no} and ${inScope(scope, "x", fence)} limit 1`.execute(tx);
  const row = found.rows[0];
  if (!row) throw notFound(name);
  return { ...row, dated, name: `${name} ${no}` };
}
async function sees(tx: Transaction, kind: Kind, id: string): Promise<boolean> {
  const found = await sql`select 1 from ${sql.table(RECORDS[kind].table)} x where x.id = ${id}`.execute(tx);
  return found.rows.length > 0;
}
