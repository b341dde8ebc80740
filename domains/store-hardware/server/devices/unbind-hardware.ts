import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { unbindPrinter, unbindSpeaker, type HardwareKind, type PrinterVendor } from "../../contract/index.ts";
import { vendorsOf } from "../vendors/open-vendor.ts";
import type { Outcome } from "../vendors/vendor.ts";
import { findHardware, type HardwareRow } from "./find-hardware.ts";

/** Closes the row first: from its commit on nothing is printed, whatever the maker says. */
async function close(ctx: Ctx, kind: HardwareKind, id: string): Promise<HardwareRow> {
  return ctx.transaction(async (tx) => {
    const row = await findHardware(tx, ctx.scope, kind, id);
    mustChange(
      await tx
        .updateTable("store_hardware")
        .set({ state: "unbound", unbound_at: ctx.now })
        .where("service_provider_id", "=", row.service_provider_id)
        .where("id", "=", id)
        .where("state", "=", "bound")
        .executeTakeFirst(),
      () => notFound(kind === "printer" ? "打印机" : "云喇叭"),
    );
    await ctx.audit(tx, { targetKind: "store-hardware", targetId: id, before: { sn: row.sn, vendor: row.vendor, storeId: row.store_id } });
    return row;
  });
}

/** Whether the maker has let it go too; without an account there nobody can ask. */
const released = (letGo: () => Promise<Outcome<null>>): Promise<{ released: boolean }> =>
  letGo().then(
    ({ kind }) => ({ released: kind === "ok" }),
    (error: unknown) => (error instanceof Refusal ? { released: false } : Promise.reject(error)),
  );

/** 解绑云打印机. */
export const unbindPrinterRoute = implement(unbindPrinter, async (ctx, { id }) => {
  const row = await close(ctx, "printer", id);
  return released(async () => (await vendorsOf(ctx.services).printer(row.vendor as PrinterVendor)).unbind(row.sn));
});
/** 解绑云喇叭. */
export const unbindSpeakerRoute = implement(unbindSpeaker, async (ctx, { id }) => {
  const row = await close(ctx, "speaker", id);
  const given = { sn: row.sn, protocol: row.protocol ?? 1, user: row.store_id.replaceAll("-", "") };
  return released(async () => (await vendorsOf(ctx.services).speaker()).unbind(given));
});
