import { implement } from "@zhangfang/server/calls/call.ts";
import { endOtherSessions } from "../../contract/sign-in.ts";
import { endOthers } from "./end-others.ts";

/** 退出其他设备: this session alone goes on. */
export const endOtherSessionsRoute = implement(endOtherSessions, async (ctx) => {
  const ended = await endOthers(ctx.tx, ctx, "退出其他设备");
  ctx.note({ targetKind: "user", targetId: ctx.principal.id, after: { ended } });
  return { ended };
});
