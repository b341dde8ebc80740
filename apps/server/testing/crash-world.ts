import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SIMULATOR_TOKEN, startSimulator, type TestSimulator } from "@zhangfang/domains/channels/server/simulator-for-tests.ts";
import { setChannelSettings } from "@zhangfang/domains/organisation/server/index.ts";
import { readConfig } from "@zhangfang/server/config.ts";
import { openPool, withScope } from "@zhangfang/server/database/db.ts";
import { connectionUrl, runningEmbeddedPostgres, type SocketConnection } from "@zhangfang/server/database/embedded-postgres.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { buildTree, signIn, type DemoTree } from "../../demo/tree/tree.ts";
import { domains } from "../domains.ts";
import { openServices, type Opened } from "../open-services.ts";
import { findPort, startServer, type RunningServer } from "./running-server.ts";

/** How much faster than the real channel the simulator repeats its notifications and settles refunds. */
const SPEED = 600;

/** Everything that outlives a killed server: the data folder, the channel, the shops. */
export interface CrashWorld {
  readonly api: string;
  readonly simulator: TestSimulator;
  readonly tree: DemoTree;
  /** Sessions of the merchants whose offices work. */
  readonly tokens: Readonly<Record<"mch01" | "mch02", string>>;
  /** Starts the real program over all this. */
  start(): RunningServer;
  /** Ends the database as a power cut would. */
  killDatabase(): void;
  databaseLog(): string;
  /** The services of a further process over the same database, while a server runs. */
  openServices(): Promise<Opened>;
  /** Past both fences, while a server runs. */
  owner<R extends object>(text: string, values?: unknown[]): Promise<R[]>;
  close(): Promise<void>;
}

/** Makes a data folder with the demo tree in it, made by the product's own functions, and a simulator that knows the merchants. */
export async function openCrashWorld(): Promise<CrashWorld> {
  const folder = mkdtempSync(join(tmpdir(), "crash-world-"));
  const web = join(folder, "web");
  mkdirSync(web);
  writeFileSync(join(web, "index.html"), "<!doctype html><title>账房</title>");
  const simulator = await startSimulator(SPEED);
  const port = await findPort(9410, 9414);
  const env = {
    DATA_DIR: join(folder, "data"),
    WEB_DIR: web,
    PORT: String(port),
    SIMULATOR_PORT: new URL(simulator.url).port,
    SIMULATOR_TOKEN,
    ZHANGFANG_SECRET: "0123456789abcdef".repeat(4),
  };
  const made = await openServices(readConfig(env), domains);
  const tree = await buildTree(made.services);
  await openChannels(made, tree, simulator);
  const tokens = { mch01: await signIn(made.services, "mch01"), mch02: await signIn(made.services, "mch02") };
  await made.close();

  const database = join(env.DATA_DIR, "postgres");
  const connection = (): SocketConnection => {
    const found = runningEmbeddedPostgres(database);
    if (!found) throw new Error("no database runs");
    return found;
  };
  return {
    api: `http://127.0.0.1:${port}`,
    simulator,
    tree,
    tokens,
    start: () => startServer(env),
    killDatabase: () => void process.kill(Number(readFileSync(join(database, "cluster/postmaster.pid"), "utf8").split("\n")[0]), "SIGKILL"),
    databaseLog: () => readFileSync(join(database, "postgres.log"), "utf8"),
    openServices: () => openServices({ ...readConfig(env), database_url: connectionUrl(connection()) }, domains),
    async owner<R extends object>(text: string, values: unknown[] = []) {
      const pool = openPool({ connection: connection(), size: 1, wait_ms: 5_000 });
      try {
        return (await pool.query(text, values)).rows as R[];
      } finally {
        await pool.end();
      }
    },
    async close() {
      await simulator.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function openChannels({ services }: Opened, { merchants }: DemoTree, simulator: TestSimulator): Promise<void> {
  const first = await simulator.register();
  await withScope(services.pool, platformScope("test channels"), async (tx) => {
    for (const [n, { id: merchantId, serviceProviderId }] of Object.values(merchants).entries()) {
      const account = { ...first, channel: 0, subMchId: String(1_600_000_001 + n) } as const;
      await setChannelSettings(tx, services, { ...account, serviceProviderId, merchantId });
    }
  });
}
