import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";

const NIL = "00000000-0000-0000-0000-000000000000";
interface Told {
  /** Null is the platform. */
  readonly provider: string | null;
  readonly userId: string;
  readonly address: string;
  readonly subject: string;
  readonly lines: readonly string[];
  /** Names the occasion: it is told once. */
  readonly once: string;
}
/** Records a mail to somebody, in the transaction of what it tells of; the job `send-mails` sends it. */
export async function mailUser(tx: Transaction, { config, clock, ids }: Services, told: Told): Promise<void> {
  const now_ms = clock.now_ms();
  const now = new Date(now_ms).toISOString();
  const body = [
    ...told.lines,
    "",
    `打开账房查看：${config.public_url}/#/dataCentre/exports`,
    "不再需要这封邮件时，请在列表的「视图」里取消订阅或去掉邮箱。",
  ];
  await sql`insert into mails (service_provider_id, id, user_id, address, subject, body, once, next_at, created_at)
    values (${told.provider ?? NIL}, ${ids.uuid(now_ms)}, ${told.userId}, ${told.address}, ${told.subject}, ${body.join("\n")}, ${told.once},
      ${now}::timestamptz, ${now}::timestamptz) on conflict (service_provider_id, user_id, once) do nothing`.execute(tx);
}
