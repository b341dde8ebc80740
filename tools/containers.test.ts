import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { readModules } from "./house/modules.ts";
import { ROOT } from "./run.ts";

interface Service {
  readonly environment: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly networks: readonly string[];
}
const compose = parse(readFileSync(join(ROOT, "compose.yaml"), "utf8")) as {
  services: { app: Service; database: Service };
  networks: { inside: { internal: boolean } };
};
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
