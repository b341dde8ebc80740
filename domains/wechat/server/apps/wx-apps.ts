import { sql } from "kysely";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { type Ctx, implement } from "@zhangfang/server/calls/call.ts";
import { conflict, forbidden, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { type Listed, listPage, oneRow } from "@zhangfang/server/lists/list-page.ts";
import { askerOf } from "../../../orders/server/index.ts";
import {
  addWxApp,
  getWxApp,
  getWxAppKeys,
  listWxApps,
  renewWxAppKeys,
  setWxAppSecret,
  testWxApp,
  updateWxApp,
} from "../../contract/index.ts";
import { forgetToken } from "../calls/app-token.ts";
import { callWechat } from "../calls/call-wechat.ts";
import { newKeys, openKeys, sealSecret } from "./app-keys.ts";
import { changed, endWays, holdApp, MOST_APPS, noteOut, told } from "./find-app.ts";

type Row = RowOf<typeof listWxApps>;
type Filter = Pick<ParsedOf<typeof listWxApps>, "state" | "keyword">;
const WEEK_MS = 7 * 86_400_000;
const listed = ({ scope, now_ms }: Pick<Ctx, "scope" | "now_ms">, { state, keyword }: Filter): Listed => ({
  columns: sql`a.id, a.merchant_id as "merchantId", m.short_name as "merchantName", a.app_id as "appId", a.name, a.kind, a.state,
    (select count(*) from wx_fans f where f.service_provider_id = a.service_provider_id and f.app_row = a.id and f.following)::int as fans,
    a.verified_at as "verifiedAt", a.heard_at as "heardAt", a.secret_at as "secretAt", a.proved_at as "provedAt", a.way, a.auth_state as "authState", a.auth_at as "authAt", a.permissions,
    coalesce((select case when w.state = 'failed' then w.why end from wx_authorisations w where w.service_provider_id = a.service_provider_id and w.app_row = a.id
      and w.ended_at > ${new Date(now_ms - WEEK_MS).toISOString()} order by w.ended_at desc, w.state = 'failed' limit 1), '') as "authWhy",
    a.may_call as "mayCall", a.revision, a.by_name as "byName", a.created_at as "createdAt"`,
  from: sql`wx_apps a join merchants m on m.service_provider_id = a.service_provider_id and m.id = a.merchant_id`,
  where: all([
    inScope(scope, "a", "merchant"),
    is("a.state", state),
    keyword !== undefined && sql`a.app_id = ${keyword} or a.name ilike ${likeText(keyword)} or m.short_name ilike ${likeText(keyword)}`,
  ]),
  order: "a.created_at",
});
/** 微信应用. */
export const listWxAppsRoute = implement(listWxApps, (ctx, input) => listPage<Row>(ctx.tx, input, listed(ctx, input)));
export const getWxAppRoute = implement(getWxApp, (ctx, { id }) => oneRow<Row>(ctx.tx, "公众号", id, listed(ctx, {})));

/** 服务器配置. */
export const getWxAppKeysRoute = implement(getWxAppKeys, async ({ tx, scope, services }, { id }) => {
  const found = await tx
    .selectFrom("wx_apps as a")
    .select(["a.service_provider_id", "a.id", "a.token_sealed", "a.aes_key_sealed"])
    .where("a.id", "=", id)
    .where(inScope(scope, "a", "merchant"))
    .executeTakeFirst();
  if (!found) throw notFound("公众号");
  return { url: `${services.config.public_url}/notify/wechat/${id}`, ...openKeys(services, found) };
});

export const addWxAppRoute = implement(addWxApp, async (ctx, { requestId: _once, appId, name, kind }) => {
  const { tx, scope, services, now, now_ms } = ctx;
  const { provider, merchant } = scope;
  if (provider === undefined || merchant === undefined) throw forbidden();
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from wx_apps a where a.service_provider_id = ${provider}
    and a.merchant_id = ${merchant}`.execute(tx);
  if (rows[0]!.n >= MOST_APPS) throw conflict(`最多 ${MOST_APPS} 个公众号`, "wx-app.most");
  const row = { service_provider_id: provider, merchant_id: merchant, id: services.ids.uuid(now_ms) };
  const added = await tx
    .insertInto("wx_apps")
    .values({
      ...row,
      app_id: appId,
      name,
      kind,
      ...newKeys(services, row),
      by_name: askerOf(ctx).name,
      created_at: now,
      updated_at: now,
    })
    .onConflict((twice) => twice.columns(["service_provider_id", "app_id"]).doNothing())
    .executeTakeFirst();
  if (added.numInsertedOrUpdatedRows !== 1n) throw invalid("appId", "这个 AppID 已经添加过，请核对");
  told(ctx, row, { appId, name, kind });
  return { id: row.id };
});

export const updateWxAppRoute = implement(updateWxApp, async (ctx, { id, revision, name, kind, active }) => {
  const app = await holdApp(ctx, id);
  if (app.revision !== revision) throw changed();
  // 服务号 and 订阅号 count the quota of notes by different stretches.
  if (kind !== app.kind && (await noteOut(ctx.tx, app))) throw invalid("kind", "有群发还没结束，结束后再改类型");
  const state = active ? "active" : "paused";
  const done = await ctx.tx
    .updateTable("wx_apps")
    .set({ name, kind, state, revision: revision + 1, updated_at: ctx.now })
    .where("service_provider_id", "=", app.service_provider_id)
    .where("id", "=", id)
    .where("revision", "=", revision)
    .executeTakeFirst();
  mustChange(done, changed);
  told(ctx, app, { name, kind, state });
  return { ok: true } as const;
});

export const renewWxAppKeysRoute = implement(renewWxAppKeys, async (ctx, { id, revision }) => {
  const app = await holdApp(ctx, id);
  if (app.revision !== revision) throw changed();
  const done = await ctx.tx
    .updateTable("wx_apps")
    // WeChat has to take the address again under them.
    .set({ ...newKeys(ctx.services, app), verified_at: null, revision: revision + 1, updated_at: ctx.now })
    .where("service_provider_id", "=", app.service_provider_id)
    .where("id", "=", id)
    .where("revision", "=", revision)
    .executeTakeFirst();
  mustChange(done, changed);
  told(ctx, app, { keys: "renewed" });
  return { ok: true } as const;
});

export const setWxAppSecretRoute = implement(setWxAppSecret, async (ctx, { id, revision, secret }) => {
  const app = await holdApp(ctx, id);
  if (app.revision !== revision) throw changed();
  if (app.auth_state === "on") throw invalid("secret", "这个公众号由第三方平台授权，不用 AppSecret；要换请先取消授权");
  const done = await ctx.tx
    .updateTable("wx_apps")
    .set({
      way: "own",
      auth_state: null,
      auth_at: null,
      secret_sealed: sealSecret(ctx.services, app, secret),
      secret_at: ctx.now,
      proved_at: null,
      revision: revision + 1,
      updated_at: ctx.now,
    })
    .where("service_provider_id", "=", app.service_provider_id)
    .where("id", "=", id)
    .where("revision", "=", revision)
    .executeTakeFirst();
  mustChange(done, changed);
  await forgetToken(ctx.tx, app);
  await endWays(ctx, app, "发起之后填了 AppSecret，要扫码授权请重新授权");
  told(ctx, app, { secret: "changed" });
  return { ok: true } as const;
});

/** 测试: WeChat's own addresses, which every account may ask for. */
export const testWxAppRoute = implement(testWxApp, async (ctx, { id }) => {
  const app = await ctx.transaction(
    (tx) =>
      tx
        .selectFrom("wx_apps as a")
        .select(["a.service_provider_id", "a.merchant_id", "a.id", "a.revision"])
        .where("a.id", "=", id)
        .where(inScope(ctx.scope, "a", "merchant"))
        .executeTakeFirst(),
    { readOnly: true },
  );
  if (!app) throw notFound("公众号");
  const answer = await callWechat(ctx.services, app, "getcallbackip");
  const proved = answer.kind === "ok";
  await ctx.transaction(async (tx) => {
    // Only what was looked at is proved: the secret may have been changed meanwhile.
    if (proved)
      await sql`update wx_apps set proved_at = ${ctx.now}
        where service_provider_id = ${app.service_provider_id} and id = ${id} and revision = ${app.revision}`.execute(tx);
    await ctx.audit(tx, {
      targetKind: "wx_app",
      targetId: id,
      provider: app.service_provider_id,
      merchant: app.merchant_id,
      after: { proved },
    });
  });
  if (proved) return { proved, words: "连上了，微信认这个 AppSecret" };
  return { proved, words: answer.kind === "refused" ? answer.message : `${answer.reason}，不知道对不对，请稍后再试` };
});
