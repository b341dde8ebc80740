import { generateKeyPairSync } from "node:crypto";
import { gzipSync } from "node:zlib";
import pg from "pg";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { PIECE_BYTES } from "@zhangfang/domains/reconciliation/contract/index.ts";
import { setChannelSettings } from "@zhangfang/domains/organisation/server/index.ts";
import { readConfig } from "@zhangfang/server/config.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { connectionUrl } from "@zhangfang/server/database/embedded-postgres.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { openServices } from "../../apps/server/open-services.ts";
import { actorOf, firstStoreOf, idOf, SECRET } from "../actors.ts";
import { atLeast, atMost, plain, type Line } from "../figures.ts";
import { startServer } from "../part.ts";
import type { World } from "../world.ts";

const MERCHANT = 501;
const SUB_MCH_ID = "1600000501";
const { token } = actorOf("small-merchant");
const MB = 2 ** 20;
const MILLION = 1_000_000;
const HEAD =
  "交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注";
const SUMMARY = "总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额";

/** A bill of as many rows as the world has orders, of one merchant and one day, uploaded, read, kept and matched by the running service. */
export async function measure(worlds: readonly World[]): Promise<Line[]> {
  const world = worlds.at(-1)!;
  const rows = Math.min(world.rows, MILLION);
  const day = addDays(shanghaiDay(Date.now()), -2);
  const owner = new pg.Client(world.connection);
  await owner.connect();
  try {
    await addSettings(world);
    await addOrders(owner, rows, day);
    return await timed(world, owner, { rows, day });
  } finally {
    await clear(owner);
    await owner.end();
  }
}

