import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SIMULATOR_TOKEN, startSimulator, type TestSimulator } from "@zhangfang/domains/channels/server/simulator-for-tests.ts";
import type { ChannelAccount } from "@zhangfang/domains/channels/server/index.ts";
import { givePayoutSettings, keepAccount } from "@zhangfang/domains/commissions/server/index.ts";
import { apart } from "@zhangfang/domains/orders/server/testing/failpoints.ts";
import { openTillWorld, type TillWorld } from "@zhangfang/domains/orders/server/testing/till-world.ts";
import { readConfig } from "@zhangfang/server/config.ts";
import { connectionUrl, type SocketConnection } from "@zhangfang/server/database/embedded-postgres.ts";
import { signIn, type DemoStore } from "../../../demo/tree/tree.ts";
import { domains } from "../../domains.ts";
import { openServices, type Opened } from "../../open-services.ts";
import type { Caller, Call, Reply, Seen } from "../patient-client.ts";
import { sendUntilAnswered } from "../patient-client.ts";
import { openRaceGateway, type RaceGateway } from "./race-gateway.ts";
import { findPort, startServer, type RunningServer } from "../running-server.ts";

const DAY_MS = 86_400_000;
/** How much faster than the real channel the simulator settles and tells. */
const SPEED = 600;
/** Sessions of one person: a caller may ask six hundred times a minute for money. */
const SESSIONS = 24;

export type Contender = readonly [caller: Caller, call: Call];
/** Two servers that both take jobs, over one database, and a channel in a process of its own. */
export interface RaceWorld {
  readonly till: TillWorld;
  readonly simulator: TestSimulator;
  readonly gateway: RaceGateway;
  readonly servers: readonly RunningServer[];
  readonly apis: readonly string[];
  readonly seen: Seen;
  /** Payout accounts of agent01 by their way. */
  readonly accounts: Readonly<Record<"bank" | "wechat", string>>;
  /** A session of a person, another one each time. */
  token(login: string): string;
  /** New sessions for everybody: races that are repeated outlast one. */
  signInAll(): Promise<void>;
  post(caller: Caller, path: string, body: object): Contender;
  /** All at once, one half at each server; whoever is told to come back does. */
  race(contenders: readonly Contender[]): Promise<Reply[]>;
  /** One call that has to go well. */
  ask<T>(contender: Contender): Promise<T>;
  /** A payment at the store's till, paid at once through the channel. */
  pay(store: DemoStore, cents: number): Promise<{ id: string; orderNo: string; tillNo: string }>;
  owner: TillWorld["owner"];
  /** The services of a third process, which takes no jobs by itself and stays open. */
  openServices(): Promise<Opened>;
  /** Asks both servers to end. @returns what they ended with */
  close(): Promise<(number | null)[]>;
}

/**
 * Everything up; the shops are three days old, so that there may have been payments before today.
 * @param port the first of five that nobody else looks at
 */
export async function openRaceWorld(port = 9415): Promise<RaceWorld> {
  // What is up so far, to be taken down again: the last first.
  const up: (() => unknown)[] = [];
  const takeDown = async () => {
    for (const close of up.toReversed()) await close();
  };
  try {
    return await build(port, up, takeDown);
  } catch (error) {
    await takeDown();
    throw error;
  }
}

