import { createHash, createHmac, randomBytes } from "node:crypto";
import pg from "pg";
import { CATALOG_PAGE } from "@zhangfang/domains/products/contract/index.ts";
import { registerDevice } from "@zhangfang/domains/devices/server/index.ts";
import { connectionUrl } from "@zhangfang/server/database/embedded-postgres.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { readConfig } from "@zhangfang/server/config.ts";
import { openServices } from "../../apps/server/open-services.ts";
import { firstStoreOf, idOf, SECRET } from "../actors.ts";
import { atLeast, atMost, median, type Line, plain } from "../figures.ts";
import { startServer } from "../part.ts";
import { sized } from "../small.ts";
import { openWorld, type World } from "../world.ts";

const SKUS = sized(100_000, 1_200);
const CHANGED = sized(1_000, 20);
const ASKS = sized(500, 5);
const ROUNDS = sized(3, 1);
const PORT = 9199;
const RATE = 20_000;
const UNCHANGED_LIMIT_MS = 3;
const MERCHANT = 2;
const PATH = "/api/till/catalog";

/**
 * One till and a merchant with 100,000 SKUs, every one with a bar code, every tenth tagged, with a price of its store and one that begins
 * tomorrow, through HTTP with its signatures: everything, what changed, and nothing new. In a world of its own.
 */
export async function measure(): Promise<Line[]> {
  const world = await openWorld(1_000, false, () => undefined);
  const owner = new pg.Client(world.connection);
  await owner.connect();
  try {
    await fill(owner);
    const till = await register(world);
    const server = await startServer(world.connection, PORT);
    try {
      await load(till, 0);
      const full: number[] = [];
      let upTo = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const done = await load(till, 0);
        full.push((done.items * 1000) / done.took_ms);
        if (done.items !== SKUS) throw new Error(`${done.items} of ${SKUS} SKUs came`);
        ({ upTo } = done);
      }
      const asks: number[] = [];
      for (let at = 0; at < ASKS; at++) asks.push((await ask(till, `${PATH}?since=${upTo}`, `"${till.store}-${upTo}"`)).took_ms);
      await change(owner);
      const delta = await load(till, upTo);
      if (delta.items !== CHANGED) throw new Error(`${delta.items} of ${CHANGED} changes came`);
      return [
        atLeast(`a till loads ${SKUS} SKUs, ${CATALOG_PAGE} a page`, median(full), RATE, "SKUs/s"),
        atMost("nothing new (304), p50", median(asks), UNCHANGED_LIMIT_MS, "ms", 1),
        plain(`  ${CHANGED} that changed`, `${delta.took_ms.toFixed(0)} ms`),
      ];
    } finally {
      await server.stop();
    }
  } finally {
    await owner.end();
    await world.close();
  }
}

