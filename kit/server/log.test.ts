import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openLog } from "./log.ts";

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
