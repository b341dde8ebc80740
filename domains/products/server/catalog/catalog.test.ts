import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { call } from "@zhangfang/server/calls/call.ts";
import { storeScope } from "@zhangfang/server/database/scope.ts";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import { readSession, sessionSql } from "../../../accounts/server/index.ts";
import {
  addProduct,
  addTag,
  changePrice,
  getTillCatalog,
  removeProduct,
  setProductSale,
  setShelfSale,
  tagProducts,
  updateProduct,
} from "../../contract/index.ts";
import { updateDeviceInfo } from "../../../devices/contract/index.ts";
import { products } from "../index.ts";
import { turnPricesJob } from "../prices/turn-prices.ts";
import { getTillCatalogRoute, purgeTombstones } from "./till-catalog.ts";

let world: World;
beforeAll(async () => void (world = await openWorld(products.routes)));
afterAll(() => world.close());

type Page = OutputOf<typeof getTillCatalog>;
type Item = Page["items"][number];
const stores = (merchant: "mch01" | "mch02" = "mch01") => world.tree.merchants[merchant].stores;
interface At {
  readonly id: string;
  readonly serviceProviderId: string;
  readonly merchantId: string;
  readonly devices: readonly { readonly id: string }[];
}
const ask = (store: At, query: Record<string, string>, headers = {}) =>
  call(
    world.services,
    {
      sessionSql,
      readSession,
      device: async () => ({
        kind: "device",
        id: store.devices[0]!.id,
        name: "till",
        scope: storeScope(store.serviceProviderId, store.merchantId, store.id),
        holds: () => false,
      }),
    },
    getTillCatalogRoute,
    {
      verb: "GET",
      url: "/api/till/catalog",
      params: {},
      query,
      body: undefined,
      rawBody: Buffer.alloc(0),
      headers,
      ip: "127.0.0.1",
      host: "test",
      traceId: randomUUID(),
    },
  ) as Promise<Page>;

/** A till as docs/devices.md says it is to behave. */
class Till {
  known = new Map<string, Item>();
  since = 0;
  store: At;
  constructor(store: At) {
    this.store = store;
  }
  async load(between: (page: number) => Promise<void> = async () => {}): Promise<number> {
    let cursor: string | undefined;
    let upTo = 0;
    let pages = 0;
    do {
      const page = await ask(this.store, { since: String(this.since), ...(cursor && { cursor }) });
      if (pages++ === 0 && page.full) this.known.clear();
      for (const item of page.items) this.known.set(item.id, item);
      for (const id of page.gone) this.known.delete(id);
      ({ upTo } = page);
      cursor = page.next ?? undefined;
      await between(pages);
    } while (cursor);
    this.since = upTo;
    return pages;
  }
}
const own = () => world.signIn("mch01");
const as = async <E extends Endpoint>(endpoint: E, input: InputOf<E>) => world.call(endpoint, await own(), input);
let n = 0;
const make = (more: object = {}) =>
  as(addProduct, { requestId: randomUUID(), name: `目录${++n}`, skus: [{ skuNo: `C${n}`, priceCents: 1000 }], ...more } as never);
/** Many SKUs at once, past the form. */
const fill = (count: number) =>
  world.truth(
    `with shop as (select service_provider_id, id as merchant_id from merchants where id = $1),
      rev as (insert into merchant_catalogs (service_provider_id, merchant_id, rev) select service_provider_id, merchant_id, 1 from shop
        on conflict (service_provider_id, merchant_id) do update set rev = merchant_catalogs.rev + 1 returning rev),
      p as (insert into products (service_provider_id, id, merchant_id, name, created_at) select service_provider_id, gen_random_uuid(), merchant_id, 'P' || n, now() from shop, generate_series(1, $2::int) n returning *)
    insert into product_skus (service_provider_id, id, merchant_id, product_id, sku_no, price_cents, rev, created_at)
      select service_provider_id, gen_random_uuid(), merchant_id, id, 'F' || name || '-' || (select rev from rev), 100, (select rev from rev), now() from p`,
    [world.tree.merchants.mch01.id, count],
  );

test("a till that follows every change has what one has that loads everything, whatever happens between its pages", async () => {
  await fill(1_100);
  const made = [await make(), await make(), await make(), await make()];
  const [here, there] = stores();
  const till = new Till(here!);
  expect(await till.load()).toBe(3);
  const tag = await as(addTag, { requestId: randomUUID(), code: "T1", name: "一" });
  const acts = [
    () => as(changePrice, { requestId: randomUUID(), skuId: made[0]!.id, priceCents: 1100 } as never),
    () => as(changePrice, { requestId: randomUUID(), skuId: made[1]!.id, storeId: here!.id, priceCents: 1200 } as never),
    () => as(changePrice, { requestId: randomUUID(), skuId: made[1]!.id, storeId: there!.id, priceCents: 1300 } as never),
    () => as(setShelfSale, { storeId: here!.id, onSale: false, skuIds: [made[2]!.id] }),
    () => as(tagProducts, { tagId: tag.id, on: true, skuIds: [made[0]!.id, made[2]!.id] }),
    () => as(removeProduct, { id: made[3]!.id }),
    () =>
      make({
        attributes: ["杯型"],
        skus: [
          { spec: ["大"], priceCents: 900 },
          { spec: ["小"], priceCents: 800 },
        ],
      }),
    () => as(setProductSale, { onSale: false, filter: { keyword: "P" }, count: 1_100 }),
    () =>
      as(updateProduct, {
        id: made[0]!.id,
        revision: 1,
        name: "改名",
        skus: [{ id: made[0]!.id, spec: [], barcodes: [{ barcode: "6901234567892" }] }],
      } as never),
    () => fill(300),
  ];
  for (const [at, act] of acts.entries()) {
    // Half of them while the till is in the middle of a load.
    if (at % 2 === 0) await act();
    else await till.load(async (page) => void (page === 1 && (await act())));
    await till.load();
    const fresh = new Till(here!);
    await fresh.load();
    expect(till.known).toEqual(fresh.known);
  }
  expect(till.known.get(made[1]!.id)).toMatchObject({ priceCents: 1200 });
  expect(till.known.get(made[2]!.id)).toMatchObject({ onSale: false, tags: ["T1"] });
  expect(till.known.has(made[3]!.id)).toBe(false);
  expect([...till.known.values()].filter(({ onSale, name }) => onSale && name.startsWith("P"))).toHaveLength(300);
});

