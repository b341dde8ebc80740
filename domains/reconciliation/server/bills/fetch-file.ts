import { sql } from "kysely";
import { addDays, dayStart } from "@zhangfang/contract/time.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { openFiles } from "@zhangfang/server/files/files.ts";
import { whyNo } from "../../../channels/contract.ts";
import { billChannelOf, type BillFetch } from "../../../channels/server/index.ts";
import { settingsOf } from "../../../orders/server/index.ts";
import type { BillSource } from "../../contract/index.ts";
import { inBillOf, toolOf } from "../rows.ts";
import { failBill, pieceKey, type Run, SCOPE, step, stepAlone } from "./run.ts";

/** The channel's own advice for a bill that it is still writing. */
const LATER_MS = 30 * 60_000;
const AGAIN_MS = 5 * 60_000;
const MOST_TRIES = 24;

/**
 * Has the channel's file written down as the bill's only piece.
 * @returns `stored`, `empty` for a day without trades, `over` where it failed for good, or when to ask again
 */
export async function fetchFile(run: Run): Promise<"stored" | "empty" | "over" | { readonly again_ms: number }> {
  const { services, file } = run;
  const settings = await withScope(services.pool, SCOPE, (tx) =>
    settingsOf(tx, services, {
      service_provider_id: file.service_provider_id,
      merchant_id: file.merchant_id,
      channel: 0,
      tool: toolOf(file.source),
    }),
  );
  if (!settings) {
    await failBill(run, "商户没有配置此支付通道");
    return "over";
  }
  const ask = { type: file.bill_type as "ALL", day: file.day };
  let got: BillFetch | undefined;
  const failed = new Error("no file");
  await openFiles(services.config)
    .write(pieceKey(file.id, 0), async (sink) => {
      got = await billChannelOf(services).download(settings.account, ask, sink);
      // Half a file leaves nothing behind.
      if (got.kind !== "file") throw failed;
    })
    .catch((error: unknown) => (error === failed ? undefined : Promise.reject(error)));
  if (got?.kind === "file") {
    await stepAlone(run, { status: "loading", piece_count: 1, size_bytes: got.size_bytes, done_bytes: 0 });
    return "stored";
  }
  // Alipay says the same of a day without payments and of a bill that is not written yet; WeChat Pay tells them apart.
  if (got?.kind === "empty" && !(file.source === "alipay" && (await hasPayments(run)))) return "empty";
  if (got?.kind === "refused") {
    await failBill(run, `通道拒绝：${whyNo(got)}`);
    return "over";
  }
  const later = got?.kind === "later" || got?.kind === "empty";
  const why = later ? "通道正在生成账单" : `没有取到账单：${got?.kind === "unknown" ? got.reason : ""}`;
  if (file.attempts >= MOST_TRIES) {
    await failBill(run, `${why}，已尝试 ${file.attempts} 次`);
    return "over";
  }
  const again_ms = later ? LATER_MS : AGAIN_MS;
  const next_try_at = new Date(services.clock.now_ms() + again_ms).toISOString();
  await withScope(services.pool, SCOPE, (tx) =>
    step(run, tx, { status: "waiting", next_try_at, failure: why.slice(0, 300), run_id: null }),
  );
  return { again_ms };
}

async function hasPayments({ services, file }: Run): Promise<boolean> {
  const { rows } = await withScope(services.pool, SCOPE, (tx) =>
    sql<{
      found: boolean;
    }>`select exists (select 1 from pay_orders o where o.service_provider_id = ${file.service_provider_id} and o.merchant_id = ${file.merchant_id}
      and ${inBillOf(file.source as BillSource)} and o.status in (2, 3)
      and o.created_at >= ${dayStart(addDays(file.day, -1))}::timestamptz and o.created_at < ${dayStart(addDays(file.day, 1))}::timestamptz
      and o.paid_at >= ${dayStart(file.day)}::timestamptz and o.paid_at < ${dayStart(addDays(file.day, 1))}::timestamptz) as found`.execute(
      tx,
    ),
  );
  return rows[0]?.found === true;
}
