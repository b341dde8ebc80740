import { sql } from "kysely";
import { z } from "zod";
import type { InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, forbidden, invalid } from "@zhangfang/server/calls/errors.ts";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { getMenu, type MenuButton, publishMenu, readMenu, saveMenu, wholeMenu } from "../../contract/index.ts";
import type { WechatAnswer, WechatJson } from "../calls/answers.ts";
import { callWechat } from "../calls/call-wechat.ts";
import { mustBeGranted } from "../apps/granted.ts";
import type { NoteApp } from "../notes/quota.ts";
import { appOf } from "../notes/read-notes.ts";
import { askLive, sameMenu } from "./ask-live.ts";
import { type MenuEnd, settleMenu } from "./settle-menus.ts";
import { menuBody } from "./wx-menu.ts";

const changed = () => conflict("菜单已被他人修改，请刷新后再改", "menu.changed");

/** Longer than a call lasts, with its token. */
const CALL_MS = 60_000;
const liveChanged = () => conflict("线上的菜单和页面上的不一样，已经重新读取，请看过变化再发布", "menu.live-changed");

interface Row {
  readonly draft: MenuButton[];
  readonly live: MenuButton[] | null;
  readonly live_at: string | null;
  readonly sent: MenuButton[] | null;
  readonly publish_state: string;
  readonly published_at: string | null;
  readonly revision: number;
}
/** The menu of an account, held to the end. */
async function heldMenu(tx: Transaction, { service_provider_id, id }: NoteApp): Promise<Row | undefined> {
  const { rows } =
    await sql<Row>`select m.draft, m.live, m.live_at, m.sent, m.publish_state, m.published_at, m.revision from wx_menus m where m.service_provider_id = ${service_provider_id}
    and m.app_row = ${id} for no key update`.execute(tx);
  return rows[0];
}
const EMPTY = {
  draft: [],
  revision: 0,
  byName: "",
  updatedAt: null,
  live: null,
  liveAt: null,
  publishState: "none",
  publishWhy: "",
  publishedAt: null,
  publishedBy: "",
} as const;
/** 自定义菜单. */
export const getMenuRoute = implement(getMenu, async (ctx, { appId }) => {
  const app = await appOf(ctx, appId);
  const { rows } = await sql<Omit<OutputOf<typeof getMenu>, "appName">>`
    select m.draft, m.revision, m.by_name as "byName", m.updated_at as "updatedAt", m.live, m.live_at as "liveAt", m.publish_state as "publishState",
      m.publish_why as "publishWhy", m.published_at as "publishedAt", m.published_by_name as "publishedBy"
    from wx_menus m where m.app_row = ${appId} and ${inScope(ctx.scope, "m", "merchant")}`.execute(ctx.tx);
  return { appName: app.name, ...(rows[0] ?? EMPTY) } as never;
});
/** 存草稿: whole or not. */
export const saveMenuRoute = implement(saveMenu, async (ctx, { appId, revision, buttons }) => {
  const { provider, merchant } = ctx.scope;
  if (!provider || !merchant) throw forbidden();
  const app = await appOf(ctx, appId);
  const found = await heldMenu(ctx.tx, app);
  if ((found?.revision ?? 0) !== revision) throw changed();
  const row = { draft: JSON.stringify(buttons), by_name: askerOf(ctx).name, updated_at: ctx.now, revision: revision + 1 };
  if (found) {
    const done = await ctx.tx
      .updateTable("wx_menus")
      .set(row)
      .where("service_provider_id", "=", app.service_provider_id)
      .where("app_row", "=", appId)
      .where("revision", "=", revision)
      .executeTakeFirst();
    mustChange(done, changed);
  } else {
    const added = await ctx.tx
      .insertInto("wx_menus")
      .values({ service_provider_id: provider, merchant_id: merchant, app_row: appId, ...row })
      .onConflict((twice) => twice.doNothing())
      .executeTakeFirst();
    if (added.numInsertedOrUpdatedRows !== 1n) throw changed();
  }
  ctx.note({ targetKind: "wx_menu", targetId: appId, provider, merchant, after: { revision: revision + 1, buttons: buttons.length } });
  return { revision: revision + 1 };
});

const keepLive = (ctx: Ctx, app: NoteApp, live: readonly MenuButton[]) =>
  ctx.transaction((tx) =>
    sql`insert into wx_menus as m (service_provider_id, merchant_id, app_row, draft, by_name, updated_at, live, live_at)
      values (${app.service_provider_id}, ${app.merchant_id}, ${app.id}, ${JSON.stringify(live)}, ${askerOf(ctx).name}, ${ctx.now}, ${JSON.stringify(live)},
        ${ctx.now}) on conflict (service_provider_id, app_row) do update set live = excluded.live, live_at = excluded.live_at`.execute(tx),
  );
