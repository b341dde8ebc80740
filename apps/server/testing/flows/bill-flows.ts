import { randomUUID } from "node:crypto";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { wechatBill, wechatLine } from "@zhangfang/domains/reconciliation/server/testing/bill-files.ts";
import type { ReconWorld } from "@zhangfang/domains/reconciliation/server/testing/recon-world.ts";
import { orDone, sweepOf, type Sweep } from "./flow.ts";

interface Run {
  readonly day: string;
  readonly requestId: string;
  readonly orderNo: string;
}

/** Bills, from asking for one to the matched day. */
export function billFlows(world: ReconWorld): readonly Sweep[] {
  let days = 0;
  const merchant = () => world.till.tree.merchants.mch01;
  /** Each run has a day of its own, with a payment that both sides know and one that only we know. */
  async function prepare(): Promise<Run> {
    const today = shanghaiDay(Date.now());
    // Apart from each other, because a bill is held against the days beside it too.
    const day = addDays(today, -2 * ++days);
    world.till.services.clock.set(new Date(Math.max(Date.now(), Date.parse(`${today}T11:00:00+08:00`))).toISOString());
    const orderNo = await world.pay(`${day} 12:00:00`, 1_000);
    await world.pay(`${day} 13:00:00`, 2_000, { there: false });
    return { day, requestId: randomUUID(), orderNo };
  }
  /** Jobs, and time until the channel is asked again, until no bill of the day is on its way. */
  async function go({ day }: Run): Promise<void> {
    for (let round = 0; round < 6; round++) {
      await world.till.runJobs();
      const open = await world.till.owner("select 1 from bill_files where day = $1 and finished_at is null", [day]);
      if (open.length === 0) return;
      world.till.services.clock.advance(31 * 60_000);
      await world.till.sweep("tend-bills");
    }
    throw new Error("it never came to its end");
  }
  async function outcome({ day }: Run) {
    const rows = (text: string) => world.till.owner(text, [day]);
    return {
      days: await rows("select status, matched_count, open_count, difference_count from recon_days where day = $1"),
      files: await rows("select status, row_count, failure from bill_files where day = $1 order by status"),
      rows: await rows(
        "select count(*)::int as n from bill_rows r join bill_files f on f.id = r.file_id where f.day = $1 and f.status = 'matched'",
      ),
      differences: await rows(
        "select x.class, x.status from recon_differences x join recon_days d on d.id = x.day_id where d.day = $1 order by x.class, x.status",
      ),
    };
  }
  const fetch = ({ requestId, day }: Run) =>
    world.as("mch01", "fetchBill", { requestId, merchantId: merchant().id, source: "wechat", type: "ALL", day });

  /** A bill of the day in which only the first payment stands, and another that we do not know. */
  function content({ day, orderNo }: Run): Buffer {
    const { subMchId = "" } = world.till.settings.get(merchant().id)!.account;
    const line = (no: string, yuan: string) => wechatLine({ at: `${day} 12:00:00`, orderNo: no, yuan, fee: "0.04000", subMchId });
    return wechatBill([line(orderNo, "10.00"), line(`N${orderNo}`, "7.00")], ["2", "17.00", "0.00", "0.00", "0.08000", "17.00", "0.00"]);
  }
  const upload = (run: Run) =>
    world.as("mch01", "startBillUpload", {
      requestId: run.requestId,
      merchantId: merchant().id,
      source: "wechat",
      type: "ALL",
      day: run.day,
      fileName: "账单.csv",
      sizeBytes: content(run).length,
    });
  async function goUpload(run: Run): Promise<void> {
    const [open] = await world.till.owner<{ id: string }>("select id from bill_files where day = $1 and status = 'uploading'", [run.day]);
    if (open) {
      await orDone(world.as("mch01", "addBillPiece", { id: open.id, place: 0, base64: content(run).toString("base64") }));
      await orDone(world.as("mch01", "finishBillUpload", { id: open.id }));
    }
    await go(run);
  }

  return [
    sweepOf<Run>({ name: "a bill is fetched and matched", least: 19, prepare, ask: fetch, go, outcome, final: ["download"] }),
    sweepOf<Run>({
      name: "a bill is uploaded in place of one that counts",
      least: 23,
      prepare: async () => {
        const run = await prepare();
        await world.upload({ type: "ALL", day: run.day, content: content({ ...run, orderNo: `A${run.orderNo}` }) });
        return run;
      },
      ask: upload,
      go: goUpload,
      outcome,
    }),
  ];
}
