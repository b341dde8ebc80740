import { z } from "zod";
import { mustChange, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { opened } from "../seal.ts";
import { smsOf, type Sms, type SmsState } from "./sms-provider.ts";

/** After this a code would come too late to be of use. */
const LATE_MS = 5 * 60_000;
const data = z.object({ provider: z.string(), id: z.string() });
const within = platformScope("send sms");

/** Sends one message: what is recorded is called, what was answered is written down, and what nobody knows is asked for before it is sent again. */
export const sendSms = job({
  name: "send-sms",
  data,
  retryDelay_s: 2,
  retryLimit: 8,
  async run(services, { provider, id }) {
    const row = await withScope(services.pool, within, (tx) =>
      tx
        .selectFrom("sms_messages")
        .select(["sealed", "template", "status", "created_at"])
        .where("service_provider_id", "=", provider)
        .where("id", "=", id)
        .executeTakeFirst(),
    );
    if (!row || row.sealed === null) return;
    const sms: Sms = {
      id,
      template: row.template as Sms["template"],
      ...(JSON.parse(opened(services, "sms", provider, id, row.sealed)) as Pick<Sms, "phone" | "params">),
    };
    let status = row.status;
    if (status === 3) {
      const known = await smsOf(services).ask(id);
      if (known.state !== "none") return end(services, provider, id, status, known);
      await move(services, provider, id, 3, 0);
      status = 0;
    }
    if (services.clock.now_ms() - Date.parse(row.created_at) > LATE_MS)
      return end(services, provider, id, status, { state: "refused", why: "超过 5 分钟没有发出" });
    try {
      await end(services, provider, id, status, await smsOf(services).send(sms));
    } catch (error) {
      await move(services, provider, id, 0, 3).catch(() => {});
      throw error;
    }
  },
});

async function move(services: Services, provider: string, id: string, from: number, to: number): Promise<void> {
  await withScope(services.pool, within, async (tx) => {
    const changed = await tx
      .updateTable("sms_messages")
      .set({ status: to })
      .where("service_provider_id", "=", provider)
      .where("id", "=", id)
      .where("status", "=", from)
      .executeTakeFirst();
    mustChange(changed, () => new Error("somebody else sends this message"));
  });
}
async function end(services: Services, provider: string, id: string, from: number, known: SmsState): Promise<void> {
  await withScope(services.pool, within, (tx) =>
    tx
      .updateTable("sms_messages")
      .set({
        status: known.state === "sent" ? 1 : 2,
        why: known.state === "refused" ? known.why : null,
        sealed: null,
        ended_at: new Date(services.clock.now_ms()).toISOString(),
      })
      .where("service_provider_id", "=", provider)
      .where("id", "=", id)
      .where("status", "=", from)
      .execute(),
  );
  if (known.state === "refused") services.log.warn({ sms: id, why: known.why }, "sms refused");
}
