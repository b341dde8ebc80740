import { randomBytes } from "node:crypto";
import { implement } from "@zhangfang/server/calls/call.ts";
import { newToken, sha256 } from "@zhangfang/server/crypto.ts";
import { createQrRequest } from "../../contract/sign-in.ts";

const LIFE_MS = 120_000;
/**
 * Starts a sign-in by code. The request id is shown to anybody who sees the screen; the token goes only to whoever has the
 * verifier, which never leaves the browser that asked. Of both only hashes are kept.
 */
export const createQrRequestRoute = implement(createQrRequest, async (ctx) => {
  const requestId = randomBytes(16).toString("base64url");
  const verifier = newToken();
  const matchNumber = ctx.services.ids.digits(2);
  const expiresAt = new Date(ctx.now_ms + LIFE_MS).toISOString();
  await ctx.platform("qr request", (tx) =>
    tx
      .insertInto("qr_requests")
      .values({
        id_hash: sha256(requestId),
        verifier_hash: sha256(verifier),
        match_number: matchNumber,
        ip: ctx.incoming.ip,
        device: ctx.incoming.headers["user-agent"]?.slice(0, 200) ?? null,
        created_at: ctx.now,
        expires_at: expiresAt,
      })
      .execute(),
  );
  return { requestId, verifier, matchNumber, expiresAt: expiresAt as never };
});
