import { implement } from "@zhangfang/server/calls/call.ts";
import { sha256 } from "@zhangfang/server/crypto.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { confirmQrRequest } from "../../contract/sign-in.ts";

/**
 * The phone's answer, from whoever scanned and nobody else. The number beside the code must be given: a code that somebody
 * sent along does not show it. A wrong number refuses, so that it can't be tried.
 */
export const confirmQrRequestRoute = implement(confirmQrRequest, async (ctx, { requestId, accept, matchNumber }) => {
  const mine = await ctx.tx
    .selectFrom("qr_requests")
    .select("match_number")
    .where("id_hash", "=", sha256(requestId))
    .where("state", "=", "scanned")
    .where("user_id", "=", ctx.principal.id)
    .where("expires_at", ">", ctx.now)
    .executeTakeFirst();
  if (!mine) throw notFound("二维码");
  const confirmed = accept && matchNumber === mine.match_number;
  mustChange(
    await ctx.tx
      .updateTable("qr_requests")
      .set({ state: confirmed ? "confirmed" : "refused" })
      .where("id_hash", "=", sha256(requestId))
      .where("state", "=", "scanned")
      .where("user_id", "=", ctx.principal.id)
      .executeTakeFirst(),
    () => notFound("二维码"),
  );
  ctx.note({ targetKind: "qr", after: { confirmed } });
  return { confirmed };
});
