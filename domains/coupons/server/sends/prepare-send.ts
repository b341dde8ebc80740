import { sql, type RawBuilder } from "kysely";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import { derivedKey } from "@zhangfang/server/config.ts";
import { seal, unseal } from "@zhangfang/server/crypto.ts";
import { behind, type Transaction } from "@zhangfang/server/database/db.ts";
import { platformScope, type Scope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { audienceOf, linesOfSheet } from "../../../members/server/index.ts";
import { MOST_SENT, type SendAudience } from "../../contract/index.ts";
import { freeThing, holdThing, type Thing } from "./task-thing.ts";

const SCOPE = platformScope("make the rows of a sending");
/** How many rows are made in one transaction, and among how many members they are looked for. */
const PART = 2_000;
const LOOKED_AT = 20_000;

/** Of whose members a sending is: a merchant's own; or where it is the provider's, of the merchants that take part in the campaign. */
export interface Sender {
  readonly service_provider_id: string;
  readonly merchant_id: string | null;
  readonly campaign_id: string | null;
}
/** Of whose members it is: one merchant, or what selects the ids of several. */
const merchantsOf = ({ service_provider_id, merchant_id, campaign_id }: Sender, merchantId: string | undefined) =>
  merchant_id === null
    ? sql`select v.merchant_id from coupon_covers v where v.service_provider_id = ${service_provider_id} and v.campaign_id = ${campaign_id}
        and v.state = 'ACCEPTED' and v.merchant_id = coalesce(${merchantId ?? null}::uuid, v.merchant_id)`
    : merchant_id;
/** The members `m` whom a sending means now. */
export const meantBy = (scope: Scope, sender: Sender, { merchantId, ...filter }: SendAudience): RawBuilder<unknown> =>
  sql`${audienceOf(scope, merchantsOf(sender, merchantId), filter)} and m.service_provider_id = ${sender.service_provider_id}`;
export const tooMany = `符合条件的会员超过 ${MOST_SENT.toLocaleString("en-US")} 人，请缩小条件`;

/** A sheet may hold phones: it is read by the job alone, and gone when each line has its row. */
const keyOf = ({ config }: Pick<Services, "config">) => derivedKey(config.secret, "send-sheets");
export const sealedSheet = (services: Services, task: string, lines: readonly string[]): string =>
  seal(keyOf(services), `send_tasks.sheet:${task}`, lines.join("\n"));
/** How many members a sheet means now: for so many something is set aside. A part at a time, so that others are served meanwhile. */
export async function countSheet(
  tx: Transaction,
  services: Services,
  merchant: Pick<Thing, "service_provider_id"> & { readonly merchant_id: string },
  lines: readonly string[],
): Promise<number> {
  const known = new Set<string>();
  for (let at = 0; at < lines.length; at += PART)
    for (const { member_id } of await linesOfSheet(tx, services, merchant, lines.slice(at, at + PART)))
      if (member_id !== null) known.add(member_id);
  return known.size;
}
/** @throws 409 where the secret is another one by now: the task pauses with it */
function sheetLines(services: Services, task: string, sheet: string): string[] {
  try {
    return unseal(keyOf(services), `send_tasks.sheet:${task}`, sheet).split("\n");
  } catch {
    throw conflict("名单已无法读取，请取消后重新上传");
  }
}

type Member = readonly [merchant_id: string, member_id: string];
interface Preparing extends Sender, Thing {
  readonly id: string;
  readonly audience: SendAudience | null;
  readonly sheet: string | null;
  readonly set_aside: number;
  readonly created_at: string;
  /** Behind whom the search goes on. */
  readonly looked: Member | null;
  /** The last place that has a row. */
  readonly last: number;
}
interface Row {
  readonly merchant_id: string;
  readonly no: string;
  readonly member_id: string | null;
  readonly reason: string;
}
/** Rows that come next, and where it goes on behind them; nowhere where they are the last. */
interface Found {
  readonly rows: readonly Row[];
  readonly looked: Member | null;
  readonly more: boolean;
}
/**
 * Makes the next rows of a sending that has not all of them yet, behind the last that is there: whatever stops it, it goes on there. It
 * looks for them before it holds the task, at no more than some members, so that whoever pauses or cancels it waits for no search, and
 * nothing comes of one that ends after that. Of two that do the same, one finds that it was done.
 * @returns whether there may be more
 * @throws 409 where there are more people by now than there are pieces, or than one sending may have
 */
export async function prepareSome(tx: Transaction, services: Services, ref: Pick<Thing, "service_provider_id"> & { readonly id: string }) {
  const { service_provider_id, id } = ref;
  const { rows: tasks } =
    await sql<Preparing>`select t.service_provider_id, t.id, t.merchant_id, t.campaign_id, t.package_id, t.audience, t.sheet, t.set_aside, t.created_at, t.looked,
      coalesce((select max(r.place) from send_rows r where r.service_provider_id = t.service_provider_id and r.task_id = t.id), 0) as last
    from send_tasks t where t.service_provider_id = ${service_provider_id} and t.id = ${id} and t.status = 4`.execute(tx);
  const task = tasks[0];
  if (!task) return false;
  const { rows, looked, more } = task.sheet === null ? await nextMembers(tx, task) : await nextLines(tx, services, task, task.sheet);
  // As it was before the search, or somebody paused it, or did the same.
  const { rows: held } =
    await sql`select 1 from send_tasks t where t.service_provider_id = ${service_provider_id} and t.id = ${id} and t.status = 4
    and t.set_aside = ${task.set_aside} and t.looked is not distinct from ${task.looked}::uuid[] for no key update`.execute(tx);
  if (held.length === 0) return true;
  // A part whom nobody of is known changes neither: now that the task is held, nobody else adds rows.
  const { rows: made } =
    await sql`select 1 from send_rows r where r.service_provider_id = ${service_provider_id} and r.task_id = ${id} and r.place > ${task.last} limit 1`.execute(
      tx,
    );
  if (made.length > 0) return true;
  if (task.last + rows.length > MOST_SENT) throw conflict(tooMany);
  await addRows(tx, task, rows);
  const meant = rows.filter(({ member_id }) => member_id !== null).length;
  const left = Math.max(0, task.set_aside - meant);
  if (meant > task.set_aside) await holdThing(tx, services, task, meant - task.set_aside);
  else if (!more) await freeThing(tx, services, task, left);
  await sql`update send_tasks t set set_aside = ${more ? left : 0}, looked = ${more ? looked : null}::uuid[],
      ${more ? sql`status = 4` : sql`status = 0, audience = null, sheet = null`}
    where t.service_provider_id = ${service_provider_id} and t.id = ${id} and t.status = 4`.execute(tx);
  return more;
}

/** Among the next members, whoever they are, those who are meant. Who became a member after it was asked for is not. */
async function nextMembers(tx: Transaction, task: Preparing): Promise<Found> {
  const { service_provider_id, audience, looked, created_at } = task;
  const after = looked ? sql`and (m.merchant_id, m.id) > (${looked[0]}::uuid, ${looked[1]}::uuid)` : sql``;
  const { rows: ends } = await sql<{ merchant_id: string; id: string }>`select m.merchant_id, m.id from members m
    where m.service_provider_id = ${service_provider_id} and m.merchant_id in (${merchantsOf(task, audience?.merchantId)}) ${after}
    order by m.merchant_id, m.id offset ${LOOKED_AT - 1} limit 1`.execute(tx);
  const end = ends[0];
  const upTo = end ? sql`and (m.merchant_id, m.id) <= (${end.merchant_id}::uuid, ${end.id}::uuid)` : sql``;
  const { rows } = await sql<{ merchant_id: string; id: string; no: string }>`select m.merchant_id, m.id, m.no
    from ${meantBy(SCOPE, task, audience ?? {})} and m.created_at <= ${created_at} ${after} ${upTo} order by m.merchant_id, m.id limit ${PART}`.execute(
    tx,
  );
  const last = rows.length === PART ? rows.at(-1) : end;
  return {
    rows: rows.map(({ merchant_id, id, no }) => ({ merchant_id, no, member_id: id, reason: "" })),
    looked: last ? [last.merchant_id, last.id] : null,
    more: last !== undefined,
  };
}
/** The next lines of a sheet. Whom nobody knows, or an earlier line names, stays as a row that is skipped: the sheet's lines and the task's are the same. */
async function nextLines(tx: Transaction, services: Services, task: Preparing, sheet: string): Promise<Found> {
  const { service_provider_id, merchant_id, id, last } = task;
  if (merchant_id === null) throw new Error("a provider has no sheets");
  const texts = sheetLines(services, id, sheet);
  const lines = await linesOfSheet(tx, services, { service_provider_id, merchant_id }, texts.slice(last, last + PART), task.created_at);
  const members = lines.flatMap(({ member_id }) => (member_id === null ? [] : [member_id]));
  const { rows: before } = await sql<{ member_id: string; place: number }>`select r.member_id, r.place from send_rows r
    where r.service_provider_id = ${service_provider_id} and r.task_id = ${id} and r.member_id = any(${members}::uuid[])`.execute(tx);
  const places = new Map(before.map(({ member_id, place }) => [member_id, place]));
  const rows = lines.map(({ member_id, no }, at) => {
    const place = member_id === null ? undefined : places.get(member_id);
    if (member_id !== null && place === undefined) places.set(member_id, last + at + 1);
    const reason = member_id === null ? "没有此会员" : place === undefined ? "" : `与第 ${place} 行是同一会员`;
    return { merchant_id, no, member_id: reason === "" ? member_id : null, reason };
  });
  return { rows, looked: null, more: last + rows.length < texts.length };
}
/** What a row's coupon is given by stands beside those of its neighbours. */
async function addRows(tx: Transaction, { service_provider_id, id, last }: Preparing, rows: readonly Row[]): Promise<void> {
  // Where each statement is planned for what there is, so is each look for the member and the task that a row names.
  behind(tx, sql`select set_config('plan_cache_mode', 'auto', true)`);
  await sql`insert into send_rows (service_provider_id, task_id, id, merchant_id, place, member_no, member_id, status, reason)
    select ${service_provider_id}, ${id}, (left(md5(${id}::text), 20) || lpad(to_hex(${last}::int + g.n::int), 12, '0'))::uuid, g.merchant_id, ${last}::int + g.n::int, g.no, g.member_id,
      case when g.member_id is null then 3 else 0 end, g.reason
    from unnest(${rows.map((row) => row.merchant_id)}::uuid[], ${rows.map((row) => row.no)}::text[], ${rows.map((row) => row.member_id)}::uuid[],
      ${rows.map((row) => row.reason)}::text[]) with ordinality g (merchant_id, no, member_id, reason, n)`.execute(tx);
}
