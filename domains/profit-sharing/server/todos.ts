import { sql } from "kysely";
import { all } from "@zhangfang/server/lists/conditions.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { byAnother, type TodoKind } from "../../todos/server/index.ts";
import { ITEMS } from "./rows.ts";
import { returnOpen } from "./returns/read-returns.ts";
import { missedAndOpen } from "./shares/share-columns.ts";

const SHARES = "/dataCentre/sharing?from=&to=";
const RETURNS = "/dataCentre/sharingReturn?from=&to=";

/** Shares and returns that did not arrive, and what somebody wrote down by hand about one. */
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
