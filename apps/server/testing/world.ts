import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import type pg from "pg";
import {
  giveAbnormalRefundChannel,
  giveSharingChannel,
  giveStoreChannel,
  type SharingChannel,
  type StoreChannel,
} from "@zhangfang/domains/channels/server/index.ts";
import { textToSign } from "@zhangfang/domains/devices/server/index.ts";
import { giveChannel } from "@zhangfang/domains/orders/server/index.ts";
import { openTillWorld, type TillWorld } from "@zhangfang/domains/orders/server/testing/till-world.ts";
import { giveVendors } from "@zhangfang/domains/store-hardware/server/index.ts";
import { willingVendors } from "@zhangfang/domains/store-hardware/server/testing/fake-vendors.ts";
import { hmacHex } from "@zhangfang/server/crypto.ts";
import { openPool } from "@zhangfang/server/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { openHttp } from "../http.ts";
import { domains, doors, routes } from "../domains.ts";
import { addChannelAccounts } from "./add-channel-accounts.ts";
import { addGuides } from "./add-guides.ts";
import { bindHardware } from "./bind-hardware.ts";
import { decideAssignments } from "./decide-assignments.ts";
import { type BillFacts, matchBills } from "./match-bills.ts";
import { type CashierCodeFact, openCashierCodes, openPayCodes, type PayCodeFact } from "./open-pay-codes.ts";
import { type Facts, liveADay, readFacts } from "./live-a-day.ts";
import { addSites, addFreeArea, findStores, openSessions, saveOtherStores, startExports, startImports } from "./open-accounts.ts";
import { type Caller, isTill, type Login, type MerchantKey, placeOf } from "./people.ts";
import type { HardwareFact } from "./policy-hardware.ts";
import { type OnlineFacts, shopOnline } from "./shop-online.ts";
import { type CommissionFacts, shareFees } from "./share-fees.ts";
import { type MaterialFact, plantMaterials, readMaterials, type UploadFact } from "./plant-materials.ts";
import { type AdFact, plantAds } from "./plant-ads.ts";
import { plantShares, readShares, type SharingFacts } from "./plant-shares.ts";
import { type ConfigFact, setConfigValues } from "./set-config-values.ts";
import { type CommandFact, queueCommands } from "./queue-commands.ts";
import { type StockFact, takeIntoStock } from "./take-into-stock.ts";
import { watchCommits } from "./watch-commits.ts";

