import { generateKeyPairSync } from "node:crypto";
import pg from "pg";
import { giveSharingChannel } from "@zhangfang/domains/channels/server/index.ts";
import { orders, settlePayment } from "@zhangfang/domains/orders/server/index.ts";
import { setChannelSettings } from "@zhangfang/domains/organisation/server/index.ts";
import { profitSharing } from "@zhangfang/domains/profit-sharing/server/index.ts";
import { readConfig } from "@zhangfang/server/config.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { connectionUrl } from "@zhangfang/server/database/embedded-postgres.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { openServices } from "../../apps/server/open-services.ts";
import { firstStoreOf, idOf, SECRET, sqlIdOf } from "../actors.ts";
import { plain, type Line } from "../figures.ts";
import { sized } from "../small.ts";
import { willingToShare } from "../willing.ts";
import type { World } from "../world.ts";

const ORDERS = sized(10_000, 80);
/** The merchants that share, each with two stores. */
const FIRST = 602;
const COUNT = sized(300, 20);
const AT_ONCE = 8;
const KEYS = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});

/** 10,000 paid orders shared between two receivers each by the job that comes round: how many a second, and each exactly once. */
export async function measure(worlds: readonly World[]): Promise<Line[]> {
  const { connection } = worlds.at(-1)!;
  const config = { ...readConfig({ ZHANGFANG_DEMO: "no", ZHANGFANG_SECRET: SECRET }), database_url: connectionUrl(connection) };
  const { atWork, close } = await openServices(config, [orders, profitSharing]);
  const owner = new pg.Client(connection);
  await owner.connect();
  try {
    giveSharingChannel(atWork, willingToShare);
    await addRules(atWork, owner);
    await addPayments(atWork, owner);
    const job = profitSharing.jobs.find((one) => one.name === "look-after-shares")!;
    const begun = performance.now();
    const waiting = async () =>
      (await owner.query<{ n: number }>("select count(*)::int as n from sharing_orders where status < 2")).rows[0]!.n;
    for (let left = await waiting(); left > 0;) {
      await job.run(atWork, {});
      const now = await waiting();
      // What fails is logged and comes round: without this it would come round for ever.
      if (now === left) throw new Error(`${left} shares stay where they are; the service's log says why`);
      left = now;
    }
    const total_ms = performance.now() - begun;
    const { rows } = await owner.query<{ entries: number; cents: string; lines: string }>(
      `select (select count(*)::int from ledger_entries where cause = 'share') as entries, (select sum(shared_cents) from ledger_entries) as cents,
        (select sum(amount_cents) from sharing_lines where result = 'success') as lines`,
    );
    const [found] = rows;
    const perSecond = (ORDERS * 1000) / total_ms;
    const raw = { perSecond, total_ms, entries: found!.entries, cents: Number(found!.cents), lines: Number(found!.lines) };
    const once = raw.entries === ORDERS && raw.cents === raw.lines;
    return [
      plain(`sharing of ${ORDERS} orders, ${AT_ONCE} at once`, `${perSecond.toFixed(0)}/s, ${(total_ms / 1000).toFixed(1)} s`, raw),
      {
        name: "  ledger entries, and their cents equal the receivers'",
        figure: String(found!.entries),
        limit: `= ${ORDERS}`,
        ok: once,
        raw,
      },
    ];
  } finally {
    await owner.end();
    await close();
  }
}

