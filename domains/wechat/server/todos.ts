import { sql } from "kysely";
import { all } from "@zhangfang/server/lists/conditions.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { byAnother, type TodoKind } from "../../todos/server/index.ts";
import { toldOnce } from "./notes/read-notes.ts";

const note = { from: sql`wx_notes n`, id: sql`n.id`, title: sql`n.name`, since: sql`n.created_at` };
const inState = (scope: Scope, state: string) => all([inScope(scope, "n", "merchant"), sql`n.state = ${sql.lit(state)}`]);
const opens = (id: string): string => `/wxCRM/groupNote/detail?id=${id}`;

const MENU = (id: string): string => `/wxCRM/app?panel=menu:${id}`;
/** A menu whose draft followers do not see: never published, changed since, or a publication that did not come about. */
const unpublished = sql<boolean>`m.draft <> '[]' and m.publish_state <> 'asked' and m.draft is distinct from m.live
  and (m.publish_state = 'failed' or m.draft is distinct from m.sent)`;
/** As publishing asks it: what WeChat would refuse is nothing to do here. */
const publishable = sql<boolean>`a.state = 'active' and a.may_call and (a.way <> 'component' or a.permissions @> array[15])`;

/** Group messages that another person lets go, and drafts that nobody handed in, results that one person told; menus that nobody published. */
export const wechatTodos: readonly TodoKind[] = [
  {
    key: "group-notes",
    urgency: 2,
    unit: "条",
    title: "群发消息等待审核",
    act: "去审核",
    access: "/wxCRM/groupNote/audit",
    to: "/wxCRM/groupNote?state=review",
    opens,
    waits: (ctx) => ({ ...note, where: all([inState(ctx.scope, "review"), byAnother(ctx, "n.made_by")]) }),
  },
  {
    key: "group-note-drafts",
    urgency: 3,
    unit: "条",
    title: "群发消息草稿还没提交",
    act: "去提交",
    access: "/wxCRM/groupNote/edit",
    to: "/wxCRM/groupNote?state=draft",
    opens,
    waits: ({ scope }) => ({ ...note, where: inState(scope, "draft") }),
  },
  {
    key: "group-note-results",
    urgency: 1,
    unit: "条",
    title: "群发结果等另一人登记",
    act: "去登记",
    access: "/wxCRM/groupNote/steer",
    to: "/wxCRM/groupNote?check=open",
    opens,
    waits: (ctx) => ({
      ...note,
      where: all([inScope(ctx.scope, "n", "merchant"), toldOnce, byAnother(ctx, "n.verdict_by")]),
      since: sql`n.updated_at`,
    }),
  },
  {
    key: "wx-menus-unpublished",
    urgency: 3,
    unit: "个",
    title: "公众号菜单改了还没发布",
    act: "去发布",
    access: "/wxCRM/app/edit",
    to: MENU,
    opens: MENU,
    waits: ({ scope }) => ({
      from: sql`wx_menus m join wx_apps a on a.service_provider_id = m.service_provider_id and a.id = m.app_row`,
      where: all([inScope(scope, "m", "merchant"), publishable, unpublished]),
      id: sql`m.app_row`,
      title: sql`a.name`,
      since: sql`m.updated_at`,
    }),
  },
];
