import { sql } from "kysely";
import { all } from "@zhangfang/server/lists/conditions.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { byAnother, type TodoKind } from "../../todos/server/index.ts";

const note = { from: sql`wx_notes n`, id: sql`n.id`, title: sql`n.name`, since: sql`n.created_at` };
const inState = (scope: Scope, state: string) => all([inScope(scope, "n", "merchant"), sql`n.state = ${sql.lit(state)}`]);
const opens = (id: string): string => `/wxCRM/groupNote/detail?id=${id}`;

/** Group messages that another person lets go, and drafts that nobody handed in. */
export const noteTodos: readonly TodoKind[] = [
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
];
