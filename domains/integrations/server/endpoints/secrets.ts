import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { checkPushSignature, ROTATION_HOURS, rotatePushSecret, takePushSecret } from "../../contract/index.ts";
import { goodSecrets, newSecret, openSecret } from "../keys.ts";
import { checkSignature } from "../rules/sign.ts";
import { findEndpoint, holdEndpoint } from "./read-endpoints.ts";
import { changed } from "./write-endpoints.ts";

/** Shows the secret, once. It is no part of a kept answer: whoever asks again is told when it was shown. */
export const takePushSecretRoute = implement(takePushSecret, async (ctx, { id }) => {
  const endpoint = await holdEndpoint(ctx, id);
  const shown = (at: string | null) =>
    conflict(`密钥只显示一次${at === null ? "" : `，${shanghaiTime(at)} 已经显示过`}。没有记下来，就轮换一个`, "push-endpoint.shown");
  if (endpoint.secret_shown_at !== null) throw shown(endpoint.secret_shown_at);
  const done = await ctx.tx
    .updateTable("push_endpoints")
    .set({ secret_shown_at: ctx.now })
    .where("service_provider_id", "=", endpoint.service_provider_id)
    .where("id", "=", id)
    .where("secret_shown_at", "is", null)
    .executeTakeFirst();
  mustChange(done, () => shown(null));
  ctx.note({ targetKind: "push_endpoint", targetId: id, provider: endpoint.service_provider_id, after: { secret: "shown" } });
  return { secret: openSecret(ctx.services, endpoint, endpoint.secret_sealed) };
});

/** 轮换密钥: the old one signs too for 24 hours, unless it is to end at once. */
export const rotatePushSecretRoute = implement(rotatePushSecret, async (ctx, { id, revision, atOnce }) => {
  const endpoint = await holdEndpoint(ctx, id);
  const { old_until } = endpoint;
  if (!atOnce && old_until !== null && Date.parse(old_until) > ctx.now_ms)
    throw conflict(
      `上一次轮换还没过 ${ROTATION_HOURS} 小时，旧密钥到 ${shanghaiTime(old_until)} 失效；要现在换，请选立即失效`,
      "push-endpoint.rotating",
    );
  const kept = atOnce
    ? { old_secret_sealed: null, old_until: null }
    : { old_secret_sealed: endpoint.secret_sealed, old_until: new Date(ctx.now_ms + ROTATION_HOURS * 3_600_000).toISOString() };
  const done = await ctx.tx
    .updateTable("push_endpoints")
    .set({ ...kept, secret_sealed: newSecret(ctx.services, endpoint), secret_shown_at: null, revision: revision + 1, updated_at: ctx.now })
    .where("service_provider_id", "=", endpoint.service_provider_id)
    .where("id", "=", id)
    .where("revision", "=", revision)
    .executeTakeFirst();
  mustChange(done, changed);
  ctx.note({
    targetKind: "push_endpoint",
    targetId: id,
    provider: endpoint.service_provider_id,
    after: { secret: atOnce ? "renewed at once" : "rotated" },
  });
  return { ok: true } as const;
});

/** 贴一条进来验. */
export const checkPushSignatureRoute = implement(checkPushSignature, async ({ tx, scope, services, now_ms }, { id, headers, body }) => {
  const endpoint = await findEndpoint({ tx, scope }, id);
  return checkSignature(headers, body, goodSecrets(services, endpoint, now_ms), now_ms);
});
