import { sql } from "kysely";
import { z } from "zod";
import { addDays, type DayRange, shanghaiDay } from "@zhangfang/contract/time.ts";
import { authorOf, implement, type Route } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { inSavepoint, mustChange, type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job, type Job } from "@zhangfang/server/jobs/jobs.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { absentUser } from "../../accounts/server/index.ts";
import { type ExportQueue, mailUser } from "../../exports/server/index.ts";
import { tellUser } from "../../messages/server/index.ts";
import { MOST_SUBSCRIPTIONS, type Subscription, subscribeView } from "../contract/index.ts";
import { daysSent, nextRound } from "../contract/rounds.ts";
import { inTurn, seenBy, tenantOf } from "./seen-views.ts";

/** Where the queue is full a file is asked for again in the next round, five minutes on. */
const LATER_MS = 4 * 60_000;
/** So long a file that its subscriber may not have is asked for again. */
const PATIENCE_DAYS = 30;

/** The filter of a view's file on a day: its moving days are the whole ones before that day. */
export function filterOn(
  view: { readonly filters: unknown; readonly days: string | null },
  every: Subscription,
  today: string,
): Record<string, string> {
  const filters = view.filters as Record<string, string>;
  if (view.days === null) return filters;
  const [from, to] = daysSent(view.days as DayRange, every, today);
  return { ...filters, from, to };
}

/** Whoever sees a view may have its rows sent, as far as they may export its list. */
export function subscribeViewRoute(queue: ExportQueue): Route {
  return implement(subscribeView, async (ctx, { id, every, source, columns, mail }) => {
    const view = await ctx.tx
      .selectFrom("saved_views as v")
      .selectAll()
      .where(seenBy(ctx.principal.id, ctx.scope))
      .where("v.id", "=", id)
      .forShare()
      .executeTakeFirst();
    if (!view) throw notFound("视图");
    const own = { service_provider_id: tenantOf(ctx.scope), user_id: ctx.principal.id };
    await inTurn(ctx);
    const mine = ctx.tx
      .deleteFrom("view_subscriptions")
      .where("service_provider_id", "=", own.service_provider_id)
      .where("user_id", "=", own.user_id);
    await mine.where("view_id", "=", id).execute();
    ctx.note({ targetKind: "saved_view", targetId: id, after: { every, mail } });
    if (every === null) return { ok: true as const };
    if (mail !== null && !ctx.services.config.mail) throw invalid("mail", "平台没有配置邮件服务器，文件和消息照常");
    queue.check(ctx, { source, filter: filterOn(view, every, shanghaiDay(ctx.now_ms)), columns });
    const { count } = await ctx.tx
      .selectFrom("view_subscriptions")
      .select((select) => select.fn.countAll<number>().as("count"))
      .where("service_provider_id", "=", own.service_provider_id)
      .where("user_id", "=", own.user_id)
      .executeTakeFirstOrThrow();
    if (count >= MOST_SUBSCRIPTIONS) throw conflict(`最多订阅 ${MOST_SUBSCRIPTIONS} 个视图`);
    await ctx.tx
      .insertInto("view_subscriptions")
      .values({
        ...own,
        view_id: id,
        every,
        source,
        columns: JSON.stringify(columns),
        mail,
        next_at: nextRound(every, ctx.now_ms),
        created_at: ctx.now,
      })
      .execute();
    return { ok: true as const };
  });
}

interface Due {
  readonly service_provider_id: string;
  readonly user_id: string;
  readonly view_id: string;
}
interface Found {
  readonly every: Subscription;
  readonly source: string;
  readonly columns: string[];
  readonly refused_at: string | null;
  readonly mail: string | null;
  readonly name: string;
  readonly filters: unknown;
  readonly days: string | null;
}
/** Every five minutes: what is due goes into the queue of exports, each in a transaction of its own. */
export function sendViewsJob(queue: ExportQueue): Job {
  return job({
    name: "send-views",
    data: z.object({}),
    every: "*/5 * * * *",
    concurrency: 1,
    async run(services) {
      const now = new Date(services.clock.now_ms()).toISOString();
      const due = await withScope(services.pool, platformScope("send-views"), (tx) =>
        tx
          .selectFrom("view_subscriptions")
          .select(["service_provider_id", "user_id", "view_id"])
          .where("next_at", "<=", now)
          .orderBy("next_at")
          .limit(1000)
          .execute(),
      );
      for (const one of due) {
        const send = (tx: Transaction) => sendView(tx, services, queue, one, now);
        // One that cannot be sent holds up none of those after it, and comes again in the next round.
        await withScope(services.pool, platformScope("send-view"), send).catch((error: unknown) =>
          services.log.error({ err: error, view: one.view_id }, "view not sent"),
        );
      }
    },
  });
}

