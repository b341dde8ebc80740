import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { domain } from "@zhangfang/server/calls/domain.ts";
import { readConfig } from "@zhangfang/server/config.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { connectionUrl, type SocketConnection } from "@zhangfang/server/database/embedded-postgres.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { testServices } from "@zhangfang/server/testing.ts";
import { openServices } from "./open-services.ts";

test("jobs have connections of their own: one is done while requests keep every one of theirs", async () => {
  const ran = Promise.withResolvers<string>();
  const probe = job({
    name: "test-probe",
    data: z.object({}),
    run: async ({ pool }) =>
      pool.query("select 1").then(
        () => ran.resolve("done"),
        (error: Error) => ran.resolve(error.message),
      ),
  });
  const made = await testServices();
  const folder = mkdtempSync(join(tmpdir(), "open-services-"));
  const env = { DATA_DIR: folder, DATABASE_URL: connectionUrl(made.owner as SocketConnection), ZHANGFANG_DEMO: "no" };
  const opened = await openServices({ ...readConfig({ ...env, ZHANGFANG_SECRET: "0123456789abcdef".repeat(4) }), pool_size: 2 }, [
    domain({ jobs: [probe] }),
  ]);
  const { pool, jobs } = opened.services;
  await withScope(pool, platformScope("test"), (tx) => jobs.enqueue(tx, probe, {}));
  const requests = [await pool.connect(), await pool.connect()];
  try {
    await opened.work();
    expect(await ran.promise).toBe("done");
  } finally {
    for (const request of requests) request.release();
    await jobs.stop(5_000);
    await opened.close();
    await made.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
