import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openLog } from "./log.ts";

/** The lines that are written meanwhile. */
async function linesOf(
  write: (log: ReturnType<typeof openLog>) => void,
  count: number,
): Promise<{ text: string; lines: Record<string, unknown>[] }> {
  const folder = mkdtempSync(join(tmpdir(), "zf-log-"));
  try {
    const file = join(folder, "service.log");
    write(openLog(file, "debug"));
    const read = () => (existsSync(file) ? readFileSync(file, "utf8") : "");
    await expect.poll(() => read().split("\n").length).toBe(count + 1);
    return {
      text: read(),
      lines: read()
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
test("errors inside an error are told without their rows, and what is no error passes as it is", async () => {
  const refused = () =>
    Object.assign(new Error("refused"), { code: "23514", detail: "Failing row (13800009021)", where: "COPY, line 1: 13800009021" });
  const many = new AggregateError([refused(), "13 of 20"], "many");
  const wrapped = Object.assign(new Error("wrapped", { cause: refused() }), { first: refused(), errors: [refused()], at: new Date(0) });
  const shown = Object.defineProperty(new Error("shown"), "cause", { value: { detail: "13800009021", code: "1" }, enumerable: true });
  const around = Object.assign(new Error("around"), { around: null as unknown });
  around.around = around;
  const given: unknown[] = [many, wrapped, shown, around, null, undefined, "text", 7, { code: "x" }];
  const { text, lines } = await linesOf((log) => {
    for (const err of given) log.error({ err }, "fault");
  }, given.length);
  expect(text).not.toMatch(/13800009021/);
  const told = lines.map(({ err }) => err);
  expect(told[0]).toMatchObject({ type: "AggregateError", aggregateErrors: [{ message: "refused", code: "23514" }, "13 of 20"] });
  expect(told[1]).toMatchObject({
    message: "wrapped: refused",
    first: { code: "23514" },
    errors: [{ code: "23514" }],
    at: "1970-01-01T00:00:00.000Z",
  });
  expect(told[2]).toMatchObject({ message: "shown", cause: { code: "1" } });
  expect(told[3]).toMatchObject({ message: "around" });
  expect(told.slice(4)).toEqual([null, undefined, "text", 7, { code: "x" }]);
});
test("a line has no secret by its name, and of a row that the database refused what was wrong and not what stood in it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "zf-log-"));
  try {
    const file = join(folder, "service.log");
    const log = openLog(file, "debug");
    const err = Object.assign(new Error('new row violates check constraint "a"'), {
      code: "23514",
      detail: "Failing row contains (13800009021, 510104198506123436).",
      where: "COPY members, line 1: 13800009021",
    });
    log.error({ err, phone: "13800009021", req: { headers: { authorization: "Bearer geheim" } } }, "fault");
    await expect.poll(() => existsSync(file) && readFileSync(file, "utf8").length).toBeGreaterThan(0);
    const line = readFileSync(file, "utf8");
    expect(line).not.toMatch(/13800009021|510104198506123436|geheim/);
    expect(JSON.parse(line)).toMatchObject({
      err: { code: "23514", message: err.message, stack: expect.any(String) as string },
      msg: "fault",
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
