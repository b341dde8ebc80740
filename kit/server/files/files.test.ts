import { mkdtempSync, readdirSync, renameSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { openFiles } from "./files.ts";

async function all(keys: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = [];
  for await (const key of keys) found.push(key);
  return found;
}
const KEY = "0199aaaa-0000-7000-8000-0000000000ff";
const fresh = () => {
  const folder = mkdtempSync(join(tmpdir(), "files-"));
  return {
    files: openFiles({ data_dir: folder, object_store: undefined }),
    inside: () => readdirSync(folder, { recursive: true }).filter((name) => String(name).includes("0199")),
    folder,
  };
};

test("a file is written whole, read back and removed", async () => {
  const { files, inside, folder } = fresh();
  const size = await files.write(KEY, async (put) => {
    await put(Buffer.from("账"));
    await put(Buffer.from("房"));
  });
  expect(size).toBe(6);
  const { stream, size_bytes } = await files.read(KEY);
  expect([await text(stream), size_bytes]).toEqual(["账房", 6]);
  expect(await text((await files.read(KEY, { from: 3, to: 5 })).stream)).toBe("房");
  expect(statSync(join(folder, "files/ff", KEY)).mode & 0o077).toBe(0);
  await files.remove(KEY);
  await files.remove(KEY);
  expect(inside()).toEqual([]);
  await expect(files.read(KEY)).rejects.toThrow("ENOENT");
});

test("a failure while writing leaves what was there before and nothing else", async () => {
  const { files, inside } = fresh();
  await files.write(KEY, (put) => put(Buffer.from("old")));
  await expect(
    files.write(KEY, async (put) => {
      await put(Buffer.from("ne"));
      throw new Error("cut");
    }),
  ).rejects.toThrow("cut");
  expect(await text((await files.read(KEY)).stream)).toBe("old");
  expect(inside()).toHaveLength(1);
});

test("what was written before a moment is named, also what was never written to its end", async () => {
  const { files, folder } = fresh();
  const cut = KEY.replace("ff", "fe");
  expect(await all(files.old(Date.now()))).toEqual([]);
  await files.write(KEY, (put) => put(Buffer.from("old")));
  await files.write(cut, (put) => put(Buffer.from("x")));
  renameSync(join(folder, "files/fe", cut), join(folder, "files/fe", `${cut}.part`));
  expect(await all(files.old(Date.now() - 60_000))).toEqual([]);
  expect((await all(files.old(Date.now() + 60_000))).toSorted()).toEqual([cut, KEY]);
  await files.remove(cut);
  expect(await all(files.old(Date.now() + 60_000))).toEqual([KEY]);
});

test("a key never points outside the folder", async () => {
  const { files } = fresh();
  for (const key of ["../../etc/passwd", "a/b/c/d/e/f", "..", "", "A".repeat(40), "a\u0000bcdefgh"])
    await expect(files.read(key)).rejects.toThrow("malformed file key");
});
