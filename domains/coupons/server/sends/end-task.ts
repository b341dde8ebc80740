import { sql } from "kysely";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { SHEET_DAYS } from "../../contract/index.ts";
import { freeThing, type Thing } from "./task-thing.ts";

interface Standing extends Thing {
  readonly status: number;
  readonly set_aside: number;
}
/** Cancels a sending that is held: what nobody got is free again, and its list is gone. @param why in words, where nobody did it by hand */
export async function endTask(tx: Transaction, services: Services, id: string, task: Standing, why = ""): Promise<void> {
  const { service_provider_id } = task;
  await sql`update send_tasks t set status = 3, paused_why = ${why}, audience = null, sheet = null, looked = null, set_aside = 0
    where t.service_provider_id = ${service_provider_id} and t.id = ${id} and t.status = ${task.status}`.execute(tx);
  const left =
    await sql`update send_rows r set status = 3, reason = '任务已取消' where r.service_provider_id = ${service_provider_id} and r.task_id = ${id}
      and r.status = 0`.execute(tx);
  await freeThing(tx, services, task, Number(left.numAffectedRows ?? 0n) + task.set_aside);
}

interface Due {
  readonly service_provider_id: string;
  readonly id: string;
}
/** Sheets hold phones: one whose sending stands still goes after thirty days, whoever paused it, and the sending with it. */
export const forgetSheets = lookAfter<Due>({
  name: "forget-send-sheets",
  due: async (tx, now) =>
    (
      await sql<Due>`select t.service_provider_id, t.id from send_tasks t where t.sheet is not null
        and t.created_at < ${now}::timestamptz - make_interval(days => ${SHEET_DAYS}::int) order by t.created_at limit 100`.execute(tx)
    ).rows,
  one: (services, { service_provider_id, id }) =>
    withScope(services.pool, platformScope("a sheet of a sending is old"), async (tx) => {
      const { rows } =
        await sql<Standing>`select t.service_provider_id, t.campaign_id, t.package_id, t.status, t.set_aside from send_tasks t
        where t.service_provider_id = ${service_provider_id} and t.id = ${id} and t.sheet is not null for update`.execute(tx);
      if (rows[0]) await endTask(tx, services, id, rows[0], `名单里有手机号，最多保留 ${SHEET_DAYS} 天，现已删除；没发的不再发`);
    }),
});
