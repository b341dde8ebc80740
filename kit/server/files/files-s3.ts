import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { ObjectStore } from "../config.ts";
import { FILE_KEY, type Files } from "./file-store.ts";
import { askStore } from "../outside/outbound.ts";
import { signRequest } from "./sign-s3.ts";

/** A part of a file in memory while it travels; the store takes none below 5 MiB but the last. */
const PART_BYTES = 8 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

/** Files in a bucket of an S3-compatible store, addressed by path. A file that is not whole is never seen: small ones go at once, others in parts that are put together at the end. */
export function openBucket(store: ObjectStore): Files {
  const ask = asking(store);
  return {
    async write(key, fill) {
      const upload = openUpload(ask, key);
      try {
        await fill(upload.add);
        return await upload.end();
      } catch (error) {
        await upload.abort();
        throw error;
      }
    },
    async read(key, stretch) {
      const answer = await ask("GET", key, { headers: stretch ? { range: `bytes=${stretch.from}-${stretch.to}` } : {} });
      // Some stores do not know stretches and send the whole file: its beginning would be taken for the stretch.
      if (stretch && answer.status !== 206) {
        await answer.body?.cancel();
        throw new Error(`object store: GET ${answer.status} for a stretch of ${key}`);
      }
      const whole = /\/(\d+)$/.exec(answer.headers.get("content-range") ?? "")?.[1] ?? answer.headers.get("content-length");
      return { stream: Readable.fromWeb(answer.body as ReadableStream), size_bytes: Number(whole) };
    },
    async remove(key) {
      await drop(ask, key);
      // What an interrupted writing left is seen by nobody and paid for all the same.
      const listed = await text(await ask("GET", "", { query: { uploads: "", prefix: key } }));
      for (const [, id] of listed.matchAll(/<UploadId>([^<]+)<\/UploadId>/g)) if (id) await drop(ask, key, { uploadId: plain(id) });
    },
    async *old(before_ms) {
      for (let next: string | undefined = ""; next !== undefined;) {
        const query: Record<string, string> = { "list-type": "2", ...(next && { "continuation-token": next }) };
        const listed = await text(await ask("GET", "", { query }));
        for (const [, one = ""] of listed.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)) {
          const key = /<Key>([^<]+)<\/Key>/.exec(one)?.[1] ?? "";
          // Whatever else lies in the bucket is none of ours.
          if (FILE_KEY.test(key) && Date.parse(/<LastModified>([^<]+)</.exec(one)?.[1] ?? "") < before_ms) yield key;
        }
        const more = /<NextContinuationToken>([^<]+)</.exec(listed)?.[1];
        next = more === undefined ? undefined : plain(more);
      }
    },
  };
}

/** Collects what is written into parts; nothing travels before a part is full. */
function openUpload(ask: Ask, key: string) {
  let [held, held_bytes, size_bytes]: [Buffer[], number, number] = [[], 0, 0];
  let uploadId: string | undefined;
  const tags: string[] = [];
  const take = (): Buffer => {
    const body = Buffer.concat(held);
    [held, held_bytes] = [[], 0];
    return body;
  };
  const send = async (): Promise<void> => {
    uploadId ??= plain(/<UploadId>([^<]+)<\/UploadId>/.exec(await text(await ask("POST", key, { query: { uploads: "" } })))?.[1] ?? "");
    const answer = await ask("PUT", key, { query: { partNumber: String(tags.length + 1), uploadId }, body: take() });
    tags.push(answer.headers.get("etag") ?? "");
  };
  return {
    async add(bytes: Buffer): Promise<void> {
      size_bytes += bytes.length;
      for (let at = 0; at < bytes.length;) {
        // Copied, since whoever hands it over may use it again.
        const part = Buffer.from(bytes.subarray(at, at + PART_BYTES - held_bytes));
        held.push(part);
        held_bytes += part.length;
        at += part.length;
        if (held_bytes === PART_BYTES) await send();
      }
    },
    async end(): Promise<number> {
      if (uploadId === undefined) {
        await ask("PUT", key, { body: take() });
        return size_bytes;
      }
      if (held_bytes > 0) await send();
      const parts = tags.map(
        (tag, place) => `<Part><PartNumber>${place + 1}</PartNumber><ETag>${tag.replaceAll('"', "&quot;")}</ETag></Part>`,
      );
      const body = Buffer.from(`<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`);
      const said = await text(await ask("POST", key, { query: { uploadId }, body }));
      // This one call may say 200 first and fail after.
      if (said.includes("<Error>")) throw new Error(`object store: ${codeOf(said)}`);
      return size_bytes;
    },
    async abort(): Promise<void> {
      if (uploadId !== undefined) await drop(ask, key, { uploadId }).catch(() => {});
    },
  };
}

interface Asked {
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}
type Ask = (method: string, key: string, asked?: Asked) => Promise<Response>;

/** @throws ENOENT where there is no such file, and what the store says of anything else that failed */
function asking(store: ObjectStore): Ask {
  return async (method, key, { query = {}, headers = {}, body = Buffer.alloc(0) } = {}) => {
    if (key !== "" && !FILE_KEY.test(key)) throw new Error("malformed file key");
    const url = new URL(`${store.endpoint}/${store.bucket}${key && `/${key}`}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const signed = signRequest(store, { method, url, headers, body, at: new Date() });
    const answer = await askStore(url, {
      method,
      headers: signed,
      timeout_ms: TIMEOUT_MS,
      ...(method !== "GET" && method !== "DELETE" && { body }),
    });
    if (answer.ok) return answer;
    const said = await answer.text();
    if (answer.status === 404 && key !== "") throw Object.assign(new Error(`ENOENT: no such file ${key}`), { code: "ENOENT" });
    throw new Error(`object store: ${method} ${answer.status} ${codeOf(said)}`);
  };
}
const drop = (ask: Ask, key: string, query: Readonly<Record<string, string>> = {}): Promise<void> =>
  ask("DELETE", key, { query }).then(
    () => undefined,
    (error: unknown) => ((error as { code?: string }).code === "ENOENT" ? undefined : Promise.reject(error)),
  );
const text = (answer: Response): Promise<string> => answer.text();
const codeOf = (said: string): string => /<Code>([^<]{1,64})<\/Code>/.exec(said)?.[1] ?? "without a reason";
const plain = (xml: string): string =>
  xml.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
