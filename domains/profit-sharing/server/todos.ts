import { sql } from "kysely";
import { all } from "@zhangfang/server/lists/conditions.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { byAnother, type TodoKind } from "../../todos/server/index.ts";
import { ITEMS } from "./rows.ts";
import { returnOpen } from "./returns/read-returns.ts";
import { missedAndOpen } from "./shares/share-columns.ts";

const SHARES = "/dataCentre/sharing?from=&to=";
const RETURNS = "/dataCentre/sharingReturn?from=&to=";

/** The settings of a receiver's merchant. @param id the receiver's, and its merchant's after a tilde */
const setupOf = (id: string): string => `${SHARES}&panel=setup&merchantId=${id.slice(id.indexOf("~") + 1)}`;
/** So long a registration may go without an answer before somebody is told. */
const UNANSWERED_MS = 3_600_000;

/** Receivers whom the channel does not know, shares and returns that did not arrive, and what somebody wrote down by hand about one. */
export const sharingTodos: readonly TodoKind[] = [
  {
    key: "shares-missed",
    urgency: 1,
    unit: "笔",
    title: "分账没有到账",
    act: "去重新分账",
    access: ITEMS.retry,
    to: `${SHARES}&missed=open`,
    opens: (id) => `${SHARES}&missed=open&id=${id}`,
    waits: ({ scope }) => ({
      from: sql`sharing_orders s`,
      // An order whose money is released can't be shared any more: nobody can act on it.
      where: all([inScope(scope, "s"), missedAndOpen]),
      id: sql`s.id`,
      title: sql`concat(s.share_no, ' ¥', round(s.amount_cents / 100.0, 2))`,
      since: sql`s.created_at`,
    }),
  },
  {
    key: "receivers-unknown",
    urgency: 1,
    unit: "个",
    title: "分账接收方没有登记成功",
    act: "去登记",
    access: ITEMS.setup,
    to: setupOf,
    opens: setupOf,
    waits: ({ scope, now_ms }) => ({
      from: sql`sharing_accounts a join sharing_receivers r on r.service_provider_id = a.service_provider_id and r.id = a.receiver_id
        join sharing_rules u on u.service_provider_id = r.service_provider_id and u.merchant_id = r.merchant_id and u.group_id = r.group_id
        join merchant_settings s on s.service_provider_id = r.service_provider_id and s.merchant_id = r.merchant_id`,
      // Of who gets shares by the rule that holds; who stands in no rule waits for nothing.
      where: all([
        inScope(scope, "a", "merchant"),
        sql`r.state = 'active' and u.mode <> 'none' and s.profit_sharing and (a.bind_state = 'failed'
          or a.bind_state in ('binding', 'unsure') and a.told_at <= ${new Date(now_ms - UNANSWERED_MS).toISOString()}::timestamptz)`,
      ]),
      id: sql`concat(r.id, '~', r.merchant_id)`,
      title: sql`concat(r.alias, case a.wallet when 'alipay' then ' 支付宝' else ' 微信支付' end)`,
      since: sql`a.told_at`,
    }),
  },
  {
    key: "returns-failed",
    urgency: 1,
    unit: "笔",
    title: "分账回退失败",
    act: "去重新回退",
    access: ITEMS.retryReturn,
    to: `${RETURNS}&status=3&failed=open`,
    opens: (id) => `${RETURNS}&status=3&failed=open&id=${id}`,
    waits: ({ scope }) => ({
      from: sql`sharing_returns r`,
      where: all([inScope(scope, "r"), returnOpen]),
      id: sql`r.id`,
      title: sql`concat(r.return_no, ' ¥', round(r.amount_cents / 100.0, 2))`,
      since: sql`r.created_at`,
    }),
  },
  {
    key: "share-records",
    urgency: 2,
    unit: "笔",
    title: "人工登记的分账结果等待复核",
    act: "去复核",
    access: ITEMS.record,
    to: (first) => `${SHARES}&id=${first}`,
    opens: (id) => `${SHARES}&id=${id}`,
    waits: (ctx) => ({
      from: sql`sharing_records x`,
      where: all([inScope(ctx.scope, "x", "store"), sql`x.state = 'waiting' and x.sharing_id is not null`, byAnother(ctx, "x.by_user")]),
      id: sql`x.sharing_id`,
      title: sql`x.number`,
      since: sql`x.created_at`,
    }),
  },
  {
    key: "return-records",
    urgency: 2,
    unit: "笔",
    title: "人工登记的分账回退结果等待复核",
    act: "去复核",
    access: ITEMS.recordReturn,
    to: (first) => `${RETURNS}&id=${first}`,
    opens: (id) => `${RETURNS}&id=${id}`,
    waits: (ctx) => ({
      from: sql`sharing_records x`,
      where: all([inScope(ctx.scope, "x", "store"), sql`x.state = 'waiting' and x.return_id is not null`, byAnother(ctx, "x.by_user")]),
      id: sql`x.return_id`,
      title: sql`x.number`,
      since: sql`x.created_at`,
    }),
  },
];