/** One request, before anybody put a name to it. */
export interface Request {
  readonly verb: string;
  readonly path: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Instead of a body: the bytes as they are. */
  readonly raw?: string | Buffer;
  /** What stands in the address behind everything else, as it is. */
  readonly tail?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** The parsed body; undefined where it is no JSON. */
  readonly body: unknown;
  /** Owners of rows that the request would have changed. */
  readonly changed: ReadonlySet<string>;
}
/** Exports of one account: ready, waiting, failed. */
export type ExportsOf = Readonly<Record<"ready" | "waiting" | "failed", string>>;
/** Imports of one account: at rest, at work. */
export type ImportsOf = Readonly<Record<"resting" | "running", string>>;
export interface HttpWorld {
  readonly till: TillWorld;
  readonly services: Services;
  readonly app: FastifyInstance;
  readonly facts: Facts;
  readonly sharing: SharingFacts;
  readonly exports: ReadonlyMap<Login, ExportsOf>;
  readonly imports: ReadonlyMap<Login, ImportsOf>;
  /** Stores of another platform, one of each merchant. */
  readonly otherStores: readonly { readonly id: string; readonly merchant: MerchantKey; readonly merchantId: string }[];
  /** A finding about the first store of each merchant: one that waits, one that is handled. */
  readonly abnormal: readonly { readonly id: string; readonly merchant: MerchantKey; readonly store: number; readonly handled: boolean }[];
  /** An area of mch01's last store that nobody manages. */
  readonly freeArea: string;
  /** Printers and speakers of some stores. */
  readonly hardware: readonly HardwareFact[];
  /** Saves of merchants' own device configuration. */
  readonly deviceConfig: readonly ConfigFact[];
  /** Saves of ad configuration at merchants. */
  readonly adConfig: readonly ConfigFact[];
  /** Every material, and uploads that are not ended. */
  readonly materials: readonly MaterialFact[];
  readonly uploads: readonly UploadFact[];
  /** An ad of each provider and one of the platform. */
  readonly ads: readonly AdFact[];
  /** Things in the stock of the platform, of providers and of merchants. */
  readonly stock: readonly StockFact[];
  /** Hand-overs that wait for their day. */
  readonly assignments: readonly { readonly id: string; readonly merchant: MerchantKey }[];
  /** What the fees of the day were shared into. */
  readonly commissions: CommissionFacts;
  /** Days, differences and bills of each merchant. */
  readonly bills: BillFacts;
  /** The official site of each provider, unpublished. */
  readonly sites: Readonly<Record<"sp01" | "sp02", string>>;
  readonly payCodes: readonly PayCodeFact[];
  readonly cashierCodes: readonly CashierCodeFact[];
  readonly commands: readonly CommandFact[];
  /** What customers did online. */
  readonly online: OnlineFacts;
  /** Staff that the channel is to show, one in a store of each tree. */
  readonly guides: readonly { readonly id: string; readonly merchant: MerchantKey; readonly store: number; readonly storeId: string }[];
  /** An account at Alipay and one at an acquirer of each merchant. */
  readonly alipay: readonly { readonly id: string; readonly acquirer: string; readonly merchant: MerchantKey }[];
  /** A sign-in by code that mch02 has scanned and not answered. */
  readonly qr: string;
  readonly commits: Awaited<ReturnType<typeof watchCommits>>;
  /** While it is on, what requests change stays. */
  readonly keep: { on: boolean };
  token(caller: Caller): string | undefined;
  send(caller: Caller, request: Request): Promise<Answer>;
  /** The same calls through another app: a fence is off there. */
  through(app: FastifyInstance): Pick<HttpWorld, "send">;
  /** An app over a pool that row-level security does not hold for: the first fence stands alone. */
  withoutRowSecurity(): Promise<FastifyInstance>;
  close(): Promise<void>;
}

const unheard = async () => ({ kind: "unknown", reason: "没有收到应答" }) as const;
/** A channel that never answers about stores and their staff. */
const mute: SharingChannel = {
  addReceiver: unheard,
  removeReceiver: unheard,
  share: unheard,
  queryShare: unheard,
  unfreeze: unheard,
  giveBack: unheard,
  queryReturn: unheard,
  unsplit: unheard,
  maxRatio: async () => ({ kind: "ok", value: { ratio: 30_000 } }),
};
const silent: StoreChannel = { openStore: unheard, findStore: unheard, registerGuide: unheard, updateGuide: unheard, findGuide: unheard };

