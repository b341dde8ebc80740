import { sql } from "kysely";
import { z } from "zod";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { sha256 } from "@zhangfang/server/crypto.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, during, is } from "@zhangfang/server/lists/conditions.ts";
import { exportColumn, type ExportSource, fileOf } from "@zhangfang/server/lists/export-source.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import { mustDiffer, shownLine, withMembers } from "../../../members/server/index.ts";
import { askerOf } from "../../../orders/server/index.ts";
import {
  countSendAudience,
  type CouponTerms,
  createPackageSend,
  createSend,
  getSend,
  listSendable,
  listSendablePackages,
  listSendRows,
  listSends,
  MOST_SENT,
  type SendAudience,
  sendFilters,
  sendRowFilters,
  sendRowStatus,
  sendStatus,
  steerSend,
  worthWords,
} from "../../contract/index.ts";
import { mineOf } from "./revoke-send.ts";
import { ownCampaigns } from "../campaigns/find-campaign.ts";
import { endTask } from "./end-task.ts";
import { countSheet, meantBy, sealedSheet, type Sender, tooMany } from "./prepare-send.ts";
import { runSend } from "./run-send.ts";
import { holdThing, ownTask, type Thing, THING, type ThingShown, thingWorth } from "./task-thing.ts";

type Found = Omit<RowOf<typeof listSends>, "worth"> & ThingShown;
const columns = (
  scope: Scope,
) => sql`t.id, t.name, t.campaign_id as "campaignId", t.package_id as "packageId", g.no as "thingNo", g.name as "thingName", g.terms, g.kinds, g.pieces, h.short_name as "merchantName",
  t.status, t.paused_why as "pausedWhy", t.starts_at as "startsAt", t.owner_name as "ownerName", t.created_at as "createdAt",
  ${ownTask(scope)} as mine, t.set_aside as "toMake", coalesce(n.waiting, 0)::int as waiting, coalesce(n.sent, 0)::int as sent, coalesce(n.failed, 0)::int as failed, coalesce(n.skipped, 0)::int as skipped`;
const NAMES = sql`${THING} left join merchants h on h.service_provider_id = t.service_provider_id and h.id = t.merchant_id
  left join lateral (select count(*) filter (where r.status = 0) as waiting, count(*) filter (where r.status = 1) as sent,
      count(*) filter (where r.status = 2) as failed, count(*) filter (where r.status = 3) as skipped
    from send_rows r where r.service_provider_id = t.service_provider_id and r.task_id = t.id) n on true`;
const shown = ({ terms, kinds, pieces, ...row }: Found): RowOf<typeof listSends> => ({
  ...row,
  worth: thingWorth({ terms, kinds, pieces }),
});

