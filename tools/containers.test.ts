import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { readConfig } from "@zhangfang/server/config.ts";
import { readModules } from "./house/modules.ts";
import { ROOT } from "./run.ts";

interface Service {
  readonly environment: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly networks: readonly string[];
}
interface Compose {
  readonly services: { readonly app: Service; readonly database: Service };
  readonly networks: { readonly inside: { readonly internal: boolean } };
}
const compose = parse(readFileSync(join(ROOT, "compose.yaml"), "utf8")) as Compose;
const stages = readFileSync(join(ROOT, "Dockerfile"), "utf8")
  .split(/^FROM /m)
  .slice(1);

/** What a stage takes from the project, as folders and files. */
const copied = (stage: string | undefined): string[] =>
  [...(stage ?? "").matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names]) => names?.split(" ") ?? []);

/** Every module that the entries import, at once or later. */
function closure(entries: readonly string[]): string[] {
  const modules = new Map(readModules(ROOT).map((module) => [module.path, module]));
  const reached = new Set<string>();
  const reach = (path: string): void => {
    const module = modules.get(path);
    if (!module || reached.has(path)) return;
    reached.add(path);
    for (const { target } of module.imports) reach(target);
  };
  for (const entry of entries) reach(entry);
  return [...reached];
}

test("the image holds every file that the service, the simulator, backup and restore import", () => {
  const files = closure([
    "apps/server/main.ts",
    "apps/channel-simulator/main.ts",
    "apps/device-simulator/main.ts",
    "apps/platform-simulator/main.ts",
    "tools/backup/backup.ts",
    "tools/backup/restore.ts",
  ]);
  expect(files.length).toBeGreaterThan(100);
  const last = copied(stages.at(-1));
  expect(files.filter((file) => !last.some((name) => file === name || file.startsWith(`${name}/`)))).toEqual([]);
});

test("the stage that builds the web holds every file that the web imports", () => {
  const files = closure(["apps/web/build.ts", "apps/web/src/main.tsx", "apps/web/src/screens.ts"]);
  expect(files.length).toBeGreaterThan(10);
  const web = copied(stages.find((stage) => stage.includes("AS web")));
  expect(files.filter((file) => !web.some((name) => file.startsWith(`${name}/`)))).toEqual([]);
});

test("the service does not run as root, and no secret is built in", () => {
  expect(stages.at(-1)).toMatch(/^USER node$/m);
  expect(stages.join("")).not.toMatch(/SECRET|PASSWORD/);
});

test("nothing starts without its secrets, and the database is reached by the service alone", () => {
  const { app, database } = compose.services;
  expect(app.environment["ZHANGFANG_SECRET"]).toMatch(/^\$\{ZHANGFANG_SECRET:\?.+\}$/);
  expect(app.environment["DATABASE_URL"]).toContain("${POSTGRES_PASSWORD:?");
  expect(database.environment["POSTGRES_PASSWORD"]).toMatch(/^\$\{POSTGRES_PASSWORD:\?.+\}$/);
  expect(app.environment["ZHANGFANG_DEMO"]).toBe("${ZHANGFANG_DEMO:-no}");
  expect(database.ports).toBeUndefined();
  expect(database.networks).toEqual(["inside"]);
  expect(compose.networks.inside.internal).toBe(true);
  expect(app.ports).toEqual(["127.0.0.1:${PORT:-8080}:8080"]);
});

test("the demo is two containers and nothing to set, for this machine alone", () => {
  const text = readFileSync(join(ROOT, "compose.demo.yaml"), "utf8");
  const demo = parse(text) as Compose;
  expect(text).not.toContain("${");
  expect(Object.keys(demo.services)).toEqual(["app", "database"]);
  expect(demo.services.app.ports).toEqual(["127.0.0.1:8080:8080"]);
  expect(demo.services.database.ports).toBeUndefined();
  expect(demo.services.database.networks).toEqual(["inside"]);
  expect(demo.networks.inside.internal).toBe(true);
  // What the image and the file give is enough for the service, and makes it the demo with a secret of its own.
  const given = Object.fromEntries(
    [...(stages.at(-1) ?? "").matchAll(/^ENV (.+)$/gm)].flatMap(([, all = ""]) => all.split(" ").map((one) => one.split("="))),
  );
  const data_dir = mkdtempSync(join(tmpdir(), "demo-containers-"));
  try {
    const config = readConfig({ ...given, ...demo.services.app.environment, DATA_DIR: data_dir });
    expect(config).toMatchObject({
      production: true,
      demo: true,
      host: "0.0.0.0",
      port: 8080,
      database_url: "postgres://zhangfang@database:5432/zhangfang",
    });
    expect(readFileSync(join(data_dir, "secret.key"), "utf8")).toMatch(/^[0-9a-f]{64}$/);
  } finally {
    rmSync(data_dir, { recursive: true });
  }
});
