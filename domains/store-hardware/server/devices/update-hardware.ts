import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { writeOver } from "@zhangfang/server/database/write-over.ts";
import { updatePrinter, updateSpeaker, type HardwareKind } from "../../contract/index.ts";
import { findHardware } from "./find-hardware.ts";

interface Given {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly onPayment: boolean;
  readonly onRefund: boolean;
}
/** Over the version that was read, so that nobody overwrites what they did not see. */
async function update(ctx: Ctx, kind: HardwareKind, given: Given, own: object, before: (row: never) => object): Promise<{ ok: true }> {
  const row = await findHardware(ctx.tx, ctx.scope, kind, given.id);
  const wishes = { name: given.name, on_payment: given.onPayment, on_refund: given.onRefund, ...own };
  const switched = given.onPayment && !row.on_payment ? { payment_since: ctx.now } : {};
  const key = { service_provider_id: row.service_provider_id, id: row.id, state: "bound" };
  await writeOver(ctx.tx, "store_hardware", key, given.version, { ...wishes, ...switched }, "设备设置");
  const { name, on_payment, on_refund } = row;
  ctx.note({
    targetKind: "store-hardware",
    targetId: row.id,
    before: { name, on_payment, on_refund, ...before(row as never) },
    after: wishes,
  });
  return { ok: true };
}

/** 修改云打印机: what holds from the next receipt on. */
export const updatePrinterRoute = implement(updatePrinter, (ctx, given) =>
  update(
    ctx,
    "printer",
    given,
    { template: given.template, paper_mm: given.paperWidth, copies: given.copies },
    ({ template, paper_mm, copies }: { template: string; paper_mm: number; copies: number }) => ({ template, paper_mm, copies }),
  ),
);
/** 修改云喇叭. */
export const updateSpeakerRoute = implement(updateSpeaker, (ctx, given) =>
  update(ctx, "speaker", given, { volume: given.volume }, ({ volume }: { volume: number }) => ({ volume })),
);
