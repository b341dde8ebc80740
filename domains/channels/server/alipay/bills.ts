import { z } from "zod";
import type { BillChannel } from "../types/bills.ts";
import type { AlipayAccount, Transport } from "../channel.ts";
import { askGateway, type Means, meansOf } from "./ask-gateway.ts";
import * as refusals from "./refusals.ts";

const MOST_BYTES = 64 * 1024 * 1024;
const DOWNLOAD_MS = 10 * 60_000;
const offered = z.object({ bill_download_url: z.url() });

/**
 * Alipay's 业务明细 of a day (alipay.data.dataservice.bill.downloadurl.query, bill_type trade): an address that is good for
 * 30 seconds, from 10 o'clock on. The file carries neither signature nor hash; its own counts and sums are what it is held
 * against. BILL_NOT_EXIST (open.alitrip.com articleId 104674) says both 'nobody paid' and 'not yet written'.
 */
export function alipayBills(transport: Transport, given: Partial<Pick<Means, "now">> = {}): BillChannel<AlipayAccount> {
  const means = meansOf(transport, given);
  return {
    async download(account, { type, day }, sink) {
      if (type !== "TRADE") return { kind: "refused", code: "PARAM_ERROR", message: "支付宝没有这种账单" };
      const offer = await askGateway(means, account, {
        method: "alipay.data.dataservice.bill.downloadurl.query",
        content: { bill_type: "trade", bill_date: day },
        refusals: refusals.BILL,
        read: (node) => offered.safeParse(node).data?.bill_download_url,
      });
      if (offer.kind === "unknown") return offer;
      if (offer.kind === "refused") return offer.code === "BILL_NOT_EXIST" ? { kind: "empty" } : offer;
      const url = addressOf(account, offer.value);
      if (url === undefined) return { kind: "unknown", reason: "账单下载地址不是支付宝的" };
      let size_bytes = 0;
      const counted = async (bytes: Buffer): Promise<void> => {
        size_bytes += bytes.length;
        await sink(bytes);
      };
      try {
        const request = { method: "GET", url, headers: { "User-Agent": "zhangfang" }, body: "", timeout_ms: DOWNLOAD_MS } as const;
        const answer = await means.transport({ ...request, into: { sink: counted, most_bytes: MOST_BYTES } });
        if (answer.status !== 200) return { kind: "unknown", reason: `账单下载失败：HTTP ${answer.status}` };
      } catch (error) {
        return { kind: "unknown", reason: `账单没有完整收到：${error instanceof Error ? error.message : String(error)}` };
      }
      return { kind: "file", size_bytes };
    },
  };
}

/** The page shows an address with http; nothing leaves without TLS but to the gateway's own host, the simulator's. */
function addressOf(account: AlipayAccount, given: string): string | undefined {
  const url = new URL(given);
  if (url.origin === new URL(account.baseUrl).origin) return url.href;
  if (!url.hostname.endsWith(".alipay.com")) return undefined;
  url.protocol = "https:";
  return url.href;
}
