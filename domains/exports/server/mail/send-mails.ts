import { sql } from "kysely";
import { z } from "zod";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { type Mailer, mailerOf, type MailState, tellUser, UNKNOWN } from "../../../messages/server/index.ts";

/** Minutes until a mail that did not go out is tried again; after the last of them it is given up. */
const AGAIN_MIN = [1, 5, 30, 120, 360];
/** One that was asked for so long ago belongs to a process that died. */
const DEAD_MS = 10 * 60_000;
const KEPT_MS = 30 * 86_400_000;
const AT_ONCE = 200;
const MINUTE_MS = 60_000;
const within = platformScope("send-mails");

/** Every minute: each mail that is due is marked as asked for, handed to the mail server, and settled; one whose end nobody knows stays unsent. */
export const sendMails = job({
  name: "send-mails",
  data: z.object({}),
  every: "* * * * *",
  concurrency: 1,
  async run(services) {
    const mailer = await mailerOf(services);
    const now_ms = services.clock.now_ms();
    const due = await withScope(services.pool, within, async (tx) => {
      await forget(tx, new Date(now_ms - KEPT_MS).toISOString());
      return tx
        .selectFrom("mails")
        .select(["service_provider_id", "id", "status"])
        .where((eb) =>
          eb.or([
            eb.and([eb("status", "=", 0), eb("next_at", "<=", new Date(now_ms).toISOString())]),
            eb.and([eb("status", "=", 3), eb("asked_at", "<", new Date(now_ms - DEAD_MS).toISOString())]),
          ]),
        )
        .orderBy("next_at")
        .limit(AT_ONCE)
        .execute();
    });
    for (const { status, ...key } of due) {
      const end = status === 3 ? LOST : await sendOne(services, mailer, key);
      if (end) await settle(services, key, end);
      // It takes none just now: the others come in the next round.
      if (end?.state === "later" && !end.alone) break;
    }
  },
});

async function forget(tx: Transaction, before: string): Promise<void> {
  const old = await tx
    .selectFrom("mails")
    .select(["service_provider_id", "id"])
    .where("status", "in", [1, 2])
    .where("ended_at", "<", before)
    .limit(AT_ONCE)
    .execute();
  for (const { service_provider_id, id } of old)
    await tx.deleteFrom("mails").where("service_provider_id", "=", service_provider_id).where("id", "=", id).execute();
}

interface Key {
  readonly service_provider_id: string;
  readonly id: string;
}
const LOST: MailState = { state: "unknown", why: UNKNOWN };
const none: Mailer = { send: async () => ({ state: "refused", why: "平台没有配置邮件服务器" }) };

/** @returns nothing where another process has it */
async function sendOne(services: Services, mailer: Mailer = none, key: Key): Promise<MailState | undefined> {
  const now = new Date(services.clock.now_ms()).toISOString();
  const taken = await withScope(services.pool, within, (tx) =>
    tx
      .updateTable("mails")
      .set((eb) => ({ status: 3, tries: eb("tries", "+", 1), asked_at: now }))
      .where("service_provider_id", "=", key.service_provider_id)
      .where("id", "=", key.id)
      .where("status", "=", 0)
      .where("next_at", "<=", now)
      .returning(["address", "subject", "body"])
      .executeTakeFirst(),
  );
  return taken && mailer.send({ id: key.id, to: taken.address, subject: taken.subject, text: taken.body });
}

/** Writes down what became of one that was asked for; whoever waits for one that never comes is told by a message. */
async function settle(services: Services, key: Key, end: MailState): Promise<void> {
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  await withScope(services.pool, within, async (tx) => {
    const row = await held(tx, key);
    if (!row) return;
    const wait_min = end.state === "later" ? AGAIN_MIN[row.tries - 1] : undefined;
    const why = end.state === "sent" ? null : end.why;
    const next = wait_min === undefined ? undefined : new Date(now_ms + wait_min * MINUTE_MS).toISOString();
    await tx
      .updateTable("mails")
      .set(next === undefined ? { status: why === null ? 1 : 2, why, ended_at: now } : { status: 0, why, next_at: next })
      .where("service_provider_id", "=", key.service_provider_id)
      .where("id", "=", key.id)
      .where("status", "=", 3)
      .execute();
    if (why === null || next !== undefined) return;
    services.log.warn({ mail: key.id, why }, "mail not sent");
    await tellUser(tx, row.user_id, {
      kind: "export",
      title: "邮件没有送达",
      body: `${row.subject}（${row.address}）：${why}`,
      href: "/dataCentre/exports",
      item: "/dataCentre/exports",
      once: `mail:${key.id}`,
      at: now,
    });
  });
}
const held = (tx: Transaction, { service_provider_id, id }: Key) =>
  tx
    .selectFrom("mails")
    .select(["user_id", "address", "subject", "tries"])
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .where("status", "=", 3)
    .forUpdate()
    .executeTakeFirst();

/** Of a provider that was restored elsewhere: what waited there is sent from there or not at all. */
export const holdBackMails = (tx: Transaction, provider: string) =>
  sql`update mails m set status = 2, why = '恢复时未发送', ended_at = now() where m.service_provider_id = ${provider} and m.status in (0, 3)`.execute(
    tx,
  );
