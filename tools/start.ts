// npm start: builds the web when its sources changed, then runs the service in this process.
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./run.ts";

const ROOT = join(import.meta.dirname, "..");
const STAMP = join(ROOT, "apps/web/dist/.sources");

/** Builds apps/web unless the last build was made from the same sources. */
export async function buildWebIfStale(say: (line: string) => void = () => {}): Promise<void> {
  const now = sourcesHash();
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === now) return;
  say("正在构建网页……");
  // In a process of its own: the build sets NODE_ENV to production, which is not how this service is meant to start.
  const { code, output } = await run(process.execPath, ["apps/web/build.ts"]);
  if (code !== 0) throw new Error(`网页构建失败：\n${output}`);
  say(output.trim().split("\n").at(-1) ?? "");
  writeFileSync(STAMP, now);
}

function sourcesHash(): string {
  const hash = createHash("sha256");
  const patterns = [
    "apps/web/**/*.{ts,tsx,js,css,html,svg,woff2}",
    "kit/{contract,web}/**/*.{ts,tsx,css,woff2}",
    "domains/*/contract.ts",
    "domains/*/{contract,web}/**/*.{ts,tsx,css}",
    "package-lock.json",
  ];
  const files = patterns
    .flatMap((pattern) => globSync(pattern, { cwd: ROOT, exclude: (name) => name.includes("dist") || name.includes("node_modules") }))
    .toSorted();
  for (const file of files) if (!/\.test\.tsx?$/.test(file)) hash.update(file).update(readFileSync(join(ROOT, file)));
  return hash.digest("hex");
}

if (import.meta.main) {
  const built = await buildWebIfStale((line) => process.stdout.write(`${line}\n`)).then(
    () => true,
    (error: unknown) => {
      process.stderr.write(`${(error as Error).message}\n`);
      process.exitCode = 1;
      return false;
    },
  );
  if (built) await import("../apps/server/main.ts");
}
