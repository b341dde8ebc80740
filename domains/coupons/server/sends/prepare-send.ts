import { sql, type RawBuilder } from "kysely";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { platformScope, type Scope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { audienceOf } from "../../../members/server/index.ts";
import { MOST_PACKAGES, MOST_SENT, type SendAudience } from "../../contract/index.ts";
import { freeThing, holdThing, type Thing } from "./task-thing.ts";

const SCOPE = platformScope("make the rows of a sending");
/** How many rows are made in one transaction. */
const PART = 2_000;

/** Of whose members a sending is: a merchant's own; or where it is the provider's, of the merchants that take part in the campaign. */
export interface Sender {
  readonly service_provider_id: string;
  readonly merchant_id: string | null;
  readonly campaign_id: string | null;
}
/** The members `m` whom a sending means now. */
export function meantBy(
  scope: Scope,
  { service_provider_id, merchant_id, campaign_id }: Sender,
  audience: SendAudience,
): RawBuilder<unknown> {
  const { merchantId, ...filter } = audience;
  const merchants =
    merchant_id === null
      ? sql`select v.merchant_id from coupon_covers v where v.service_provider_id = ${service_provider_id} and v.campaign_id = ${campaign_id}
          and v.state = 'ACCEPTED' and v.merchant_id = coalesce(${merchantId ?? null}::uuid, v.merchant_id)`
      : merchant_id;
  return sql`${audienceOf(scope, merchants, filter)} and m.service_provider_id = ${service_provider_id}`;
}
export const tooMany = (most: number): string => `符合条件的会员超过 ${most.toLocaleString("en-US")} 人，请缩小条件`;

interface Preparing extends Sender, Thing {
  readonly audience: SendAudience;
  readonly set_aside: number;
  readonly created_at: string;
}
interface Last {
  readonly place: number;
  readonly merchant_id: string;
  readonly member_id: string;
}
/**
 * Makes the next rows of a sending whose audience has none yet, behind the last that is there: whatever stops it, it goes on there, and two
 * that do it come one after the other. Who became a member after it was asked for is not meant.
 * @returns whether there may be more
 * @throws 409 where there are more people by now than there are pieces, or than one sending may have
 */
export async function prepareSome(tx: Transaction, services: Services, ref: Pick<Thing, "service_provider_id"> & { readonly id: string }) {
  const { service_provider_id, id } = ref;
  const { rows: tasks } =
    await sql<Preparing>`select t.service_provider_id, t.merchant_id, t.campaign_id, t.package_id, t.audience, t.set_aside, t.created_at
    from send_tasks t where t.service_provider_id = ${service_provider_id} and t.id = ${id} and t.status = 4 for no key update of t`.execute(
      tx,
    );
  const task = tasks[0];
  if (!task) return false;
  const { rows: lasts } = await sql<Last>`select r.place, r.merchant_id, r.member_id from send_rows r
    where r.service_provider_id = ${service_provider_id} and r.task_id = ${id} order by r.place desc limit 1`.execute(tx);
  const last = lasts[0];
  const after = last ? sql`and (m.merchant_id, m.id) > (${last.merchant_id}::uuid, ${last.member_id}::uuid)` : sql``;
  const made = await sql`insert into send_rows (service_provider_id, task_id, merchant_id, place, member_no, member_id)
    select ${service_provider_id}, ${id}, x.merchant_id, ${last?.place ?? 0} + row_number() over (order by x.merchant_id, x.id), x.no, x.id
    from (select m.merchant_id, m.id, m.no from ${meantBy(SCOPE, task, task.audience)} and m.created_at <= ${task.created_at} ${after}
      order by m.merchant_id, m.id limit ${PART}) x`.execute(tx);
  const count = Number(made.numAffectedRows ?? 0n);
  const most = task.package_id === null ? MOST_SENT : MOST_PACKAGES;
  if ((last?.place ?? 0) + count > most) throw conflict(tooMany(most));
  const more = count === PART;
  const left = Math.max(0, task.set_aside - count);
  if (count > task.set_aside) await holdThing(tx, services, task, count - task.set_aside);
  else if (!more) await freeThing(tx, services, task, left);
  await sql`update send_tasks t set set_aside = ${more ? left : 0}, ${more ? sql`status = 4` : sql`status = 0, audience = null`}
    where t.service_provider_id = ${service_provider_id} and t.id = ${id} and t.status = 4`.execute(tx);
  return more;
}
