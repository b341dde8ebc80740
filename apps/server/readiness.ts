import { open, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { derivedKey } from "@zhangfang/server/config.ts";
import { seal, unseal } from "@zhangfang/server/crypto.ts";
import { withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { missingMigrations } from "@zhangfang/server/database/migrate.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";

/** Why this server can't take work, and what to do, in words for people. */
export interface Unready {
  readonly code: "disk" | "database" | "migrations" | "keys";
  readonly message: string;
}
export interface Readiness {
  /** What stands in the way, at most a second old; nothing where all is well. */
  now(): Promise<readonly Unready[]>;
  /** Looks every few seconds from now on, and tells the log. @param say hears one line when it turns, either way */
  watch(say: (line: string) => void): void;
  stop(): void;
}

const EVERY_MS = 5_000;
/** However many ask, it is looked at no more often. */
const FRESH_MS = 1_000;
const TELL_MS = 60_000;
const DEADLINE_MS = 4_000;
/** With less left a database stops soon, and can't even be tidied. */
const LEAST_FREE = 64 * 1024 * 1024;
const PROOF = "sealed_proof.sealed";
const FULL = "磁盘已满，新的收款会失败。请清理磁盘或扩容";

/** What a look needs; a test may hold other ends of it. */
export type Looked = Pick<Services, "clock" | "config" | "log" | "pool">;

/**
 * Whether this server can do its work: the database answers and can write, files can be written, the schema is not older than the
 * program, and the secret opens what is stored.
 */
export function openReadiness(services: Looked, every_ms = EVERY_MS): Readiness {
  let found: readonly Unready[] = [];
  let looked_ms = -Infinity;
  let looking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    found = [...(await filesOf(services.config)), ...(await databaseOf(services))].filter(
      ({ code }, at, all) => all.findIndex((one) => one.code === code) === at,
    );
    looked_ms = services.clock.now_ms();
  };
  const now = async () => {
    if (services.clock.now_ms() - looked_ms >= FRESH_MS) await (looking ??= look().finally(() => (looking = undefined)));
    return found;
  };
  let told_ms: number | undefined;
  const tell = (say: (line: string) => void) => {
    const at_ms = services.clock.now_ms();
    const why = found.map(({ message }) => message).join("；");
    if (found.length === 0) {
      if (told_ms === undefined) return;
      told_ms = undefined;
      say("已恢复正常");
      services.log.info("ready again");
    } else if (told_ms === undefined || at_ms - told_ms >= TELL_MS) {
      // First to whoever sits before it: the log may lie on the disk that is full.
      if (told_ms === undefined) say(`暂时不能正常工作：${why}`);
      told_ms = at_ms;
      services.log.warn({ reasons: found.map(({ code }) => code) }, `not ready: ${why}`);
    }
  };
  return {
    now,
    watch(say) {
      timer = setInterval(() => void now().then(() => tell(say)), every_ms).unref();
    },
    stop: () => clearInterval(timer),
  };
}

/** The folder that holds the database, or files, or both. */
async function filesOf({ data_dir, database_url, object_store }: Services["config"]): Promise<Unready[]> {
  if (database_url && object_store) return [];
  const path = join(data_dir, `.ready-${process.pid}`);
  try {
    const { bavail, bsize } = await statfs(data_dir);
    if (bavail * bsize < LEAST_FREE)
      return [{ code: "disk", message: bavail === 0 ? FULL : "磁盘空间不足 64 MB，即将无法收款。请清理磁盘或扩容" }];
    const file = await open(path, "w", 0o600);
    try {
      await file.write(Buffer.alloc(64 * 1024, 1));
      await file.sync();
    } finally {
      await file.close();
      await rm(path, { force: true });
    }
    return [];
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code);
    return [{ code: "disk", message: ["ENOSPC", "EDQUOT"].includes(code) ? FULL : `数据目录无法写入（${code}），请检查磁盘和权限` }];
  }
}

async function databaseOf(services: Looked): Promise<Unready[]> {
  try {
    return await withScope(services.pool, platformScope("readiness"), (tx) => asked(tx, services), {
      deadline_ms: DEADLINE_MS,
      readOnly: true,
    });
  } catch (error) {
    const code = (error as { code?: string }).code ?? "";
    return [
      code.startsWith("53")
        ? { code: "disk", message: `数据库的${FULL}` }
        : { code: "database", message: "数据库没有应答，请检查数据库服务" },
    ];
  }
}

async function asked(tx: Transaction, { config }: Looked): Promise<Unready[]> {
  // A sort that does not fit into its memory is written to the database's disk, and leaves nothing there.
  const { rows } = await sql<{
    read_only: boolean;
  }>`select pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as read_only
    from (select set_config('work_mem', '64kB', true)) small,
      lateral (select count(*) from (select i from generate_series(1, 20000) i order by i desc) sorted) written`.execute(tx);
  if (rows[0]?.read_only) return [{ code: "database", message: "数据库只读，不能记账。请检查主备切换" }];
  const found: Unready[] = [];
  const missing = await missingMigrations(tx);
  if (missing.length > 0) found.push({ code: "migrations", message: `数据库结构比程序旧，缺少 ${missing.length} 个迁移。请重新启动服务` });
  if (!(await secretOpens(tx, config)))
    found.push({ code: "keys", message: "密钥与数据不符，通道和设备的密钥无法打开。请恢复原来的 ZHANGFANG_SECRET" });
  return found;
}

const proofKey = ({ secret }: Services["config"]) => derivedKey(secret, "sealed-proof");
/** At the first start over a database: what every later one has to open. */
export async function leaveProof({ pool, config }: Pick<Services, "config" | "pool">): Promise<void> {
  const sealed = seal(proofKey(config), PROOF, "账房");
  await withScope(pool, platformScope("first start"), (tx) =>
    tx
      .insertInto("sealed_proof")
      .values({ sealed })
      .onConflict((one) => one.doNothing())
      .execute(),
  );
}
async function secretOpens(tx: Transaction, config: Services["config"]): Promise<boolean> {
  const row = await tx.selectFrom("sealed_proof").select("sealed").executeTakeFirst();
  try {
    return row === undefined || unseal(proofKey(config), PROOF, row.sealed) === "账房";
  } catch {
    return false;
  }
}
