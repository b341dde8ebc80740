import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ROOT } from "../run.ts";

/** Where the copy's commands and libraries are. */
export const MODULES = join(ROOT, "node_modules");

/** A folder of its own with what git would commit of this working tree, as it stands, for whoever has to change it. */
export function copyTree(prefix: string): string {
  const copy = mkdtempSync(join(tmpdir(), prefix));
  const { stdout } = spawnSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: ROOT, encoding: "utf8" });
  for (const path of stdout.split("\0").filter((name) => name !== "" && existsSync(join(ROOT, name)))) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(ROOT, path), join(copy, path));
  }
  mkdirSync(join(copy, "node_modules"));
  // Our own packages are links into the tree: those of the copy lead into the copy.
  for (const name of readdirSync(MODULES).filter((one) => one !== "@zhangfang" && !one.startsWith(".vite")))
    symlinkSync(join(MODULES, name), join(copy, "node_modules", name));
  cpSync(join(MODULES, "@zhangfang"), join(copy, "node_modules/@zhangfang"), { recursive: true, verbatimSymlinks: true });
  return copy;
}
