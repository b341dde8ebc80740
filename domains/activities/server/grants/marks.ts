import { createHmac } from "node:crypto";
import { sql } from "kysely";
import { z } from "zod";
import { derivedKey } from "@zhangfang/server/config.ts";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { networkOf } from "@zhangfang/server/network.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import type { Services } from "@zhangfang/server/services.ts";

/** By what somebody is known again: keyed hashes alone, in hex. */
export const markShape = z.object({ kind: z.enum(["payer", "device", "net"]), hash: z.string() });
export type Mark = z.output<typeof markShape>;
/** From where something was done on a phone. */
export interface Whence {
  readonly device?: string | undefined;
  readonly address?: string | undefined;
  readonly payer?: string | undefined;
}
/** A provider's own: the same phone at two providers tells nothing. */
export function marksOf({ config }: Pick<Services, "config">, provider: string, { device, address, payer }: Whence): Mark[] {
  const hash = (kind: string, text: string) =>
    createHmac("sha256", derivedKey(config.secret, "activity-marks")).update(`${provider}|${kind}|${text}`).digest("hex");
  const net = address === undefined ? undefined : networkOf(address);
  return [
    ...(device === undefined ? [] : [{ kind: "device" as const, hash: hash("device", device) }]),
    ...(payer === undefined ? [] : [{ kind: "payer" as const, hash: hash("payer", payer) }]),
    ...(net === undefined ? [] : [{ kind: "net" as const, hash: hash("net", net) }]),
  ];
}

const KEPT_DAYS = 180;
const AT_ONCE = 5_000;
/** Each night: marks of 180 days ago are forgotten. */
export const forgetMarks = job({
  name: "forget-activity-marks",
  data: z.object({}),
  every: "25 3 * * *",
  concurrency: 1,
  run: async ({ pool, clock }) => {
    const before = new Date(clock.now_ms() - KEPT_DAYS * 86_400_000).toISOString();
    await withScope(pool, platformScope("old phones of who brought friends"), (tx) =>
      sql`delete from activity_inviters d using service_providers p where d.service_provider_id = p.id and d.at < ${before}`.execute(tx),
    );
    for (;;) if ((await withScope(pool, platformScope("old marks of activities"), (tx) => forgetSome(tx, before))) < AT_ONCE) return;
  },
});
async function forgetSome(tx: Transaction, before: string): Promise<number> {
  const gone = await sql`delete from activity_marks m using (select x.service_provider_id, x.grant_id, x.kind, x.hash from activity_marks x
      where x.at < ${before} order by x.at limit ${AT_ONCE}) o
    where m.service_provider_id = o.service_provider_id and m.grant_id = o.grant_id and m.kind = o.kind and m.hash = o.hash`.execute(tx);
  return Number(gone.numAffectedRows ?? 0n);
}