const sendsInput = z.object(sendFilters);
/** The list of sendings, for screen and file. */
const sendsListed = (scope: Scope, filter: z.output<typeof sendsInput>): Listed => ({
  columns: columns(scope),
  from: sql`send_tasks t`,
  names: NAMES,
  where: all([
    inScope(scope, "t", "merchant"),
    filter.keyword && sql`t.name ilike ${likeText(filter.keyword)}`,
    is("t.status", filter.status),
    is("t.campaign_id", filter.campaignId),
    during(filter, "t.created_at"),
  ]),
  order: "t.created_at",
});
/** 批量发券任务. */
export const listSendsRoute = implement(listSends, async (ctx, input) => {
  const page = await listPage<Found>(ctx.tx, input, sendsListed(ctx.scope, input));
  return { ...page, items: page.items.map(shown) };
});
export const sendExport: ExportSource<typeof sendsInput> = {
  name: "sends",
  title: "批量发券任务",
  access: "/ticket/batchSend/export",
  input: sendsInput,
  columns: [
    exportColumn("name", "任务", 24),
    exportColumn("thingName", "券或券包", 20),
    exportColumn("worth", "优惠", 18),
    exportColumn("status", "状态", 10, "code"),
    exportColumn("waiting", "待发", 10, "count"),
    exportColumn("sent", "已发", 10, "count"),
    exportColumn("failed", "失败", 10, "count"),
    exportColumn("skipped", "跳过", 10, "count"),
    exportColumn("startsAt", "开始时间", 20, "time"),
    exportColumn("ownerName", "创建人", 12),
    exportColumn("createdAt", "创建时间", 20, "time"),
    exportColumn("merchantName", "商户", 18),
  ],
  // In the list they stand under the coupon's name and in the progress.
  always: ["worth", "waiting"],
  ...fileOf(
    sendsListed,
    (found: Found) => {
      const { mine: _mine, ...row } = shown(found);
      return { ...row, merchantName: row.merchantName ?? "服务商", status: sendStatus.label(row.status) };
    },
    "-createdAt",
  ),
};
interface Revoke {
  readonly status: 0 | 1 | 2 | 3;
  readonly reason: string;
  readonly asked_by: string;
  readonly askedBy: string;
  readonly askedAt: never;
  readonly decidedBy: string;
}
export const getSendRoute = implement(getSend, async (ctx, { id }) => {
  const { rows } =
    await sql<Found>`select ${columns(ctx.scope)} from send_tasks t ${NAMES} where t.id = ${id} and ${inScope(ctx.scope, "t", "merchant")}`.execute(
      ctx.tx,
    );
  if (!rows[0]) throw notFound("任务");
  // Row by row: right after a large sending the planner does not know how many there are.
  const { rows: states } = await sql<Record<"usable" | "using" | "used" | "over", number>>`
    select (count(*) filter (where c.state = 'SENDED'))::int as usable, (count(*) filter (where c.state = 'LOCKED'))::int as using,
      (count(*) filter (where c.state = 'USED'))::int as used, (count(*) filter (where c.state in ('EXPIRED', 'DELETED', 'DEACTIVATED')))::int as over
    from send_rows r cross join lateral (select c.state from coupons c where c.service_provider_id = r.service_provider_id and c.id = r.coupon_id
      union all select c.state from package_coupons x join coupons c on c.service_provider_id = x.service_provider_id and c.id = x.coupon_id
        where x.service_provider_id = r.service_provider_id and x.get_id = r.get_id offset 0) c
    where r.status = 1 and r.task_id = ${id} and ${inScope(ctx.scope, "r", "merchant")}`.execute(ctx.tx);
  const { rows: revokes } = await sql<Revoke>`select v.status, v.reason, v.asked_by, v.asked_by_name as "askedBy", v.asked_at as "askedAt",
      v.decided_by_name as "decidedBy" from send_revokes v where v.task_id = ${id} and ${inScope(ctx.scope, "v", "merchant")}
    order by v.status = 3, v.asked_at desc limit 1`.execute(ctx.tx);
  const last = revokes[0];
  const revoke = last && revokeShown(ctx, last);
  return { ...shown(rows[0]), coupons: states[0] ?? { usable: 0, using: 0, used: 0, over: 0 }, revoke: revoke ?? null };
});
function revokeShown(ctx: Ctx, { asked_by, ...rest }: Revoke) {
  return { ...rest, mayDecide: rest.status === 0 && !mineOf(ctx, asked_by) };
}

const rowsInput = z.object(sendRowFilters);
/** A row is its member's merchant's, its sending may be the provider's: who does not see that sees none of its rows. */
const rowsListed = (scope: Scope, { taskId, status }: z.output<typeof rowsInput>): Listed => ({
  columns: sql`r.id, r.place, r.member_id as "memberId", r.member_no as "memberNo", r.status, r.reason`,
  from: sql`send_rows r`,
  where: all([
    inScope(scope, "r", "merchant"),
    sql`r.task_id = ${taskId}`,
    is("r.status", status),
    sql`exists (select from send_tasks t where t.service_provider_id = r.service_provider_id and t.id = r.task_id and ${inScope(scope, "t", "merchant")})`,
  ]),
  order: "r.place",
  type: "bigint",
});
type SendRow = RowOf<typeof listSendRows>;
/** The frozen list with what became of each row. */
export const listSendRowsRoute = implement(listSendRows, async (ctx, input) => {
  await mustSeeTask(ctx, input.taskId);
  const page = await listPage<SendRow>(ctx.tx, input, rowsListed(ctx.scope, input));
  return { ...page, items: await withMembers(ctx, page.items) };
});
export const sendRowExport: ExportSource<typeof rowsInput> = {
  name: "send-rows",
  title: "批量发券名单",
  access: "/ticket/batchSend/export",
  input: rowsInput,
  columns: [
    exportColumn("place", "行", 8, "count"),
    exportColumn("memberNo", "会员号", 14),
    exportColumn("memberName", "姓名", 10),
    exportColumn("memberPhone", "手机号", 14),
    exportColumn("status", "结果", 10, "code"),
    exportColumn("reason", "原因", 30),
  ],
  always: ["memberName", "memberPhone"],
  ...fileOf(rowsListed, (row: SendRow) => ({ ...row, status: sendRowStatus.label(row.status) }), undefined, withMembers),
};

