import { mkdtemp, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { build } from "vite";
import { contractPlugin } from "./vite-contract.ts";

const CONTRACT = `
import { z } from "zod";
import { write } from "@zhangfang/contract/endpoint.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
export * from "./rules.ts";
export const status = labelled({ 1: ["退款中", "active"], 2: "已退款" });
export const LIMIT = { days: 90, words: ["a"] };
export const row = z.object({ id: z.string() });
export const refund = write({ path: "/api/refund", title: "退款", access: "/pay/refund", idempotent: "requestId", input: z.object({ reason: z.string().min(1, "请填写退款原因") }), output: row });
export function secret(): number { return z.int().parse(1); }
`;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "contract-"));
  await mkdir(join(folder, "domains/pay/contract"), { recursive: true });
  await mkdir(join(folder, "domains/pay/web"), { recursive: true });
  await symlink(join(import.meta.dirname, "../../../node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  await writeFile(join(folder, "domains/pay/contract/index.ts"), CONTRACT);
  await writeFile(join(folder, "domains/pay/contract/rules.ts"), "export const double = (n: number): number => n * 2;\n");
});
afterEach(() => rm(folder, { recursive: true }));

async function built(page: string): Promise<{ entry: string; others: string }> {
  await writeFile(join(folder, "domains/pay/web/page.ts"), page);
  const result = await build({
    root: folder,
    configFile: false,
    logLevel: "silent",
    plugins: [contractPlugin()],
    build: {
      write: false,
      minify: false,
      modulePreload: false,
      rolldownOptions: { input: join(folder, "domains/pay/web/page.ts"), preserveEntrySignatures: "strict" },
    },
  });
  const { output } = Array.isArray(result) ? result[0]! : (result as Extract<typeof result, { output: unknown }>);
  const code = output.flatMap((chunk) => (chunk.type === "chunk" ? [chunk] : []));
  return {
    entry: code.find((chunk) => chunk.isEntry)?.code ?? "",
    others: code
      .filter((chunk) => !chunk.isEntry)
      .map((chunk) => chunk.code)
      .join("\n"),
  };
}

test("a page gets endpoints, labels, constants and plain functions, and no zod until a form asks", async () => {
  const { entry, others } = await built(
    'import { refund, status, LIMIT, double } from "../contract/index.ts";\nexport const all = [refund, status.label(1), LIMIT, double(2)];\n',
  );
  expect(entry).toContain('"/api/refund"');
  expect(entry).toContain("退款中");
  expect(entry).toContain("n * 2");
  expect(entry).not.toMatch(/ZodObject|\$ZodType/);
  expect(entry).not.toContain("请填写退款原因");
  expect(others).toContain("请填写退款原因");
});
test("a schema is refused, with the way out in the message", async () => {
  await expect(built('import { row } from "../contract/index.ts";\nexport const x = row;\n')).rejects.toThrow(
    /imports the schema "row".*schemaOf/s,
  );
});
test("a function with zod behind it is refused", async () => {
  await expect(built('import { secret } from "../contract/index.ts";\nexport const x = secret();\n')).rejects.toThrow(
    /imports the function "secret"/,
  );
});
test("types may be imported of anything", async () => {
  const { entry } = await built(
    'import { type row, LIMIT } from "../contract/index.ts";\nexport type Row = typeof row;\nexport const x = LIMIT.days;\n',
  );
  expect(entry).toContain("90");
});