test("a till is told of a price 48 hours ahead, once it begins it holds, and another merchant's till hears of nothing", async () => {
  const { id } = await make();
  const minute = (hours: number) => new Date(Math.ceil(world.services.clock.now_ms() / 60_000) * 60_000 + hours * 3_600_000).toISOString();
  const till = new Till(stores()[0]!);
  await till.load();
  const from = minute(50);
  await as(changePrice, { requestId: randomUUID(), skuId: id, priceCents: 1400, from } as never);
  await till.load();
  expect(till.known.get(id)).toMatchObject({ priceCents: 1000, nextPrice: null });
  world.services.clock.advance(3 * 3_600_000);
  await turnPricesJob.run(world.services, {});
  await till.load();
  expect(till.known.get(id)).toMatchObject({ priceCents: 1000, nextPrice: { cents: 1400, memberCents: null, from } });
  world.services.clock.advance(47 * 3_600_000 + 60_000);
  // Nobody has turned it yet, and it holds.
  const fresh = new Till(stores()[0]!);
  await fresh.load();
  expect(fresh.known.get(id)).toMatchObject({ priceCents: 1400, nextPrice: null });
  await turnPricesJob.run(world.services, {});
  await till.load();
  expect(till.known).toEqual(fresh.known);
  const other = new Till(stores("mch02")[0]!);
  await other.load();
  expect(other.known.size).toBe(0);
});

test("a till that moves to another store has that store's prices at its next load, and asks for all of it once", async () => {
  const { id } = await make();
  const [here, there] = stores();
  await as(changePrice, { requestId: randomUUID(), skuId: id, storeId: there!.id, priceCents: 1200 } as never);
  const till = new Till(here!);
  await till.load();
  expect(till.known.get(id)).toMatchObject({ priceCents: 1000 });
  const device = here!.devices[0]!;
  await as(updateDeviceInfo, { device_id: device.id, store_id: there!.id });
  till.store = { ...there!, devices: [device] };
  await till.load();
  const fresh = new Till(there!);
  await fresh.load();
  expect(till.known).toEqual(fresh.known);
  expect(till.known.get(id)).toMatchObject({ priceCents: 1200 });
  expect(await ask(till.store, { since: String(till.since) })).toMatchObject({ full: false, items: [] });
  await as(updateDeviceInfo, { device_id: device.id, store_id: here!.id });
});

test("a till that comes back to its old row and store begins anew: it may have had another's catalogue meanwhile", async () => {
  const till = new Till(stores()[0]!);
  await till.load();
  const device = till.store.devices[0]!;
  // As unbinding and binding leave its row; what it was elsewhere stands in another provider's.
  for (const state of ["unbound", "active"]) await world.truth("update devices set state = $2 where id = $1", [device.id, state]);
  expect(await ask(till.store, { since: String(till.since) })).toMatchObject({ full: true });
  await till.load();
  const fresh = new Till(till.store);
  await fresh.load();
  expect(till.known).toEqual(fresh.known);
  // Once: who is only switched off and on again knows what it has.
  for (const state of ["disabled", "active"]) await world.truth("update devices set state = $2 where id = $1", [device.id, state]);
  expect(await ask(till.store, { since: String(till.since) })).toMatchObject({ full: false, items: [] });
});

test("nothing new is an answer without anything in it, and its tag is the store and the number", async () => {
  const till = new Till(stores()[0]!);
  await till.load();
  const page = await ask(till.store, { since: String(till.since) });
  expect(page).toMatchObject({ items: [], gone: [], next: null, full: false, tag: `${till.store.id}-${till.since}` });
  // A number that there never was, as after a restored backup, begins anew.
  expect(await ask(till.store, { since: String(till.since + 5) })).toMatchObject({ full: true });
  await expect(ask(till.store, { cursor: "1.2.x" })).rejects.toMatchObject({ status: 400 });
});

test("what was deleted is told for 90 days; whoever was away longer begins anew", async () => {
  const { id } = await make();
  const till = new Till(stores()[0]!);
  await till.load();
  await as(removeProduct, { id });
  expect((await ask(till.store, { since: String(till.since) })).gone).toEqual([id]);
  world.services.clock.advance(91 * 86_400_000);
  await purgeTombstones.run(world.services, {});
  expect(await ask(till.store, { since: String(till.since) })).toMatchObject({ full: true });
  await till.load();
  expect(till.known.has(id)).toBe(false);
});

test("numbers of one merchant are given one after another, however many write at once", async () => {
  const before = await new Till(stores()[0]!).load().then(() => ask(stores()[0]!, {}));
  const made = await Promise.all(Array.from({ length: 8 }, () => make()));
  const revs = await world.truth<{ rev: number }>("select rev from product_skus where id = any($1) order by rev", [
    made.map(({ id }) => id),
  ]);
  expect(revs.map(({ rev }) => rev)).toEqual(made.map((_one, at) => before.rev + 1 + at));
});