/** The demo tree after a day of business behind the real HTTP side; whatever a request changes is undone at its commit. */
export async function openHttpWorld(): Promise<HttpWorld> {
  const till = await openTillWorld({ above: domains });
  const services: Services = {
    ...till.services,
    config: { ...till.services.config, data_dir: mkdtempSync(join(tmpdir(), "http-world-")) },
  };
  giveChannel(services, till.channel.channel);
  giveVendors(services, willingVendors);
  giveStoreChannel(services, silent);
  giveSharingChannel(services, mute);
  giveAbnormalRefundChannel(services, { redirect: async () => ({ kind: "refused", code: "PARAM_ERROR", message: "不支持" }) });
  await liveADay(till);
  const commissions = await shareFees(till);
  const sharing = await plantShares(till);
  const owner = openPool({ connection: till.services.owner as pg.PoolConfig, size: 2, wait_ms: 5_000 });
  const app = await openHttp(services, doors, routes, { limits: false });
  const tokens = await openSessions(till, services);
  const keep = { on: false };
  const apps: FastifyInstance[] = [app];
  const pools: pg.Pool[] = [owner];
  let nonce = 0;
  const signed = (caller: Caller, verb: string, url: string, payload: string | Buffer): Record<string, string> => {
    if (!isTill(caller)) return tokens.has(caller) ? { authorization: `Bearer ${tokens.get(caller)}` } : {};
    const { merchant, store } = placeOf(caller);
    const device = till.tree.merchants[merchant].stores[store]!.devices[0]!;
    const signing = {
      verb,
      url,
      timestamp: String(services.clock.now_ms()),
      nonce: `nonce-${String(++nonce).padStart(8, "0")}`,
      body: Buffer.from(payload),
    };
    const key = caller.startsWith("forged") ? till.tree.merchants.mch03.stores[0]!.devices[0]!.key : device.key;
    return {
      "x-device-sn": device.sn,
      "x-timestamp": signing.timestamp,
      "x-nonce": signing.nonce,
      "x-signature": hmacHex(key, textToSign(signing)),
    };
  };
  const commits = await watchCommits(services.pool, owner, keep);
  const sender =
    (through: FastifyInstance): HttpWorld["send"] =>
    async (caller, request) => {
      const url = urlOf(request);
      const payload = request.raw ?? (request.body === undefined ? "" : JSON.stringify(request.body));
      const headers = {
        ...(payload && { "content-type": "application/json" }),
        ...signed(caller, request.verb, url, payload),
        ...request.headers,
      };
      const { answer, changed } = await commits.during(() =>
        through.inject({ method: request.verb as "GET", url, headers, ...(payload.length > 0 && { payload }) }),
      );
      return answerOf(answer, changed);
    };
  const send = sender(app);
  keep.on = true;
  // Before the files: they hold what there is.
  const online = await shopOnline(till, send);
  const made = await startExports(till, services, send);
  const imports = await startImports(till, send);
  const abnormal = await findStores(till);
  const bills = await matchBills(till);
  const otherStores = await saveOtherStores(till, send);
  const sites = await addSites(till);
  const guides = await addGuides(till);
  const alipay = await addChannelAccounts(till);
  const freeArea = await addFreeArea(till, services, send);
  const hardware = await bindHardware(till, send);
  const deviceConfig = await setConfigValues(till, send, "device");
  const adConfig = await setConfigValues(till, send, "ad");
  const uploads = await plantMaterials(send);
  const ads = await plantAds(till, send, owner);
  const stock = await takeIntoStock(till, send);
  const assignments = await decideAssignments(till, send);
  const payCodes = await openPayCodes(till, send);
  const cashierCodes = await openCashierCodes(till, send);
  const commands = await queueCommands(till, send);
  const { requestId: qr } = (await send("anonymous", { verb: "POST", path: "/api/qr-requests", body: {} })).body as { requestId: string };
  await send("mch02", { verb: "POST", path: "/api/qr-requests/scan", body: { requestId: qr } });
  keep.on = false;
  await commits.remember();
  return {
    till,
    services,
    app,
    keep,
    commits,
    send,
    imports,
    abnormal,
    bills,
    otherStores,
    sites,
    freeArea,
    hardware,
    assignments,
    deviceConfig,
    adConfig,
    materials: await readMaterials(till, owner),
    uploads,
    ads,
    stock,
    payCodes,
    cashierCodes,
    commands,
    online,
    commissions,
    guides,
    alipay,
    qr,
    facts: await readFacts(till),
    sharing: await readShares(till, sharing),
    exports: made,
    token: (caller) => tokens.get(caller),
    through: (other) => ({ send: sender(other) }),
    async withoutRowSecurity() {
      const pool = openPool({ connection: till.services.owner as pg.PoolConfig, size: 10, wait_ms: 5_000 });
      pools.push(pool);
      const unfenced = { ...services, pool };
      giveChannel(unfenced, till.channel.channel);
      giveVendors(unfenced, willingVendors);
      giveStoreChannel(unfenced, silent);
      const other = await openHttp(unfenced, doors, routes, { limits: false });
      apps.push(other);
      return other;
    },
    async close() {
      for (const one of apps) await one.close();
      for (const pool of pools) await pool.end();
      await till.close();
    },
  };
}

export function urlOf({ path, params = {}, query = {}, tail = "" }: Request): string {
  const filled = path.replaceAll(/:(\w+)/g, (_all, name: string) => encodeURIComponent(params[name] ?? ""));
  return `${filled}?${new URLSearchParams({ _t: "1", ...query }).toString()}${tail}`;
}
export function answerOf(answer: LightMyRequestResponse, changed: ReadonlySet<string>): Answer {
  let body: unknown;
  try {
    body = JSON.parse(answer.body);
  } catch {
    body = undefined;
  }
  return { status: answer.statusCode, headers: answer.headers, text: answer.body, body, changed };
}
