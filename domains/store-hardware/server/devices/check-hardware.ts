import { z } from "zod";
import { implement } from "@zhangfang/server/calls/call.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { checkPrinter, type OnlineState, type PrinterVendor } from "../../contract/index.ts";
import { vendorsOf } from "../vendors/open-vendor.ts";
import type { Outcome } from "../vendors/vendor.ts";
import { findHardware } from "./find-hardware.ts";

const SCOPE = platformScope("ask makers whether printers are on");
/** So many are asked in one round, those first that were asked longest ago. */
const IN_A_ROUND = 200;
/** A round ends before the next begins, however slow the makers are. */
const ROUND_MS = 240_000;
interface Asked {
  readonly service_provider_id: string;
  readonly id: string;
  readonly vendor: string;
  readonly sn: string;
}

/** Asks the maker and writes down what it said; silence leaves the last word standing, and moves the next look on. */
async function check(services: Services, { service_provider_id, id, vendor, sn }: Asked): Promise<Outcome<OnlineState>> {
  const outcome = await (await vendorsOf(services).printer(vendor as PrinterVendor)).status(sn);
  const checked_at = new Date(services.clock.now_ms()).toISOString();
  await withScope(services.pool, SCOPE, (tx) =>
    tx
      .updateTable("store_hardware")
      .set({ checked_at, ...(outcome.kind === "ok" && { online: outcome.value }) })
      .where("service_provider_id", "=", service_provider_id)
      .where("id", "=", id)
      .execute(),
  );
  return outcome;
}

/** 查询打印机状态. */
export const checkPrinterRoute = implement(checkPrinter, async (ctx, { id }) => {
  const row = await ctx.transaction((tx) => findHardware(tx, ctx.scope, "printer", id), { readOnly: true });
  const outcome = await check(ctx.services, row);
  return outcome.kind === "ok" ? { online: outcome.value, message: null } : { online: null, message: outcome.message };
});

/** Every five minutes: whether the printers are on. A maker that the platform has no account at is passed over. */
export const checkPrinters = job({
  name: "check-printers",
  data: z.object({}),
  every: "*/5 * * * *",
  concurrency: 1,
  lease_s: 280,
  retryLimit: 0,
  run: async (services) => {
    const due = await withScope(
      services.pool,
      SCOPE,
      (tx) =>
        tx
          .selectFrom("store_hardware as h")
          .innerJoin("device_vendors as v", "v.vendor", "h.vendor")
          .select(["h.service_provider_id", "h.id", "h.vendor", "h.sn"])
          .where("h.state", "=", "bound")
          .where("h.kind", "=", "printer")
          .orderBy("h.checked_at", (order) => order.asc().nullsFirst())
          .limit(IN_A_ROUND)
          .execute(),
      { readOnly: true },
    );
    const until_ms = services.clock.now_ms() + ROUND_MS;
    for (const printer of due) if (services.clock.now_ms() < until_ms) await check(services, printer);
  },
});
