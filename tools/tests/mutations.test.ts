import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../run.ts";
import { mutationsOf } from "./mutations.ts";

test("whoever hears of a settlement is changed by the mutants of statements", () => {
  const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
  const changed = read("tools/tests/mutants-database.ts");
  const hearers = globSync("domains/*/server/index.ts", { cwd: ROOT }).flatMap((door) => {
    const text = read(door);
    return [...text.matchAll(/hearers: \{ \S+: (\w+) \}/g)].map(([, name = ""]) => {
      const from = new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from "\\./([^"]+)"`).exec(text)?.[1] ?? name;
      return `${dirname(door)}/${from}`;
    });
  });
  expect(hearers.length).toBeGreaterThan(7);
  expect(hearers.filter((file) => !changed.includes(`"${file}": [`))).toEqual([]);
});

const SOURCE = `
// a && b
export async function hold(tx: Db, order: Order): Promise<number> {
  if (order.left < 0 && order.late) throw new Error("late");
  await release(tx, order);
  const { rows } = await sql\`select 1 from refunds where id = \${order.id} and status in (0, 1, 2)\`.execute(tx);
  return rows.length + order.count;
}
`;

test("a condition, a value of it, a sign, an addend, a guard and a call go one at a time, in what is no comment", () => {
  const found = mutationsOf(SOURCE);
  expect(new Set(found.map(({ line }) => line))).toEqual(new Set([4, 5, 6, 7]));
  const lines = found.map(({ line, text }) => (text.split("\n").length === SOURCE.split("\n").length ? text.split("\n")[line - 1] : ""));
  for (const line of [
    '  if (order.left <= 0 && order.late) throw new Error("late");',
    '  if (order.left < 0 || order.late) throw new Error("late");',
    "  ;",
    "  const { rows } = await sql`select 1 from refunds where id = ${order.id} and true`.execute(tx);",
    "  const { rows } = await sql`select 1 from refunds where id = ${order.id} and status in (1, 2)`.execute(tx);",
    "  const { rows } = await sql`select 1 from refunds where true and status in (0, 1, 2)`.execute(tx);",
    "  return rows.length;",
  ])
    expect(lines).toContain(line);
});

test("the provider beside an id, which nobody could notice, stays; the id goes", () => {
  const found = mutationsOf(`
  const { rows } = await sql\`select 1 from refunds where service_provider_id = \${order.provider} and order_id = \${order.id}\`.execute(tx);
  await tx.selectFrom("refunds")
    .where("service_provider_id", "=", order.provider)
    .where("order_id", "=", order.id)
    .execute();
`);
  const texts = found.filter(({ text }) => text.includes("selectFrom") && text.includes("select 1")).map(({ text }) => text);
  expect(texts.filter((text) => text.split("service_provider_id").length < 3)).toEqual([]);
  expect(texts.filter((text) => text.split("order_id").length < 3)).toHaveLength(2);
});
