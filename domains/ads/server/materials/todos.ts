import { sql } from "kysely";
import { all } from "@zhangfang/server/lists/conditions.ts";
import type { TodoKind } from "../../../todos/server/index.ts";
import { managed } from "./material-rows.ts";

/** Materials that the platform looks at before they play, and those that it sent back to their provider. */
export const materialTodos: readonly TodoKind[] = [
  {
    key: "materials-to-audit",
    urgency: 2,
    unit: "个",
    title: "广告素材等待审核",
    act: "去审核",
    access: "/ad/materials/audit",
    to: "/ad/materials?audit_status=0",
    opens: (id) => `/ad/materials?audit_status=0&id=${id}`,
    waits: ({ scope }) => ({
      from: sql`ad_materials m`,
      where: all([managed(scope), sql`m.removed_at is null and m.status = 0`]),
      id: sql`m.id`,
      title: sql`m.name`,
      since: sql`m.created_at`,
    }),
  },
  {
    key: "materials-refused",
    urgency: 3,
    unit: "个",
    title: "广告素材没有通过审核",
    act: "去更换",
    access: "/ad/materials/upload",
    to: "/ad/materials?audit_status=3",
    opens: (id) => `/ad/materials?audit_status=3&id=${id}`,
    waits: ({ scope }) =>
      scope.level === "SP"
        ? {
            from: sql`ad_materials m`,
            where: all([managed(scope), sql`m.removed_at is null and m.status = 3`]),
            id: sql`m.id`,
            title: sql`m.name`,
            since: sql`coalesce(m.audited_at, m.created_at)`,
          }
        : undefined,
  },
];
