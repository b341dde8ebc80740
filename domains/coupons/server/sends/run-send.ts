import { sql } from "kysely";
import { z } from "zod";
import { Refusal, sqlState } from "@zhangfang/server/calls/errors.ts";
import { behind, type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job, type Job } from "@zhangfang/server/jobs/jobs.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { absentUser } from "../../../accounts/server/index.ts";
import { createPackageSend, createSend } from "../../contract/index.ts";
import { giveCoupons } from "../claims/give-coupons.ts";
import { sendPackages } from "../packages/send-packages.ts";
import { prepareSome } from "./prepare-send.ts";
import { type Thing, THING } from "./task-thing.ts";

const which = z.object({ service_provider_id: z.uuid(), id: z.uuid() });
type Which = z.output<typeof which>;
const SCOPE = platformScope("send coupons of a task");
const AT_ONCE = 500;
/** Of a package as many members as have about so many coupons together. */
const COUPONS_AT_ONCE = 1_500;
const atOnce = (pieces: number | null): number =>
  pieces === null ? AT_ONCE : Math.max(1, Math.min(AT_ONCE, Math.floor(COUPONS_AT_ONCE / pieces)));
/** How long one turn works before the next one goes on: well within the queue's lease. */
const TURN_MS = 30_000;
/** One search is among some thousand members; where even that takes so long, turn and search together end within the lease. */
const LOOKING = { planEach: true, deadline_ms: 30_000 };
const TOO_LONG = "按条件找会员超时，请稍后继续；多次不成请取消，缩小条件后重新创建";

/**
 * Makes a task's rows where they are not there yet, then sends them, five hundred in one transaction with their coupons, so that whatever
 * stops it, and however many do it at once, nobody is sent anything twice. Before each five hundred it looks whether the task and the
 * campaign go on, and whether its owner may do this.
 */
export const runSend: Job<typeof which> = job({
  name: "send-coupons",
  data: which,
  async run(services, task) {
    const until_ms = services.clock.now_ms() + TURN_MS;
    const late = () => services.clock.now_ms() >= until_ms;
    try {
      while (!late() && (await withScope(services.pool, SCOPE, (tx) => prepareSome(tx, services, task), LOOKING)));
    } catch (error) {
      const why = error instanceof Refusal ? error.message : sqlState(error) === "57014" ? TOO_LONG : undefined;
      if (why === undefined) throw error;
      return withScope(services.pool, SCOPE, (tx) => end(tx, task, { why, preparing: true }));
    }
    while (!late()) {
      const next = await withScope(services.pool, SCOPE, (tx) => sendSome(tx, services, task), { planEach: true });
      // In a transaction of its own: two workers that both keep the task shared would wait for each other to change it.
      if (next !== "more") return withScope(services.pool, SCOPE, (tx) => end(tx, task, next));
    }
    await withScope(services.pool, SCOPE, (tx) => services.jobs.enqueue(tx, runSend, task));
  },
});

/** Each minute: sendings that are due and whose job was lost go on. Two that work on one are no matter. */
export const lookAfterSends = lookAfter<Which>({
  name: "look-after-sends",
  due: async (tx, now) =>
    (
      await sql<Which>`select t.service_provider_id, t.id from send_tasks t where t.status in (0, 4)
        and case t.status when 4 then t.created_at else greatest(t.starts_at, t.created_at) end < ${now}::timestamptz - interval '5 minutes' order by t.starts_at limit 100`.execute(
        tx,
      )
    ).rows,
  one: (services, task) => runSend.run(services, task),
});

