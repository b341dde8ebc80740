import { generateKeyPairSync } from "node:crypto";
import { sql } from "kysely";
import pg from "pg";
import { buildTree, signIn, type DemoStore, type DemoTree } from "../../../../apps/demo/tree/tree.ts";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { Doors, Incoming, Principal, Route } from "@zhangfang/server/calls/call.ts";
import type { Config } from "@zhangfang/server/config.ts";
import { withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { refusalOf } from "@zhangfang/server/calls/errors.ts";
import type { Domain } from "@zhangfang/server/calls/domain.ts";
import type { Job, Jobs } from "@zhangfang/server/jobs/jobs.ts";
import { platformScope, storeScope } from "@zhangfang/server/database/scope.ts";
import { callAs, testServices, type TestServices } from "@zhangfang/server/testing.ts";
import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { readSession, sessionSql } from "../../../accounts/server/index.ts";
import { giveAbnormalRefundChannel, giveSharingChannel, type ChannelAccount } from "../../../channels/server/index.ts";
import type { Breach } from "@zhangfang/server/book.ts";
import { verifyLedger } from "../../../money/server/index.ts";
import { setChannelSettings } from "../../../organisation/server/index.ts";
import * as contract from "../../contract/index.ts";
import * as pricing from "../../../pricing/contract.ts";
import { pricing as pricingDoor, verifyParts } from "../../../pricing/server/index.ts";
import * as sharing from "../../../profit-sharing/contract/index.ts";
import { profitSharing } from "../../../profit-sharing/server/index.ts";
import { fakeSharing, type FakeSharing } from "../../../profit-sharing/server/testing/fake-sharing.ts";
import { giveChannel, orders } from "../index.ts";
import { apart, failAtCalls, failAtCommits, failpoint } from "./failpoints.ts";
import { Crash, fakeChannel, type FakeChannel } from "./fake-channel.ts";

type Contract = typeof contract & typeof sharing & typeof pricing;
type Calls = { [K in keyof Contract]: Contract[K] extends Endpoint ? K : never }[keyof Contract];

const endpoints: Readonly<Record<string, unknown>> = { ...contract, ...sharing, ...pricing };
const routes: readonly Route[] = [...orders.routes, ...profitSharing.routes, ...pricingDoor.routes];

/** Whoever the gateway let through; the signature itself is the devices' own test. */
const doors: Doors = {
  sessionSql,
  readSession,
  device: async (services, incoming) => {
    const sn = incoming.headers["x-device-sn"] ?? "";
    const device = await withScope(services.pool, platformScope("test device"), (tx) =>
      tx.selectFrom("devices").selectAll().where("sn", "=", sn).executeTakeFirstOrThrow(),
    );
    const scope = storeScope(device.service_provider_id, device.merchant_id, device.store_id);
    return { kind: "device", id: device.id, name: device.name, scope, holds: () => false } satisfies Principal;
  },
};

// Jobs in a table of the test's own, so that they exist exactly when the transaction commits and wait for their time.
function tableJobs(services: () => TestServices): Jobs {
  return {
    async enqueue(tx, target, data, { after_s = 0 } = {}) {
      const due = new Date(services().clock.now_ms() + after_s * 1000).toISOString();
      await sql`insert into test_jobs (name, data, due) values (${target.name}, ${JSON.stringify(target.data.parse(data))}, ${due})`.execute(
        tx,
      );
    },
    work: async () => {},
    stop: async () => {},
  };
}

export interface TillWorld {
  readonly services: TestServices;
  readonly tree: DemoTree;
  readonly channel: FakeChannel;
  /** The side of the channel that shares. */
  readonly sharing: FakeSharing;
  /** Setting and account by merchant. */
  readonly settings: ReadonlyMap<string, { readonly id: string; readonly account: ChannelAccount }>;
  /** Calls as a person. */
  as<K extends Calls>(login: string, name: K, input: InputOf<Contract[K]>): Promise<OutputOf<Contract[K]>>;
  /** Calls another domain's route as a person. */
  ask(login: string, route: Route, input: object): Promise<unknown>;
  /** The same past row-level security, so that the first fence stands alone. */
  asUnfenced<K extends Calls>(login: string, name: K, input: InputOf<Contract[K]>): Promise<OutputOf<Contract[K]>>;
  /** Calls another domain's route as a device of the store. */
  deviceAsk(store: DemoStore, route: Route, input: object): Promise<unknown>;
  /** Calls as a device of the store. */
  till<K extends Calls>(store: DemoStore, name: K, input: InputOf<Contract[K]>): Promise<OutputOf<Contract[K]>>;
  /** Calls another domain's route as a device of the store. */
  askTill(store: DemoStore, route: Route, input: object): Promise<unknown>;
  /** Brings a notification to a merchant's address. */
  notify(merchantId: string, given: { rawBody: Buffer; headers: Record<string, string> }): Promise<unknown>;
  /** The same by the setting's id, for any channel. */
  notifyAt(
    name: "notifyWechatPay" | "notifyAlipay" | "notifyAcquirer",
    settingsId: string,
    given: { rawBody: Buffer; headers: Record<string, string> },
  ): Promise<unknown>;
  /** Calls another domain's route as whoever signs its messages. */
  askOutside(route: Route, incoming: Pick<Incoming, "params" | "query" | "rawBody">): Promise<unknown>;
  /** The process ends where it would begin its n-th transaction from now; 0 lets it live. */
  crashAt(transaction: number): void;
  /** Runs the jobs whose time has come; a job that throws stays. */
  runJobs(): Promise<void>;
  /** Runs the minute's look at everything open, or what is named. */
  sweep(...names: readonly string[]): Promise<void>;
  verify(): Promise<Breach[]>;
  /** Forgets every order and refund on both sides, the book and the record: people, shops and tills stay. */
  forget(): Promise<void>;
  look<T>(fn: (tx: Transaction) => Promise<T>): Promise<T>;
  /** A transaction past both fences, which is undone at its end. */
  spoil<T>(fn: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Past both fences. */
  owner<R extends object>(text: string, values?: unknown[]): Promise<R[]>;
  close(): Promise<void>;
}

export interface WorldOptions {
  /** Where a real channel reaches the world. */
  readonly public_url?: string;
  /** What signs for a merchant at a real channel; without it the channel is the fake one. */
  readonly realAccount?: (merchantId: string) => Promise<ChannelAccount>;
  /** Domains beside and above orders whose jobs run and which hear of money; all of the product may be named. */
  readonly above?: readonly Domain[];
  readonly config?: Partial<Config>;
  /** When the world begins, where it is not the tests' usual day. */
  readonly moment?: string;
  /** How long one waits for a connection, where hundreds ask at once. */
  readonly wait_ms?: number;
}

/** The demo tree with a channel for every merchant, tills, jobs and doors: everything but HTTP. */
export async function openTillWorld({
  public_url,
  realAccount,
  above = [],
  config = {},
  moment,
  wait_ms,
}: WorldOptions = {}): Promise<TillWorld> {
  const domains = [...new Set([pricingDoor, profitSharing, orders, ...above])];
  const all = domains.flatMap(({ jobs }) => jobs);
  const made = await testServices(domains, { ...config, ...(public_url !== undefined && { public_url }) }, wait_ms);
  if (moment !== undefined) made.clock.set(moment);
  let left = 0;
  const connect = made.pool.connect.bind(made.pool);
  // A process that ends between two transactions: what was committed stays.
  made.pool.connect = ((...given: []) => {
    if (left > 0 && --left === 0) throw new Crash();
    return connect(...given);
  }) as typeof made.pool.connect;
  failAtCommits(made.pool);
  const services: TestServices = { ...made, jobs: tableJobs(() => services) };
  const owner = new pg.Pool({ ...services.owner, max: 2 });
  // The database is dropped under connections that are just ending.
  owner.on("connect", (client) => void client.on("error", () => {}));
  owner.on("error", () => {});
  await owner.query(
    "create table test_jobs (id bigserial primary key, name text not null, data jsonb not null, due timestamptz not null); grant all on test_jobs, test_jobs_id_seq to zhangfang_app",
  );
  const tree = await buildTree(services);
  const channel = fakeChannel(() => new Date(services.clock.now_ms()).toISOString());
  giveChannel(services, failAtCalls(channel.channel));
  giveAbnormalRefundChannel(services, failAtCalls(channel.abnormal));
  const sharingSide = fakeSharing(() => new Date(services.clock.now_ms()).toISOString());
  giveSharingChannel(services, failAtCalls(sharingSide.channel));
  const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const privateKeyPem = keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const publicKeyPem = keys.publicKey.export({ type: "spki", format: "pem" }).toString();
  const fakeAccount = (n: number): ChannelAccount => ({
    channel: 0,
    mode: "partner",
    appId: "wx0123456789abcdef",
    mchId: "1900000001",
    subMchId: String(1_600_000_000 + n),
    certSerial: "ABCDEF0123456789ABCDEF0123456789ABCDEF01",
    privateKeyPem,
    apiV3Key: "0123456789abcdef0123456789abcdef",
    platformKeys: { PUB_KEY_ID_01: publicKeyPem },
    baseUrl: "https://api.mch.weixin.qq.com",
  });
  const settings = new Map<string, { id: string; account: ChannelAccount }>();
  // The test's own looking is not the process that ends.
  const look = async <T>(fn: (tx: Transaction) => Promise<T>) => {
    const kept = left;
    left = 0;
    return withScope(services.pool, platformScope("test"), fn, { deadline_ms: 60_000 }).finally(() => (left = kept));
  };
  for (const [n, merchant] of Object.values(tree.merchants).entries()) {
    const account = realAccount ? await realAccount(merchant.id) : fakeAccount(n);
    const { mode, appId, mchId, subMchId, certSerial, privateKeyPem: key, apiV3Key, platformKeys, baseUrl } = account;
    const id = await look((tx) =>
      setChannelSettings(tx, services, {
        serviceProviderId: merchant.serviceProviderId,
        merchantId: merchant.id,
        channel: 0,
        mode,
        appId,
        mchId,
        subMchId,
        certSerial,
        privateKeyPem: key,
        apiV3Key,
        platformKeys,
        baseUrl,
      }),
    );
    settings.set(merchant.id, { id, account });
  }
  // Shops that have been open for a while: the channel has answered under these keys.
  await owner.query("update channel_settings set proved_at = now()");
  const tokens = new Map<string, { token: Promise<string>; until_ms: number }>();
  // A session ends after half an hour of rest, and a test's clock leaps.
  const tokenOf = (login: string) => {
    const now_ms = services.clock.now_ms();
    const known = tokens.get(login);
    if (known && known.until_ms > now_ms) return known.token;
    const token = apart(() => signIn(services, login));
    tokens.set(login, { token, until_ms: now_ms + 20 * 60_000 });
    return token;
  };
  const routeOf = (name: Calls): Route => {
    const route = routes.find((one) => one.endpoint === endpoints[name]);
    if (!route) throw new Error(`no route for ${name}`);
    return route;
  };
  const through = (route: Route, token: string | undefined, input: object, more: Partial<Incoming>, by = services): Promise<never> =>
    callAs(by, doors, route, token, input, more).catch((error: unknown) => Promise.reject(refusalOf(error) ?? error)) as Promise<never>;
  const call = (name: Calls, token: string | undefined, input: object, more: Partial<Incoming>, by = services): Promise<never> =>
    through(routeOf(name), token, input, more, by);
  const runOne = async (job: Job, data: unknown) => job.run(services, job.data.parse(data));
  return {
    services,
    tree,
    channel,
    sharing: sharingSide,
    settings,
    look,
    crashAt: (transaction) => void (left = transaction),
    as: async (login, name, input) => call(name, await tokenOf(login), input as object, {}),
    ask: async (login, route, input) => through(route, await tokenOf(login), input, {}),
    asUnfenced: async (login, name, input) => call(name, await tokenOf(login), input as object, {}, { ...services, pool: owner }),
    deviceAsk: (store, route, input) => through(route, undefined, input, { headers: { "x-device-sn": store.devices[0]?.sn ?? "" } }),
    till: (store, name, input) => call(name, undefined, input as object, { headers: { "x-device-sn": store.devices[0]?.sn } }),
    askTill: async (store, route, input) => through(route, undefined, input, { headers: { "x-device-sn": store.devices[0]?.sn } }),
    askOutside: (route, incoming) => through(route, undefined, {}, { body: undefined, ...incoming }),
    notifyAt: (name, settingsId, { rawBody, headers }) =>
      call(name, undefined, {}, { params: { settingsId }, body: undefined, rawBody, headers }),
    notify: (merchantId, { rawBody, headers }) =>
      call("notifyWechatPay", undefined, {}, { params: { settingsId: settings.get(merchantId)?.id }, body: undefined, rawBody, headers }),
    async runJobs() {
      for (;;) {
        const [next] = (
          await owner.query<{ id: string; name: string; data: unknown }>(
            "select id, name, data from test_jobs where due <= $1 order by id limit 1",
            [new Date(services.clock.now_ms()).toISOString()],
          )
        ).rows;
        if (!next) return;
        const job = all.find((one) => one.name === next.name);
        if (!job) throw new Error(`no job ${next.name}`);
        await runOne(job, next.data);
        failpoint(`before ${job.name} is known to be done`);
        await owner.query("delete from test_jobs where id = $1", [next.id]);
      }
    },
    async sweep(...names) {
      const due = all.filter((one) => (names.length > 0 ? names.includes(one.name) : one.every !== undefined));
      for (const job of due) await runOne(job, {});
    },
    verify: () => look(async (tx) => [...(await verifyLedger(tx)), ...(await verifyParts(tx, "-infinity"))]),
    async forget() {
      await emptyTables(
        (text) => owner.query(text),
        `pay_orders, order_promotions, friend_pays, refunds, refund_evidence, sharing_orders, sharing_lines, sharing_returns, sharing_calls, hardware_outputs, order_events, channel_calls, channel_inbox, handovers, ledger_accounts, ledger_entries,
          ledger_postings, takings_fresh, takings_folded, takings_hours_monthly_folded, takings_days_folded, takings_merchants_folded, takings_merchants_monthly_folded, takings_daily_folded, takings_monthly_folded,
          takings_people_folded, takings_people_monthly_folded, takings_cells_folded, takings_cells_monthly_folded, takings_goods, takings_goods_monthly, takings_shared, audit_log, audit_seals, idempotency_keys, test_jobs`,
      );
      channel.trades.clear();
      channel.refunds.clear();
      sharingSide.clear();
    },
    async spoil(fn) {
      const done: { value?: Awaited<ReturnType<typeof fn>> } = {};
      const undo = new Error("undone");
      await withScope(owner, platformScope("spoil"), async (tx) => {
        done.value = await fn(tx);
        throw undo;
      }).catch((error: unknown) => (error === undo ? undefined : Promise.reject(error)));
      return done.value as Awaited<ReturnType<typeof fn>>;
    },
    owner: async <R extends object>(text: string, values: unknown[] = []) => (await owner.query(text, values)).rows as R[],
    async close() {
      await owner.end();
      await services.close();
    },
  };
}
