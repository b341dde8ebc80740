// npm run types [-- file]: writes kit/server/database/types.gen.ts from a fresh database with all migrations, so that queries are checked against the real schema.
import { mkdtempSync, rmSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "@zhangfang/server/database/embedded-postgres.ts";
import { migrate } from "@zhangfang/server/database/migrate.ts";

const dataDir = mkdtempSync(join(tmpdir(), "zhangfang-types-"));
const server = await startEmbeddedPostgres({ dataDir, fsync: false });
try {
  await migrate(server.connection, "types");
  const { host, user, database } = server.connection;
  execFileSync(
    "kysely-codegen",
    [
      "--dialect",
      "postgres",
      "--url",
      `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
      "--out-file",
      process.argv[2] ?? "kit/server/database/types.gen.ts",
      "--exclude-pattern",
      "(app.*|pgboss.*|schema_migrations)",
      "--overrides",
      JSON.stringify({ columns: {} }),
      "--type-mapping",
      JSON.stringify({ int8: "number", timestamptz: "string", date: "string", numeric: "number" }),
    ],
    { stdio: "inherit" },
  );
} finally {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
