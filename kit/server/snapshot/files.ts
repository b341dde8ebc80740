import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import type { PartSource } from "./archive.ts";

/** Every finished file below the folder. One that is deleted meanwhile is left out: nothing read before refers to it. */
export async function* filesOf(folder: string): AsyncGenerator<PartSource> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".part"))
    .map((entry) => join(entry.parentPath, entry.name));
  for (const path of paths.toSorted()) {
    const handle = await open(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (!handle) continue;
    yield {
      part: { file: relative(folder, path).split(sep).join("/") },
      bytes: createReadStream(path, { fd: handle }) as AsyncIterable<Buffer>,
    };
  }
}

/** A folder that takes restored files and then, all at once, the place of the real one. */
export function stagedFiles(folder: string) {
  const fresh = `${folder}.restoring`;
  const before = `${folder}.before`;
  return {
    async begin() {
      await rm(fresh, { recursive: true, force: true });
      await mkdir(fresh, { recursive: true, mode: 0o700 });
    },
    async write(file: string, bytes: AsyncIterable<Buffer>) {
      if (file.split("/").includes("..")) throw new Error("a file outside its folder");
      const path = join(fresh, file);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await pipeline(bytes, createWriteStream(path, { mode: 0o600, flush: true }));
    },
    async takeOver() {
      await rm(before, { recursive: true, force: true });
      await rename(folder, before).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOENT") throw error;
      });
      await rename(fresh, folder);
      await rm(before, { recursive: true, force: true });
    },
    abandon: () => rm(fresh, { recursive: true, force: true }),
  };
}
