import { generateKeyPairSync, randomBytes } from "node:crypto";
import pg from "pg";
import { setChannelAccount, setChannelSettings } from "@zhangfang/domains/organisation/server/index.ts";
import { readConfig } from "@zhangfang/server/config.ts";
import { withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { connectionUrl } from "@zhangfang/server/database/embedded-postgres.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { openServices } from "../../apps/server/open-services.ts";
import { idOf, firstStoreOf, SECRET, sqlIdOf } from "../actors.ts";
import { plain, type Figures, type Line } from "../figures.ts";
import type { NotifyInput } from "../load/notify-load.ts";
import { runPart, startServer } from "../part.ts";
import { sized } from "../small.ts";
import type { World } from "../world.ts";

const ORDERS = sized(4_000, 80);
const TWICE = 4;
/** The merchants that are paid, each with two stores. */
const FIRST = 2;
const COUNT = sized(500, 20);
const { publicKey, privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});
const SERIAL = randomBytes(20).toString("hex").toUpperCase();
const API_V3_KEY = randomBytes(16).toString("hex");

/** Genuine notifications of payments through the real addresses, a quarter of them twice: how many a second, and each exactly once. */
export async function measure(worlds: readonly World[]): Promise<Line[]> {
  const world = worlds.at(-1)!;
  return [...(await measureFamily(world, "wechat-pay")), ...(await measureFamily(world, "alipay"))];
}
type Family = NotifyInput["family"];
const ALIPAY_APP_ID = "2021000000000001";
const TITLES = { "wechat-pay": "WeChat Pay", alipay: "Alipay" } as const;

async function measureFamily(world: World, family: Family): Promise<Line[]> {
  const settings = await addSettings(world, family);
  const owner = new pg.Client(world.connection);
  await owner.connect();
  // As where the channel has answered before: else its word only makes us ask.
  await owner.query(`update ${family === "alipay" ? "channel_accounts" : "channel_settings"} set proved_at = now()`);
  const server = await startServer(world.connection, 9190);
  try {
    const numbers = await addOrders(owner, family);
    const orders = numbers.map(({ order_no, paid_cents, merchant }) => ({
      orderNo: order_no,
      cents: Number(paid_cents),
      ...settings[merchant - FIRST]!,
    }));
    const input: NotifyInput = {
      family,
      appId: ALIPAY_APP_ID,
      port: 9190,
      clients: 32,
      serial: SERIAL,
      platformKeyPem: privateKey,
      apiV3Key: API_V3_KEY,
      orders,
      twice: TWICE,
    };
    const figures = await runPart<NotifyInput, Figures>("load/notify-load.ts", input);
    const counted = await count(
      owner,
      orders.map((order) => order.orderNo),
    );
    const raw = { perSecond: figures.perSecond, p50_ms: figures.p50_ms, p99_ms: figures.p99_ms, sent: figures.count, ...counted };
    const once = counted.paid === ORDERS && counted.entries === ORDERS && counted.kept === ORDERS;
    return [
      plain(
        `notifications of ${TITLES[family]} taken in, 32 at once`,
        `${figures.perSecond.toFixed(0)}/s, p50 ${figures.p50_ms.toFixed(0)} ms, p99 ${figures.p99_ms.toFixed(0)} ms`,
        raw,
      ),
      {
        name: `  of ${figures.count} sent for ${ORDERS} orders: ledger entries`,
        figure: String(counted.entries),
        limit: `= ${ORDERS}`,
        ok: once,
        raw: counted,
      },
    ];
  } finally {
    await server.stop();
    await owner.end();
  }
}