async function mustSeeTask(ctx: Ctx, id: string): Promise<void> {
  const { rows } = await sql`select 1 from send_tasks t where t.id = ${id} and ${inScope(ctx.scope, "t", "merchant")}`.execute(ctx.tx);
  if (rows.length === 0) throw notFound("任务");
}
/** Whose sendings the caller makes: a merchant's, or the provider's own. */
function ownSender({ scope }: Pick<Ctx, "scope">): Pick<Sender, "service_provider_id" | "merchant_id"> {
  if (!scope.provider) throw notFound("商户");
  return { service_provider_id: scope.provider, merchant_id: scope.merchant ?? null };
}
async function countMeant(ctx: Ctx, sender: Sender, audience: SendAudience, most: number): Promise<number> {
  const { rows } = await sql<{ members: number }>`select count(*)::int as members from (
    select 1 from ${meantBy(ctx.scope, sender, audience)} limit ${most}) x`.execute(ctx.tx);
  return rows[0]?.members ?? 0;
}

/** 符合条件的会员数. */
export const countSendAudienceRoute = implement(countSendAudience, async (ctx, { campaignId, ...audience }) => ({
  members: await countMeant(ctx, { ...ownSender(ctx), campaign_id: campaignId ?? null }, audience, MOST_COUNTED),
}));
/** Nobody waits for a count of more; as many more than may be sent to are told as that they are. */
const MOST_COUNTED = 1_000_000;
/** 可以发送的优惠券: what gives out now, the newest first. */
export const listSendableRoute = implement(listSendable, async (ctx) => {
  const { rows } = await sql<{ id: string; no: string; name: string; terms: CouponTerms; said: string; left: number; endsAt: never }>`
    select c.id, c.no, c.name, v.terms, v.said, s.total - s.issued - s.held as left, c.ends_at as "endsAt" from coupon_campaigns c
    join coupon_stock s on s.service_provider_id = c.service_provider_id and s.campaign_id = c.id
    join coupon_terms v on v.service_provider_id = c.service_provider_id and v.campaign_id = c.id and v.version = c.version
    where ${ownCampaigns(ctx.scope)} and c.state = 'RUNNING' and c.ends_at > ${ctx.now}
    order by c.created_at desc limit 200`.execute(ctx.tx);
  return { items: rows.map(({ terms, ...row }) => ({ ...row, worth: worthWords(terms) })) };
});

/** 可以发送的券包: what gives out now, the newest first. */
export const listSendablePackagesRoute = implement(listSendablePackages, async (ctx) => {
  const { rows } = await sql<{ id: string; no: string; name: string; left: number; endsAt: never; kinds: number; pieces: number }>`
    select p.id, p.no, p.name, p.total - p.issued - p.held as left, p.ends_at as "endsAt", i.kinds, i.pieces from packages p
    join lateral (select count(*)::int as kinds, sum(i.count)::int as pieces from package_items i
      where i.service_provider_id = p.service_provider_id and i.package_id = p.id) i on true
    where ${inScope(ctx.scope, "p", "merchant")} and p.state = 'RUNNING' and p.ends_at > ${ctx.now}
    order by p.created_at desc limit 200`.execute(ctx.tx);
  return { items: rows.map(({ kinds, pieces, ...row }) => ({ ...row, worth: thingWorth({ terms: null, kinds, pieces }) })) };
});

