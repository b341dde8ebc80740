import { sql } from "kysely";
import { withScope } from "@zhangfang/server/database/db.ts";
import { sha256 } from "@zhangfang/server/crypto.ts";
import { openFiles } from "@zhangfang/server/files/files.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { invoicesOf } from "../provider/open-provider.ts";
import { ISSUE } from "./invoice-calls.ts";

interface Due {
  readonly service_provider_id: string;
  readonly id: string;
  readonly format: "pdf" | "ofd" | "xml";
  readonly url: string;
  readonly tries: number;
}
const WAITS_S = [30, 120, 600, 3_600, 21_600];
const MOST_BYTES = 3 * 1024 * 1024;
/** What a file begins with: a PDF, an OFD (a zip), an XML text. */
const BEGINS: Readonly<Record<Due["format"], RegExp>> = { pdf: /^%PDF-/, ofd: /^PK/, xml: /^\uFEFF?\s*<[?!A-Za-z]/ };
/** A page that says something is wrong, whatever stands before it. A comment ends at its first end: one that could go on past it makes this exponential. */
const PAGE = /^\uFEFF?\s*(?:<\?[^>]*>\s*|<!--(?:(?!-->).)*-->\s*)*<(?:!doctype\s+html|html|head|body|title|meta|script|center)\b/is;

/** No later try helps: the address itself is wrong. */
class NotFetched extends Error {}
/** Fetches one file from the platform's own hosts, looks what it is, and keeps it. One that is missing undoes nothing. */
async function fetchFile(services: Services, { service_provider_id, id, format, url, tries }: Due): Promise<void> {
  const kept = await fetched(services, url, format).then(
    async (bytes) => {
      await openFiles(services.config).write(id, (sink) => sink(bytes));
      return { sha256: sha256(bytes), size_bytes: bytes.length, next_at: null, why: null };
    },
    (error: Error) => {
      const wait = error instanceof NotFetched ? undefined : WAITS_S[tries];
      return {
        next_at: wait === undefined ? null : new Date(services.clock.now_ms() + wait * 1000).toISOString(),
        why: error.message.slice(0, 200),
      };
    },
  );
  await withScope(services.pool, ISSUE, (tx) =>
    tx
      .updateTable("invoice_files")
      .set({ ...kept, tries: tries + 1 })
      .where("service_provider_id", "=", service_provider_id)
      .where("id", "=", id)
      .where("sha256", "is", null)
      .execute(),
  );
}
async function fetched(services: Services, url: string, format: Due["format"]): Promise<Buffer> {
  const { files, fileHosts } = invoicesOf(services);
  const host = URL.canParse(url) ? new URL(url).host : "";
  if (host === "") throw new NotFetched("平台给的文件地址不是网址，没有取。请在平台上下载");
  if (!fileHosts.includes(host))
    throw new NotFetched(`平台给的文件地址在「${host.slice(0, 80)}」，不是平台已知的网址，为安全没有取。请在平台上下载`);
  const answer = await files({ method: "GET", url, headers: {}, timeout_ms: 15_000 }).catch((error: Error) => {
    services.log.warn({ host, error: error.message }, "a file of an invoice could not be fetched");
    throw new Error("取不到文件：平台没有给出来，会再取几次");
  });
  if (answer.status !== 200) throw new Error(`取不到文件：HTTP ${answer.status}`);
  if (answer.body.length > MOST_BYTES) throw new Error("文件太大");
  const head = answer.body.subarray(0, 1_000).toString(format === "xml" ? "utf8" : "latin1");
  if (!BEGINS[format].test(head) || PAGE.test(head)) throw new Error(`内容不是 ${format.toUpperCase()}`);
  return answer.body;
}
/** Each minute: files that are still to be fetched. */
export const fetchInvoiceFiles = lookAfter<Due>({
  name: "fetch-invoice-files",
  every: 10,
  due: async (tx, now) =>
    (
      await sql<Due>`select f.service_provider_id, f.id, f.format, f.url, f.tries from invoice_files f where f.next_at <= ${now} order by f.next_at limit 100`.execute(
        tx,
      )
    ).rows,
  one: fetchFile,
});
