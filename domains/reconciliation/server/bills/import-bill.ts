import { z } from "zod";
import { id } from "@zhangfang/contract/fields.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { job, type Job } from "@zhangfang/server/jobs/jobs.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { tell, tellUser } from "../../../messages/server/index.ts";
import { settingsOf } from "../../../orders/server/index.ts";
import { billSource, billType, type BillSource, type BillTypeCode } from "../../contract/index.ts";
import { matchDay } from "../days/match-day.ts";
import { BillError } from "../parse/bill-error.ts";
import { toolOf } from "../rows.ts";
import { fetchFile } from "./fetch-file.ts";
import { dropRows, loadRows } from "./load-rows.ts";
import { type BillRef, failBill, type Run, SCOPE, step, Superseded } from "./run.ts";

/** A statement over a million rows takes seconds, on a slow machine a minute. */
const MATCH_MS = 5 * 60_000;
/** Half a night of trying is enough for what fails every time. */
const MOST_ATTEMPTS = 40;
const bill = z.object({ service_provider_id: id, id });

/**
 * Takes a bill in: fetched where it has to be, read and kept, then held against our book. Every step is written down
 * before the next; whatever stops it, another run goes on from there, and two runs at once are one.
 */
export const importBill: Job<typeof bill> = job({
  name: "import-bill",
  data: bill,
  concurrency: 2,
  lease_s: 1800,
  retryLimit: 5,
  run: async (services, ref) => {
    const run = await take(services, ref);
    if (!run) return;
    try {
      await workOff(run);
    } catch (error) {
      if (error instanceof Superseded) return;
      const said = error instanceof BillError || (error instanceof Refusal && error.code === "day-closed");
      if (!said && run.file.attempts < MOST_ATTEMPTS) throw error;
      const failed = await failBill(run, said ? (error as Error).message : "处理多次没有成功，请联系平台").then(
        () => true,
        (late: unknown) => {
          if (!(late instanceof Superseded)) throw late;
          return false;
        },
      );
      // The rows are another run's then.
      if (!failed) return;
      await dropRows(services, ref);
      await tellFailure(run, said ? (error as Error).message : "处理多次没有成功");
    }
  },
});

