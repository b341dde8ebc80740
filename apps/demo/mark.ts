import { sql } from "kysely";
import { openPool, withScope, type PoolOptions, type Transaction } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { StartError } from "@zhangfang/server/start-error.ts";

/** Held on a connection of its own by the process that makes the demo world, and so given back when that is killed. */
const LOCK = 7_310_056;
/** What the demo's own calls are known by in the audit log. */
export const DEMO_TRACE = "demo-";
const CLEAR_MS = 60_000;
const SCOPE = platformScope("demo world");

/** Marks the demo world as begun, in the transaction that makes its accounts. */
export async function markBegun(tx: Transaction, now: string): Promise<void> {
  await tx.insertInto("demo_world").values({ begun_at: now }).execute();
}

/** Holds the making of the demo world for as long as this process lives. @returns what gives it back, nothing where another process has it */
export async function holdMaking(pool: Services["pool"]): Promise<(() => void) | undefined> {
  const client = await pool.connect();
  const { rows } = await client.query<{ free: boolean }>("select pg_try_advisory_lock($1) as free", [LOCK]);
  // Closed and not given back to the pool: the lock goes with the connection.
  const release = () => client.release(true);
  if (rows[0]?.free === true) return release;
  release();
  return undefined;
}

/** Says how far it is; at a hundred it is finished. */
export async function markProgress({ pool, clock }: Pick<Services, "pool" | "clock">, percent: number): Promise<void> {
  const finished_at = percent === 100 ? new Date(clock.now_ms()).toISOString() : null;
  await withScope(pool, SCOPE, (tx) => tx.updateTable("demo_world").set({ percent, finished_at }).execute());
}

/** What became of a demo world that a former start did not finish. */
export type Unfinished = "none" | "cleared" | "kept" | "in-work";

/**
 * Takes an unfinished demo world away, and everything else in the database with it: it is only called for a database that began as one.
 * Where anybody but the demo itself has written something since, nothing is taken away, and it counts as finished as it is.
 * @param owner the connection that owns the schema, before the service uses it; after `cleared` the schema is to be made again
 */
export async function clearUnfinished(owner: PoolOptions["connection"]): Promise<Unfinished> {
  const pool = openPool({ connection: owner, size: 1, wait_ms: CLEAR_MS });
  try {
    return await withScope(pool, SCOPE, (tx) => clear(tx), { deadline_ms: CLEAR_MS });
  } catch (error) {
    throw new StartError(`上次没有做完的演示数据清除不了：${(error as Error).message}。请清空数据库（或换一个 DATA_DIR）后再启动`);
  } finally {
    await pool.end();
  }
}

async function clear(tx: Transaction): Promise<Unfinished> {
  const open = await tx.selectFrom("demo_world").select("begun_at").where("finished_at", "is", null).executeTakeFirst();
  if (!open) return "none";
  const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as free`.execute(tx);
  if (rows[0]?.free !== true) return "in-work";
  if (await othersWrote(tx)) {
    await sql`update demo_world set finished_at = now()`.execute(tx);
    return "kept";
  }
  await sql`do $$ declare one record; begin
    for one in select tablename as name from pg_tables where schemaname = 'public' loop
      execute format('drop table if exists public.%I cascade', one.name);
    end loop;
    for one in select sequencename as name from pg_sequences where schemaname = 'public' loop
      execute format('drop sequence public.%I', one.name);
    end loop;
    drop schema if exists pgboss, upkeep, app cascade;
  end $$`.execute(tx);
  return "cleared";
}

/** Whether somebody's own work is in it: a call that a person made, or a table that is not ours. Signing in is no work. */
async function othersWrote(tx: Transaction): Promise<boolean> {
  const { rows } = await sql<{ wrote: boolean }>`select exists (
      select 1 from audit_log where user_id is not null and trace_id is not null and not starts_with(trace_id, ${DEMO_TRACE})
        and endpoint <> '/api/authenticateNew')
    or exists (select 1 from pg_tables t where schemaname = 'public' and not rowsecurity and tablename <> 'schema_migrations'
      and not exists (select 1 from app.open_tables o where o.name = t.tablename)) as wrote`.execute(tx);
  return rows[0]!.wrote;
}
