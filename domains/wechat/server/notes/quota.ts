import { type RawBuilder, sql } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import { all } from "@zhangfang/server/lists/conditions.ts";
import { audienceOf } from "../../../members/server/index.ts";
import { type NoteAudience, quotaOf } from "../../contract/index.ts";

export interface NoteApp {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly id: string;
  readonly kind: 1 | 2;
}
/** The stretch that WeChat counts in: the first day of Beijing's month, for 订阅号 the day itself. */
export function periodOf({ kind }: Pick<NoteApp, "kind">, at: string | number): string {
  const day = shanghaiDay(at);
  return quotaOf(kind).per === "month" ? `${day.slice(0, 8)}01` : day;
}

/** The followers `f` of an account whom an audience means now. */
export function fansOf(
  scope: Scope,
  app: NoteApp,
  { everybody, followedFrom, followedTo, channelId, sourceStoreId, ...members }: NoteAudience,
): RawBuilder<unknown> {
  const narrow = !everybody && Object.values(members).some((one) => one !== undefined);
  return sql`wx_fans f where f.service_provider_id = ${app.service_provider_id} and f.app_row = ${app.id} and f.following and ${all([
    !everybody &&
      followedFrom &&
      sql`coalesce(f.last_follow, f.first_at) >= (${followedFrom}::date)::timestamp at time zone 'Asia/Shanghai'`,
    !everybody &&
      followedTo &&
      sql`coalesce(f.last_follow, f.first_at) < (${followedTo}::date + 1)::timestamp at time zone 'Asia/Shanghai'`,
    !everybody && channelId && sql`f.last_channel = ${channelId}`,
    !everybody &&
      sourceStoreId &&
      sql`exists (select 1 from wx_fan_channels c where c.service_provider_id = f.service_provider_id and c.id = f.last_channel and c.store_id = ${sourceStoreId})`,
    narrow &&
      sql`exists (select 1 from members k where k.service_provider_id = f.service_provider_id and k.id = f.member_id
        and coalesce(k.merged_into, k.id) in (select m.id from ${audienceOf(scope, app.merchant_id, members)}))`,
  ])}`;
}

interface Batch {
  readonly service_provider_id: string;
  readonly id: string;
  readonly period: string | null;
}
/** Takes one of each follower's quota for a batch. Who has none left, or follows no more, stands in the list without it. @returns how many are left */
export async function takeQuota(tx: Transaction, app: NoteApp, { service_provider_id, id }: Batch, period: string): Promise<number> {
  await sql`with taken as (
      insert into wx_fan_quota as q (service_provider_id, fan_id, period, merchant_id, used)
      select n.service_provider_id, n.fan_id, ${period}::date, n.merchant_id, 1 from wx_note_fans n
        join wx_fans f on f.service_provider_id = n.service_provider_id and f.id = n.fan_id and f.following
        where n.service_provider_id = ${service_provider_id} and n.batch_id = ${id} order by n.fan_id
      on conflict (service_provider_id, fan_id, period) do update set used = q.used + 1 where q.used < ${quotaOf(app.kind).most}
      returning fan_id)
    update wx_note_fans n set batch_id = null where n.service_provider_id = ${service_provider_id} and n.batch_id = ${id}
      and not exists (select 1 from taken t where t.fan_id = n.fan_id)`.execute(tx);
  const { rows } = await sql<{ people: number }>`select count(*)::int as people from wx_note_fans n
    where n.service_provider_id = ${service_provider_id} and n.batch_id = ${id}`.execute(tx);
  return rows[0]!.people;
}
/** Gives it back: nobody of the batch got anything. */
export async function giveQuotaBack(tx: Transaction, { service_provider_id, id, period }: Batch): Promise<void> {
  if (period === null) return;
  await sql`update wx_fan_quota q set used = q.used - 1 from wx_note_fans n
    where n.service_provider_id = ${service_provider_id} and n.batch_id = ${id} and q.service_provider_id = n.service_provider_id
      and q.fan_id = n.fan_id and q.period = ${period}::date and q.used > 0`.execute(tx);
  await sql`update wx_note_batches b set period = null where b.service_provider_id = ${service_provider_id} and b.id = ${id}`.execute(tx);
}
/** Counts it in another month: a call was repeated past midnight, and it was the later one that WeChat took. */
export async function moveQuota(tx: Transaction, batch: Batch, period: string): Promise<void> {
  await giveQuotaBack(tx, batch);
  await sql`insert into wx_fan_quota as q (service_provider_id, fan_id, period, merchant_id, used)
    select n.service_provider_id, n.fan_id, ${period}::date, n.merchant_id, 1 from wx_note_fans n
      where n.service_provider_id = ${batch.service_provider_id} and n.batch_id = ${batch.id} order by n.fan_id
    on conflict (service_provider_id, fan_id, period) do update set used = q.used + 1`.execute(tx);
  await sql`update wx_note_batches b set period = ${period}::date where b.service_provider_id = ${batch.service_provider_id} and b.id = ${batch.id}`.execute(
    tx,
  );
}
