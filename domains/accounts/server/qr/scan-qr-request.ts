import { implement } from "@zhangfang/server/calls/call.ts";
import { sha256 } from "@zhangfang/server/crypto.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { scanQrRequest } from "../../contract/sign-in.ts";

/** Binds a code to whoever scans it first, and tells where it comes from; scanning again on the same phone shows it again. */
export const scanQrRequestRoute = implement(scanQrRequest, async (ctx, { requestId }) => {
  const me = ctx.principal.id;
  const taken = await ctx.tx
    .updateTable("qr_requests")
    .set({ state: "scanned", user_id: me })
    .where("id_hash", "=", sha256(requestId))
    .where("expires_at", ">", ctx.now)
    .where((where) => where.or([where("state", "=", "waiting"), where.and([where("state", "=", "scanned"), where("user_id", "=", me)])]))
    .returning(["ip", "device", "created_at", "expires_at"])
    .executeTakeFirst();
  if (!taken) throw notFound("二维码");
  ctx.note({ targetKind: "qr", after: { ip: taken.ip } });
  return { ip: taken.ip, device: taken.device, createdAt: taken.created_at as never, expiresAt: taken.expires_at as never };
});
