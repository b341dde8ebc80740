import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkHouse } from "./check-house.ts";
import { floorsOf } from "./house/floor-laws.ts";
import { handlersOf } from "./house/handler-laws.ts";
import { readModules } from "./house/modules.ts";
import { selectorsOf } from "./house/style-laws.ts";
import { writesOf } from "./house/table-laws.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "zf-house-"));
  write("domains/orders/README.md", "订单\n");
  write("domains/orders/contract.ts", 'import { z } from "zod";\nexport const order = z.string();\n');
  write(
    "domains/orders/server/list-orders.ts",
    'import { order } from "../contract.ts";\nimport { call } from "@zhangfang/server/calls/call.ts";\n',
  );
  write("domains/money/README.md", "钱\n");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** The violations that planting one file brings, as `path:line`. */
function planted(path: string, text: string): string[] {
  write(path, text);
  return checkHouse(root).violations.map((found) => `${found.path}:${found.line}`);
}

test("a house in order has nothing to report, and the report counts what was read", () => {
  expect(checkHouse(root)).toEqual({ modules: 2, imports: 3, violations: [] });
  expect(checkHouse(join(root, "domains/money"))).toEqual({ modules: 0, imports: 0, violations: [] });
});

const CASES: readonly (readonly [law: string, path: string, text: string])[] = [
  ["kit knows no domain", "kit/server/a.ts", 'import { order } from "@zhangfang/domains/orders/contract.ts";'],
  ["kit knows no app, by a relative path either", "kit/contract/a.ts", 'import "../../apps/server/main.ts";'],
  ["a domain knows no app", "domains/money/server/a.ts", 'export * from "../../../apps/server/main.ts";'],
  ["the web knows no server of its own domain", "domains/orders/web/A.tsx", 'import { list } from "../server/index.ts";'],
  ["the web knows no server of the kit", "domains/orders/web/A.tsx", 'import type { Scope } from "@zhangfang/server/database/scope.ts";'],
  ["the web imports nothing of the server late", "kit/web/a.ts", 'const late = await import("@zhangfang/server/calls/call.ts");'],
  ["the server knows no web", "domains/orders/server/a.ts", 'import { Money } from "@zhangfang/web/show/figures/Money.tsx";'],
  ["the contract knows neither side", "domains/orders/contract.ts", 'import { list } from "./server/list-orders.ts";'],
  [
    "another domain is reached through its door",
    "domains/money/server/a.ts",
    'import {\n  list,\n} from "../../orders/server/list-orders.ts";',
  ],
  ["apps compose doors", "apps/server/domains.ts", 'import { list } from "@zhangfang/domains/orders/server/list-orders.ts";'],
  ["only the kit's server has pg", "domains/orders/server/a.ts", 'import type { Pool } from "pg";'],
  ["only the outbound door opens sockets", "domains/orders/server/a.ts", 'import { STATUS_CODES, request } from "node:https";'],
  ["only the outbound door fetches", "kit/server/a.ts", 'export const page = fetch("https://example.com");'],
  ["no Math.random on the server", "domains/orders/server/a.ts", "export const number = Math.random();"],
  ["today is asked for while drawing", "domains/orders/web/A.tsx", "const DEFAULTS = { from: daysAgo(30), to: today() };"],
  ["today is asked for while drawing, over several lines too", "domains/orders/web/A.tsx", "const DEFAULTS = {\n  to: today(),\n};"],
  ["no raw HTML", "domains/orders/web/A.tsx", "const a = <p dangerouslySetInnerHTML={{ __html: text }} />;"],
  ["copying by one way", "domains/orders/web/A.tsx", "void navigator.clipboard.writeText(text);"],
  ["dates by one family of fields", "domains/orders/web/A.tsx", 'const a = <input type="date" />;'],
  ["no eval", "kit/contract/a.ts", 'const two = eval("1 + 1");'],
  ["no new Function", "kit/contract/a.ts", 'const two = new Function("return 2");'],
  ["no skipped test", "kit/contract/a.test.ts", 'test.skip("later", () => {});'],
  ["a fifth name", "domains/orders/helpers/a.ts", "export const one = 1;"],
  ["an empty verb", "domains/orders/server/handle-order.ts", "export const one = 1;"],
  ["the word for logging in", "domains/orders/web/A.tsx", "const a = <p>请登陆</p>;"],
  ["the word for account, in a document", "domains/orders/README.md", "帐号\n"],
  ["a function of the kit without JSDoc", "kit/server/a.ts", "export async function list() {}"],
  ["an arrow of the kit without JSDoc", "kit/server/a.ts", "export const list = (page: number) => page;"],
];

