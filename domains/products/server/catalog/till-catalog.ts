import { sql } from "kysely";
import { z } from "zod";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { unauthorized } from "@zhangfang/server/calls/errors.ts";
import { ask, type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { AHEAD_MS, CATALOG_PAGE, getTillCatalog } from "../../contract/index.ts";
import { type Change, type Levels, levelsAt, nextPriceOf, priceOf } from "../prices/price-rules.ts";
import type { Shop } from "./raise-rev.ts";

const KEPT_DAYS = 90;
type Item = OutputOf<typeof getTillCatalog>["items"][number];
interface Place {
  readonly id: string;
  readonly rev: number;
  readonly gone: boolean;
}
interface Store extends Shop {
  readonly store_id: string;
}

/**
 * 收银商品目录: what changed after `since` until now, 500 a page. The first page says up to which number the load goes and the cursor keeps
 * it, so that what is changed meanwhile comes with the next load, whole.
 */
export const getTillCatalogRoute = implement(
  getTillCatalog,
  async ({ tx, scope, principal, incoming, now_ms }, { since: known, cursor }) => {
    const { provider, merchant, stores: [store_id] = [] } = scope;
    if (provider === undefined || merchant === undefined || store_id === undefined) throw unauthorized();
    const store = { service_provider_id: provider, merchant_id: merchant, store_id };
    const { rev, purged_rev, moved_rev, scale_pattern: scalePattern } = await readCatalog(tx, store, principal.id);
    const [upToText, afterText, afterId = NOTHING] = cursor?.split(".") ?? [];
    const upTo = Math.min(Number(upToText ?? rev), rev);
    const tag = `${store_id}-${cursor === undefined ? upTo : cursor}`;
    // What a till knows from before its move is another store's.
    const full = known === 0 || known < purged_rev || known < moved_rev || known > rev;
    const since = full ? 0 : known;
    const answer = { rev, upTo, full, scalePattern, tag };
    // What the till has is all there is; with the tag that it knows the answer is 304.
    if ((cursor === undefined && incoming.headers["if-none-match"] === `"${tag}"`) || since === upTo)
      return { ...answer, items: [], gone: [], next: null };
    const found = await placesOf(tx, store, { upTo, after: [Number(afterText ?? since), afterText === undefined ? LAST : afterId], full });
    const places = found.slice(0, CATALOG_PAGE);
    const last = places.at(-1);
    return {
      ...answer,
      items: await itemsOf(
        tx,
        store,
        places.flatMap(({ id, gone }) => (gone ? [] : [id])),
        now_ms,
      ),
      gone: places.flatMap(({ id, gone }) => (gone ? [id] : [])),
      next: found.length > CATALOG_PAGE && last ? `${upTo}.${last.rev}.${last.id}` : null,
    };
  },
);
const NOTHING = "00000000-0000-0000-0000-000000000000";
const LAST = "ffffffff-ffff-ffff-ffff-ffffffffffff";

async function readCatalog(tx: Transaction, { service_provider_id, merchant_id }: Shop, device_id: string) {
  const { rows } = await sql<{
    rev: number;
    purged_rev: number;
    moved_rev: number;
    scale_pattern: string;
  }>`select c.rev, c.purged_rev, c.scale_pattern,
      coalesce((select d.catalog_rev from devices d where d.service_provider_id = c.service_provider_id and d.id = ${device_id}), 0) as moved_rev
    from merchant_catalogs c where c.service_provider_id = ${service_provider_id} and c.merchant_id = ${merchant_id}`.execute(tx);
  return rows[0] ?? { rev: 0, purged_rev: 0, moved_rev: 0, scale_pattern: "FFIIIIIPPPPPC" };
}

/** What changed, in the order of its numbers; what is gone with it. Who begins anew has nothing to forget. */
async function placesOf(
  tx: Transaction,
  { service_provider_id, merchant_id }: Shop,
  { upTo, after: [rev, id], full }: { upTo: number; after: readonly [number, string]; full: boolean },
): Promise<Place[]> {
  const within = sql`x.service_provider_id = ${service_provider_id} and x.merchant_id = ${merchant_id} and x.rev <= ${upTo}`;
  const most = sql.lit(CATALOG_PAGE + 1);
  const live = sql`(select x.id, x.rev, false as gone from product_skus x where ${within} and (x.rev, x.id) > (${rev}::bigint, ${id}::uuid) and x.retired_at is null
    order by x.rev, x.id limit ${most})`;
  const dead = sql`(select x.sku_id as id, x.rev, true as gone from product_tombstones x where ${within} and (x.rev, x.sku_id) > (${rev}::bigint, ${id}::uuid)
    order by x.rev, x.sku_id limit ${most})`;
  const { rows } =
    await sql<Place>`select * from (${full ? live : sql`${live} union all ${dead}`}) as w order by w.rev, w.id limit ${most}`.execute(tx);
  return rows;
}

/** Its prices as columns: a document for each of five hundred rows is dear to write and to read. */
interface Found extends Omit<Item, "priceCents" | "memberCents" | "nextPrice"> {
  readonly price_cents: number;
  readonly member_cents: number | null;
  readonly store_price_cents: number | null;
  readonly store_member_cents: number | null;
}
async function itemsOf(tx: Transaction, { service_provider_id, store_id }: Store, ids: readonly string[], now_ms: number): Promise<Item[]> {
  if (ids.length === 0) return [];
  const these = sql`array(select id from u)`;
  const found = sql<Found>`
    with u as materialized (select id, n from unnest(${`{${ids.join(",")}}`}::uuid[]) with ordinality as a(id, n))
    select k.id, k.sku_no as "skuNo", p.name, array_to_string(k.spec, ' / ') as spec, p.category, p.unit, coalesce(b.barcodes, '[]') as barcodes,
      k.price_cents, k.member_cents, x.price_cents as store_price_cents, x.member_cents as store_member_cents,
      coalesce(t.tags, '{}') as tags, p.no_discount as "noDiscount", p.weighed, p.gift, x.stock is not null as counted, p.tax_code as "taxCode", p.tax_rate as "taxRate",
      k.on_sale and coalesce(x.on_sale, true) as "onSale", k.sort, '/api/product-pictures/' || p.picture_id || '?size=middle' as picture
    from u join product_skus k on k.service_provider_id = ${service_provider_id} and k.id = u.id
    join products p on p.service_provider_id = k.service_provider_id and p.id = k.product_id
    left join product_stores x on x.service_provider_id = k.service_provider_id and x.sku_id = k.id and x.store_id = ${store_id}
    left join (select c.sku_id, json_agg(json_build_object('barcode', c.barcode, 'units', c.units) order by c.units, c.barcode) as barcodes from sku_barcodes c
      where c.service_provider_id = ${service_provider_id} and c.sku_id = any(${these}) and c.retired_at is null group by 1) b on b.sku_id = k.id
    left join (select m.product_id, array_agg(g.code order by g.code) as tags from product_tag_members m
      join product_tags g on g.service_provider_id = m.service_provider_id and g.id = m.tag_id
      where m.service_provider_id = ${service_provider_id} and m.product_id in (select y.product_id from product_skus y where y.service_provider_id = ${service_provider_id} and y.id = any(${these}))
      group by 1) t on t.product_id = p.id
    order by u.n`;
  // Asked together: the database looks for the second while the first is read here.
  const [rows, ahead] = await Promise.all([ask(tx, found), changesAhead(tx, service_provider_id, store_id, ids)]);
  return rows.map(({ price_cents: own_cents, member_cents: own_member, store_price_cents, store_member_cents, ...item }) => {
    const levels: Levels = {
      merchant: { price_cents: own_cents, member_cents: own_member },
      store: { price_cents: store_price_cents, member_cents: store_member_cents },
    };
    const changes = ahead.get(item.id) ?? [];
    const { price_cents, member_cents } = priceOf(levelsAt(levels, changes, now_ms));
    const next = changes.length === 0 ? null : nextPriceOf(levels, changes, now_ms, now_ms + AHEAD_MS);
    return {
      ...item,
      priceCents: price_cents,
      memberCents: member_cents,
      nextPrice: next && { cents: next.price_cents, memberCents: next.member_cents, from: next.from_at },
    } as Item;
  });
}
/** What is planned of SKUs, of the merchant and of one store. */
async function changesAhead(
  tx: Transaction,
  provider: string,
  store_id: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Change[]>> {
  const rows = await ask(
    tx,
    sql<Change & { sku_id: string }>`select a.sku_id, a.store_id is not null as store, a.kind, a.cents, a.from_at from product_prices a
    where a.service_provider_id = ${provider} and a.sku_id = any(${`{${ids.join(",")}}`}::uuid[]) and a.status < 2 and (a.store_id is null or a.store_id = ${store_id})`,
  );
  return Map.groupBy(rows, ({ sku_id }) => sku_id);
}

/** Every night: tombstones of more than 90 days go; who knows less than them begins anew. */
export const purgeTombstones = job({
  name: "purge-product-tombstones",
  data: z.object({}),
  every: "10 4 * * *",
  concurrency: 1,
  run: async ({ pool, clock }) => {
    const before = new Date(clock.now_ms() - KEPT_DAYS * 86_400_000).toISOString();
    await withScope(pool, platformScope("purge product tombstones"), (tx) =>
      sql`with gone as (delete from product_tombstones x where x.created_at < ${before}::timestamptz returning x.service_provider_id, x.merchant_id, x.rev)
        update merchant_catalogs c set purged_rev = greatest(c.purged_rev, g.rev) from (select service_provider_id, merchant_id, max(rev) as rev from gone group by 1, 2) g
        where g.service_provider_id = c.service_provider_id and g.merchant_id = c.merchant_id`.execute(tx),
    );
  },
});