async function build(port: number, up: (() => unknown)[], takeDown: () => Promise<void>): Promise<RaceWorld> {
  const folder = mkdtempSync(join(tmpdir(), "race-world-"));
  up.push(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "web"));
  writeFileSync(join(folder, "web/index.html"), "<!doctype html><title>账房</title>");
  const simulator = await startSimulator(SPEED);
  up.push(() => simulator.stop());
  const first = await findPort(port, port + 3);
  const ports = [first, await findPort(first + 1, port + 4)];
  const apis = ports.map((port) => `http://127.0.0.1:${port}`);
  const gateway = await openRaceGateway(apis);
  up.push(() => gateway.close());
  const env = {
    DATA_DIR: join(folder, "data"),
    WEB_DIR: join(folder, "web"),
    SIMULATOR_PORT: new URL(simulator.url).port,
    SIMULATOR_TOKEN,
    ZHANGFANG_SECRET: "0123456789abcdef".repeat(4),
    PUBLIC_URL: gateway.url,
  };
  const config = readConfig(env);
  const mch = await simulator.register();
  let subMerchants = 0;
  const till = await openTillWorld({
    moment: new Date(Date.now() - 3 * DAY_MS).toISOString(),
    config,
    realAccount: async () => ({ ...mch, subMchId: String(1_600_000_001 + subMerchants++) }) as ChannelAccount,
  });
  up.push(() => till.close());
  const accounts = await openPayouts(till, simulator);
  till.services.clock.set(new Date().toISOString());

  const DATABASE_URL = connectionUrl(till.services.owner as SocketConnection);
  const servers = ports.map((port) => startServer({ ...env, PORT: String(port), DATABASE_URL }));
  const endServers = async () => {
    for (const server of servers) server.kill("SIGTERM");
    return Promise.all(servers.map((server) => server.ended));
  };
  up.push(endServers);
  await Promise.all(servers.map((server) => server.ready()));
  const third = await openServices({ ...config, database_url: DATABASE_URL }, domains);
  up.push(() => third.close());
  const seen: Seen = { answers: 0, silent: 0, later: 0, odd: [] };
  const sessions = new Map<string, string[]>();
  const signInAll = async () => {
    for (const login of ["mch01", "mch02", "emp01", "sp01", "agent01"])
      sessions.set(login, await Promise.all(Array.from({ length: SESSIONS }, () => apart(() => signIn(till.services, login)))));
  };
  await signInAll();
  let turn = 0;
  // As they are told, though not all at one moment.
  const asTold = (reply: Reply | undefined) => Number(reply?.retryAfter ?? 1) * (200 + Math.random() * 800);
  const send = ([caller, call]: Contender): Promise<Reply> => sendUntilAnswered(apis[turn++ % apis.length]!, caller, call, seen, asTold);
  const world: RaceWorld = {
    till,
    simulator,
    gateway,
    servers,
    apis,
    seen,
    accounts,
    token: (login) => {
      const all = sessions.get(login)!;
      return all[turn++ % all.length]!;
    },
    signInAll,
    post: (caller, path, body) => [caller, { verb: "POST", path, body }],
    race: (contenders) => Promise.all(contenders.map((one) => send(one))),
    async ask<T>(contender: Contender) {
      const reply = await send(contender);
      if (reply.status !== 200) throw new Error(`${contender[1].path}: ${reply.status} ${JSON.stringify(reply.body)}`);
      return reply.body as T;
    },
    async pay(store, cents) {
      const tillNo = `T${randomUUID().slice(0, 18)}`;
      const order = { tillNo, tradeType: "MICROPAY", subject: "午餐", grossCents: cents, authCode: "130000000099999999" };
      const { orderNo } = await world.ask<{ orderNo: string }>(world.post(store.devices[0]!, "/api/till/orders", order));
      const [row] = await till.owner<{ id: string; status: number }>("select id, status from pay_orders where order_no = $1", [orderNo]);
      if (row?.status !== 2) throw new Error(`${orderNo} was not paid`);
      return { id: row.id, orderNo, tillNo };
    },
    owner: till.owner,
    openServices: async () => ({ ...third, close: async () => {} }),
    async close() {
      const endings = await endServers();
      // Why somebody heard of a fault stands in the servers' log alone.
      if (seen.odd.length > 0) process.stdout.write(faultsIn(join(folder, "data/service.log")));
      await takeDown();
      return endings.map(({ code }) => code);
    },
  };
  return world;
}

/** sp01 pays out of an account of its own, whatever is asked for and whenever; agent01 has accounts that are old enough. */
async function openPayouts(till: TillWorld, simulator: TestSimulator): Promise<RaceWorld["accounts"]> {
  const own = await simulator.register({ mode: "direct" });
  const provider = till.tree.providers.sp01;
  const agent = till.tree.agents.agent01;
  return till.look(async (tx) => {
    const terms = { min_cents: 100, fee_fixed_cents: 0, fee_rate: 0, freeze_days: 0, unapproved_up_to_cents: 0 };
    const always = { weekdays: [1, 2, 3, 4, 5, 6, 7], from_hour: 0, to_hour: 24 };
    const channel = { ...own, sceneId: "1005" };
    await givePayoutSettings(tx, till.services, provider, { terms: { ...terms, ...always }, channel, version: 0, by: "sp01" });
    const owner = { agent_id: agent, business_group_id: null, business_team_id: null, salesman_id: null, receiver_id: agent };
    const keep = async (given: Parameters<typeof keepAccount>[3]) =>
      (await keepAccount(tx, till.services, { provider, receiver: "agent", owner }, given, "agent01")).id;
    return {
      bank: await keep({ method: "bank", number: "6228480402564890018", holder: "周锦", bankName: "农业银行" }),
      wechat: await keep({ method: "wechat", number: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o", holder: "周锦" }),
    };
  });
}

/** The lines of the servers' log that tell of a fault. */
const faultsIn = (log: string): string =>
  `${readFileSync(log, "utf8")
    .split("\n")
    .filter((line) => line.includes('"fault"'))
    .join("\n")}\n`;

/** A payment of mch01 so long ago; the channel knows it too. */
export async function payBefore({ till, simulator }: Pick<RaceWorld, "till" | "simulator">, cents: number, ago_ms: number) {
  till.services.clock.set(new Date(Date.now() - ago_ms).toISOString());
  const { id: merchantId, stores } = till.tree.merchants.mch01;
  const order = { tillNo: `B${randomUUID().slice(0, 18)}`, tradeType: "MICROPAY", subject: "午餐", grossCents: cents } as const;
  const { orderNo } = await till.till(stores[0]!, "createTillOrder", { ...order, authCode: "130000000000000012" });
  const [row] = await till.owner<{ id: string; channel_no: string; paid_at: string }>(
    "select id, channel_no, paid_at from pay_orders where order_no = $1",
    [orderNo],
  );
  const { mchId, subMchId, appId } = till.settings.get(merchantId)!.account;
  const trade = { mchId, subMchId, appId, outTradeNo: orderNo, total: cents, description: "午餐", openId: "o1" };
  await simulator.control("POST trades", {
    trades: [{ ...trade, transactionId: row!.channel_no, paidAt: row!.paid_at, profitSharing: true }],
  });
  till.services.clock.set(new Date().toISOString());
  return { id: row!.id, orderNo };
}