async function addRules(services: Services, owner: pg.Client): Promise<void> {
  await withScope(services.pool, platformScope("prepare the benchmark"), async (tx) => {
    for (let merchant = FIRST; merchant < FIRST + COUNT; merchant++)
      await setChannelSettings(tx, services, {
        serviceProviderId: idOf("provider", 1),
        merchantId: idOf("merchant", merchant),
        channel: 0,
        mode: "direct",
        appId: "wx0123456789abcdef",
        mchId: String(1_910_000_000 + merchant),
        certSerial: "ABCDEF0123456789ABCDEF0123456789ABCDEF01",
        privateKeyPem: KEYS.privateKey,
        apiV3Key: "0123456789abcdef0123456789abcdef",
        platformKeys: { ABCDEF0123456789ABCDEF0123456789ABCDEF01: KEYS.publicKey },
        baseUrl: "https://api.mch.weixin.qq.com",
      });
  });
  const merchants = `from generate_series(${FIRST}, ${FIRST + COUNT - 1}) i join merchants m on m.service_provider_id = '${idOf("provider", 1)}' and m.id = ${sqlIdOf("merchant", "i")}`;
  await owner.query(`insert into merchant_settings (service_provider_id, merchant_id, profit_sharing, updated_at)
    select m.service_provider_id, m.id, true, now() ${merchants} on conflict (service_provider_id, merchant_id) do update set profit_sharing = true`);
  await owner.query(
    `insert into sharing_groups (service_provider_id, id, merchant_id, name, created_at) select m.service_provider_id, m.id, m.id, 'bench', now() ${merchants}`,
  );
  await owner.query(`insert into sharing_receivers (service_provider_id, id, merchant_id, group_id, alias, name_sealed, relation, ratio, created_at, updated_at)
    select m.service_provider_id, gen_random_uuid(), m.id, m.id, 'receiver ' || k, 'x', 'PARTNER', 5000 * k, now(), now()
    ${merchants} cross join generate_series(1, 2) k`);
  await owner.query(`insert into sharing_accounts (service_provider_id, receiver_id, wallet, merchant_id, type, account, bind_state)
    select service_provider_id, id, 'wechat', merchant_id, 'MERCHANT_ID', (1920000000 + right(alias, 1)::int)::text, 'bound' from sharing_receivers where alias like 'receiver %'`);
  await owner.query(`insert into sharing_rules (service_provider_id, merchant_id, mode, timing, group_id, updated_at, updated_by_name)
    select m.service_provider_id, m.id, 'auto', 'next-day', m.id, now(), 'bench' ${merchants}`);
}
/** Orders that were paid the day before yesterday, settled as a notification settles them; that part is not measured. */
async function addPayments(services: Services, owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ service_provider_id: string; id: string; order_no: string; paid_cents: string }>(
    `insert into pay_orders (service_provider_id, id, merchant_id, store_id, order_no, trade_type, pay_method, channel, tool, subject, gross_cents, paid_cents, fee_rate, profit_sharing,
        created_at, expires_at, next_query_at)
      select m.service_provider_id, gen_random_uuid(), m.id, ${sqlIdOf("store", `${firstStoreOf(FIRST)} + 2 * (i % ${COUNT}) + i / ${COUNT} % 2`)},
        'S' || $1::text || lpad(i::text, 6, '0'), 'NATIVE', 'CARD', 0, 1, '到店消费', 1000 + i, 1000 + i, 380, true, now() - interval '2 days', now(), now()
      from generate_series(0, ${ORDERS - 1}) i join merchants m on m.service_provider_id = '${idOf("provider", 1)}' and m.id = ${sqlIdOf("merchant", `${FIRST} + i % ${COUNT}`)}
      returning service_provider_id, id, order_no, paid_cents`,
    [String(Date.now())],
  );
  const paidAt = new Date(Date.now() - 2 * 86_400_000).toISOString();
  const left = rows.values();
  const settle = async () => {
    for (const { service_provider_id, id, order_no, paid_cents } of left)
      await withScope(services.pool, platformScope("prepare the benchmark"), (tx) =>
        settlePayment(
          tx,
          services,
          { service_provider_id, id },
          {
            outTradeNo: order_no,
            tradeState: "SUCCESS",
            transactionId: `42${order_no}`,
            total_cents: Number(paid_cents),
            paid_cents: Number(paid_cents),
            paidAt,
            openId: null,
            tradeType: "NATIVE",
            bankType: null,
            promotions: [],
          },
        ),
      );
  };
  await Promise.all(Array.from({ length: AT_ONCE }, settle));
  await owner.query("select app.analyze_facts()");
  await owner.query("analyze sharing_orders");
}
