import { implement } from "@zhangfang/server/calls/call.ts";
import { sha256 } from "@zhangfang/server/crypto.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { authorizeQrCode } from "../../contract/sign-in.ts";
import { enterAs } from "../session/enter-as.ts";
import { verifierHash } from "./poll-qr-request.ts";

/** Gives the token of a confirmed code, once, to the browser that asked for the code. */
export const authorizeQrCodeRoute = implement(authorizeQrCode, (ctx, { requestId, rememberMe }) =>
  ctx.platform("qr sign-in", async (tx) => {
    const mine = tx
      .updateTable("qr_requests")
      .set({ state: "used" })
      .where("id_hash", "=", sha256(requestId))
      .where("verifier_hash", "=", verifierHash(ctx.incoming))
      .where("expires_at", ">", ctx.now);
    const taken = await mine.where("state", "=", "confirmed").returning("user_id").executeTakeFirst();
    if (!taken?.user_id) {
      const found = await tx
        .selectFrom("qr_requests")
        .select("state")
        .where("id_hash", "=", sha256(requestId))
        .where("verifier_hash", "=", verifierHash(ctx.incoming))
        .where("expires_at", ">", ctx.now)
        .executeTakeFirst();
      if (found?.state === "waiting" || found?.state === "scanned") throw new Refusal(409, "qr.waiting", "请在手机上确认登录");
      throw new Refusal(409, "qr.expired", found?.state === "refused" ? "手机端已拒绝登录" : "二维码已失效，请刷新");
    }
    return enterAs(ctx, tx, taken.user_id, rememberMe);
  }),
);