/** Makes the bill this run's, where there is something to do and it is time. */
async function take(services: Services, ref: BillRef): Promise<Run | undefined> {
  return withScope(services.pool, SCOPE, async (tx) => {
    const now_ms = services.clock.now_ms();
    const found = await tx
      .selectFrom("bill_files")
      .selectAll()
      .where("service_provider_id", "=", ref.service_provider_id)
      .where("id", "=", ref.id)
      .forUpdate()
      .executeTakeFirst();
    if (!found || found.finished_at !== null || found.status === "uploading") return undefined;
    if (found.next_try_at !== null && Date.parse(found.next_try_at) > now_ms) return undefined;
    const run_id = services.ids.uuid(now_ms);
    const status = found.status === "waiting" ? (found.origin === "fetch" ? "fetching" : "loading") : found.status;
    const file = await tx
      .updateTable("bill_files")
      .set({ run_id, status, attempts: found.attempts + 1, next_try_at: null, failure: null, beat_at: new Date(now_ms).toISOString() })
      .where("service_provider_id", "=", ref.service_provider_id)
      .where("id", "=", ref.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return { services, file, run_id };
  });
}

async function workOff(given: Run): Promise<void> {
  let run = given;
  if (run.file.status === "fetching") {
    const got = await fetchFile(run);
    if (got === "over") return tellFailure(run, "没有取到账单");
    if (typeof got === "object") {
      const after_s = Math.ceil(got.again_ms / 1000);
      const { service_provider_id, id: bill_id } = run.file;
      return withScope(run.services.pool, SCOPE, (tx) =>
        run.services.jobs.enqueue(tx, importBill, { service_provider_id, id: bill_id }, { after_s }),
      );
    }
    if (got === "empty") return count(run, { empty: true });
    run = await again(run);
  }
  if (run.file.status === "loading") {
    const { same } = await loadRows(run, await numbersOf(run));
    if (same) return matchAgain(run, same);
    run = await again(run);
  }
  await count(run, { empty: false });
}
async function again(run: Run): Promise<Run> {
  const { service_provider_id, id: bill_id } = run.file;
  const file = await withScope(run.services.pool, SCOPE, (tx) =>
    tx
      .selectFrom("bill_files")
      .selectAll()
      .where("service_provider_id", "=", service_provider_id)
      .where("id", "=", bill_id)
      .executeTakeFirstOrThrow(),
  );
  return { ...run, file };
}
/** The numbers that the channel knows the merchant by: every row has to be theirs. */
async function numbersOf({ services, file }: Run): Promise<string[]> {
  if (file.source !== "wechat") return [];
  const settings = await withScope(services.pool, SCOPE, (tx) =>
    settingsOf(tx, services, {
      service_provider_id: file.service_provider_id,
      merchant_id: file.merchant_id,
      channel: 0,
      tool: toolOf(file.source),
    }),
  );
  if (!settings) throw new BillError("商户没有配置此支付通道，无法核对账单属于谁");
  if ("family" in settings.account) return [];
  const { mode, mchId, subMchId } = settings.account;
  return mode === "partner" && subMchId ? [subMchId] : [mchId];
}

/** The bill counts from now on, in place of the one before; the day is matched in the same transaction. */
async function count(run: Run, { empty }: { empty: boolean }): Promise<void> {
  const { services, file } = run;
  const now = new Date(services.clock.now_ms()).toISOString();
  const whose = {
    service_provider_id: file.service_provider_id,
    merchant_id: file.merchant_id,
    source: file.source as BillSource,
    day: file.day,
  };
  const replaced = await withScope(
    services.pool,
    SCOPE,
    async (tx) => {
      if (empty) await step(run, tx, { status: "parsed" });
      const before = await tx
        .selectFrom("bill_files")
        .select(["id", "sha256"])
        .where("service_provider_id", "=", file.service_provider_id)
        .where("merchant_id", "=", file.merchant_id)
        .where("source", "=", file.source)
        .where("day", "=", file.day)
        .where("bill_type", "=", file.bill_type)
        .where("status", "=", "matched")
        .forUpdate()
        .executeTakeFirst();
      if (before)
        await tx
          .updateTable("bill_files")
          .set({ status: "replaced" })
          .where("service_provider_id", "=", file.service_provider_id)
          .where("id", "=", before.id)
          .execute();
      await step(run, tx, { status: "matched", finished_at: now });
      await matchDay(tx, whose, now);
      return before?.id;
    },
    { deadline_ms: MATCH_MS },
  );
  if (replaced) await dropRows(services, { service_provider_id: file.service_provider_id, id: replaced });
}

/** The bill is the one that counts already; what was settled here since it came is matched all the same, unless the day is closed. */
async function matchAgain(run: Run, found: { readonly sha256: string; readonly row_count: number }): Promise<void> {
  const { services, file } = run;
  const now = new Date(services.clock.now_ms()).toISOString();
  const { service_provider_id, merchant_id, day } = file;
  const source = file.source as BillSource;
  await withScope(
    services.pool,
    SCOPE,
    async (tx) => {
      await step(run, tx, { status: "same", ...found, finished_at: now });
      const known = await tx
        .selectFrom("recon_days")
        .select("status")
        .where("service_provider_id", "=", service_provider_id)
        .where("merchant_id", "=", merchant_id)
        .where("source", "=", source)
        .where("day", "=", day)
        .forUpdate()
        .executeTakeFirst();
      if (known?.status === "open") await matchDay(tx, { service_provider_id, merchant_id, source, day }, now);
    },
    { deadline_ms: MATCH_MS },
  );
}

async function tellFailure({ services, file }: Run, why: string): Promise<void> {
  const failure = {
    kind: "billFailed",
    title: `${file.day} 的${billSource.label(file.source as BillSource)}${billType.label(file.bill_type as BillTypeCode)}没有导入`,
    body: why,
    href: `/reconciliation/bill?merchantId=${file.merchant_id}&panel=bills:${file.day}`,
    item: "/reconciliation/bill",
    once: `bill:${file.id}`,
    at: new Date(services.clock.now_ms()).toISOString(),
  } as const;
  await withScope(services.pool, SCOPE, async (tx) => {
    await tell(tx, { level: "MCH", provider: file.service_provider_id, node: file.merchant_id }, failure);
    // Whoever brought it may be of another level; who was told is told once.
    if (file.asked_by !== null) await tellUser(tx, file.asked_by, failure);
  });
}
