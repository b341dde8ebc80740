import { sql, type RawBuilder } from "kysely";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { all } from "@zhangfang/server/lists/conditions.ts";
import type { TodoKind, Waiting } from "../../todos/server/index.ts";
import { opensAt, type Sources } from "./sources.ts";

/** The caller's own sheets that are not done with. */
export function importTodos(sources: Sources): readonly TodoKind[] {
  const access = [...new Set([...sources.values()].map((source) => source.access))];
  const opens = (id: string): string => {
    const [source = "", own = ""] = id.split("~");
    return opensAt(sources, source, own);
  };
  // Whoever sees or may do something else meanwhile can't go on with a sheet of before.
  const own = ({ principal, scope, now }: Ctx, standing: RawBuilder<boolean>): Waiting | undefined => {
    const held = [...sources.values()].filter((source) => principal.holds([source.access]) && principal.holds([source.screen]));
    if (held.length === 0) return undefined;
    return {
      from: sql`imports i`,
      where: all([
        sql`i.owner_user_id = ${principal.id} and i.scope = ${scope.text} and i.expires_at > ${now}::timestamptz`,
        sql`i.source in (${sql.join(held.map(({ name }) => name))})`,
        standing,
      ]),
      id: sql`concat(i.source, '~', i.id)`,
      title: sql`i.file_name`,
      since: sql`i.created_at`,
    };
  };
  const has = (status: RawBuilder<unknown>) =>
    sql<boolean>`exists (select from import_rows r where r.owner_user_id = i.owner_user_id and r.import_id = i.id and r.status in (${status}))`;
  const given = { unit: "份", access, to: opens, opens } as const;
  return [
    {
      ...given,
      key: "imports-waiting",
      urgency: 3,
      title: "表格已上传，还没开始导入",
      act: "去导入",
      waits: (ctx) => own(ctx, sql<boolean>`i.status = 0 and ${has(sql`1`)}`),
    },
    {
      ...given,
      key: "imports-left-over",
      urgency: 2,
      title: "表格有没导入的行",
      act: "去改正",
      waits: (ctx) => own(ctx, sql<boolean>`i.status in (2, 3) and ${has(sql`0, 1`)}`),
    },
  ];
}
