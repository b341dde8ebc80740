import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { z } from "zod";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { type Ctx, implement } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { mustChange, withScope } from "@zhangfang/server/database/db.ts";
import { inScope, platformScope } from "@zhangfang/server/database/scope.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { type Listed, listPage, oneRow } from "@zhangfang/server/lists/list-page.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { mustCall } from "../apps/find-app.ts";
import { addFanChannels, getFanChannel, listFanChannels, makeFanChannel } from "../../contract/index.ts";
import { callWechat } from "../calls/call-wechat.ts";

const MAKE = platformScope("make a code of a channel");
/** By WeChat's rule, of codes that are good for ever. */
const MOST_FOR_GOOD = 100_000;
const DAY_MS = 86_400_000;

type Row = RowOf<typeof listFanChannels>;
const listed = ({ scope, now }: Pick<Ctx, "scope" | "now">, filter: Partial<ParsedOf<typeof listFanChannels>>): Listed => ({
  columns: sql`c.id, c.kind, c.name, a.name as "appName", m.short_name as "merchantName", s.short_name as "storeName", c.status, c.why, c.url, c.days,
    c.ends_at as "endsAt", coalesce(c.ends_at <= ${now}, false) as over, c.by_name as "byName", c.created_at as "createdAt",
    (select count(*)::int from wx_fans f where f.service_provider_id = c.service_provider_id and f.first_channel = c.id) as brought,
    (select count(*)::int from wx_fans f where f.service_provider_id = c.service_provider_id and f.last_channel = c.id and f.following) as fans`,
  from: sql`wx_fan_channels c`,
  names: sql`join wx_apps a on a.service_provider_id = c.service_provider_id and a.id = c.app_row
    join merchants m on m.service_provider_id = c.service_provider_id and m.id = c.merchant_id
    left join stores s on s.service_provider_id = c.service_provider_id and s.id = c.store_id`,
  where: all([
    inScope(scope, "c", "merchant"),
    is("c.kind", filter.kind),
    is("c.status", filter.status),
    is("c.app_row", filter.appRow),
    is("c.merchant_id", filter.merchantId),
    is("c.store_id", filter.storeId),
    filter.keyword !== undefined && sql`c.name ilike ${likeText(filter.keyword)}`,
  ]),
  order: "c.created_at",
});
/** 渠道码. */
export const listFanChannelsRoute = implement(listFanChannels, (ctx, input) => listPage<Row>(ctx.tx, input, listed(ctx, input)));
export const getFanChannelRoute = implement(getFanChannel, (ctx, { id }) => oneRow<Row>(ctx.tx, "渠道码", id, listed(ctx, {})));

/** 做渠道码: written down first; each is asked for after the commit. */
export const addFanChannelsRoute = implement(addFanChannels, async (ctx, { requestId: _once, appRow, kind, storeIds, names, days }) => {
  const { tx, scope, services, now, now_ms } = ctx;
  const app = await tx
    .selectFrom("wx_apps as a")
    .select(["a.service_provider_id", "a.merchant_id", "a.id", "a.state", "a.way", "a.may_call", "a.permissions"])
    .where("a.id", "=", appRow)
    .where(inScope(scope, "a", "merchant"))
    .forUpdate()
    .executeTakeFirst();
  if (!app) throw notFound("公众号");
  mustCall(app, "做渠道码", [3]);
  const { service_provider_id, merchant_id } = app;
  const { rows: stores } = await sql<{ id: string; name: string }>`select s.id, s.short_name as name from stores s
    where s.service_provider_id = ${service_provider_id} and s.merchant_id = ${merchant_id} and s.id = any(${storeIds}::uuid[])`.execute(
    tx,
  );
  if (stores.length !== new Set(storeIds).size) throw notFound("门店");
  const wanted =
    kind === "store"
      ? stores.map(({ id, name }) => ({ store_id: id, name: name.slice(0, 30) }))
      : names.map((name) => ({ store_id: stores[0]?.id ?? null, name }));
  if (days === undefined) {
    const { rows } = await sql<{
      n: number;
    }>`select count(*)::int as n from wx_fan_channels c where c.service_provider_id = ${service_provider_id}
      and c.app_row = ${appRow} and c.days is null`.execute(tx);
    if (rows[0]!.n + wanted.length > MOST_FOR_GOOD) throw invalid("days", "永久码最多 10 万个，请做临时码");
  }
  const made = wanted.map((one) => ({
    ...one,
    service_provider_id,
    merchant_id,
    app_row: appRow,
    id: services.ids.uuid(now_ms),
    kind,
    // Letters and digits alone, as the scene goes through addresses.
    scene: randomBytes(12).toString("hex"),
    days: days ?? null,
    by_name: askerOf(ctx).name,
    created_at: now,
  }));
  await tx.insertInto("wx_fan_channels").values(made).execute();
  for (const { id } of made) await services.jobs.enqueue(tx, makeFanCode, { service_provider_id, id });
  ctx.note({
    targetKind: "wx_app",
    targetId: appRow,
    provider: service_provider_id,
    merchant: merchant_id,
    after: { kind, names: wanted.map(({ name }) => name), days },
  });
  return { ids: made.map(({ id }) => id) };
});