async function timed(world: World, owner: pg.Client, { rows, day }: { rows: number; day: string }): Promise<Line[]> {
  const bill = billOf(rows, day);
  const server = await startServer(world.connection, 9190, { work: true });
  const call = async <T>(verb: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`http://127.0.0.1:9190${path}`, {
      method: verb,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const upload = async (
    content: Buffer,
    of: string,
  ): Promise<{ failure: string | null; status: string; seconds: number; loading: number }> => {
    const which = {
      source: "wechat",
      type: "ALL",
      day: of,
      fileName: "bill.csv.gz",
      sizeBytes: content.length,
      requestId: crypto.randomUUID(),
    };
    const { id } = await call<{ id: string }>("POST", "/api/reconciliation/bills/upload", which);
    for (let place = 0; place * PIECE_BYTES < content.length; place++) {
      const piece = content.subarray(place * PIECE_BYTES, (place + 1) * PIECE_BYTES);
      await call("POST", "/api/reconciliation/bills/piece", { id, place, base64: piece.toString("base64") });
    }
    await call("POST", "/api/reconciliation/bills/finish", { id });
    const begun_ms = Date.now();
    for (let loaded_ms = 0; ;) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      const { items } = await call<{ items: { id: string; status: string; failure: string | null }[] }>(
        "GET",
        "/api/reconciliation/bills?pageSize=10",
      );
      const one = items.find((item) => item.id === id)!;
      if (one.status === "parsed" && loaded_ms === 0) loaded_ms = Date.now();
      if (!["waiting", "loading", "parsed"].includes(one.status))
        return { ...one, seconds: (Date.now() - begun_ms) / 1000, loading: ((loaded_ms || Date.now()) - begun_ms) / 1000 };
    }
  };
  try {
    // A small one first: the program's code and connections are not the bill's memory.
    await upload(billOf(2_000, addDays(day, -5)), addDays(day, -5));
    const before = await server.usage();
    const done = await upload(bill, day);
    const after = await server.usage();
    if (done.status !== "matched") throw new Error(`${done.status}: ${done.failure}`);
    const { rows: found } = await owner.query<{ matched_count: number; difference_count: number }>(
      `select matched_count, (select count(*)::int from recon_differences d where d.day_id = y.id and d.class = 'amount') as difference_count
       from recon_days y where merchant_id = $1 and day = $2`,
      [idOf("merchant", MERCHANT), day],
    );
    const counts = found[0];
    return [
      plain(
        `bill of ${rows} rows, ${(bill.length / MB).toFixed(0)} MB packed`,
        `read and kept ${done.loading.toFixed(1)} s, matched ${(done.seconds - done.loading).toFixed(1)} s, ${((after.cpu_us - before.cpu_us) / 1e6).toFixed(1)} s of the service's processor`,
        { rows, loading: done.loading, seconds: done.seconds, cpu_us: after.cpu_us - before.cpu_us },
      ),
      atLeast("  rows a second, all of it", rows / done.seconds, 8_000, ""),
      atMost("  extra memory of the service", (after.peak - before.rss) / MB, 256, "MB"),
      // Every thousandth row has another amount.
      {
        name: "  rows that fit, and that do not",
        figure: `${counts?.matched_count}, ${counts?.difference_count}`,
        limit: `= ${rows - Math.floor(rows / 1000)}, ${Math.floor(rows / 1000)}`,
        ok: counts?.matched_count === rows - Math.floor(rows / 1000) && counts.difference_count === Math.floor(rows / 1000),
        raw: counts ?? {},
      },
    ];
  } finally {
    await server.stop();
  }
}

const centsOf = (n: number): number => 100 + ((n * 7919) % 20_000);
const feeOf = (cents: number): number => Math.floor((cents * 380 * 2 + 100_000) / 200_000);
const yuan = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
const numberOf = (n: number): string => `B${String(n).padStart(24, "0")}`;

/** WeChat's layout, gzipped as the channel sends it. */
function billOf(rows: number, day: string): Buffer {
  const parts: string[] = [`\u{feff}${HEAD}\r\n`];
  let [cents, fees] = [0, 0];
  for (let n = 1; n <= rows; n++) {
    const amount = centsOf(n) + (n % 1000 === 0 ? 1 : 0);
    const fee = feeOf(amount);
    cents += amount;
    fees += fee;
    const at = `${day} ${String(Math.floor((n * 23) / rows)).padStart(2, "0")}:${String(n % 60).padStart(2, "0")}:00`;
    parts.push(
      `\`${at},\`wx0000000000000001,\`1900000001,\`${SUB_MCH_ID},\`,\`4200000000${String(n).padStart(18, "0")},\`${numberOf(n)},\`o0000000000000000000000000001,\`MICROPAY,\`SUCCESS,\`OTHERS,\`CNY,\`${yuan(amount)},\`0.00,\`0,\`0,\`0.00,\`0.00,\`,\`,\`到店消费,\`,\`${yuan(fee)}000,\`0.38%,\`${yuan(amount)},\`0.00,\`\r\n`,
    );
  }
  parts.push(`${SUMMARY}\r\n\`${rows},\`${yuan(cents)},\`0.00,\`0.00,\`${yuan(fees)}000,\`${yuan(cents)},\`0.00\r\n`);
  return gzipSync(Buffer.from(parts.join("")), { level: 6 });
}

async function addOrders(owner: pg.Client, rows: number, day: string): Promise<void> {
  await owner.query("set session_replication_role = replica; set synchronous_commit = off");
  await clear(owner);
  await owner.query(
    `insert into pay_orders (service_provider_id, id, merchant_id, store_id, order_no, trade_type, pay_method, channel, tool, channel_no, subject, status, gross_cents, paid_cents,
       fee_rate, fee_cents, created_at, expires_at, next_query_at, paid_at)
     select $1, gen_random_uuid(), $2, $3, 'B' || lpad(n::text, 24, '0'), 'MICROPAY', 'CARD', 0, 2, '4200000000' || lpad(n::text, 18, '0'), '到店消费', 2, cents, cents, 380,
       (cents * 380 * 2 + 100000) / 200000, at, at + interval '15 minutes', at, at + interval '5 seconds'
     from generate_series(1, $4::int) n, lateral (select 100 + (n::bigint * 7919) % 20000 as cents,
       ($5::date::timestamp + (n * 23 / $4::int) * interval '1 hour' + (n % 60) * interval '1 minute') at time zone 'Asia/Shanghai' as at) x`,
    [idOf("provider", 1), idOf("merchant", MERCHANT), idOf("store", firstStoreOf(MERCHANT)), rows, day],
  );
  await owner.query("analyze pay_orders");
}
async function clear(owner: pg.Client): Promise<void> {
  await owner.query("delete from recon_differences; delete from recon_days; delete from bill_rows; delete from bill_files");
  await owner.query("delete from pay_orders where merchant_id = $1 and order_no like 'B%'", [idOf("merchant", MERCHANT)]);
}

async function addSettings(world: World): Promise<void> {
  const config = { ...readConfig({ ZHANGFANG_DEMO: "no", ZHANGFANG_SECRET: SECRET }), database_url: connectionUrl(world.connection) };
  const opened = await openServices(config, []);
  await withScope(opened.services.pool, platformScope("bench"), (tx) =>
    setChannelSettings(tx, opened.services, {
      serviceProviderId: idOf("provider", 1),
      merchantId: idOf("merchant", MERCHANT),
      channel: 0,
      mode: "partner",
      appId: "wx0123456789abcdef",
      mchId: "1900000001",
      subMchId: SUB_MCH_ID,
      certSerial: "A".repeat(40),
      privateKeyPem: generateKeyPairSync("rsa", {
        modulusLength: 2048,
        publicKeyEncoding: { type: "spki", format: "pem" },
        privateKeyEncoding: { type: "pkcs8", format: "pem" },
      }).privateKey,
      apiV3Key: "0".repeat(32),
      platformKeys: {},
      baseUrl: "https://api.mch.weixin.qq.com",
    }),
  );
  await opened.close();
}
