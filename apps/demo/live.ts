import { generateKeyPairSync, randomBytes, randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { setChannelAccount, setChannelSettings } from "@zhangfang/domains/organisation/server/index.ts";
import { acquirerMappings, type ChannelAccount, type Wallet } from "@zhangfang/domains/channels/server/index.ts";
import { setVendorAccount } from "@zhangfang/domains/store-hardware/server/index.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { openOutbound } from "@zhangfang/server/outside/outbound.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { DEMO_TRACE } from "./mark.ts";
import type { PastTrade, Takes } from "./orders/play-order.ts";
import { playOnline } from "./orders/online.ts";
import { bookOf } from "./simulators.ts";
import { signIn, type DemoStore, type DemoTree } from "./tree/tree.ts";
import type { Wire } from "./wire.ts";

const ALIPAY_APP_ID = "2021004126110001";
const ACQUIRER = 4;
const ALIPAY_MERCHANTS = ["mch01", "mch02", "mch03", "mch05"] as const;
export const SP_MCH_ID = "1900000109";
/** Devices that stand switched off, so that the to-do list has something to say. */
const OFFLINE = new Set(["ZF-03-2", "ZF-07-1", "ZF-11-3", "ZF-16-2", "ZF-19-3"]);

/** How long "later" is, and how often it may be said. */
const [LATER_MS, TRIES] = [1_000, 300];
/** How long an answer may take on a machine that has other work, before the demo counts as not made. */
const PATIENCE_MS = 120_000;
/** Stores of the last hour that sell at once: their tills wait for the service and for the channel most of the time. */
const STORES_AT_ONCE = 4;

/** Calls to the simulator and to the product, as its users make them. */
export function openWire(services: Services): { wire: Wire; simulator: string; api: string } {
  const { simulator_port, port, public_url } = services.config;
  const send = openOutbound([`127.0.0.1:${simulator_port}`, `127.0.0.1:${port}`, new URL(public_url).host], { loopback: true });
  const ask = async (
    method: string,
    url: string,
    headers: Record<string, string>,
    body?: object,
    more = TRIES,
  ): Promise<Record<string, unknown>> => {
    const answer = await send({
      method,
      url,
      headers: { ...headers, "x-trace-id": `${DEMO_TRACE}${randomUUID()}`, ...(body && { "content-type": "application/json" }) },
      timeout_ms: PATIENCE_MS,
      ...(body && { body: JSON.stringify(body) }),
    });
    const data = JSON.parse(answer.body.toString("utf8") || "{}") as Record<string, unknown>;
    // A machine that is busy with something else says "later", having done nothing; and so does an order that is still being shared.
    const later = answer.status === 503 || String(data["message"]).includes("请稍后再试");
    if (later && more > 0) {
      await new Promise((resolve) => setTimeout(resolve, LATER_MS));
      return ask(method, url, headers, body, more - 1);
    }
    if (answer.status >= 300) throw new Error(`${method} ${url}: ${answer.status} ${String(data["message"])}`);
    return data;
  };
  return {
    wire: { post: (url, body, headers = {}) => ask("POST", url, headers, body), get: (url, headers = {}) => ask("GET", url, headers) },
    simulator: `http://127.0.0.1:${simulator_port}`,
    api: `http://127.0.0.1:${port}`,
  };
}

const DEMO_APP_SECRET = "0123456789abcdef0123456789abcdef";
/** An account of a merchant at the simulator, by the wallet and the channel that it is for. */
interface Account {
  readonly merchantId: string;
  readonly channel: number;
  readonly wallet: Wallet;
  readonly mchId: string;
  readonly subMchId?: string;
}
/** Who is who at the simulator, and what each merchant takes besides WeChat. */
export interface DemoChannels {
  /** The provider's own account as 服务商, keys and all. */
  readonly partner: Omit<ChannelAccount, "subMchId">;
  readonly accounts: readonly Account[];
  readonly takes: Takes;
}

/** Opens accounts at the simulator for every merchant, with keys of their own, and tells the product its settings. */
export async function openChannels(services: Services, tree: DemoTree): Promise<DemoChannels> {
  const { wire, simulator } = openWire(services);
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const account = {
    appId: "wx8888888888888888",
    mchId: SP_MCH_ID,
    certSerial: randomBytes(20).toString("hex").toUpperCase(),
    apiV3Key: randomBytes(16).toString("hex"),
  };
  const { platformKeys } = await wire.post(`${simulator}/_control/merchants`, {
    ...account,
    // For whoever tries 付款码识别.
    apiKey: "0123456789abcdef0123456789abcdef",
    publicKeyPem: publicKey.export({ type: "spki", format: "pem" }),
  });
  const privateKeyPem = String(privateKey.export({ type: "pkcs8", format: "pem" }));
  const accounts: Account[] = [];
  await withScope(services.pool, platformScope("demo channels"), async (tx) => {
    for (const [n, merchant] of Object.values(tree.merchants).entries()) {
      const subMchId = String(1_600_000_001 + n);
      accounts.push({ merchantId: merchant.id, channel: 0, wallet: "wechat", mchId: SP_MCH_ID, subMchId });
      await setChannelSettings(tx, services, {
        ...account,
        serviceProviderId: merchant.serviceProviderId,
        merchantId: merchant.id,
        channel: 0,
        mode: "partner",
        subMchId,
        privateKeyPem,
        platformKeys: platformKeys as Record<string, string>,
        // The demo's official account; pages inside WeChat learn by it who pays.
        appSecret: DEMO_APP_SECRET,
        baseUrl: simulator,
      });
    }
  });
  accounts.push(...(await openAlipay(services, tree)), ...(await openAcquirer(services, tree)));
  const partner = {
    ...account,
    channel: 0 as const,
    mode: "partner" as const,
    privateKeyPem,
    platformKeys: platformKeys as Record<string, string>,
    baseUrl: simulator,
  };
  const takes: Record<string, Wallet[]> = {};
  for (const { merchantId, wallet } of accounts) (takes[merchantId] ??= []).push(wallet);
  return { partner, accounts, takes };
}

/** The merchants that take Alipay, by a token that they gave to the provider's application. */
async function openAlipay(services: Services, tree: DemoTree): Promise<Account[]> {
  const { wire, simulator } = openWire(services);
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const merchants = ALIPAY_MERCHANTS.map((login, n) => ({
    ...tree.merchants[login],
    sellerId: String(2_088_000_026_110_001 + n),
    token: `202611BB${randomBytes(14).toString("hex")}`,
  }));
  const { publicKeyPem } = await wire.post(`${simulator}/_control/alipay-apps`, {
    appId: ALIPAY_APP_ID,
    publicKeyPem: publicKey.export({ type: "spki", format: "pem" }),
    tokens: Object.fromEntries(merchants.map(({ token, sellerId }) => [token, sellerId])),
  });
  await withScope(services.pool, platformScope("demo channels"), async (tx) => {
    for (const { id, serviceProviderId, sellerId, token } of merchants)
      await setChannelAccount(tx, services, {
        serviceProviderId,
        merchantId: id,
        channel: 0,
        mode: "partner",
        merchantNo: sellerId,
        appNo: ALIPAY_APP_ID,
        privateKey: String(privateKey.export({ type: "pkcs8", format: "pem" })),
        publicKey: String(publicKeyPem),
        authToken: token,
        baseUrl: `${simulator}/alipay/gateway.do`,
      });
  });
  return merchants.map(({ id, sellerId }) => ({ merchantId: id, channel: 0, wallet: "alipay", mchId: ALIPAY_APP_ID, subMchId: sellerId }));
}

/** The stores that have a printer or a speaker: the merchant's login, the store, the maker, and the device's place in the simulator's stock. */
const HARDWARE = [
  ["mch01", 0, "feie", 0, "前台"],
  ["mch01", 0, "borui", 0, "收银台"],
  ["mch01", 1, "yilian", 0, "前台"],
  ["mch01", 1, "borui", 1, "收银台"],
  ["mch01", 2, "feie", 4, "后厨"],
  ["mch03", 0, "feie", 2, "收银台"],
  ["mch02", 0, "yilian", 1, "前台"],
  ["mch02", 0, "borui", 2, "门口"],
] as const;

/** Opens the platform's accounts at the simulated makers, and binds some devices as their merchants would. */
export async function bindHardware(services: Services, tree: DemoTree): Promise<void> {
  const { wire, simulator, api } = openWire(services);
  await withScope(services.pool, platformScope("demo devices"), async (tx) => {
    for (const vendor of ["feie", "yilian", "borui"] as const) {
      const account = { account: `demo-${vendor}`, secret: randomBytes(12).toString("hex") };
      await wire.post(`${simulator}/_devices/accounts`, { vendor, ...account });
      await setVendorAccount(tx, services, vendor, { ...account, baseUrl: `${simulator}/_${vendor}` });
    }
  });
  const { devices } = (await wire.get(`${simulator}/_devices/state`)) as { devices?: { vendor: string; sn: string; key: string }[] };
  for (const [login, n, vendor, place, name] of HARDWARE) {
    const device = devices?.filter((one) => one.vendor === vendor)[place];
    const common = { storeId: tree.merchants[login].stores[n]!.id, sn: device?.sn, name };
    const [path, own] = vendor === "borui" ? ["speakers", {}] : ["printers", { vendor, key: device?.key, onRefund: true }];
    const authorization = `Bearer ${await signIn(services, login)}`;
    await wire.post(`${api}/api/store-hardware/${path}/bind?_t=1`, { ...common, ...own }, { authorization });
  }
}

/** 麦香烘焙 is paid through 通联 whatever its customers hold, 蜀味川菜 where they hold UnionPay. */
async function openAcquirer(services: Services, tree: DemoTree): Promise<Account[]> {
  const { wire, simulator } = openWire(services);
  const mapping = acquirerMappings[ACQUIRER];
  const accounts: Account[] = [];
  for (const [login, wallets] of [
    ["mch01", ["unionpay"]],
    ["mch04", ["wechat", "alipay", "unionpay"]],
  ] as const) {
    const { id: merchantId, serviceProviderId } = tree.merchants[login];
    const pair = generateKeyPairSync("ec", { namedCurve: "SM2" });
    // SEC 1 begins with seven bytes, SPKI ends with the point.
    const privateKey = pair.privateKey.export({ type: "sec1", format: "der" }).subarray(7, 39).toString("hex");
    const publicKey = pair.publicKey.export({ type: "spki", format: "der" }).subarray(-65).toString("hex");
    const merchantNo = login === "mch01" ? "550391065100001" : "550391065100004";
    const asked = { channel: ACQUIRER, merchantNo, publicKey, mapping };
    const { publicKey: theirs } = await wire.post(`${simulator}/_control/acquirers`, asked);
    await withScope(services.pool, platformScope("demo channels"), async (tx) => {
      await setChannelAccount(tx, services, {
        serviceProviderId,
        merchantId,
        channel: ACQUIRER,
        mode: "direct",
        merchantNo,
        appNo: "00182716",
        privateKey,
        publicKey: String(theirs),
        baseUrl: `${simulator}/acquirer/${ACQUIRER}`,
      });
      await tx
        .insertInto("channel_rules")
        .values(
          wallets.map((wallet) => ({
            service_provider_id: serviceProviderId,
            merchant_id: merchantId,
            wallet,
            channel: ACQUIRER,
            priority: 1,
          })),
        )
        .execute();
    });
    for (const wallet of wallets) accounts.push({ merchantId, channel: ACQUIRER, wallet, mchId: `A${ACQUIRER}-${merchantNo}` });
  }
  return accounts;
}

/** Trades of the past as the simulator takes them: with the account that each was paid to. */
export function tradesOf({ accounts }: DemoChannels, past: readonly PastTrade[]): object[] {
  return past.map(({ merchantId, channel, ...trade }) => {
    const { mchId, subMchId } = accounts.find(
      (one) => one.merchantId === merchantId && one.channel === channel && one.wallet === trade.wallet,
    )!;
    return { ...trade, mchId, subMchId, appId: mchId === SP_MCH_ID ? "wx8888888888888888" : mchId };
  });
}
/** Lets the simulator know the past, so that an order of last week can be refunded; and hands it the tills. */
export async function handOver(services: Services, tree: DemoTree, channels: DemoChannels, past: readonly PastTrade[]): Promise<void> {
  const { wire, simulator, api } = openWire(services);
  for (let at = 0; at < past.length; at += 2_000) {
    await wire.post(`${simulator}/_control/trades`, { trades: tradesOf(channels, past.slice(at, at + 2_000)) });
  }
  const names = new Map(Object.values(tree.merchants).map((merchant) => [merchant.id, merchant.name]));
  const tills = tree.stores.flatMap((store) =>
    store.devices.map(({ sn, key }) => ({ sn, key, store: store.name, merchant: names.get(store.merchantId), online: !OFFLINE.has(sn) })),
  );
  const book = bookOf(services.config);
  mkdirSync(dirname(book), { recursive: true });
  writeFileSync(book, JSON.stringify({ api, simulator_port: services.config.simulator_port, tills }), { mode: 0o600 });
}

/**
 * The last hour, played for real: tills order over HTTP, the simulator's customer pays, notifications arrive, refunds are
 * asked for, approved, rejected, fail and hang. Afterwards the list holds refunds in every state.
 */
export async function playToday(services: Services, tree: DemoTree): Promise<void> {
  const { wire, simulator, api } = openWire(services);
  const first = tree.merchants.mch01.stores[0]!;
  const till = async (store: DemoStore, name: string, body: object) =>
    wire.post(`${simulator}/_till/${name}`, { sn: store.devices[0]?.sn, ...body });
  const paid: string[] = [];
  const alipay = new Set(ALIPAY_MERCHANTS.map((login) => tree.merchants[login].id));
  const sell = async ([n, store]: readonly [number, DemoStore]) => {
    const code = { authCode: `1345${String(70_000_000_000 + n)}999`.slice(0, 18).padEnd(18, "9") };
    for (const cents of [1_880 + n * 310, 5_600 + n * 90]) await till(store, "orders", { cents, subject: "今日收银", ...code });
    if (alipay.has(store.merchantId)) {
      await till(store, "orders", { cents: 2_580 + n * 130, subject: "今日收银", authCode: `2876${String(54_000_000_000_000 + n)}` });
      const shown = await till(store, "orders", { cents: 1_990 + n * 70, subject: "扫码点单", wallet: "alipay" });
      await wire.post(`${simulator}/_control/pay`, { codeUrl: shown["codeUrl"] });
    }
    const order = await till(store, "orders", { cents: 2_990 + n * 100, subject: "扫码点单" });
    if (n % 5 !== 4) await wire.post(`${simulator}/_control/pay`, { codeUrl: order["codeUrl"] });
  };
  const waiting = [...tree.stores.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await sell(next);
  };
  await Promise.all(Array.from({ length: STORES_AT_ONCE }, work));
  const big = [68_000, 128_800, 56_800, 99_900, 32_000, 18_600, 26_800];
  for (const [n, cents] of big.entries()) {
    const order = await till(first, "orders", {
      cents,
      subject: "宴席",
      authCode: `1398${String(60_000_000_000 + n)}888`.slice(0, 18).padEnd(18, "8"),
    });
    paid.push(String(order["tillNo"]));
  }
  await playOnline({ services, wire, simulator, api }, tree);
  await refundToday({ services, wire, simulator, api, till: (name, body) => till(first, name, body), paid });
}

interface Today {
  readonly services: Services;
  readonly wire: Wire;
  readonly simulator: string;
  readonly api: string;
  readonly till: (name: string, body: object) => Promise<Record<string, unknown>>;
  readonly paid: readonly string[];
}
async function refundToday({ services, wire, simulator, api, till, paid }: Today): Promise<void> {
  const refund = (n: number, cents: number, reason: string) => till("refund", { tillNo: paid[n], cents, reason });
  await wire.post(`${simulator}/_control/settings`, { refundAfter_ms: null });
  const waiting = [await refund(0, 60_000, "宴席取消一桌"), await refund(1, 128_800, "改期")];
  const rejected = await refund(2, 56_800, "顾客称未用餐");
  const hanging = await refund(4, 12_000, "退菜");
  const failing = await refund(5, 18_600, "重复支付");
  const done = await refund(6, 8_800, "多收款");
  const boss = { authorization: `Bearer ${await signIn(services, "mch01")}` };
  const rows = (await wire.get(`${api}/api/orders/refund-requests?pageSize=50&_t=1`, boss)) as {
    items?: { id: string; refundNo: string }[];
  };
  const id = rows.items?.find((row) => row.refundNo === rejected["refundNo"])?.id;
  if (id)
    await wire.post(
      `${api}/api/orders/refund-requests/decide?_t=1`,
      { requestId: services.ids.uuid(services.clock.now_ms()), id, decision: "reject", note: "监控显示已用餐" },
      boss,
    );
  if (waiting.length !== 2 || !hanging["refundNo"]) throw new Error("the demo's refunds did not go out");
  // The refund jobs run once the service takes work; then the customer's side decides.
  const decide = async () => {
    for (const [asked, result] of [
      [failing, "ABNORMAL"],
      [done, "SUCCESS"],
      [hanging, "PROCESSING"],
    ] as const)
      await untilDone(() => wire.post(`${simulator}/_control/refund`, { outRefundNo: asked["refundNo"], result }));
  };
  await decide();
  // From now on a refund arrives by itself, as it does with a channel.
  await wire.post(`${simulator}/_control/settings`, { refundAfter_ms: 5_000 });
}
/** Tries again for some seconds: what is asked about may be made by a job. */
export async function untilDone(act: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; tries < 40; tries++) {
    try {
      await act();
      return;
    } catch {
      await wait(250);
    }
  }
}
