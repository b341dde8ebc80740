import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SIMULATOR_TOKEN, startSimulator } from "@zhangfang/domains/channels/server/simulator-for-tests.ts";
import { readConfig } from "@zhangfang/server/config.ts";
import { addStandby, promote, startReplicable, until, waitForStandby, type Replica } from "@zhangfang/server/testing/replicas.ts";
import { buildTree, signIn } from "../../../demo/tree/tree.ts";
import { domains } from "../../domains.ts";
import { openServices, type Opened } from "../../open-services.ts";
import { openChannels, type CrashWorld } from "../crash-world.ts";
import { findPort, startServer } from "../running-server.ts";

/** How much faster than the real channel the simulator repeats its notifications and settles refunds. */
const SPEED = 600;

/** The crash world over two PostgreSQL servers, of which one is the primary. */
export interface FailoverWorld extends CrashWorld {
  readonly env: Readonly<Record<string, string>>;
  primary(): Replica;
  standby(): Replica;
  /** The standby becomes the primary; the other one has to be dead by then. */
  promote(): Promise<void>;
  /** A new standby in the place of the one that was. */
  renewStandby(): Promise<void>;
  /** From now on nothing is acknowledged that the standby has not got. */
  waitForStandby(): Promise<void>;
  /** Waits until the service has done a job that was begun from now on. */
  jobsGoOn(): Promise<void>;
  /** The services of a further process. @param over other settings for it */
  openServices(over?: Readonly<Record<string, string>>): Promise<Opened>;
}

/** The demo tree on a primary with a standby; the service knows both places and nothing of which is which. */
export async function openFailoverWorld(): Promise<FailoverWorld> {
  const folder = mkdtempSync(join(tmpdir(), "failover-"));
  const places = [join(folder, "a"), join(folder, "b")] as const;
  const web = join(folder, "web");
  mkdirSync(web);
  writeFileSync(join(web, "index.html"), "<!doctype html><title>账房</title>");
  const [simulator, port] = [await startSimulator(SPEED), await findPort(9415, 9419)];
  const hosts = places.map(encodeURIComponent);
  const env = {
    DATA_DIR: join(folder, "data"),
    WEB_DIR: web,
    PORT: String(port),
    SIMULATOR_PORT: new URL(simulator.url).port,
    SIMULATOR_TOKEN,
    ZHANGFANG_SECRET: "0123456789abcdef".repeat(4),
    DATABASE_URL: `postgres://postgres@${hosts.join(",")}/postgres?target_session_attrs=read-write`,
    DATABASE_READ_URLS: hosts.map((host) => `postgres://postgres@${host}/postgres`).join(","),
  };
  const running: Replica[] = [await startReplicable(places[0])];
  let at = 0;
  const primary = () => running[at]!;
  const standby = () => running[1 - at]!;
  const open = (over: Readonly<Record<string, string>> = {}) => openServices(readConfig({ ...env, ...over }), domains);
  const made = await open();
  const tree = await buildTree(made.services);
  await openChannels(made, tree, simulator);
  const tokens = { mch01: await signIn(made.services, "mch01"), mch02: await signIn(made.services, "mch02") };
  await made.close();
  const renewStandby = async () => void (running[1 - at] = await addStandby(primary(), places[(1 - at) as 0 | 1]));
  await renewStandby();
  return {
    env,
    api: `http://127.0.0.1:${port}`,
    simulator,
    tree,
    tokens,
    start: () => startServer(env),
    primary,
    standby,
    renewStandby,
    waitForStandby: () => waitForStandby(primary()),
    async promote() {
      await promote(standby());
      at = 1 - at;
    },
    async jobsGoOn() {
      const [{ now }] = (await primary().ask<{ now: string }>("select now()::text as now")) as [{ now: string }];
      await until(
        async () =>
          (await primary().ask("select 1 from pgboss.job where started_on > $1 and state = 'completed' limit 1", [now])).length > 0,
      );
    },
    killDatabase: () => void primary().kill(),
    databaseLog: () => "",
    openServices: open,
    owner: async <R extends object>(text: string, values: unknown[] = []) => primary().ask<R>(text, values),
    async close() {
      await simulator.stop();
      await Promise.all(running.map((server) => server.stop()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
