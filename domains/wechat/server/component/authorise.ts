import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, forbidden, invalid, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { sha256 } from "@zhangfang/server/crypto.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { authoriseWxApp, takeWxAuthorisation, unauthoriseWxApp } from "../../contract/index.ts";
import { changed, endWays, holdApp, told } from "../apps/find-app.ts";
import { forgetToken } from "../calls/app-token.ts";
import { callComponent, componentOf } from "../calls/call-component.ts";
import { wechatPages } from "../calls/send-wechat.ts";
import { takeOne } from "./take-authorisation.ts";

/** WeChat's code is good for half an hour at most; its own answer says for how long. */
const MOST_S = 1_800;

/** 去授权: a code for WeChat's page, and a state that only this person can come back with. @throws 404, 409 */
export const authoriseWxAppRoute = implement(authoriseWxApp, async (ctx, { id }) => {
  const { services, scope } = ctx;
  const { provider, merchant } = scope;
  if (provider === undefined || merchant === undefined) throw forbidden();
  const app =
    id &&
    (await ctx.transaction(
      (tx) =>
        tx
          .selectFrom("wx_apps as a")
          .select(["a.id", "a.app_id"])
          .where("a.id", "=", id)
          .where(inScope(scope, "a", "merchant"))
          .executeTakeFirst(),
      { readOnly: true },
    ));
  if (id && !app) throw notFound("公众号");
  const component = await componentOf(services, provider);
  if (!component) throw conflict("服务商还没有接入第三方平台，请用 AppSecret 接入", "wx-component.none");
  const answer = await callComponent(services, component, "component/api_create_preauthcode", { component_appid: component.app_id });
  if (answer.kind !== "ok")
    throw conflict(answer.kind === "refused" ? answer.message : `${answer.reason}，请稍后再试`, "wx-component.refused");
  const { pre_auth_code: code, expires_in: lasts_s } = answer.value;
  if (typeof code !== "string" || code === "") throw conflict("微信没有给出预授权码，请稍后再试", "wx-component.refused");
  const state = randomBytes(32).toString("base64url");
  const by = askerOf(ctx);
  const row = { service_provider_id: provider, merchant_id: merchant, id: services.ids.uuid(ctx.now_ms), app_row: app ? app.id : null };
  const ends_ms = services.clock.now_ms() + Math.min(typeof lasts_s === "number" ? lasts_s : MOST_S, MOST_S) * 1_000;
  await ctx.transaction(async (tx) => {
    await tx
      .insertInto("wx_authorisations")
      .values({
        ...row,
        made_by: by.id,
        by_name: by.name,
        state_hash: sha256(state),
        pre_auth_hash: sha256(code),
        created_at: ctx.now,
        ends_at: new Date(ends_ms).toISOString(),
      })
      .execute();
    await ctx.audit(tx, { targetKind: "wx_authorisation", targetId: row.id, provider, merchant, after: { app: row.app_row } });
  });
  const url = new URL(`${wechatPages(services)}/cgi-bin/componentloginpage`);
  url.searchParams.set("component_appid", component.app_id);
  url.searchParams.set("pre_auth_code", code);
  url.searchParams.set("redirect_uri", `${services.config.public_url}/wechat/authorised/${state}`);
  // One of the two: an official account, or this one.
  if (app) url.searchParams.set("biz_appid", app.app_id);
  else url.searchParams.set("auth_type", "1");
  return { url: url.href };
});

const notYours = () =>
  new Refusal(404, "not-found", "这次授权不是用当前账号发起的，或已不在了。请用发起授权的账号登录后再打开，或重新发起授权");
/**
 * Only who set out may come back, and only once: whoever else has the address is told whose it is, and the code stays good.
 * @throws 404 for a state of nobody's or of another merchant's, 409 of a colleague's, and where it is over
 */
export const takeWxAuthorisationRoute = implement(takeWxAuthorisation, async (ctx, { state, code }) => {
  const { provider, merchant } = ctx.scope;
  if (provider === undefined || merchant === undefined) throw forbidden();
  const by = askerOf(ctx);
  const row = await ctx.transaction(
    async (tx) =>
      (
        await sql<{
          service_provider_id: string;
          id: string;
          mine: boolean;
          by_name: string;
          over: boolean;
        }>`select w.service_provider_id, w.id,
            w.made_by = ${by.id} as mine, w.by_name, w.state = 'open' and w.ends_at < ${ctx.now}::timestamptz - interval '1 hour' as over from wx_authorisations w
          where w.state_hash = ${sha256(state)} and ${inScope(ctx.scope, "w", "merchant")}`.execute(tx)
      ).rows[0],
    { readOnly: true },
  );
  if (!row) throw notYours();
  if (!row.mine)
    throw conflict(`这次授权是「${row.by_name}」发起的，还没有完成：请对方登录后打开这个地址，或由你重新发起授权`, "wx-component.other");
  if (row.over) throw conflict("这次授权过了时间，请重新发起", "wx-component.over");
  const { service_provider_id, id } = row;
  const taken = await takeOne(ctx.services, { service_provider_id, id }, code);
  await ctx.transaction((tx) =>
    ctx.audit(tx, {
      targetKind: "wx_authorisation",
      targetId: id,
      provider,
      merchant,
      after: taken.kind === "done" ? { app: taken.id } : { why: taken.why },
    }),
  );
  if (taken.kind !== "done") throw conflict(taken.why, `wx-component.${taken.kind}`);
  return { id: taken.id, name: taken.name };
});

/** 取消授权: WeChat has no call for it; what is forgotten here can't be used any more. */
export const unauthoriseWxAppRoute = implement(unauthoriseWxApp, async (ctx, { id, revision }) => {
  const app = await holdApp(ctx, id);
  if (app.revision !== revision) throw changed();
  if (app.auth_state !== "on") throw invalid("id", "这个公众号没有授权给第三方平台");
  const done = await ctx.tx
    .updateTable("wx_apps")
    .set({ auth_state: "off", auth_at: ctx.now, revision: revision + 1, updated_at: ctx.now })
    .where("service_provider_id", "=", app.service_provider_id)
    .where("id", "=", id)
    .where("revision", "=", revision)
    .executeTakeFirst();
  mustChange(done, changed);
  await forgetToken(ctx.tx, app);
  await endWays(ctx, app, "发起之后取消了授权，请重新授权");
  told(ctx, app, { authorised: false });
  return { ok: true } as const;
});
