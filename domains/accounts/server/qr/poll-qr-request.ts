import { implement, type Incoming } from "@zhangfang/server/calls/call.ts";
import { sha256 } from "@zhangfang/server/crypto.ts";
import { pollQrRequest, QR_VERIFIER_HEADER } from "../../contract/sign-in.ts";

/** Where a code stands, for the browser that asked for it; for anybody else it is expired. */
export const pollQrRequestRoute = implement(pollQrRequest, async (ctx, { requestId }) => {
  const found = await ctx.platform("qr poll", (tx) =>
    tx
      .selectFrom("qr_requests")
      .select(["state", "expires_at"])
      .where("id_hash", "=", sha256(requestId))
      .where("verifier_hash", "=", verifierHash(ctx.incoming))
      .executeTakeFirst(),
  );
  const live = found !== undefined && found.state !== "used" && found.expires_at > ctx.now;
  return { state: live ? (found.state as "waiting" | "scanned" | "confirmed" | "refused") : ("expired" as const) };
});

/** The hash of the verifier that a browser shows; one that fits nothing where it shows none. */
export const verifierHash = (incoming: Incoming): Buffer => sha256(incoming.headers[QR_VERIFIER_HEADER]?.slice(0, 100) ?? "");
