import { setTimeout as wait } from "node:timers/promises";
import type { Jobs } from "@zhangfang/server/jobs/jobs.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { jobs } from "../domains.ts";
import type { CrashWorld } from "./crash-world.ts";

/** Longer than an order waits for its customer and a dead run of an export holds its lease. */
const LATER_MS = 20 * 60_000;
const GIVE_UP_MS = 120_000;
/** What comes round each minute and brings to an end whatever a dead process left behind. */
const EACH_MINUTE = [
  "query-payments",
  "query-refunds",
  "look-after-shares",
  "look-after-share-returns",
  "query-withdrawals",
  "tend-exports",
  "seal-audit",
  "tell-again",
];

/**
 * Lets twenty minutes pass for the jobs of the minute: a further process of the product, whose clock is ahead, runs them
 * beside the server until nothing is on its way any more.
 * @throws with what is still open after two minutes
 */
export async function settleDown(world: Pick<CrashWorld, "openServices" | "owner" | "simulator">): Promise<void> {
  const opened = await world.openServices();
  const own: { name: string; data: unknown }[] = [];
  const enqueue: Jobs["enqueue"] = async (_tx, target, data) => void own.push({ name: target.name, data });
  const later: Services = {
    ...opened.services,
    clock: { now_ms: () => Date.now() + LATER_MS },
    log: opened.services.log.child({}, { level: "warn" }),
    jobs: { ...opened.services.jobs, enqueue },
  };
  const run = async (name: string, data: unknown) => {
    const job = jobs.find((one) => one.name === name);
    if (!job) throw new Error(`no job ${name}`);
    await job.run(later, job.data.parse(data));
  };
  try {
    const giveUpAt_ms = performance.now() + GIVE_UP_MS;
    for (;;) {
      for (const name of EACH_MINUTE) await run(name, {});
      // A job may ask for others: they are not lost either.
      for (let one = own.shift(); one; one = own.shift()) await run(one.name, one.data);
      const open = await openThings(world);
      if (open.length === 0) return;
      if (performance.now() > giveUpAt_ms) throw new Error(`never ends:\n${open.join("\n")}`);
      await wait(200);
    }
  } finally {
    await opened.close();
  }
}

/** What still waits for something to happen. */
async function openThings({ owner, simulator }: Pick<CrashWorld, "owner" | "simulator">): Promise<string[]> {
  const rows = await owner<{ what: string }>(`
    select 'order ' || order_no as what from pay_orders where status = 0
    union all select 'refund ' || refund_no || ' ' || status from refunds where status in (0, 1)
    union all select 'share ' || share_no from sharing_orders where status = 1
    union all select 'return ' || return_no from sharing_returns where status in (0, 1)
    union all select 'unheard ' || hearer from unheard
    union all select 'export ' || id from export_files where status = 0
    union all select 'audit row ' || id from audit_log a where not exists (select 1 from audit_seals s where s.audit_id = a.id)
    union all select 'job ' || name || ' ' || state from pgboss.job where state in ('created', 'retry') and start_after <= now() and name not like '\\_\\_%'
    -- A dead worker's job is handed on when its lease ends; without one it would stay for ever.
    union all select 'job without a lease ' || name from pgboss.job where state = 'active' and not expire_seconds between 1 and 3600`);
  const { pending } = (await simulator.control("GET notices")) as { pending: { number: string }[] };
  return [...rows.map(({ what }) => what), ...pending.map(({ number }) => `notification ${number}`)];
}
