import { sql } from "kysely";
import { z } from "zod";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { inScope, platformScope } from "@zhangfang/server/database/scope.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { mustCall } from "../apps/find-app.ts";
import { getFanSync, startFanSync, type FanSync } from "../../contract/index.ts";
import { askAboutNew, readList, type Run, SyncFailed } from "./read-list.ts";
import { believeList, takeList } from "./take-list.ts";

const SYNC = platformScope("synchronise followers");
const LEASE_S = 7_200;
const DEAD_MS = LEASE_S * 3_000;

interface App {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly id: string;
}
/** Begins one, unless one runs. One whose process died long ago while it read is over. @returns its id; undefined where one runs */
async function begin(tx: Transaction, services: Services, app: App, by_name: string): Promise<string | undefined> {
  const { service_provider_id, merchant_id, id: app_row } = app;
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  await sql`update wx_fan_syncs y set status = 2, ended_at = ${now}, why = '中断了' where y.service_provider_id = ${service_provider_id}
    and y.app_row = ${app_row} and y.status = 0 and y.ended_at is null and y.started_at < ${new Date(now_ms - DEAD_MS).toISOString()}`.execute(
    tx,
  );
  const id = services.ids.uuid(now_ms);
  const added = await tx
    .insertInto("wx_fan_syncs")
    .values({ service_provider_id, merchant_id, app_row, id, by_name, started_at: now })
    .onConflict((twice) => twice.doNothing())
    .executeTakeFirst();
  if (added.numInsertedOrUpdatedRows !== 1n) return undefined;
  await services.jobs.enqueue(tx, syncFans, { service_provider_id, id });
  return id;
}

/** 同步粉丝 by hand. @throws 409 where one runs, or the account can't ask */
export const startFanSyncRoute = implement(startFanSync, async (ctx, { id }) => {
  const app = await ctx.tx
    .selectFrom("wx_apps as a")
    .select(["a.service_provider_id", "a.merchant_id", "a.id", "a.state", "a.way", "a.may_call", "a.permissions"])
    .where("a.id", "=", id)
    .where(inScope(ctx.scope, "a", "merchant"))
    .forUpdate()
    .executeTakeFirst();
  if (!app) throw notFound("公众号");
  mustCall(app, "同步", [2]);
  const sync = await begin(ctx.tx, ctx.services, app, askerOf(ctx).name);
  if (sync === undefined) throw conflict("正在同步，请等它完成", "fans.syncing");
  ctx.note({ targetKind: "wx_app", targetId: id, provider: app.service_provider_id, merchant: app.merchant_id, after: { sync } });
  return { ok: true } as const;
});
/** The last one of an account. */
export const getFanSyncRoute = implement(getFanSync, async ({ tx, scope }, { id }) => {
  const { rows } =
    await sql<FanSync>`select y.status, y.total, y.listed, y.unknown, y.asked, (y.status = 0 and y.ended_at is not null) as taking, y.added, y.returned, y.gone, y.why, y.by_name as "byName",
      y.started_at as "startedAt", y.ended_at as "endedAt"
    from wx_apps a join wx_fan_syncs y on y.service_provider_id = a.service_provider_id and y.app_row = a.id
    where a.id = ${id} and ${inScope(scope, "a", "merchant")} order by y.started_at desc, y.id desc limit 1`.execute(tx);
  if (rows[0]) return { sync: rows[0] };
  const there = await sql`select from wx_apps a where a.id = ${id} and ${inScope(scope, "a", "merchant")}`.execute(tx);
  if (there.rows.length === 0) throw notFound("公众号");
  return { sync: null };
});

export const syncFans = job({
  name: "sync-fans",
  data: z.object({ service_provider_id: z.uuid(), id: z.uuid() }),
  concurrency: 1,
  lease_s: LEASE_S,
  retryLimit: 2,
  run: async (services, { service_provider_id, id }) => {
    const started_at = new Date(services.clock.now_ms()).toISOString();
    // Begun anew it reads the list anew: what an earlier try had read is of an earlier moment. One that was read whole is taken (`goOnTaking`).
    const run = await withScope(
      services.pool,
      SYNC,
      async (tx): Promise<Run | undefined> => {
        const { rows } = await sql<Run>`update wx_fan_syncs y set started_at = ${started_at}, total = 0, listed = 0, unknown = 0, asked = 0
        where y.service_provider_id = ${service_provider_id} and y.id = ${id} and y.status = 0 and y.ended_at is null
        returning y.service_provider_id, y.merchant_id, y.app_row, y.id, y.started_at`.execute(tx);
        if (rows[0]) await forget(tx, service_provider_id, id);
        return rows[0];
      },
      { deadline_ms: 120_000 },
    );
    if (!run) return;
    try {
      await readList(services, run);
      await askAboutNew(services, run);
      await believeList(services, run);
    } catch (error) {
      // What nobody foresaw ends it too, so that it may be asked for again by hand; the next night tries anyway.
      if (!(error instanceof SyncFailed)) services.log.error({ err: error, app: run.app_row }, "a sync of followers broke off");
      const why = error instanceof SyncFailed ? error.message : "中途出错了，请再同步一次";
      await withScope(
        services.pool,
        SYNC,
        async (tx) => {
          await sql`update wx_fan_syncs y set status = 2, why = ${why.slice(0, 200)}, ended_at = ${new Date(services.clock.now_ms()).toISOString()}
          where y.service_provider_id = ${service_provider_id} and y.id = ${id} and y.status = 0 and y.started_at = ${run.started_at}`.execute(
            tx,
          );
          await forget(tx, service_provider_id, id);
        },
        { deadline_ms: 120_000 },
      );
      return;
    }
    await takeList(services, run);
  },
});
const forget = (tx: Transaction, service_provider_id: string, id: string): Promise<unknown> =>
  sql`delete from wx_fan_list l where l.service_provider_id = ${service_provider_id} and l.sync_id = ${id}`.execute(tx);

/** 04:30: every account that can ask. */
export const syncFansNightly = job({
  name: "sync-fans-nightly",
  data: z.object({}),
  every: "30 4 * * *",
  concurrency: 1,
  retryLimit: 2,
  run: async (services) => {
    const apps = await withScope(services.pool, SYNC, (tx) =>
      tx
        .selectFrom("wx_apps")
        .select(["service_provider_id", "merchant_id", "id"])
        .where("state", "=", "active")
        .where("may_call", "=", true)
        .execute(),
    );
    for (const app of apps) await withScope(services.pool, SYNC, (tx) => begin(tx, services, app, "每晚同步"));
  },
});