interface Task extends Thing {
  readonly merchant_id: string | null;
  readonly owner_id: string;
  readonly state: string;
  readonly ends_at: string;
  /** The coupons of a package. */
  readonly pieces: number | null;
}
/** What ended a worker's turn: nothing left that nobody else has, or why the task can't go on. */
interface Ended {
  readonly why: string;
  /** It came of making the rows: where another worker has made the last of them, the sending goes on. */
  readonly preparing?: boolean;
}
async function sendSome(tx: Transaction, services: Services, { service_provider_id, id }: Which): Promise<"more" | Ended> {
  const now = new Date(services.clock.now_ms()).toISOString();
  // Its end waits for no disk: rows and coupons are one, so what a power cut takes is sent again, and whatever follows from a coupon comes after it.
  behind(tx, sql`set local synchronous_commit = off`);
  const { rows: tasks } =
    await sql<Task>`select t.service_provider_id, t.merchant_id, t.campaign_id, t.package_id, t.owner_id, g.state, g.ends_at, g.pieces from send_tasks t ${THING}
    where t.service_provider_id = ${service_provider_id} and t.id = ${id} and t.status = 0 and t.starts_at <= ${now} for share of t`.execute(
      tx,
    );
  const task = tasks[0];
  if (!task) return { why: "" };
  const why = await barOfTask(tx, task, now);
  if (why !== undefined) return { why };
  const { rows } = await sql<{ place: number; member_id: string; source_id: string }>`
    select r.place, r.member_id, r.id as source_id from send_rows r
    where r.service_provider_id = ${service_provider_id} and r.task_id = ${id} and r.status = 0 order by r.place limit ${atOnce(task.pieces)}
    for no key update skip locked`.execute(tx);
  if (rows.length === 0) return { why: "" };
  const answers = await giveThings(tx, services, task, rows);
  const told = answers.map((answer, at) => ({ place: rows[at]!.place, ...became(answer) }));
  // From the first place to the last, or the planner reads all that a large task has for each five hundred.
  const marked = await sql`update send_rows r set status = x.status, reason = x.reason, coupon_id = x.coupon_id, get_id = x.get_id
    from jsonb_to_recordset(${JSON.stringify(told)}::jsonb) as x(place int, status smallint, reason text, coupon_id uuid, get_id uuid)
    where r.service_provider_id = ${service_provider_id} and r.task_id = ${id} and r.place between ${rows[0]!.place} and ${rows.at(-1)!.place}
      and r.place = x.place and r.status = 0`.execute(tx);
  if (marked.numAffectedRows !== BigInt(told.length)) throw new Error("rows of a sending are not waiting any more");
  return "more";
}

/** What is no fault, but not for this member, is skipped; the rest can be tried again. */
const SKIPPED = ["member.closed", "member.frozen", "member.unconfirmed", "coupon.not-for", "coupon.person"];
type Given = { readonly coupon_id: string } | { readonly get_id: string } | Refusal;
const became = (answer: Given) =>
  answer instanceof Refusal
    ? { status: SKIPPED.includes(answer.code) ? 3 : 2, reason: answer.message }
    : { status: 1, reason: "", ...("get_id" in answer ? { get_id: answer.get_id } : { coupon_id: answer.coupon_id }) };
async function giveThings(
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id, campaign_id, package_id }: Task,
  rows: readonly { readonly member_id: string; readonly source_id: string }[],
): Promise<readonly Given[]> {
  if (campaign_id !== null) return giveCoupons(tx, services, { service_provider_id, campaign_id }, rows, { source: "send", held: true });
  if (merchant_id === null) throw new Error("a provider has no packages");
  const answers = await sendPackages(tx, services, { service_provider_id, id: package_id ?? "" }, rows);
  return answers.map((answer) => (typeof answer === "string" ? { get_id: answer } : answer));
}

async function barOfTask(tx: Transaction, task: Task, now: string): Promise<string | undefined> {
  const [name, made] = task.package_id === null ? (["优惠券", createSend] as const) : (["券包", createPackageSend] as const);
  if (task.state !== "RUNNING" || task.ends_at <= now) return `${name}已暂停或停止发放`;
  const owner = await absentUser(tx, task.owner_id);
  if (!owner?.holds([made.access as `/${string}`]) || (owner.scope.merchant ?? null) !== task.merchant_id)
    return "创建人的账号已停用或已没有权限，请由有权限的人重新创建";
  const { rows } = await sql<{ name: string }>`select c.name from package_items i
    join coupon_campaigns c on c.service_provider_id = i.service_provider_id and c.id = i.campaign_id
    where i.service_provider_id = ${task.service_provider_id} and i.package_id = ${task.package_id} and (c.state <> 'RUNNING' or c.ends_at <= ${now})
    order by c.name limit 1`.execute(tx);
  return rows[0] && `券包里的优惠券「${rows[0].name}」已暂停或停止发放`;
}
/** The task pauses with its reason; without one it is done, when no row of it waits: what another worker holds is its own, and it ends the task. */
async function end(tx: Transaction, { service_provider_id, id }: Which, { why, preparing = false }: Ended): Promise<void> {
  const waits = sql`exists (select from send_rows r where r.service_provider_id = t.service_provider_id and r.task_id = t.id and r.status = 0)`;
  // Whoever sends the last rows is waited for: with no row left there is nothing that a pause could hold up.
  await sql`select 1 from send_tasks t where t.service_provider_id = ${service_provider_id} and t.id = ${id} for no key update`.execute(tx);
  const over = why === "" ? sql`true` : sql`(t.status = 0 and not ${waits})`;
  await sql`update send_tasks t set status = case when ${over} then 2 else 1 end, paused_why = case when ${over} then '' else ${why} end
    where t.service_provider_id = ${service_provider_id} and t.id = ${id}
    and ((t.status = 0 and not ${preparing}) or (t.status = 4 and ${why !== ""})) and (${why !== ""} or not ${waits})`.execute(tx);
}
