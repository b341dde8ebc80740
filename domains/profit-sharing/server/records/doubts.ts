import { type RawBuilder, sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { type Kind, namedBy } from "./subject.ts";

/** For so long after a call that nobody heard the end of it may yet be taken; as for the channel's 'never heard of it'. */
const SILENCE = sql.lit("10 minutes");

/**
 * Whether our own last sending of a number may yet be taken by the channel: people's word of what became of it is believed after that.
 * Before, what they say did not arrive could arrive all the same, and once more under its next number.
 */
export async function maySoonArrive(tx: Transaction, services: Services, service_provider_id: string, number: string): Promise<boolean> {
  const now = new Date(services.clock.now_ms()).toISOString();
  const { rows } = await sql<{ may: boolean }>`select exists (select from sharing_calls c
    where c.service_provider_id = ${service_provider_id} and c.number = ${number} and c.operation in ('share', 'unfreeze', 'share-return')
      and (c.outcome is null or c.outcome <> 'refused')
      and coalesce(c.ended_at, c.started_at + interval '60 seconds') + interval ${SILENCE} > ${now}::timestamptz) as may`.execute(tx);
  return rows[0]?.may === true;
}

/** That the channel said otherwise of something than people did: nothing of it goes out anew, it could go out twice. */
export const differs = (kind: Kind, provider: RawBuilder<unknown>, ids: readonly RawBuilder<unknown>[]): RawBuilder<boolean> =>
  sql<boolean>`exists (select from sharing_records x where x.service_provider_id = ${provider}
    and ${sql.ref(`x.${Object.keys(namedBy(kind, ""))[0]}`)} in (${sql.join(ids)}) and x.difference is not null)`;
/** The same of one that is held. @param ids its own, and whose rest it is */
export async function isDoubted(tx: Transaction, kind: Kind, provider: string, ids: readonly (string | null)[]): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`select ${differs(
    kind,
    sql`${provider}`,
    ids.map((id) => sql`${id}::uuid`),
  )} as is`.execute(tx);
  return rows[0]?.is === true;
}
export const DOUBTED = "人工登记与通道结果不一致，重新提交可能重复出款，请先与通道核对";
