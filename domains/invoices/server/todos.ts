import { sql, type RawBuilder } from "kysely";
import { all } from "@zhangfang/server/lists/conditions.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { TodoKind } from "../../todos/server/index.ts";

const LIST = "/invoice/merchant";
const invoiceKind = (
  given: Pick<TodoKind, "key" | "title" | "act" | "access" | "urgency"> & {
    readonly view: string;
    readonly table: RawBuilder<unknown>;
    readonly status: number;
  },
): TodoKind => ({
  ...given,
  unit: "张",
  to: `${LIST}?view=${given.view}&status=${given.status}`,
  opens: (id) => `${LIST}?view=${given.view}&status=${given.status}&id=${id}`,
  waits: ({ scope }) => ({
    from: given.table,
    where: all([inScope(scope, "x", "merchant"), sql`x.status = ${sql.lit(given.status)}`]),
    id: sql`x.id`,
    title: sql`concat('¥', round(x.total_cents / 100.0, 2))`,
    since: sql`x.created_at`,
  }),
});

/** Invoices that customers asked for, those that did not come about, and what is missing to issue them. */
export const invoiceTodos: readonly TodoKind[] = [
  invoiceKind({
    key: "invoice-applications",
    urgency: 1,
    title: "发票申请等待审核",
    act: "去审核",
    access: "/invoice/merchant/approve",
    view: "applications",
    table: sql`invoice_applications x`,
    status: 0,
  }),
  invoiceKind({
    key: "invoices-failed",
    urgency: 1,
    title: "发票开票失败",
    act: "去重试",
    access: "/invoice/merchant/issue",
    view: "invoices",
    table: sql`invoices x`,
    status: 3,
  }),
  invoiceKind({
    key: "invoice-reds-failed",
    urgency: 1,
    title: "发票红冲失败",
    act: "去处理",
    access: "/invoice/merchant/red",
    view: "invoices",
    table: sql`invoices x`,
    status: 6,
  }),
  {
    key: "tax-sessions",
    urgency: 1,
    unit: "个",
    title: "税号要登录电子税务局",
    act: "去登录",
    access: "/invoice/merchant/edit",
    to: LIST,
    waits: ({ scope }) => ({
      from: sql`tax_subjects t`,
      where: all([inScope(scope, "t", "merchant"), sql`t.state = 'active' and t.session <> 'ok'`]),
      id: sql`t.id`,
      title: sql`t.name`,
      since: sql`coalesce(t.session_at, t.updated_at)`,
    }),
  },
  {
    key: "invoice-settings-missing",
    urgency: 2,
    unit: "个",
    title: "商户税号要开票，开票平台还没设置或已停用",
    act: "去设置",
    access: "/invoice/config/edit",
    to: "/invoice/config",
    waits: ({ scope }) => ({
      from: sql`tax_subjects t`,
      where: all([
        inScope(scope, "t", "merchant"),
        sql`t.state = 'active' and not exists (select from invoice_settings i where i.service_provider_id = t.service_provider_id and i.state = 'active')`,
      ]),
      id: sql`t.id`,
      title: sql`t.name`,
      since: sql`t.created_at`,
    }),
  },
];
