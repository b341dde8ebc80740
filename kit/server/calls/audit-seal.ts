import { sql } from "kysely";
import { z } from "zod";
import { sha256 } from "../crypto.ts";
import { withScope, type Transaction } from "../database/db.ts";
import { job } from "../jobs/jobs.ts";
import { platformScope } from "../database/scope.ts";
import type { Services } from "../services.ts";

// A row counts once its transaction surely ended: calls are given up long before.
const SETTLED_MS = 60_000;
const BATCH = 5_000;
// A look at every row there is takes longer with each row, so that it comes on a start and once an hour; in between only what is young.
const WHOLE_MS = 3_600_000;
const YOUNG_MS = 2 * WHOLE_MS;
const FIRST: Buffer = Buffer.alloc(32);

interface Unsealed {
  id: string;
  tenant: string;
  digest: Buffer;
}

/**
 * Seals the audit rows that have none yet: one hash chain for each tenant, each link over the one before and the whole row.
 * Done after the fact, because a chain inside every transaction makes writes wait for each other.
 * @param since rows from then on; absent means all of them
 * @returns how many rows were sealed
 */
export async function sealAudit(services: Services, since = "-infinity"): Promise<number> {
  return withScope(services.pool, platformScope("seal the audit log"), async (tx) => {
    await sql`select pg_advisory_xact_lock(7310022)`.execute(tx);
    const before = new Date(services.clock.now_ms() - SETTLED_MS).toISOString();
    const { rows } = await sql<Unsealed>`
      select a.id, coalesce(a.service_provider_id::text, 'platform') as tenant, sha256(convert_to(to_jsonb(a)::text, 'UTF8')) as digest
      from audit_log a where a.at >= ${since}::timestamptz and a.at < ${before}
        and not exists (select 1 from audit_seals s where s.audit_id = a.id)
      order by a.at, a.id limit ${BATCH}`.execute(tx);
    const heads = await headsOf(tx);
    const sealed_at = new Date(services.clock.now_ms()).toISOString();
    const seals = rows.map(({ id, tenant, digest }) => {
      const head = heads.get(tenant) ?? { seq: 0, hash: FIRST };
      const next = { seq: head.seq + 1, hash: sha256(Buffer.concat([head.hash, digest])) };
      heads.set(tenant, next);
      return { tenant, seq: next.seq, audit_id: id, hash: next.hash, sealed_at };
    });
    for (let at = 0; at < seals.length; at += 1000)
      await tx
        .insertInto("audit_seals")
        .values(seals.slice(at, at + 1000))
        .execute();
    return seals.length;
  });
}

/**
 * Walks every chain, or one tenant's, and names what does not fit: a row changed, removed, or added behind a sealed one.
 * @param tenant a provider; absent means all of them
 * @returns the ids of the audit rows at fault, empty where all is well, and how many rows and chains were walked
 */
export async function walkAudit(services: Services, tenant?: string): Promise<{ broken: string[]; checked: number; chains: number }> {
  return withScope(
    services.pool,
    platformScope("verify the audit log"),
    async (tx) => {
      const broken: string[] = [];
      let head: { tenant: string; seq: number; hash: Buffer } = { tenant: "", seq: 0, hash: FIRST };
      let [checked, chains] = [0, 0];
      for (;;) {
        const { rows } = await sql<{ tenant: string; seq: number; audit_id: string; hash: Buffer; digest: Buffer | null }>`
          select s.tenant, s.seq, s.audit_id, s.hash, sha256(convert_to(to_jsonb(a)::text, 'UTF8')) as digest
          from audit_seals s left join audit_log a on a.id = s.audit_id
          where (s.tenant, s.seq) > (${head.tenant}, ${head.seq}) and ${tenant === undefined ? sql`true` : sql`s.tenant = ${tenant}`}
          order by s.tenant, s.seq limit ${BATCH}`.execute(tx);
        for (const row of rows) {
          if (row.tenant !== head.tenant) {
            head = { tenant: row.tenant, seq: 0, hash: FIRST };
            chains++;
          }
          const expected = row.digest && sha256(Buffer.concat([head.hash, row.digest]));
          if (row.seq !== head.seq + 1 || !expected?.equals(row.hash)) broken.push(row.audit_id);
          head = { tenant: row.tenant, seq: row.seq, hash: row.hash };
        }
        checked += rows.length;
        if (rows.length < BATCH) return { broken, checked, chains };
      }
    },
    { readOnly: true, deadline_ms: 35_000 },
  );
}

/** Walks every chain. @returns the ids of the audit rows at fault, empty where all is well */
export const verifyAudit = async (services: Services): Promise<string[]> => (await walkAudit(services)).broken;

/** The last link of each chain, found from one to the next: chains are few, links are many. */
async function headsOf(tx: Transaction): Promise<Map<string, { seq: number; hash: Buffer }>> {
  const { rows } = await sql<{
    tenant: string;
    seq: number;
    hash: Buffer;
  }>`with recursive t as (
      (select s.tenant from audit_seals s order by s.tenant limit 1)
      union all select (select s.tenant from audit_seals s where s.tenant > t.tenant order by s.tenant limit 1) from t where t.tenant is not null)
    select h.tenant, h.seq, h.hash from t
      cross join lateral (select s.tenant, s.seq, s.hash from audit_seals s where s.tenant = t.tenant order by s.seq desc limit 1) h`.execute(
    tx,
  );
  return new Map(rows.map(({ tenant, seq, hash }) => [tenant, { seq, hash }]));
}

/** When a process looked at every row last. */
const lookedAt = new WeakMap<Services, number>();
/** Each minute. The heads go to the log each time, so that a rewrite of the whole chain shows against it. */
export const sealAuditJob = job({
  name: "seal-audit",
  data: z.object({}),
  every: "* * * * *",
  concurrency: 1,
  async run(services) {
    const now_ms = services.clock.now_ms();
    const whole = now_ms - (lookedAt.get(services) ?? 0) >= WHOLE_MS;
    while ((await sealAudit(services, whole ? undefined : new Date(now_ms - YOUNG_MS).toISOString())) === BATCH);
    if (whole) lookedAt.set(services, now_ms);
    const heads = await withScope(services.pool, platformScope("anchor the audit log"), headsOf);
    services.log.info(
      { heads: Object.fromEntries([...heads].map(([tenant, { seq, hash }]) => [tenant, `${seq}:${hash.toString("hex").slice(0, 16)}`])) },
      "audit heads",
    );
  },
});
