import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, forbidden, invalid } from "@zhangfang/server/calls/errors.ts";
import { asPlatform, mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { getWxComponent, getWxComponentKeys, renewWxComponentKeys, saveWxComponent, testWxComponent } from "../../contract/index.ts";
import { newKeys, openKeys, sealKept } from "../apps/app-keys.ts";
import { forgetToken } from "../calls/app-token.ts";
import { askForTicket, callComponent, componentOf, TICKET_MS } from "../calls/call-component.ts";

const none = () => conflict("还没有填第三方平台的 AppID 和 AppSecret", "wx-component.none");
const changed = () => conflict("第三方平台已被他人修改，请刷新后再改", "wx-component.changed");
/** @throws 403 where the asker belongs to no provider */
function providerOf({ scope }: Ctx): string {
  if (scope.provider === undefined) throw forbidden();
  return scope.provider;
}
const rowOf = (tx: Transaction, provider: string) =>
  tx.selectFrom("wx_components").selectAll().where("service_provider_id", "=", provider).forUpdate().executeTakeFirst();

/** A merchant sees of it whether it may authorise; the row is its provider's. */
export const getWxComponentRoute = implement(getWxComponent, async (ctx) => {
  const provider = providerOf(ctx);
  const row = await asPlatform(ctx.tx, () =>
    ctx.tx.selectFrom("wx_components").selectAll().where("service_provider_id", "=", provider).executeTakeFirst(),
  );
  if (!row) return { component: null };
  const { app_id: appId, ticket_at: ticketAt, proved_at: provedAt, revision, by_name: byName, updated_at: updatedAt } = row;
  const ready = ticketAt !== null && ctx.now_ms - Date.parse(ticketAt) < TICKET_MS;
  return { component: { appId, ticketAt, provedAt, ready, revision, byName, updatedAt } as never };
});
export const getWxComponentKeysRoute = implement(getWxComponentKeys, async (ctx) => {
  const row = await ctx.tx.selectFrom("wx_components").selectAll().where("service_provider_id", "=", providerOf(ctx)).executeTakeFirst();
  if (!row) throw none();
  const { public_url } = ctx.services.config;
  const eventUrl = `${public_url}/notify/wechat-component/${row.id}`;
  return { domain: new URL(public_url).host, eventUrl, messageUrl: `${eventUrl}/$APPID$`, ...openKeys(ctx.services, row) };
});

export const saveWxComponentRoute = implement(saveWxComponent, async (ctx, { revision, appId, secret }) => {
  const { tx, services, now, now_ms } = ctx;
  const provider = providerOf(ctx);
  const by_name = askerOf(ctx).name;
  const row = await rowOf(tx, provider);
  if ((row?.revision ?? 0) !== revision) throw changed();
  if (secret === "" && row?.app_id !== appId) throw invalid("secret", "请填写 AppSecret");
  const place = { service_provider_id: provider, id: row?.id ?? services.ids.uuid(now_ms) };
  const sealed = secret === "" ? {} : { secret_sealed: sealKept(services, "wx_components.secret", place, secret), proved_at: null };
  ctx.note({ targetKind: "wx_component", targetId: place.id, provider, after: { appId, ...(secret !== "" && { secret: "changed" }) } });
  if (!row) {
    const added = await tx
      .insertInto("wx_components")
      .values({ ...place, app_id: appId, ...newKeys(services, place), ...sealed, by_name, created_at: now, updated_at: now } as never)
      .onConflict((twice) => twice.doNothing())
      .executeTakeFirst();
    if (added.numInsertedOrUpdatedRows !== 1n) throw changed();
    return { ok: true } as const;
  }
  const another = row.app_id !== appId;
  const done = await tx
    .updateTable("wx_components")
    .set({
      app_id: appId,
      ...sealed,
      // Tickets are of one component.
      ...(another && { ticket_sealed: null, ticket_made_at: null, ticket_at: null }),
      revision: revision + 1,
      by_name,
      updated_at: now,
    })
    .where("service_provider_id", "=", provider)
    .where("revision", "=", revision)
    .executeTakeFirst();
  mustChange(done, changed);
  if (another) await endAll(tx, provider, now);
  await forgetToken(tx, place);
  return { ok: true } as const;
});
/** What was authorised to another component is nothing to this one. Accounts are held before their tokens, as everywhere. */
const endAll = (tx: Transaction, provider: string, now: string): Promise<unknown> =>
  asPlatform(tx, async () => {
    await sql`update wx_apps a set auth_state = 'off', auth_at = ${now}, updated_at = ${now}, revision = a.revision + 1
      where a.service_provider_id = ${provider} and a.auth_state = 'on'`.execute(tx);
    await sql`update wx_app_tokens t set token_sealed = null, ends_at = null, taken_until = null, refresh_sealed = null from wx_apps a
      where t.service_provider_id = ${provider} and a.service_provider_id = ${provider} and a.id = t.app_row and a.way = 'component'`.execute(
      tx,
    );
  });

export const renewWxComponentKeysRoute = implement(renewWxComponentKeys, async (ctx, { revision }) => {
  const provider = providerOf(ctx);
  const row = await rowOf(ctx.tx, provider);
  if (!row) throw none();
  const done = await ctx.tx
    .updateTable("wx_components")
    .set({ ...newKeys(ctx.services, row), revision: revision + 1, by_name: askerOf(ctx).name, updated_at: ctx.now })
    .where("service_provider_id", "=", provider)
    .where("revision", "=", revision)
    .executeTakeFirst();
  mustChange(done, changed);
  ctx.note({ targetKind: "wx_component", targetId: row.id, provider, after: { keys: "renewed" } });
  return { ok: true } as const;
});

export const testWxComponentRoute = implement(testWxComponent, async (ctx) => {
  const { services } = ctx;
  const provider = providerOf(ctx);
  const component = await componentOf(services, provider);
  if (!component) throw none();
  const asking = component.ticket === null;
  const answer = asking
    ? await askForTicket(services, component)
    : await callComponent(services, component, "component/api_create_preauthcode", { component_appid: component.app_id });
  const proved = answer.kind === "ok" && !asking;
  await ctx.transaction(async (tx) => {
    if (proved)
      await sql`update wx_components set proved_at = ${ctx.now} where service_provider_id = ${provider} and revision = ${component.revision}`.execute(
        tx,
      );
    await ctx.audit(tx, { targetKind: "wx_component", targetId: component.id, provider, after: { proved } });
  });
  if (answer.kind === "refused") return { proved, words: answer.message };
  if (answer.kind === "unknown") return { proved, words: `${answer.reason}，不知道对不对，请稍后再试` };
  return { proved, words: asking ? "微信认这个 AppSecret，已请它推送验证票据：十分钟内会到，到了再测一次" : "连上了，可以请商户授权" };
});