async function fill(owner: pg.Client): Promise<void> {
  const [p, m, s] = [idOf("provider", 1), idOf("merchant", MERCHANT), idOf("store", firstStoreOf(MERCHANT))];
  await owner.query("set app.scope = 'PLATFORM||||||||'; set synchronous_commit = off");
  await owner.query(`insert into merchant_catalogs (service_provider_id, merchant_id, rev) values ('${p}', '${m}', 1)`);
  await owner.query(`insert into products (service_provider_id, id, merchant_id, name, unit, category, tax_code, tax_rate, created_at)
    select '${p}', md5('p' || n)::uuid, '${m}', '商品' || n, '件', '分类' || n % 40, '1030307010000000000', 13000, now() from generate_series(1, ${SKUS}) n`);
  await owner.query(`insert into product_skus (service_provider_id, id, merchant_id, product_id, sku_no, price_cents, member_cents, rev, created_at)
    select '${p}', md5('k' || n)::uuid, '${m}', md5('p' || n)::uuid, 'N' || n, 1000 + n % 500, 900, 1, now() from generate_series(1, ${SKUS}) n`);
  await owner.query(`insert into sku_barcodes (service_provider_id, id, merchant_id, sku_id, barcode)
    select '${p}', md5('b' || n)::uuid, '${m}', md5('k' || n)::uuid, 'CODE-' || n from generate_series(1, ${SKUS}) n`);
  await owner.query(
    `insert into product_tags (service_provider_id, id, merchant_id, code, name, created_at) values ('${p}', md5('t')::uuid, '${m}', 'TAG', '标签', now())`,
  );
  await owner.query(`insert into product_tag_members (service_provider_id, merchant_id, tag_id, product_id)
    select '${p}', '${m}', md5('t')::uuid, md5('p' || n)::uuid from generate_series(10, ${SKUS}, 10) n`);
  await owner.query(`insert into product_stores (service_provider_id, merchant_id, store_id, sku_id, price_cents, stock)
    select '${p}', '${m}', '${s}', md5('k' || n)::uuid, 1100, 5 from generate_series(10, ${SKUS}, 10) n`);
  await owner.query(`insert into product_prices (service_provider_id, id, merchant_id, sku_id, kind, cents, from_at, status, rev, by_name, created_at)
    select '${p}', gen_random_uuid(), '${m}', md5('k' || n)::uuid, 'price', 1200, now() + interval '1 day', 1, 1, 'bench', now() from generate_series(5, ${SKUS}, 10) n`);
  await owner.query("vacuum analyze");
}
async function change(owner: pg.Client): Promise<void> {
  await owner.query(`with r as (update merchant_catalogs set rev = rev + 1 where merchant_id = '${idOf("merchant", MERCHANT)}' returning rev)
    update product_skus k set rev = r.rev from r where k.id in (select md5('k' || n)::uuid from generate_series(1, ${CHANGED}) n)`);
}

interface Till {
  readonly sn: string;
  readonly key: string;
  readonly store: string;
}
async function register({ connection }: World): Promise<Till> {
  const { services, close } = await openServices(
    { ...readConfig({ ZHANGFANG_DEMO: "no", ZHANGFANG_SECRET: SECRET }), database_url: connectionUrl(connection) },
    [],
  );
  try {
    const store = idOf("store", firstStoreOf(MERCHANT));
    const { key } = await withScope(services.pool, platformScope("prepare the benchmark"), (tx) =>
      registerDevice(tx, services, {
        serviceProviderId: idOf("provider", 1),
        merchantId: idOf("merchant", MERCHANT),
        storeId: store,
        sn: "CATALOG-1",
        model: "FACEPOS-F24",
        name: "till",
      }),
    );
    return { sn: "CATALOG-1", key, store };
  } finally {
    await close();
  }
}

const NOTHING = createHash("sha256").update("").digest("hex");
interface Page {
  readonly upTo: number;
  readonly items: readonly unknown[];
  readonly next: string | null;
}
async function ask({ sn, key }: Till, path: string, tag?: string): Promise<{ page: Page | undefined; took_ms: number }> {
  const timestamp = String(Date.now());
  const nonce = randomBytes(12).toString("hex");
  const signature = createHmac("sha256", key).update(`GET\n${path}\n${timestamp}\n${nonce}\n${NOTHING}\n`).digest("hex");
  const headers = {
    "x-device-sn": sn,
    "x-timestamp": timestamp,
    "x-nonce": nonce,
    "x-signature": signature,
    ...(tag && { "if-none-match": tag }),
  };
  const from_ms = performance.now();
  const answer = await fetch(`http://127.0.0.1:${PORT}${path}`, { headers });
  const text = await answer.text();
  const took_ms = performance.now() - from_ms;
  if (answer.status !== (tag ? 304 : 200)) throw new Error(`${path}: ${answer.status} ${text.slice(0, 200)}`);
  return { page: tag ? undefined : (JSON.parse(text) as Page), took_ms };
}
async function load(till: Till, since: number): Promise<{ items: number; upTo: number; took_ms: number }> {
  const from_ms = performance.now();
  let [items, upTo, cursor] = [0, 0, ""];
  for (;;) {
    const { page } = await ask(till, `${PATH}?since=${since}${cursor && `&cursor=${cursor}`}`);
    items += page!.items.length;
    ({ upTo } = page!);
    if (page!.next === null) return { items, upTo, took_ms: performance.now() - from_ms };
    cursor = page!.next;
  }
}