type Given = Omit<ParsedOf<typeof createSend>, "campaignId">;
interface What {
  /** The input's field that says it. */
  readonly field: "campaignId" | "packageId";
  readonly id: string;
}
/** 新建批量发券任务. */
export const createSendRoute = implement(createSend, async (ctx, { campaignId: id, ...given }) =>
  startSend(ctx, given, { field: "campaignId", id }),
);
/** 新建批量发券包任务. */
export const createPackageSendRoute = implement(createPackageSend, async (ctx, { packageId: id, ...given }) =>
  startSend(ctx, given, { field: "packageId", id }),
);
/** Whom it means is said here, and what each is given set aside; the rows are made by the job. */
async function startSend(ctx: Ctx, given: Given, what: What) {
  const merchant = ownSender(ctx);
  const starts_at = given.startsAt ?? ctx.now;
  await checkThing(ctx, what, starts_at);
  const mark = sha256(JSON.stringify([what.id, given.filter ?? given.memberNos])).toString("hex");
  const before = await ctx.tx
    .selectFrom("send_tasks")
    .select("name")
    .where("service_provider_id", "=", merchant.service_provider_id)
    .where("merchant_id", "is not distinct from", merchant.merchant_id)
    .where("mark", "=", mark)
    .where("status", "<>", 3)
    .orderBy("created_at", "desc")
    .executeTakeFirst();
  if (before && !given.again) throw new Refusal(409, "task.again", `相同的名单已用于任务「${before.name}」，确定要再发一次吗？`);
  const id = ctx.services.ids.uuid(ctx.now_ms);
  const { id: owner_id, name: owner_name } = askerOf(ctx);
  const thing = {
    service_provider_id: merchant.service_provider_id,
    campaign_id: what.field === "campaignId" ? what.id : null,
    package_id: what.field === "packageId" ? what.id : null,
  };
  const sheet = given.memberNos ? sheetOf(ctx, merchant, id, given.memberNos) : null;
  const meant = given.memberNos
    ? await countSheet(ctx.tx, ctx.services, { ...merchant, merchant_id: merchant.merchant_id! }, given.memberNos)
    : await countAudience(ctx, { ...merchant, ...thing }, given.filter ?? {});
  if (given.memberNos && meant === 0) throw invalid("memberNos", "名单里没有一位会员");
  await mustFit(ctx, thing, meant);
  const rows = given.memberNos?.length ?? meant;
  await ctx.tx
    .insertInto("send_tasks")
    .values({
      ...merchant,
      ...thing,
      id,
      name: given.name,
      status: 4,
      audience: sheet === null ? JSON.stringify(given.filter ?? {}) : null,
      sheet,
      set_aside: meant,
      mark,
      starts_at,
      owner_id,
      owner_name,
      created_at: ctx.now,
    })
    .execute();
  await holdThing(ctx.tx, ctx.services, thing, meant).catch((error: unknown) => {
    throw error instanceof Refusal && error.code === "coupon.gone" ? invalid(what.field, error.message) : error;
  });
  const ref = { service_provider_id: merchant.service_provider_id, id };
  if (starts_at > ctx.now) await ctx.services.jobs.enqueue(ctx.tx, runSend, ref);
  await enqueue(ctx, ref, starts_at);
  ctx.note({
    targetKind: "coupon-send",
    targetId: id,
    after: { 任务: given.name, 人数: rows },
    provider: merchant.service_provider_id,
    merchant: merchant.merchant_id ?? undefined,
  });
  return { ok: true as const, id, rows };
}
const enqueue = (ctx: Ctx, task: { readonly service_provider_id: string; readonly id: string }, starts_at: string) => {
  const after_s = Math.ceil((Date.parse(starts_at) - ctx.now_ms) / 1_000);
  return ctx.services.jobs.enqueue(ctx.tx, runSend, task, after_s > 0 ? { after_s } : {});
};
/** @throws 400 where none of it could be given out then */
async function checkThing(ctx: Ctx, { field, id }: What, starts_at: string): Promise<void> {
  const [things, name] = field === "campaignId" ? ([sql`coupon_campaigns c`, "优惠券"] as const) : ([sql`packages c`, "券包"] as const);
  const { rows } = await sql<{ state: string; begins_at: string; ends_at: string }>`select c.state, c.begins_at, c.ends_at from ${things}
    where c.id = ${id} and ${ownCampaigns(ctx.scope)}`.execute(ctx.tx);
  const [thing] = rows;
  if (!thing) throw notFound(name);
  if (thing.state !== "RUNNING") throw invalid(field, `此${name}不在发放中`);
  if (thing.begins_at > starts_at || thing.ends_at <= starts_at) throw invalid("startsAt", `须在此${name}的领取时间之内`);
  if (Date.parse(starts_at) > ctx.now_ms + 90 * 86_400_000) throw invalid("startsAt", "最多提前 90 天");
}
/** So many coupons are still counted while somebody waits. */
const MOST_COUPONS = 300_000;
/** @throws 400 where the packages have more coupons together than one sending may */
async function mustFit({ tx }: Ctx, { service_provider_id, package_id }: Thing, members: number): Promise<void> {
  if (package_id === null) return;
  const { rows } = await sql<{ pieces: number }>`select sum(i.count)::int as pieces from package_items i
    where i.service_provider_id = ${service_provider_id} and i.package_id = ${package_id}`.execute(tx);
  const most = Math.floor(MOST_COUPONS / rows[0]!.pieces);
  if (members > most)
    throw invalid("packageId", `这个券包每份 ${rows[0]!.pieces} 张券，一次最多发给 ${most.toLocaleString("en-US")} 位会员`);
}