test.each(CASES)("%s", (_law, path, text) => {
  const line = text.includes("\n") && path.endsWith(".ts") ? text.split("\n").length : 1;
  const where = path.includes("helpers") ? "domains/orders/helpers" : path;
  expect(planted(path, text)).toContain(`${where}:${line}`);
});

test("a domain without README, one too long, and a crowded folder are reported", () => {
  write("domains/stores/contract.ts", "export const one = 1;");
  write("domains/money/README.md", "钱\n".repeat(41));
  for (let file = 0; file < 13; file++) {
    write(`domains/orders/server/list-${file}.ts`, "");
    write(`domains/orders/web/deep/down/list-${file}.ts`, "");
  }
  const found = checkHouse(root).violations.map(({ path }) => path);
  expect(found).toEqual(
    ["domains/money/README.md", "domains/stores/README.md", "domains/orders/server", "domains/orders/web/deep/down"].toSorted(
      (a, b) => found.indexOf(a) - found.indexOf(b),
    ),
  );
});

test("what the laws allow is not reported: doors, types of sockets, words in comments, tests that look for themselves", () => {
  expect(
    planted(
      "domains/money/server/a.ts",
      'import { list } from "../../orders/server/index.ts";\nimport type { Socket } from "node:net";\n// not Math.random()',
    ),
  ).toEqual([]);
  expect(planted("domains/money/server/a.test.ts", 'import pg from "pg";\nawait fetch("http://127.0.0.1");')).toEqual([]);
  expect(planted("kit/server/outside/outbound.ts", 'import { request } from "node:https";')).toEqual([]);
  expect(
    planted("kit/server/b.ts", '/** Says one. */\nexport const one = () => 1;\nconst address = "https://example.com"; /* fetch("x") */'),
  ).toEqual([]);
});

test("a server file knows the doors of lower floors alone", () => {
  const doors = ["money", "orders"].map((room) => `import { ${room} } from "@zhangfang/domains/${room}/server/index.ts";`).join("\n");
  write("apps/server/domains.ts", `${doors}\nconst floors = [\n  money,\n  orders,\n];\n`);
  expect(planted("domains/orders/server/a.ts", 'import { money } from "../../money/server/index.ts";')).toEqual([]);
  expect(planted("domains/money/server/a.test.ts", 'import { orders } from "../../orders/server/index.ts";')).toEqual([]);
  expect(planted("domains/money/server/a.ts", '\nimport { orders } from "../../orders/server/index.ts";')).toEqual([
    "domains/money/server/a.ts:2",
  ]);
});

test("modules that import each other are reported, types too", () => {
  write("domains/orders/web/Whole.tsx", 'import { Part } from "./Part.tsx";\nexport type Row = string;');
  expect(planted("domains/orders/web/Part.tsx", '\nimport type { Row } from "./Whole.tsx";')).toEqual([
    "domains/orders/web/Part.tsx:2",
    "domains/orders/web/Whole.tsx:1",
  ]);
  expect(planted("domains/orders/web/Part.tsx", 'import type { Row } from "./row.ts";')).toEqual([]);
});

test("a handler is named for its endpoint, and every domain's are read", () => {
  expect(planted("domains/orders/server/a.ts", "export const listOrdersRoute = implement(listOrders, async () => []);")).toEqual([]);
  expect(planted("domains/orders/server/a.ts", "\nexport const listOrders = implement(endpoint, async () => []);")).toEqual([
    "domains/orders/server/a.ts:2",
  ]);
  expect(handlersOf(readModules(join(import.meta.dirname, ".."))).length).toBeGreaterThan(400);
});