/** 重做: of what was refused, is over, or still waits for WeChat's answer; asked for twice it is the same way in. */
export const makeFanChannelRoute = implement(makeFanChannel, async (ctx, { id }) => {
  const { tx, scope, services, now } = ctx;
  const found = await tx
    .selectFrom("wx_fan_channels as c")
    .select(["c.service_provider_id", "c.merchant_id", "c.status", "c.ends_at"])
    .where("c.id", "=", id)
    .where(inScope(scope, "c", "merchant"))
    .forUpdate()
    .executeTakeFirst();
  if (!found) throw notFound("渠道码");
  const { service_provider_id, merchant_id } = found;
  if (found.status === 1 && (found.ends_at === null || found.ends_at > now)) throw conflict("这个码还在用，不用重做", "fan-channel.alive");
  const done = await tx
    .updateTable("wx_fan_channels")
    .set({ status: 0, why: "" })
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .executeTakeFirst();
  mustChange(done, () => conflict("渠道码已被他人修改", "fan-channel.changed"));
  await services.jobs.enqueue(tx, makeFanCode, { service_provider_id, id });
  ctx.note({
    targetKind: "wx_fan_channel",
    targetId: id,
    provider: service_provider_id,
    merchant: merchant_id,
    after: { status: "again" },
  });
  return { ok: true } as const;
});

/** Asks WeChat for a code. The same scene asked for twice is the same way in: what nobody knows is asked again. */
export const makeFanCode = job({
  name: "make-fan-code",
  data: z.object({ service_provider_id: z.uuid(), id: z.uuid() }),
  concurrency: 2,
  retryDelay_s: 5,
  retryLimit: 8,
  run: async (services, { service_provider_id, id }) => {
    const channel = await withScope(services.pool, MAKE, (tx) =>
      tx
        .selectFrom("wx_fan_channels")
        .select(["app_row", "scene", "days"])
        .where("service_provider_id", "=", service_provider_id)
        .where("id", "=", id)
        .where("status", "=", 0)
        .executeTakeFirst(),
    );
    if (!channel) return;
    const { app_row, scene, days } = channel;
    const asked_ms = services.clock.now_ms();
    const answer = await callWechat(services, { service_provider_id, id: app_row }, "qrcode/create", {
      ...(days === null ? { action_name: "QR_LIMIT_STR_SCENE" } : { action_name: "QR_STR_SCENE", expire_seconds: (days * DAY_MS) / 1_000 }),
      action_info: { scene: { scene_str: scene } },
    });
    if (answer.kind === "unknown") throw new Error(`nobody knows whether the code was made: ${answer.reason}`);
    const url = answer.kind === "ok" && typeof answer.value["url"] === "string" ? answer.value["url"] : undefined;
    const why = answer.kind === "refused" ? answer.message : "微信没有给出二维码";
    await withScope(services.pool, MAKE, (tx) =>
      tx
        .updateTable("wx_fan_channels")
        .set(
          url === undefined
            ? { status: 2, why: why.slice(0, 200) }
            : { status: 1, why: "", url, ends_at: days === null ? null : new Date(asked_ms + days * DAY_MS).toISOString() },
        )
        .where("service_provider_id", "=", service_provider_id)
        .where("id", "=", id)
        .where("status", "=", 0)
        .execute(),
    );
  },
});
