// node tools/lockfile.ts: after `npm install`, takes out of package-lock.json the platform packages that the registry
// did not have. npm writes their names all the same, and then `npm ci` refuses the whole lockfile.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface Lockfile {
  packages: Record<string, { version?: string; optionalDependencies?: Record<string, string> }>;
}

const FILE = join(import.meta.dirname, "../package-lock.json");

/** The names that stand among the optional dependencies of a locked package but are locked nowhere themselves. */
export function missingPlatforms(lock: Lockfile): { readonly of: string; readonly name: string }[] {
  const paths = Object.keys(lock.packages);
  return paths.flatMap((of) => {
    const wanted = Object.keys(lock.packages[of]?.optionalDependencies ?? {});
    return wanted.filter((name) => !paths.some((path) => path.endsWith(`node_modules/${name}`))).map((name) => ({ of, name }));
  });
}

export function readLockfile(): Lockfile {
  return JSON.parse(readFileSync(FILE, "utf8")) as Lockfile;
}

if (import.meta.main) {
  const lock = readLockfile();
  const missing = missingPlatforms(lock);
  for (const { of, name } of missing) delete lock.packages[of]?.optionalDependencies?.[name];
  writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
  process.stdout.write(`从 package-lock.json 去掉了 ${missing.length} 个此处没有的平台包\n`);
}