test("a table is written by one domain alone, by the builder and as SQL", () => {
  write("domains/orders/server/a.ts", 'await tx.updateTable("pay_orders").set(it).execute();\nawait sql`update pay_orders set a = 1`;');
  write("domains/orders/server/a.test.ts", "");
  expect(planted("domains/money/server/a.ts", '\nawait tx.updateTable("pay_orders as o").set(it).execute();')).toEqual([
    "domains/money/server/a.ts:2",
  ]);
  expect(planted("domains/money/server/a.ts", "await sql`insert into pay_orders (a) values (1)`;")).toEqual([
    "domains/money/server/a.ts:1",
  ]);
  expect(planted("domains/money/server/a.ts", "await sql`select 1 from pay_orders for update`; // update pay_orders set a = 1")).toEqual(
    [],
  );
  expect(planted("domains/money/server/a.test.ts", "await sql`update pay_orders set a = 1`;")).toEqual([]);
});

test("a write through a maker of the kit, a book's tables and computed tables count too", () => {
  write("domains/orders/server/a.ts", 'await tx.updateTable("pay_orders").set(it).execute();\nconst B: Book = {\n  name: "sales",\n};');
  write("domains/orders/server/b.ts", 'await tx.deleteFrom("pay_orders");\nawait tx.deleteFrom("sales_entries");');
  expect(planted("domains/money/server/a.ts", 'await writeOver(ctx.tx, "pay_orders", key, 1, {}, "订单");')).toEqual([
    "domains/money/server/a.ts:1",
  ]);
  expect(planted("domains/money/server/a.ts", '\nawait tx.insertInto("sales_entries").execute();')).toEqual([
    "domains/money/server/a.ts:2",
  ]);
  expect(planted("domains/money/server/a.ts", "await tx.updateTable(table).execute();")).toEqual(["domains/money/server/a.ts:1"]);
  expect(planted("domains/money/server/a.ts", "await sql`delete from ${table}`;")).toEqual(["domains/money/server/a.ts:1"]);
  expect(planted("domains/money/server/a.ts", "// writes: bills, bill_rows\nawait tx.updateTable(table).execute();")).toEqual([]);
  expect(planted("domains/money/server/a.ts", "// writes: bills, pay_orders\nawait tx.updateTable(table).execute();")).toEqual([
    "domains/money/server/a.ts:1",
  ]);
});

test("the writes of every domain are read", () => {
  const writes = writesOf(readModules(join(import.meta.dirname, "..")));
  expect(writes.length).toBeGreaterThan(300);
  expect(new Set(writes.filter(({ table }) => table === "pay_orders").map(({ room }) => room))).toEqual(new Set(["domains/orders"]));
});

test("a domain's sheet restyles nothing of the kit, and its words are its own", () => {
  write("kit/web/styles/a.css", ".note { color: red; }\n.money-out { color: red; }");
  write("domains/orders/web/orders.css", ".refund { color: red; }");
  const planted = (css: string): string[] => {
    write("domains/mall/web/mall.css", css);
    return checkHouse(root)
      .violations.filter(({ path }) => path.endsWith(".css"))
      .map(({ path, line }) => `${path}:${line}`);
  };
  expect(
    planted(".mall-lines .mall-note.note,\n.mall-lines > p:not(.note) { margin: 0; }\n@media print { .mall-lines { margin: 0; } }"),
  ).toEqual([]);
  expect(planted(".mall-lines {\n  margin: 0;\n}\n.mall-lines > .note { margin: 0; }")).toEqual(["domains/mall/web/mall.css:4"]);
  expect(planted(".note:has(.mall-lines) { margin: 0; }")).toEqual(["domains/mall/web/mall.css:1"]);
  expect(planted("/* .note { } */\n.refund-lines { margin: 0; }")).toHaveLength(1);
  expect(planted(".money-trace { margin: 0; }")).toEqual(["domains/mall/web/mall.css:1"]);
});

test("every domain's style sheets are read", () => {
  expect(selectorsOf(join(import.meta.dirname, ".."), "domains/*/web/**/*.css").length).toBeGreaterThan(400);
});

test("every room of the server's list is found on its floor", () => {
  const floors = floorsOf(readModules(join(import.meta.dirname, "..")));
  expect(floors.length).toBeGreaterThan(15);
  expect(floors.indexOf("money")).toBeLessThan(floors.indexOf("orders"));
});
