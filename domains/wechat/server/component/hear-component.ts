import { sql } from "kysely";
import { type Ctx, implement } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { sha256 } from "@zhangfang/server/crypto.ts";
import { hearAuthorisedApp, hearWxComponent } from "../../contract/index.ts";
import { sealKept } from "../apps/app-keys.ts";
import { forgetToken } from "../calls/app-token.ts";
import { type Component, openComponent } from "../calls/call-component.ts";
import { AHEAD_MS, hearApp, openMessage, unread } from "../callback/hear-wechat.ts";
import { takeAuthorisation } from "./take-authorisation.ts";

/** The person who authorised comes back with the same code a moment later; only where nobody does it is taken without them. */
const COMES_BACK_S = 20;
const DAY_MS = 86_400_000;

const findComponent = async (ctx: Ctx, id: string): Promise<Component | undefined> => {
  const row = await ctx.platform("find the component of a message", (tx) =>
    tx
      .selectFrom("wx_components")
      .select([
        "service_provider_id",
        "id",
        "app_id",
        "secret_sealed",
        "token_sealed",
        "aes_key_sealed",
        "ticket_sealed",
        "ticket_at",
        "revision",
      ])
      .where("id", "=", id)
      .executeTakeFirst(),
  );
  return row && openComponent(ctx.services, row);
};
const keysOf = (component: Component | undefined) => component && { ...component, sealedFor: component.app_id };

/** 授权事件: verified before anything in it is read, and taken by WeChat's own time, so that an old one heard again changes nothing. */
export const hearWxComponentRoute = implement(hearWxComponent, async (ctx, { component: id }) => {
  const component = await findComponent(ctx, id);
  const { fields } = openMessage(ctx, keysOf(component));
  const { AppId = "", CreateTime = "", InfoType = "", AuthorizerAppid: appId = "" } = fields;
  const made_ms = Number(CreateTime) * 1_000;
  if (AppId !== component!.app_id || !/^\d{9,10}$/.test(CreateTime) || made_ms > ctx.now_ms + AHEAD_MS) throw unread();
  const news = { component: component!, made_at: new Date(made_ms).toISOString(), appId };
  await ctx.platform("hear a component", async (tx) => {
    if (InfoType === "component_verify_ticket") await keepTicket(tx, ctx, news, fields["ComponentVerifyTicket"] ?? "");
    if (InfoType === "unauthorized") await end(tx, ctx, news);
    if (InfoType === "authorized" || InfoType === "updateauthorized")
      await note(tx, ctx, news, { code: fields["AuthorizationCode"] ?? "", preAuth: fields["PreAuthCode"] ?? "" });
  });
  return "success";
});
interface News {
  readonly component: Component;
  readonly made_at: string;
  /** The account that it is about. */
  readonly appId: string;
}
/** The newest by WeChat's time stays. @throws 400 where there is none in it */
async function keepTicket(tx: Transaction, { services, now }: Ctx, { component, made_at }: News, ticket: string): Promise<void> {
  if (ticket === "" || ticket.length > 512) throw unread();
  const sealed = sealKept(services, "wx_components.ticket", component, ticket);
  await sql`update wx_components c set ticket_sealed = ${sealed}, ticket_made_at = ${made_at}, ticket_at = ${now}
    where c.service_provider_id = ${component.service_provider_id} and c.app_id = ${component.app_id}
      and (c.ticket_made_at is null or c.ticket_made_at < ${made_at})`.execute(tx);
}
/** 取消授权: what was authorised anew after it stays. */
async function end(tx: Transaction, { now }: Ctx, { component: { service_provider_id }, made_at, appId }: News): Promise<void> {
  const { rows } = await sql<{
    id: string;
  }>`update wx_apps a set auth_state = 'off', auth_at = least(${made_at}::timestamptz, ${now}::timestamptz), updated_at = ${now}, revision = a.revision + 1
    where a.service_provider_id = ${service_provider_id} and a.app_id = ${appId} and a.auth_state = 'on'
      and a.auth_at < ${made_at}::timestamptz + interval '1 second' returning a.id`.execute(tx);
  for (const { id } of rows) await forgetToken(tx, { service_provider_id, id });
}
/**
 * A code that can be changed for tokens. WeChat's word alone serves an account that is authorised. Any other is turned on by the person who set out and comes
 * back: else whoever sends WeChat's page to somebody else's admin would be given their account.
 */
