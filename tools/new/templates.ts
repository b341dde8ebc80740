/** What a template needs to know. */
export interface Wanted {
  readonly domain: string;
  /** `close-order`, the name of file, endpoint and handler. */
  readonly name: string;
  /** What the staff call it. */
  readonly title: string;
  /** Who may: the path of a page or button of the menu. */
  readonly access: string;
}

/** `close-order` → `closeOrder` */
export const camel = (name: string): string => name.replaceAll(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());
/** `close-order` → `CloseOrder` */
export const pascal = (name: string): string => camel(`-${name}`);
/** `close-order` → `order` */
export const nounOf = (name: string): string => name.split("-").slice(1).join("-");

type Kind = "list" | "get" | "write";
export const kindOf = (name: string): Kind => (name.startsWith("list-") ? "list" : name.startsWith("get-") ? "get" : "write");

/** The names that a contract template uses, by the module that has them. */
export const CONTRACT_IMPORTS: Readonly<Record<Kind, Readonly<Record<string, readonly string[]>>>> = {
  list: {
    zod: ["z"],
    "@zhangfang/contract/endpoint.ts": ["read"],
    "@zhangfang/contract/fields.ts": ["dateRange", "id", "instant", "line", "listInput", "listOutput", "scopeFilter"],
  },
  get: { zod: ["z"], "@zhangfang/contract/endpoint.ts": ["read"], "@zhangfang/contract/fields.ts": ["id", "instant"] },
  write: { zod: ["z"], "@zhangfang/contract/endpoint.ts": ["write"], "@zhangfang/contract/fields.ts": ["done", "id"] },
};

/** The declaration that both sides read. */
export function contractText({ domain, name, title, access }: Wanted): string {
  const head = `  path: "/api/${domain}/${kindOf(name) === "write" ? name : nounOf(name)}${kindOf(name) === "get" ? "/:id" : ""}",\n  title: "${title}",\n  access: "${access}",\n`;
  const row = `${camel(nounOf(name)).replace(/s$/, "")}Row`;
  if (kindOf(name) === "write") return `export const ${camel(name)} = write({\n${head}  input: z.object({ id }),\n  output: done,\n});\n`;
  const shape = `export const ${row} = z.object({\n  id,\n  storeName: z.string(),\n  createdAt: instant,\n});\n\n`;
  if (kindOf(name) === "get")
    return `${shape}export const ${camel(name)} = read({\n${head}  input: z.object({ id }),\n  output: ${row},\n});\n`;
  const input = `  input: listInput({ ...scopeFilter, ...dateRange, keyword: line(64).optional() }, ["-createdAt", "createdAt"]),\n`;
  return `${shape}export const ${camel(name)} = read({\n${head}${input}  output: listOutput(${row}),\n});\n`;
}

/** The handler: one verb, one file. `contract` is where its declaration is imported from. */
export function serverText(wanted: Wanted, contract: string): string {
  const { write, get, list } = { write: writeHandler, get: getHandler, list: listHandler };
  return { write, get, list }[kindOf(wanted.name)](wanted, contract);
}

const tableOf = (name: string): string => nounOf(name).replaceAll("-", "_").replace(/s?$/, "s");

function writeHandler({ name, title }: Wanted, contract: string): string {
  return `import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { ${camel(name)} } from "${contract}";

/** ${title}: the condition stands inside the write, so that of two at once one is told no. */
export const ${camel(name)}Route = implement(${camel(name)}, async (ctx, { id }) => {
  const changed = await sql\`
    update ${tableOf(name)} t set state = 'closed' where t.id = \${id} and t.state = 'active' and \${inScope(ctx.scope, "t")}\`.execute(ctx.tx);
  if (changed.numAffectedRows !== 1n) throw conflict("已由他人处理，请刷新后查看");
  ctx.note({ targetKind: "${nounOf(name)}", targetId: id, after: { state: "closed" } });
  return { ok: true as const };
});
`;
}

function getHandler({ name, title }: Wanted, contract: string): string {
  return `import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { z } from "zod";
import { ${camel(name)} } from "${contract}";

/** ${title}: one row in sight; what is out of sight is not there. */
export const ${camel(name)}Route = implement(${camel(name)}, async (ctx, { id }) => {
  const found = await sql<z.input<typeof ${camel(name)}.output>>\`
    select t.id, t.store_name as "storeName", t.created_at as "createdAt" from ${tableOf(name)} t
    where t.id = \${id} and \${inScope(ctx.scope, "t")}\`.execute(ctx.tx);
  const [row] = found.rows;
  if (!row) throw notFound("${title}");
  return row;
});
`;
}

function listHandler({ name, title }: Wanted, contract: string): string {
  return `import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { all, during, is, narrowed } from "@zhangfang/server/lists/conditions.ts";
import { listPage } from "@zhangfang/server/lists/list-page.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { z } from "zod";
import { ${camel(name)} } from "${contract}";

type Row = z.input<typeof ${camel(name)}.output>["items"][number];

/** ${title}: one page, newest first. */
export const ${camel(name)}Route = implement(${camel(name)}, (ctx, input) =>
  listPage<Row>(ctx.tx, input, {
    columns: sql\`t.id, t.store_name as "storeName", t.created_at as "createdAt"\`,
    from: sql\`${tableOf(name)} t\`,
    where: all([
      inScope(ctx.scope, "t"),
      narrowed(input, "t"),
      during(input, "t.created_at"),
      is("t.store_name", input.keyword || undefined),
    ]),
    order: "t.created_at",
  }),
);
`;
}

/** A list screen over the endpoint \`list\`. */
export function screenText({ name, title }: Wanted, list: string, contract: string): string {
  return `import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { daysAgo, today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { type Column, columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList } from "@zhangfang/web/list/use-list.ts";
import { ${list} } from "${contract}";

/** ${title}: what is in sight, newest first. */
export function ${pascal(name)}(): ReactNode {
  const list = useList(${list}, { defaults: { from: daysAgo(6), to: today() } });
  return (
    <ListScreen
      title="${title}"
      unit="条"
      list={list}
      onOpen={false}
      filters={
        <>
          <DateRange of={list.range("from", "to")} label="创建时间" />
          <Keyword of={list.field("keyword")} label="门店" placeholder="门店名称" />
          <OrgFilter of={list} />
        </>
      }
      columns={shown()}
      empty={{ text: "还没有${title}" }}
    />
  );
}

function shown(): Column<RowOf<typeof ${list}>>[] {
  const c = columns<RowOf<typeof ${list}>>();
  return [c.text("storeName", "门店"), c.time("createdAt", "创建时间", { sort: "createdAt" })];
}
`;
}
