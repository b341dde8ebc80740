import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { testPrinter, testSpeaker, type HardwareKind, type OutputStatus } from "../../contract/index.ts";
import { findHardware } from "../devices/find-hardware.ts";
import { send } from "./send-output.ts";
import { writeOutput } from "./write-output.ts";

/** Sends a test at once and answers with what came of it. */
async function test(ctx: Ctx, kind: HardwareKind, id: string): Promise<{ status: OutputStatus; message: string | null }> {
  const output = await ctx.transaction(async (tx) => {
    const row = await findHardware(tx, ctx.scope, kind, id);
    await ctx.audit(tx, { targetKind: "store-hardware", targetId: id });
    const written = await writeOutput(tx, ctx.services, row, { cause: "test", by: ctx.principal.name });
    return { service_provider_id: row.service_provider_id, id: written! };
  });
  const verdict = await send(ctx.services, output);
  return { status: verdict?.status ?? 4, message: verdict?.message ?? null };
}
/** 测试打印. */
export const testPrinterRoute = implement(testPrinter, (ctx, { id }) => test(ctx, "printer", id));
/** 测试播报. */
export const testSpeakerRoute = implement(testSpeaker, (ctx, { id }) => test(ctx, "speaker", id));
