import { randomBytes } from "node:crypto";
import { buffer, text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../config.ts";
import { openFiles } from "./files.ts";
import { openTestStore, type TestStore } from "./s3-for-tests.ts";
import { signRequest } from "./sign-s3.ts";

const KEY = "0199aaaa-0000-7000-8000-0000000000ff";
let s3: TestStore;
beforeAll(async () => void (s3 = await openTestStore()));
afterAll(() => s3.close());
const files = (more: object = {}) => openFiles({ data_dir: "/nowhere", object_store: { ...s3.store, ...more } });

test("a small file goes at once, is read whole and by stretches, and removed", async () => {
  const size = await files().write(KEY, async (put) => {
    await put(Buffer.from("账"));
    await put(Buffer.from("房"));
  });
  expect([size, s3.open()]).toEqual([6, 0]);
  const { stream, size_bytes } = await files().read(KEY);
  expect([await text(stream), size_bytes]).toEqual(["账房", 6]);
  const part = await files().read(KEY, { from: 3, to: 5 });
  expect([await text(part.stream), part.size_bytes]).toEqual(["房", 6]);
  await files().remove(KEY);
  await files().remove(KEY);
  await expect(files().read(KEY)).rejects.toMatchObject({ code: "ENOENT" });
  expect(await files().write(KEY, async () => {})).toBe(0);
});

test("a large file goes in parts and is seen when it is whole; what is handed over may be used again", async () => {
  const bytes = randomBytes(20 * 1024 * 1024 + 77);
  const lent = Buffer.alloc(1_000_003);
  const size = await files().write(KEY, async (put) => {
    for (let at = 0; at < bytes.length; at += lent.length) {
      const part = bytes.subarray(at, at + lent.length);
      part.copy(lent);
      await put(lent.subarray(0, part.length));
    }
  });
  expect([size, s3.open()]).toEqual([bytes.length, 0]);
  expect((await buffer((await files().read(KEY)).stream)).equals(bytes)).toBe(true);
});

test("a failure while writing leaves what was there before and nothing else", async () => {
  await files().write(KEY, (put) => put(Buffer.from("old")));
  const cut = (bytes: number) =>
    files().write(KEY, async (put) => {
      await put(Buffer.alloc(bytes));
      throw new Error("cut");
    });
  for (const bytes of [3, 9 * 1024 * 1024]) await expect(cut(bytes)).rejects.toThrow("cut");
  s3.failNext((method, url) => method === "PUT" && url.searchParams.get("partNumber") === "2");
  await expect(files().write(KEY, (put) => put(Buffer.alloc(20 * 1024 * 1024)))).rejects.toThrow("object store: PUT 503 SlowDown");
  expect(await text((await files().read(KEY)).stream)).toBe("old");
  expect(s3.open()).toBe(0);
});

test("what a process that died had begun is removed with its file", async () => {
  s3.failNext((method, url) => method === "DELETE" && url.searchParams.has("uploadId"));
  await files()
    .write(KEY, async (put) => {
      await put(Buffer.alloc(9 * 1024 * 1024));
      throw new Error("died");
    })
    .catch(() => {});
  expect(s3.open()).toBe(1);
  await files().remove(KEY);
  expect([s3.open(), s3.objects.has(KEY)]).toEqual([0, false]);
});

test("every file that was written before a moment is named, page by page, and nothing else that lies there", async () => {
  const own = await openTestStore();
  const there = openFiles({ data_dir: "/nowhere", object_store: own.store });
  const keys = [1, 2, 3, 4, 5].map((n) => `${KEY}-${n}`);
  for (const key of keys) await there.write(key, (put) => put(Buffer.from("x")));
  own.objects.set("Somebody/else.txt", Buffer.from("x"));
  const before = async (moment: string): Promise<string[]> => {
    const found: string[] = [];
    for await (const key of there.old(Date.parse(moment))) found.push(key);
    return found;
  };
  expect(await before("2025-11-28T00:00:00Z")).toEqual(keys);
  expect(await before("2025-11-26T00:00:00Z")).toEqual([]);
  await own.close();
});

test("the store believes no other key, no other region and no other secret", async () => {
  for (const [more, code] of [
    [{ secret: "another" }, "SignatureDoesNotMatch"],
    [{ key_id: "ANOTHER" }, "InvalidAccessKeyId"],
    [{ region: "elsewhere" }, "AuthorizationHeaderMalformed"],
    [{ bucket: "another-bucket" }, "NoSuchBucket"],
  ] as const) {
    await expect(files(more).write(KEY, (put) => put(Buffer.from("x")))).rejects.toThrow(code === "NoSuchBucket" ? "ENOENT" : code);
    expect(s3.refused.at(-1)).toBe(code);
  }
});

test("a key never points outside the bucket", async () => {
  for (const key of ["../../etc/passwd", "a/b/c/d/e/f", "..", "A".repeat(40), "a?b=c-defgh"])
    await expect(files().read(key)).rejects.toThrow("malformed file key");
});

test("a store that sends the whole file for a stretch is not believed", async () => {
  const deaf = await openTestStore();
  const there = openFiles({ data_dir: "/nowhere", object_store: deaf.store });
  await there.write(KEY, (put) => put(Buffer.from("账房")));
  deaf.forgetStretches();
  await expect(there.read(KEY, { from: 3, to: 5 })).rejects.toThrow("object store: GET 200 for a stretch");
  expect(await text((await there.read(KEY)).stream)).toBe("账房");
  await deaf.close();
});

// The examples of the Amazon S3 API reference, 'Signature Calculations for the Authorization Header'.
const EXAMPLE = { region: "us-east-1", key_id: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" };
test.each([
  ["/test.txt", { range: "bytes=0-9" }, "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"],
  ["/?lifecycle=", {}, "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"],
  ["/?max-keys=2&prefix=J", {}, "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"],
])("%s is signed as Amazon signs it", (path, headers, signature) => {
  const url = new URL(`https://examplebucket.s3.amazonaws.com${path}`);
  const signed = signRequest(EXAMPLE, { method: "GET", url, headers, body: Buffer.alloc(0), at: new Date("2013-05-24T00:00:00Z") });
  expect(signed["authorization"]).toMatch(new RegExp(`Signature=${signature}$`));
});

test("a bucket is asked for by name, and whatever is missing is said", () => {
  const env = { DATA_DIR: "/tmp", ZHANGFANG_SECRET: "x".repeat(32), S3_ENDPOINT: "https://oss.example.cn/", S3_BUCKET: "files-1" };
  expect(() => readConfig(env)).toThrow("S3_ACCESS_KEY_ID");
  const keys = { ...env, S3_ACCESS_KEY_ID: "a", S3_SECRET_ACCESS_KEY: "b" };
  expect(readConfig(keys).object_store).toEqual({
    endpoint: "https://oss.example.cn",
    bucket: "files-1",
    region: "us-east-1",
    key_id: "a",
    secret: "b",
  });
  expect(() => readConfig({ ...keys, S3_ENDPOINT: "oss.example.cn" })).toThrow("S3_ENDPOINT");
  expect(() => readConfig({ ...keys, S3_BUCKET: "A/B" })).toThrow("S3_BUCKET");
  expect(readConfig({ DATA_DIR: "/tmp", ZHANGFANG_SECRET: "x".repeat(32) }).object_store).toBeUndefined();
});