async function note(
  tx: Transaction,
  { services, now, now_ms }: Ctx,
  { component: { service_provider_id }, appId, made_at }: News,
  { code, preAuth }: { code: string; preAuth: string },
): Promise<void> {
  if (code === "" || code.length > 512) throw unread();
  const { rows: apps } = await sql<{ id: string; merchant_id: string }>`select a.id, a.merchant_id from wx_apps a
    where a.service_provider_id = ${service_provider_id} and a.app_id = ${appId} and a.way = 'component' and a.auth_state = 'on' for update`.execute(
    tx,
  );
  const [app] = apps;
  if (!app) return services.log.info({ app: appId }, "an account was authorised; who asked for it has to come back");
  // What it granted may have changed, whatever becomes of the code.
  await sql`update wx_apps a set facts_at = null where a.service_provider_id = ${service_provider_id} and a.id = ${app.id}`.execute(tx);
  const sealed = (id: string) => sealKept(services, "wx_authorisations.code", { service_provider_id, id }, code);
  // Whoever set out for this account is waited for, and has the same code.
  const { rows: begun } = await sql<{
    id: string;
    waits: boolean;
  }>`select w.id, w.state in ('open', 'taking') and w.told_at is null as waits
    from wx_authorisations w where w.service_provider_id = ${service_provider_id} and w.pre_auth_hash = ${sha256(preAuth)}
      and w.merchant_id = ${app.merchant_id} and (w.app_row is null or w.app_row = ${app.id}) for update`.execute(tx);
  const [ours] = begun;
  if (ours) {
    if (!ours.waits) return;
    await sql`update wx_authorisations w set code_sealed = coalesce(w.code_sealed, ${sealed(ours.id)}), told_at = ${made_at}, app_row = ${app.id}
      where w.service_provider_id = ${service_provider_id} and w.id = ${ours.id}`.execute(tx);
    await services.jobs.enqueue(tx, takeAuthorisation, { service_provider_id, id: ours.id }, { after_s: COMES_BACK_S });
    return;
  }
  const id = services.ids.uuid(now_ms);
  const ends_at = new Date(now_ms + DAY_MS).toISOString();
  const added = await sql`insert into wx_authorisations
      (service_provider_id, id, merchant_id, app_row, by_name, code_sealed, code_hash, told_at, created_at, ends_at)
    values (${service_provider_id}, ${id}, ${app.merchant_id}, ${app.id}, '微信', ${sealed(id)}, ${sha256(code)}, ${made_at}, ${now}, ${ends_at})
    on conflict (service_provider_id, code_hash) where code_hash is not null do nothing`.execute(tx);
  if (added.numAffectedRows === 1n) await services.jobs.enqueue(tx, takeAuthorisation, { service_provider_id, id });
}

/** 消息 of an account that is authorised: signed and sealed by the component's keys, and named inside by the account's original id. */
export const hearAuthorisedAppRoute = implement(hearAuthorisedApp, async (ctx, { component: id, appId }) => {
  const component = await findComponent(ctx, id);
  const app =
    component &&
    (await ctx.platform("find the authorised account of a message", (tx) =>
      tx
        .selectFrom("wx_apps")
        .select(["service_provider_id", "merchant_id", "id", "name", "original_id"])
        .where("service_provider_id", "=", component.service_provider_id)
        .where("app_id", "=", appId)
        .where("state", "=", "active")
        .where("auth_state", "=", "on")
        .executeTakeFirst(),
    ));
  return hearApp(ctx, app && { ...app, token: component.token, aesKey: component.aesKey, sealedFor: component.app_id });
});
