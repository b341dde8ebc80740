import { createHash, createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { ObjectStore } from "../config.ts";

/** A small store that speaks S3 over HTTP as far as files need it, and believes nothing that is not signed. */
export interface TestStore {
  readonly store: ObjectStore;
  readonly objects: Map<string, Buffer>;
  /** Uploads in parts that nobody ended. */
  open(): number;
  /** What was refused, by its code. */
  readonly refused: readonly string[];
  /** Answers the next request of a kind with a failure. */
  failNext(when: (method: string, url: URL) => boolean): void;
  /** From now on sends whole files, whatever stretch is asked for. */
  forgetStretches(): void;
  close(): Promise<void>;
}
const LEAST_PART_BYTES = 5 * 1024 * 1024;
const hash = (text: string | Buffer): string => createHash("sha256").update(text).digest("hex");
const mac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();
class Refused extends Error {
  readonly status: number;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
  }
}

export async function openTestStore(): Promise<TestStore> {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, { readonly key: string; readonly parts: Map<number, { tag: string; bytes: Buffer }> }>();
  const refused: string[] = [];
  let whole = false;
  let fails: ((method: string, url: URL) => boolean) | undefined;
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => {
      const code = error instanceof Refused ? error.message : "InternalError";
      refused.push(code);
      response.writeHead(error instanceof Refused ? error.status : 500, { "content-type": "application/xml" });
      response.end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const store: ObjectStore = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bucket: "zhangfang-files",
    region: "cn-test-1",
    key_id: "AKIDEXAMPLE",
    secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
  };

  /** Computes the signature anew from what came over the wire (AWS Signature Version 4). */
  function checkSigned(request: IncomingMessage, url: URL, body: Buffer): void {
    const said =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/;
    const [, key_id, day = "", region = "", names = "", signature] = said.exec(request.headers.authorization ?? "") ?? [];
    if (key_id !== store.key_id) throw new Refused(403, "InvalidAccessKeyId");
    if (region !== store.region) throw new Refused(400, "AuthorizationHeaderMalformed");
    const time = String(request.headers["x-amz-date"]);
    const at = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
    if (!time.startsWith(day) || Math.abs(Date.now() - at) > 900_000) throw new Refused(403, "RequestTimeTooSkewed");
    const payload = String(request.headers["x-amz-content-sha256"]);
    if (payload !== hash(body)) throw new Refused(400, "XAmzContentSHA256Mismatch");
    const signed = names.split(";");
    if (!["host", "x-amz-content-sha256", "x-amz-date"].every((name) => signed.includes(name))) throw new Refused(403, "AccessDenied");
    const query = (url.search.slice(1) === "" ? [] : url.search.slice(1).split("&")).toSorted().join("&");
    const headers = signed.map((name) => `${name}:${String(request.headers[name]).trim()}\n`).join("");
    const canonical = `${request.method}\n${url.pathname}\n${query}\n${headers}\n${names}\n${payload}`;
    const signing = mac(mac(mac(mac(`AWS4${store.secret}`, day), region), "s3"), "aws4_request");
    const expected = mac(signing, `AWS4-HMAC-SHA256\n${time}\n${day}/${region}/s3/aws4_request\n${hash(canonical)}`).toString("hex");
    if (expected !== signature) throw new Refused(403, "SignatureDoesNotMatch");
  }
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "", store.endpoint);
    const [method, body] = [request.method ?? "", await buffer(request)];
    checkSigned(request, url, body);
    if (fails?.(method, url)) {
      fails = undefined;
      throw new Refused(503, "SlowDown");
    }
    const [, bucket, key = ""] = url.pathname.split("/");
    if (bucket !== store.bucket) throw new Refused(404, "NoSuchBucket");
    const id = url.searchParams.get("uploadId");
    if (id !== null) return inParts(response, { method, url, body, key, id });
    if (url.searchParams.has("uploads")) return lists(response, { method, url, key });
    if (method === "GET" && url.searchParams.get("list-type") === "2")
      return listsObjects(response, url.searchParams.get("continuation-token"));
    if (method === "PUT") {
      objects.set(key, body);
      response.writeHead(200, { etag: `"${hash(body).slice(0, 32)}"` }).end();
    } else if (method === "DELETE") {
      objects.delete(key);
      response.writeHead(204).end();
    } else sendObject(response, objects.get(key), whole ? undefined : request.headers.range);
  }
  /** Two at a time, each written a year ago. */
  function listsObjects(response: ServerResponse, token: string | null): void {
    const at = Number(token?.slice("at+&".length) ?? 0);
    const all = [...objects.keys()].toSorted();
    const shown = all
      .slice(at, at + 2)
      .map((key) => `<Contents><Key>${escaped(key)}</Key><LastModified>2025-11-27T00:00:00.000Z</LastModified></Contents>`);
    const more = at + 2 < all.length ? `<NextContinuationToken>${escaped(`at+&${at + 2}`)}</NextContinuationToken>` : "";
    response.end(`<ListBucketResult>${shown.join("")}${more}</ListBucketResult>`);
  }
  function lists(response: ServerResponse, { method, url, key }: { method: string; url: URL; key: string }): void {
    if (method === "POST") {
      const id = `${randomUUID()}+&"<x>`;
      uploads.set(id, { key, parts: new Map() });
      response.end(`<InitiateMultipartUploadResult><UploadId>${escaped(id)}</UploadId></InitiateMultipartUploadResult>`);
      return;
    }
    const found = [...uploads].filter(([, one]) => one.key.startsWith(url.searchParams.get("prefix") ?? ""));
    response.end(
      `<ListMultipartUploadsResult>${found.map(([id]) => `<Upload><UploadId>${escaped(id)}</UploadId></Upload>`).join("")}</ListMultipartUploadsResult>`,
    );
  }
  function inParts(
    response: ServerResponse,
    { method, url, body, key, id }: { method: string; url: URL; body: Buffer; key: string; id: string },
  ): void {
    const upload = uploads.get(id);
    if (!upload || upload.key !== key) throw new Refused(404, "NoSuchUpload");
    if (method === "PUT") {
      const tag = `"${hash(body).slice(0, 32)}"`;
      upload.parts.set(Number(url.searchParams.get("partNumber")), { tag, bytes: body });
      response.writeHead(200, { etag: tag }).end();
      return;
    }
    if (method === "POST") {
      const named = [...body.toString().matchAll(/<Part><PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag><\/Part>/g)];
      const parts = named.map(([, place, tag = ""]) => {
        const part = upload.parts.get(Number(place));
        if (part?.tag !== tag.replaceAll("&quot;", '"')) throw new Refused(400, "InvalidPart");
        return part.bytes;
      });
      if (parts.slice(0, -1).some((part) => part.length < LEAST_PART_BYTES)) throw new Refused(400, "EntityTooSmall");
      objects.set(key, Buffer.concat(parts));
    }
    uploads.delete(id);
    if (method === "DELETE") response.writeHead(204).end();
    else response.end("<CompleteMultipartUploadResult/>");
  }
  return {
    store,
    objects,
    refused,
    open: () => uploads.size,
    failNext: (when) => void (fails = when),
    forgetStretches: () => void (whole = true),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

function sendObject(response: ServerResponse, found: Buffer | undefined, range = ""): void {
  if (!found) throw new Refused(404, "NoSuchKey");
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
  if (from === undefined || to === undefined) {
    response.writeHead(200, { "content-length": found.length }).end(found);
    return;
  }
  const last = Math.min(Number(to), found.length - 1);
  const part = found.subarray(Number(from), last + 1);
  response.writeHead(206, { "content-length": part.length, "content-range": `bytes ${from}-${last}/${found.length}` }).end(part);
}
