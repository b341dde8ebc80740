import { expect, test } from "vitest";
import { openPool, withScope } from "@zhangfang/server/db.ts";
import { platformScope } from "@zhangfang/server/scope.ts";
import { testServices } from "@zhangfang/server/testing.ts";
import { patient } from "./patient.ts";

test("who has time gets the connection that a request did not wait for", async () => {
  const services = await testServices();
  const pool = openPool({ connection: services.owner, size: 1, wait_ms: 50 });
  const ask = (of: typeof pool) => withScope(of, platformScope("test"), async () => "answered");
  const held = await patient(pool).connect();
  const waiting = ask(patient(pool));
  await expect(ask(pool)).rejects.toThrow("timeout exceeded when trying to connect");
  held.release();
  expect(await waiting).toBe("answered");
  await pool.end();
  await services.close();
});