async function addSettings({ connection }: World, family: Family): Promise<{ settingsId: string; mchId: string }[]> {
  const { services, close } = await openServices(
    { ...readConfig({ ZHANGFANG_DEMO: "no", ZHANGFANG_SECRET: SECRET }), database_url: connectionUrl(connection) },
    [],
  );
  try {
    return await withScope(services.pool, platformScope("prepare the benchmark"), async (tx) => {
      const made: { settingsId: string; mchId: string }[] = [];
      for (let merchant = FIRST; merchant < FIRST + COUNT; merchant++) {
        if (family === "alipay") {
          made.push(await addAlipay(tx, services, merchant));
          continue;
        }
        const mchId = String(1_900_000_000 + merchant);
        const given = {
          serviceProviderId: idOf("provider", 1),
          merchantId: idOf("merchant", merchant),
          channel: 0,
          mode: "direct",
          appId: "wx0123456789abcdef",
          mchId,
          certSerial: SERIAL,
        } as const;
        const settingsId = await setChannelSettings(tx, services, {
          ...given,
          privateKeyPem: privateKey,
          apiV3Key: API_V3_KEY,
          platformKeys: { [SERIAL]: publicKey },
          baseUrl: "https://api.mch.weixin.qq.com",
        });
        made.push({ settingsId, mchId });
      }
      return made;
    });
  } finally {
    await close();
  }
}

/** An account at Alipay, whose key the benchmark holds. */
async function addAlipay(tx: Transaction, services: Services, merchant: number): Promise<{ settingsId: string; mchId: string }> {
  const mchId = String(2_088_000_000_000_000 + merchant);
  const settingsId = await setChannelAccount(tx, services, {
    serviceProviderId: idOf("provider", 1),
    merchantId: idOf("merchant", merchant),
    channel: 0,
    mode: "direct",
    merchantNo: mchId,
    appNo: ALIPAY_APP_ID,
    privateKey,
    publicKey,
    baseUrl: "https://openapi.alipay.com/gateway.do",
  });
  return { settingsId, mchId };
}

async function addOrders(owner: pg.Client, family: Family): Promise<{ order_no: string; paid_cents: string; merchant: number }[]> {
  const { rows } = await owner.query<{ order_no: string; paid_cents: string; merchant: number }>(
    `with made as (
      insert into pay_orders (service_provider_id, id, merchant_id, store_id, agent_id, business_group_id, business_team_id, salesman_id, order_no, trade_type, pay_method, channel, tool, subject,
        gross_cents, paid_cents, fee_rate, created_at, expires_at, next_query_at)
      select m.service_provider_id, gen_random_uuid(), m.id, ${sqlIdOf("store", `${firstStoreOf(FIRST)} + 2 * (i % ${COUNT}) + i / ${COUNT} % 2`)}, m.agent_id, m.business_group_id, m.business_team_id, m.salesman_id,
        'N' || $1::text || lpad(i::text, 6, '0'), 'NATIVE', 'CARD', 0, $2::int, '到店消费', 100 + i, 100 + i, 380, now(), now() + interval '15 minutes', now() + interval '15 minutes'
      from generate_series(0, ${ORDERS - 1}) i join merchants m on m.service_provider_id = '${idOf("provider", 1)}' and m.id = ${sqlIdOf("merchant", `${FIRST} + i % ${COUNT}`)}
      returning order_no, paid_cents)
    select order_no, paid_cents, ${FIRST} + right(order_no, 6)::int % ${COUNT} as merchant from made order by order_no`,
    [String(Date.now()), family === "alipay" ? 3 : 1],
  );
  return rows;
}

async function count(owner: pg.Client, orderNos: readonly string[]): Promise<{ paid: number; entries: number; kept: number }> {
  const { rows } = await owner.query<{ paid: number; entries: number; kept: number }>(
    `select (select count(*)::int from pay_orders where order_no = any($1) and status = 2) as paid,
      (select count(*)::int from ledger_entries e join pay_orders o on o.service_provider_id = e.service_provider_id and o.id = e.order_id where o.order_no = any($1) and e.cause = 'payment') as entries,
      (select count(*)::int from channel_inbox where order_no = any($1)) as kept`,
    [orderNos],
  );
  return rows[0]!;
}