/** The lines of a sheet, which nobody reads but the job. @throws 400 where two are the same */
function sheetOf({ services }: Ctx, { merchant_id }: Pick<Sender, "merchant_id">, id: string, lines: readonly string[]): string {
  // Whose member has which number, or phone, is the merchants' to know.
  if (merchant_id === null) throw invalid("memberNos", "服务商只能按条件选会员");
  mustDiffer(lines, (at) => shownLine(lines[at]!), "memberNos");
  return sealedSheet(services, id, lines);
}
/** A merchant that a provider's sending names takes part in the campaign. @throws 404, 400 */
async function mustTakePart({ tx, scope }: Ctx, { service_provider_id, merchant_id, campaign_id }: Sender, id: string): Promise<void> {
  if (merchant_id !== null) throw invalid("filter.merchantId", "只有服务商可以选商户");
  const { rows } = await sql<{
    takes: boolean;
  }>`select exists (select from coupon_covers v where v.service_provider_id = m.service_provider_id
      and v.merchant_id = m.id and v.campaign_id = ${campaign_id} and v.state = 'ACCEPTED') as takes
    from merchants m where m.service_provider_id = ${service_provider_id} and m.id = ${id} and ${inScope(scope, "m")}`.execute(tx);
  if (!rows[0]) throw notFound("商户");
  if (!rows[0].takes) throw invalid("filter.merchantId", "这家商户没有参加此券");
}
/** How many it means now: so many pieces are set aside. @throws 400 where that is nobody, or more than there may be */
async function countAudience(ctx: Ctx, sender: Sender, audience: SendAudience): Promise<number> {
  if (audience.merchantId !== undefined) await mustTakePart(ctx, sender, audience.merchantId);
  const count = await countMeant(ctx, sender, audience, MOST_SENT + 1);
  if (count === 0) throw invalid("filter", "没有符合条件的会员");
  if (count > MOST_SENT) throw invalid("filter", tooMany);
  return count;
}

interface Task extends Thing {
  readonly merchant_id: string | null;
  readonly status: number;
  readonly set_aside: number;
  readonly preparing: boolean;
  readonly starts_at: string;
}
/** A sending of the caller's own, held until the end. @throws 404 */
async function heldTask({ tx, scope }: Ctx, id: string): Promise<Task> {
  const { rows } = await sql<Task>`select t.service_provider_id, t.merchant_id, t.campaign_id, t.package_id, t.status, t.set_aside,
      t.audience is not null or t.sheet is not null as preparing, t.starts_at
    from send_tasks t where t.id = ${id} and ${ownTask(scope)} for update`.execute(tx);
  if (!rows[0]) throw notFound("任务");
  return rows[0];
}
/** What is taken back, or is to be, sends nothing more. Whoever asks for that holds the task too. @throws 409 */
async function mustStand({ tx, scope }: Ctx, id: string): Promise<void> {
  const { rows } =
    await sql`select 1 from send_revokes v where v.task_id = ${id} and v.status < 3 and ${inScope(scope, "v", "merchant")}`.execute(tx);
  if (rows.length > 0) throw conflict("这次发放已申请作废，不能继续发送");
}
const STEERED = { pause: [[0, 4], 1], resume: [[1], 0], retry: [[2], 0], cancel: [[0, 1, 4], 3] } as const;
/** 暂停, 继续, 重试失败, 取消: what nobody got is free again. */
export const steerSendRoute = implement(steerSend, async (ctx, { id, act }) => {
  // Before its rows: a worker that makes or holds some ends those first.
  const task = await heldTask(ctx, id);
  const { service_provider_id, merchant_id } = task;
  const [from, to] = STEERED[act];
  if (to === 0) await mustStand(ctx, id);
  if (!(from as readonly number[]).includes(task.status)) throw conflict("任务的状态已变化，请刷新后查看");
  if (act === "cancel") await endTask(ctx.tx, ctx.services, id, task);
  else
    await sql`update send_tasks t set status = ${to === 0 && task.preparing ? 4 : to}, paused_why = ''
      where t.service_provider_id = ${service_provider_id} and t.id = ${id} and t.status = ${task.status}`.execute(ctx.tx);
  if (act === "retry") {
    const again =
      await sql`update send_rows r set status = 0, reason = '' where r.service_provider_id = ${service_provider_id} and r.task_id = ${id}
      and r.status = 2`.execute(ctx.tx);
    if (!again.numAffectedRows) throw conflict("没有可以重试的失败行");
    await holdThing(ctx.tx, ctx.services, task, Number(again.numAffectedRows));
  }
  if (to === 0) await enqueue(ctx, { service_provider_id, id }, task.preparing ? ctx.now : task.starts_at);
  ctx.note({ targetKind: "coupon-send", targetId: id, after: { act }, provider: service_provider_id, merchant: merchant_id ?? undefined });
  return { ok: true as const };
});
