import { implement } from "@zhangfang/server/calls/call.ts";
import { handOver } from "../../contract/shift.ts";
import { askerOf } from "../refunds/asker.ts";
import { endShift } from "./end-shift.ts";

/** 交班: whoever stands at the till ends the shift that they saw. */
export const handOverRoute = implement(handOver, async (ctx, seen) => {
  const ended = await endShift(ctx, { ...seen, by: askerOf(ctx) });
  ctx.note(ended.note);
  return { id: ended.id };
});
