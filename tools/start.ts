// npm start: builds the web when its sources changed, then runs the service in this process.
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const STAMP = join(ROOT, "apps/web/dist/.sources");

/** Builds apps/web unless the last build was made from the same sources. */
export async function buildWebIfStale(say: (line: string) => void = () => {}): Promise<void> {
  const now = sourcesHash();
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === now) return;
  say("正在构建网页……");
  const { buildWeb } = await import("../apps/web/build.ts");
  await buildWeb();
  writeFileSync(STAMP, now);
}

function sourcesHash(): string {
  const hash = createHash("sha256");
  const patterns = [
    "apps/web/**/*.{ts,tsx,css,html,svg,woff2}",
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
  await buildWebIfStale((line) => process.stdout.write(`${line}\n`));
  await import("../apps/server/main.ts");
}
