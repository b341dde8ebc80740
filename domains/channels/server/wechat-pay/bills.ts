import { createHash, randomBytes } from "node:crypto";
import { createGunzip } from "node:zlib";
import { z } from "zod";
import type { ChannelAccount, Transport } from "../channel.ts";
import type { BillAsk, BillChannel, BillFetch } from "../types/bills.ts";
import * as refusals from "./read/refusals.ts";
import { sendRequest, type Means } from "./signing/send-request.ts";
import { signRequest } from "./signing/sign-request.ts";

/** As it comes, packed: a million rows are some 40 MB. Unpacked the importer has a limit of its own. */
const MOST_BYTES = 256 * 1024 * 1024;
const DOWNLOAD_MS = 10 * 60_000;
const offered = z.object({ hash_type: z.literal("SHA1"), hash_value: z.string().regex(/^[0-9a-f]{40}$/i), download_url: z.url() });

/**
 * WeChat Pay's trade bills and fund-flow bills (channels.md 5.1): asked for by a signed call, fetched by a second one whose
 * answer carries no signature and is held against the hash of the first, which is of the unpacked content.
 * @param transport carries the requests and hands a file on piece by piece
 */
export function wechatBills(transport: Transport, given: Partial<Pick<Means, "now" | "nonce">> = {}): BillChannel<ChannelAccount> {
  const means: Means = { transport, now: given.now ?? (() => new Date()), nonce: given.nonce ?? (() => randomBytes(16).toString("hex")) };
  return { download: (account, ask, sink) => fetchBill(means, account, ask, sink) };
}

async function fetchBill(means: Means, account: ChannelAccount, ask: BillAsk, sink: (bytes: Buffer) => Promise<void>): Promise<BillFetch> {
  const path = pathOf(account, ask);
  if (path === undefined) return { kind: "refused", code: "PARAM_ERROR", message: "此商户号没有这种账单" };
  const offer = await sendRequest(means, account, {
    method: "GET",
    path,
    refusals: refusals.BILL,
    read: (status, body) => (status === 200 ? offered.safeParse(body).data : undefined),
  });
  if (offer.kind === "unknown") return offer;
  if (offer.kind === "refused") {
    if (offer.code === "NO_STATEMENT_EXIST") return { kind: "empty" };
    if (offer.code === "STATEMENT_CREATING") return { kind: "later", reason: offer.message };
    return offer;
  }
  return take(means, account, offer.value, sink);
}

/** `sub_mchid` narrows a partner's trade bill to one merchant; the fund flow is the signing account's own. */
function pathOf(account: ChannelAccount, { type, day }: BillAsk): string | undefined {
  if (type === "TRADE") return undefined;
  if (type === "FUNDFLOW")
    return account.mode === "partner" ? undefined : `/v3/bill/fundflowbill?bill_date=${day}&account_type=BASIC&tar_type=GZIP`;
  const whose = account.mode === "partner" ? `&sub_mchid=${encodeURIComponent(account.subMchId ?? "")}` : "";
  return `/v3/bill/tradebill?bill_date=${day}&bill_type=${type}${whose}&tar_type=GZIP`;
}

async function take(
  means: Means,
  account: ChannelAccount,
  offer: z.output<typeof offered>,
  sink: (bytes: Buffer) => Promise<void>,
): Promise<BillFetch> {
  const url = new URL(offer.download_url);
  // The host is the account's own: an answer that leads elsewhere does not get a signature of ours.
  if (url.origin !== new URL(account.baseUrl).origin) return { kind: "unknown", reason: `账单下载地址 ${url.host} 不是通道的` };
  const target = url.pathname + url.search;
  const Authorization = signRequest(account, "GET", target, "", means.now(), means.nonce());
  const content = contentHash();
  let size_bytes = 0;
  try {
    const answer = await means.transport({
      method: "GET",
      url: url.href,
      headers: { Accept: "*/*", "User-Agent": "zhangfang", Authorization },
      body: "",
      timeout_ms: DOWNLOAD_MS,
      into: {
        most_bytes: MOST_BYTES,
        sink: async (bytes) => {
          size_bytes += bytes.length;
          await content.add(bytes);
          await sink(bytes);
        },
      },
    });
    if (answer.status !== 200) return { kind: "unknown", reason: `账单下载失败：HTTP ${answer.status}` };
    if ((await content.end()) !== offer.hash_value.toLowerCase()) return { kind: "unknown", reason: "账单内容与通道给出的摘要不符" };
  } catch (error) {
    content.drop();
    return { kind: "unknown", reason: `账单没有完整收到：${error instanceof Error ? error.message : String(error)}` };
  }
  return { kind: "file", size_bytes };
}

/** SHA-1 of the content: unpacked where it begins as gzip does, because GZIP is asked for and need not be given. */
function contentHash() {
  const hash = createHash("sha1");
  let gunzip: ReturnType<typeof createGunzip> | undefined;
  let done: Promise<void> | undefined;
  let first = true;
  return {
    async add(bytes: Buffer): Promise<void> {
      if (first && bytes.length > 0) {
        first = false;
        if (bytes[0] === 0x1f) {
          gunzip = createGunzip();
          gunzip.on("data", (piece: Buffer) => hash.update(piece));
          done = new Promise((resolve, reject) => gunzip?.once("end", resolve).once("error", reject));
          done.catch(() => {});
        }
      }
      if (!gunzip) return void hash.update(bytes);
      if (!gunzip.write(bytes)) await Promise.race([new Promise((resolve) => gunzip?.once("drain", resolve)), done]);
    },
    async end(): Promise<string> {
      gunzip?.end();
      await done;
      return hash.digest("hex");
    },
    drop: () => void gunzip?.destroy(),
  };
}
