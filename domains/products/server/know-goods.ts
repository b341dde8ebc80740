import { sql } from "kysely";
import { proportion } from "@zhangfang/contract/money.ts";
import type { GoodsDoor } from "../../pricing/server/index.ts";
import { type Change, type Levels, levelsAt, priceOf } from "./prices/price-rules.ts";

interface Found {
  readonly sku_id: string;
  readonly sku_no: string;
  readonly no_discount: boolean;
  readonly weighed: boolean;
  readonly tax_code: string | null;
  readonly tax_rate: number | null;
  readonly tags: readonly string[];
  readonly levels: Levels;
  readonly ahead: readonly Change[];
}

/**
 * Lines as the library knows them. Of a known SKU the till's name and price stay; tags, `no_discount`, member price and tax are the
 * server's. Unknown ones come back as they are, without a claim to any of it. A weighed line is one unit at the scale's price, so that its
 * member price is that price in the proportion of member price to price of its SKU, half up as a scale rounds. One query.
 * @example const lines = await knowGoods.know(tx, services, where, rung);
 */
export const knowGoods: GoodsDoor = {
  async know(tx, _services, { service_provider_id, merchant_id, store_id, at }, lines) {
    const numbers = [...new Set(lines.flatMap(({ goods_no }) => goods_no ?? []))];
    if (numbers.length === 0) return lines;
    const { rows } = await sql<Found>`
      select k.id as sku_id, k.sku_no, p.no_discount, p.weighed, p.tax_code, p.tax_rate,
        coalesce((select array_agg(g.code order by g.code) from product_tag_members m join product_tags g on g.service_provider_id = m.service_provider_id and g.id = m.tag_id
          where m.service_provider_id = p.service_provider_id and m.product_id = p.id), '{}') as tags,
        json_build_object('merchant', json_build_object('price_cents', k.price_cents, 'member_cents', k.member_cents),
          'store', json_build_object('price_cents', x.price_cents, 'member_cents', x.member_cents)) as levels,
        coalesce((select json_agg(json_build_object('store', a.store_id is not null, 'kind', a.kind, 'cents', a.cents, 'from_at', a.from_at)) from product_prices a
          where a.service_provider_id = k.service_provider_id and a.sku_id = k.id and a.status < 2 and (a.store_id is null or a.store_id = ${store_id})), '[]') as ahead
      from product_skus k join products p on p.service_provider_id = k.service_provider_id and p.id = k.product_id
      left join product_stores x on x.service_provider_id = k.service_provider_id and x.sku_id = k.id and x.store_id = ${store_id}
      where k.service_provider_id = ${service_provider_id} and k.merchant_id = ${merchant_id} and k.sku_no = any(${numbers}::text[]) and k.retired_at is null`.execute(
      tx,
    );
    const known = new Map(rows.map((row) => [row.sku_no, row]));
    return lines.map((line) => {
      const found = line.goods_no === undefined ? undefined : known.get(line.goods_no);
      if (!found) return line;
      const { price_cents, member_cents: each_cents } = priceOf(levelsAt(found.levels, found.ahead, Date.parse(at)));
      const member_cents = each_cents !== null && found.weighed ? proportion(line.unit_cents, each_cents, price_cents) : each_cents;
      const { member_cents: _member, tax_code: _code, tax_rate: _rate, no_discount: _no, ...rung } = line;
      return {
        ...rung,
        sku_id: found.sku_id,
        tags: found.tags,
        no_discount: found.no_discount,
        ...(member_cents !== null && { member_cents }),
        ...(found.tax_code !== null && { tax_code: found.tax_code }),
        ...(found.tax_rate !== null && { tax_rate: found.tax_rate }),
      };
    });
  },
};