/** Takes the round and has its file written, as its subscriber is now. A full queue moves it to the next round. */
async function sendView(
  tx: Transaction,
  services: Services,
  queue: ExportQueue,
  { service_provider_id, user_id, view_id }: Due,
  now: string,
): Promise<void> {
  const found = await sql<Found>`
    select s.every, s.source, s.columns, s.refused_at, s.mail, v.name, v.filters, v.days from view_subscriptions s
      join saved_views v on v.service_provider_id = s.service_provider_id and v.id = s.view_id
    where s.service_provider_id = ${service_provider_id} and s.user_id = ${user_id} and s.view_id = ${view_id} and s.next_at <= ${now}::timestamptz
    for update of s skip locked`.execute(tx);
  const row = found.rows[0];
  if (!row) return;
  const own = { service_provider_id, user_id, view_id };
  const person = await absentUser(tx, user_id);
  const now_ms = services.clock.now_ms();
  const next = Date.parse(nextRound(row.every, now_ms));
  // An account or a node above it may be closed for a while: this round goes by.
  if (!person) return move(tx, own, next, row.refused_at);
  const shown = await sql`select 1 from saved_views v where ${seenBy(user_id, person.scope)} and v.id = ${view_id}`.execute(tx);
  if (shown.rows.length === 0) return wait(tx, services, own, row, { now, next_ms: next, why: "这个视图已不再共享给你", quiet: true });
  const author = authorOf(services, person, subscribeView, { ip: "", traceId: view_id });
  const wanted = {
    source: row.source,
    filter: filterOn(row, row.every, shanghaiDay(now_ms)),
    columns: row.columns,
    format: "xlsx" as const,
    told: row.name,
    mail: row.mail,
  };
  try {
    const { note } = await inSavepoint(tx, () => queue.add(tx, author, wanted));
    await author.audit(tx, note);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.status === 429) {
      services.log.info({ view: view_id }, "queue of exports is full, the view comes later");
      return move(tx, own, now_ms + LATER_MS, row.refused_at);
    }
    return wait(tx, services, own, row, { now, next_ms: next, why: error.message });
  }
  return move(tx, own, next, null);
}

/** A closed node, a contract that ran out, a right or a view taken away may come back: it is told once, where it is not `quiet`, and given up after a month, which is told. */
async function wait(
  tx: Transaction,
  services: Services,
  own: Due,
  { name, refused_at, mail }: Pick<Found, "name" | "refused_at" | "mail">,
  { now, next_ms, why, quiet = false }: { now: string; next_ms: number; why: string; quiet?: boolean },
): Promise<void> {
  const since = refused_at ?? now;
  const over = shanghaiDay(now) > addDays(shanghaiDay(since), PATIENCE_DAYS);
  if (over || (refused_at === null && !quiet)) {
    const title = over ? `「${name}」的订阅已停止` : `「${name}」本次没有生成`;
    const body = over ? why : `${why}；恢复后下一次照常生成，${PATIENCE_DAYS} 天未恢复则停止`;
    await tellUser(tx, own.user_id, {
      kind: "export",
      title,
      body,
      href: "/dataCentre/exports",
      item: "/dataCentre/exports",
      at: now,
    });
    const to = { provider: own.service_provider_id, userId: own.user_id };
    if (mail !== null)
      await mailUser(tx, services, { ...to, address: mail, subject: title, lines: [title, body], once: `view:${own.view_id}:${now}` });
  }
  return over ? end(tx, own) : move(tx, own, next_ms, since);
}

async function move(
  tx: Transaction,
  { service_provider_id, user_id, view_id }: Due,
  next_ms: number,
  refused_at: string | null,
): Promise<void> {
  const moved = await tx
    .updateTable("view_subscriptions")
    .set({ next_at: new Date(next_ms).toISOString(), refused_at })
    .where("service_provider_id", "=", service_provider_id)
    .where("user_id", "=", user_id)
    .where("view_id", "=", view_id)
    .executeTakeFirst();
  mustChange(moved, () => notFound("订阅"));
}

async function end(tx: Transaction, { service_provider_id, user_id, view_id }: Due): Promise<void> {
  await tx
    .deleteFrom("view_subscriptions")
    .where("service_provider_id", "=", service_provider_id)
    .where("user_id", "=", user_id)
    .where("view_id", "=", view_id)
    .execute();
}