/** 看线上: what was read becomes the draft where there is none yet. */
export const readMenuRoute = implement(readMenu, async (ctx, { appId }) => {
  const { app, ours } = await ctx.transaction(async (tx) => {
    const found = await appOf({ tx, scope: ctx.scope }, appId);
    await ctx.audit(tx, {
      targetKind: "wx_menu",
      targetId: appId,
      provider: found.service_provider_id,
      merchant: found.merchant_id,
      after: { act: "read" },
    });
    const held = await heldMenu(tx, found);
    return { app: found, ours: [...(held?.draft ?? []), ...(held?.live ?? [])] };
  });
  const live = await askLive(ctx.services, app, ours);
  if (live.kind !== "ok") throw conflict(live.kind === "refused" ? live.message : `${live.reason}，请稍后再试`, "wechat.refused");
  await keepLive(ctx, app, live.value);
  return { ok: true } as const;
});

const whole = z.object({ buttons: wholeMenu });
/** The draft of the revision that was looked at, beside the reading of what is live. @throws 400 where it is not whole */
async function mayPublish(ctx: Ctx, tx: Transaction, { appId, revision, liveAt }: InputOf<typeof publishMenu>) {
  const app = await appOf({ tx, scope: ctx.scope }, appId);
  mustBeGranted(app, [15]);
  const menu = await heldMenu(tx, app);
  if (menu?.revision !== revision) throw changed();
  if (menu.live_at !== liveAt) throw liveChanged();
  if (menu.publish_state === "asked" && Date.parse(menu.published_at!) > ctx.now_ms - CALL_MS)
    throw conflict("正在发布，请稍等", "menu.publishing");
  const checked = whole.safeParse({ buttons: menu.draft });
  if (!checked.success) {
    const [issue] = checked.error.issues;
    throw invalid(issue!.path.join("."), issue!.message);
  }
  return { app, menu };
}
/** 发布: over the menu that was seen, and no other. A lost answer stays unknown until menu/get tells (`settleMenus`). */
export const publishMenuRoute = implement(publishMenu, async (ctx, given) => {
  const { appId, revision } = given;
  const { app, menu } = await ctx.transaction(async (tx) => {
    const found = await mayPublish(ctx, tx, given);
    await ctx.audit(tx, {
      targetKind: "wx_menu",
      targetId: appId,
      provider: found.app.service_provider_id,
      merchant: found.app.merchant_id,
      after: { act: "publish", revision },
    });
    return found;
  });
  const { draft, live, sent } = menu;
  const there = await askLive(ctx.services, app, [...draft, ...(sent ?? []), ...(live ?? [])]);
  if (there.kind === "refused") return { state: "failed", why: there.message } as const;
  if (there.kind === "unknown") return { state: "failed", why: `没有发布：读不到线上的菜单（${there.reason}）` } as const;
  if (!sameMenu(there.value, live ?? [])) {
    await keepLive(ctx, app, there.value);
    throw liveChanged();
  }
  await ctx.transaction(async (tx) => {
    await mayPublish(ctx, tx, given);
    const done =
      await sql`update wx_menus m set publish_state = 'asked', publish_why = '', published_at = ${ctx.now}, published_by_name = ${askerOf(ctx).name}, sent = m.draft
      where m.service_provider_id = ${app.service_provider_id} and m.app_row = ${appId} and m.revision = ${revision}`.execute(tx);
    mustChange({ numUpdatedRows: done.numAffectedRows ?? 0n }, changed);
  });
  const answer: WechatAnswer<WechatJson> =
    draft.length === 0
      ? await callWechat(ctx.services, app, "menu/delete")
      : await callWechat(ctx.services, app, "menu/create", menuBody(draft));
  const end = await endOf(ctx, app, draft, answer);
  await ctx.transaction((tx) => settleMenu(tx, { ...app, published_at: ctx.now }, end, ctx.now));
  return end;
});
async function endOf(ctx: Ctx, app: NoteApp, draft: readonly MenuButton[], answer: WechatAnswer<WechatJson>): Promise<MenuEnd> {
  if (answer.kind === "ok") return { state: "done", why: "" };
  if (answer.kind === "refused") return { state: "failed", why: answer.message };
  const live = await askLive(ctx.services, app, draft);
  // The old menu tells nothing yet: the call may be on its way.
  return live.kind === "ok" && sameMenu(live.value, draft)
    ? { state: "done", why: "" }
    : { state: "unknown", why: `${answer.reason}；会接着问微信` };
}
