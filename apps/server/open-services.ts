import { join } from "node:path";
import { systemClock, systemIds } from "@zhangfang/server/clock.ts";
import { derivedKey, type Config } from "@zhangfang/server/config.ts";
import { appConnectionOf, connectionOf, standbyConnectionOf } from "@zhangfang/server/database/connection.ts";
import { openPool, type PoolOptions } from "@zhangfang/server/database/db.ts";
import { jobsOf, tie, type Domain } from "@zhangfang/server/calls/domain.ts";
import { atPrimary, type Connection } from "@zhangfang/server/database/servers/primary.ts";
import { openStandbys } from "@zhangfang/server/database/servers/standbys.ts";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "@zhangfang/server/database/embedded-postgres.ts";
import { openJobs, prepareJobs } from "@zhangfang/server/jobs/jobs.ts";
import { openLog } from "@zhangfang/server/log.ts";
import { openMetrics } from "@zhangfang/server/metrics.ts";
import { migrate, RUNTIME_ROLE } from "@zhangfang/server/database/migrate.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { StartError } from "@zhangfang/server/start-error.ts";

/** What the queue's own statements need at once: they are short. */
const QUEUE_POOL = 3;
/** What jobs work with. They wait for it as long as a request may take, which none does for them. */
const JOB_POOL = 6;

export interface Opened {
  readonly services: Services;
  /** The same for jobs at work, over connections of their own: however many there are, requests keep theirs. */
  readonly atWork: Services;
  /** From now on takes jobs, with `atWork`. */
  work(): Promise<void>;
  /** One connection for looking whether all is well, which nobody else takes. */
  readonly lookPool: Services["pool"];
  readonly embedded: EmbeddedPostgres | undefined;
  /** How the running service reaches its database. */
  readonly connection: PoolOptions["connection"];
  /** Closes the pool, then the embedded server where there is one. */
  close(): Promise<void>;
}

/**
 * Database up, schema newest, queues there, pool open, and the services tied to their domains. The owner's connection ends before the first request.
 * @param clear asked with the newest schema, before anybody uses it: whether it took everything away, and the schema is made again
 */
export async function openServices(
  config: Config,
  domains: readonly Domain[],
  clear: (owner: PoolOptions["connection"]) => Promise<boolean> = async () => false,
): Promise<Opened> {
  const jobs = jobsOf(domains);
  const embedded = config.database_url ? undefined : await startEmbeddedPostgres({ dataDir: `${config.data_dir}/postgres` });
  try {
    const given: Connection = embedded ? embedded.connection : connectionOf(config.database_url ?? "");
    const app = config.database_app_url ? appConnectionOf(config.database_app_url, given) : undefined;
    const owner = await atPrimary(given);
    const password = derivedKey(config.secret, "runtime-role").toString("hex");
    await migrate(owner, password);
    if (await clear(owner)) await migrate(owner, password);
    await prepareJobs(owner, jobs);
    const connection = app ?? { ...given, user: RUNTIME_ROLE, password };
    const pool = openPool({ connection, size: config.pool_size });
    // Of its own: where requests keep every connection busy, a job that is done could not be written down as done, and would
    // be somebody's until its lease ends.
    const queuePool = openPool({ connection, size: QUEUE_POOL, wait_ms: 10_000 });
    const jobPool = openPool({ connection, size: JOB_POOL, wait_ms: 30_000, letsOthersFirst: true });
    const lookPool = openPool({ connection, size: 1, wait_ms: 5_000 });
    const [log, metrics] = [openLog(logFile(config)), openMetrics()];
    const standbys = await standbysOf(config, connection, { metrics, log });
    const services = tie<Services>(
      {
        config,
        pool,
        ...(standbys && { standbys }),
        clock: systemClock,
        ids: systemIds,
        jobs: openJobs(queuePool, jobs),
        log,
        metrics,
      },
      domains,
    );
    const atWork = { ...services, pool: jobPool };
    return {
      services,
      atWork,
      work: () => services.jobs.work(atWork),
      lookPool,
      embedded,
      connection,
      async close() {
        await Promise.all([pool.end(), jobPool.end(), queuePool.end(), lookPool.end(), standbys?.close()]);
        await embedded?.stop();
      },
    };
  } catch (error) {
    await embedded?.stop();
    throw startErrorOf(error, config);
  }
}

async function standbysOf(config: Config, connection: Connection, given: Pick<Services, "metrics" | "log">): Promise<Services["standbys"]> {
  if (config.database_read_urls.length === 0) return undefined;
  const standbys = config.database_read_urls.map((url) => standbyConnectionOf(url, connection));
  return openStandbys(connection, standbys, { ...given, size: config.pool_size });
}

// In production whoever runs the service gathers its lines; elsewhere somebody reads the terminal, and they would stand between.
const logFile = ({ production, data_dir }: Config): string | undefined => (production ? undefined : join(data_dir, "service.log"));

const UNKNOWN_CERTIFICATE = "服务器证书不受信任，请用 sslrootcert 指定签发它的根证书";
// What goes wrong at the first connection, as one line that says what to do.
function startErrorOf(error: unknown, config: Config): unknown {
  if (error instanceof StartError || !config.database_url) return error;
  const { code, message } = error as { code?: string; message?: string };
  const why: Record<string, string> = {
    ECONNREFUSED: "连接被拒绝，请检查主机和端口",
    ENOTFOUND: "找不到主机",
    EAI_AGAIN: "找不到主机",
    ETIMEDOUT: "连接超时",
    EHOSTUNREACH: "主机不可达",
    DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_CERTIFICATE,
    SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_CERTIFICATE,
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_CERTIFICATE,
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_CERTIFICATE,
    ERR_TLS_CERT_ALTNAME_INVALID: "服务器证书与主机名不符",
    CERT_HAS_EXPIRED: "服务器证书已过期",
    "57P03": "数据库正在启动，或没有可写的主库",
    "28P01": "用户名或密码错误",
    "28000": "服务器不接受此用户，或要求加密连接",
    "3D000": "数据库不存在",
  };
  return new StartError(`无法使用 DATABASE_URL 指定的数据库：${why[code ?? ""] ?? message ?? code}`);
}
