import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Config } from "../config.ts";
import { openBucket } from "./files-s3.ts";
import { FILE_KEY, type Files } from "./file-store.ts";

export type { Files, Stretch } from "./file-store.ts";

/** The file store of this installation, a folder or a bucket; the only way to it. */
export const openFiles = ({ data_dir, object_store }: Pick<Config, "data_dir" | "object_store">): Files =>
  object_store ? openBucket(object_store) : openFolder(data_dir);

/** Files under `<data_dir>/files`, spread over 256 folders, readable by the service's own user only. */
function openFolder(data_dir: string): Files {
  const pathOf = (key: string): string => {
    if (!FILE_KEY.test(key)) throw new Error("malformed file key");
    return join(data_dir, "files", key.slice(-2), key);
  };
  return {
    async write(key, fill) {
      const path = pathOf(key);
      const part = `${path}.part`;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const handle = await open(part, "w", 0o600);
      let size_bytes = 0;
      try {
        await fill(async (bytes) => {
          for (let done = 0; done < bytes.length;) done += (await handle.write(bytes, done)).bytesWritten;
          size_bytes += bytes.length;
        });
        // On disk before it has its name: after a power cut there is no file that looks whole and is not.
        await handle.sync();
        await handle.close();
        await rename(part, path);
        return size_bytes;
      } catch (error) {
        await handle.close().catch(() => {});
        await rm(part, { force: true });
        throw error;
      }
    },
    async read(key, stretch) {
      const path = pathOf(key);
      const { size: size_bytes } = await stat(path);
      return { stream: createReadStream(path, stretch && { start: stretch.from, end: stretch.to }), size_bytes };
    },
    async remove(key) {
      await rm(pathOf(key), { force: true });
      await rm(`${pathOf(key)}.part`, { force: true });
    },
    async *old(before_ms) {
      const folder = join(data_dir, "files");
      const none = (): string[] => [];
      for (const part of await readdir(folder).catch(none))
        for (const name of await readdir(join(folder, part)).catch(none)) {
          const key = name.replace(/\.part$/, "");
          const found = FILE_KEY.test(key) ? await stat(join(folder, part, name)).catch(() => undefined) : undefined;
          if (found && found.mtimeMs < before_ms) yield key;
        }
    },
  };
}
