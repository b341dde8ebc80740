import { sha256 } from "@zhangfang/server/crypto.ts";
import { behind, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { PriceSource } from "../../contract.ts";
import { contributorsOf, type PricedOrder } from "../contributor.ts";
import type { Facts, Part, Priced, Wish } from "../rules/facts.ts";

/** The columns of an order that say what came off, each the sum of its sources; of stored value what was paid for and what was given. */
export type OffColumns = Readonly<Record<(typeof COLUMNS)[PriceSource] | "principal_cents" | "gift_cents" | "points_used", number>>;
/** Where each source stands in an order. */
export const COLUMNS = {
  voucher: "voucher_cents",
  member: "member_cents",
  auto: "activity_cents",
  coupon: "coupon_cents",
  till: "coupon_cents",
  channel: "coupon_cents",
  manual: "manual_cents",
  points: "points_cents",
  stored: "stored_value_cents",
  short: "short_cents",
} as const satisfies Record<PriceSource, string>;

/** What the parts come to, by the order's columns. */
export function offColumns(parts: readonly Pick<Part, "source" | "off_cents" | "gift_cents" | "points">[]): OffColumns {
  const names = [...Object.values(COLUMNS), "principal_cents", "gift_cents", "points_used"];
  const sums = Object.fromEntries(names.map((name) => [name, 0])) as Record<keyof OffColumns, number>;
  for (const { source, off_cents, gift_cents, points } of parts) {
    sums[COLUMNS[source]] += off_cents;
    if (source === "points") sums.points_used += points;
    if (source !== "stored") continue;
    sums.gift_cents += gift_cents;
    sums.principal_cents += off_cents - gift_cents;
  }
  return sums;
}

/** What an order was priced from, and what it came to. */
export interface Pricing {
  readonly facts: Facts;
  readonly wish: Wish;
  readonly priced: Priced;
}

/** What it was priced from, line by line, and what came off it. */
function writePrice(tx: Transaction, order: PricedOrder, { facts, wish, priced }: Pricing): void {
  const { service_provider_id, merchant_id, store_id, id: order_id } = order;
  const owner = { service_provider_id, merchant_id, store_id, order_id };
  const text = JSON.stringify({ facts, wish });
  // Nobody waits for these: all of them go out together, in this order.
  behind(
    tx,
    tx.insertInto("order_lines").values(
      facts.lines.map((line, at) => ({
        ...owner,
        place: line.place,
        goods_no: line.goods_no ?? null,
        name: line.name,
        units: line.units,
        unit_cents: line.unit_cents,
        sku_id: line.sku_id ?? null,
        tags: [...(line.tags ?? [])],
        member_cents: line.member_cents ?? null,
        tax_code: line.tax_code ?? null,
        tax_rate: line.tax_rate ?? null,
        no_discount: line.no_discount ?? false,
        freight: line.freight ?? false,
        net_cents: priced.nets[at] ?? 0,
      })),
    ),
  );
  behind(tx, tx.insertInto("price_facts").values({ ...owner, at: facts.at, facts: text, sha256: sha256(text) }));
  if (priced.parts.length === 0) return;
  behind(
    tx,
    tx.insertInto("price_parts").values(
      priced.parts.map(({ source, ref, name, off_cents, provider_cents, merchant_cents, points, gift_cents }, at) => ({
        ...owner,
        n: at + 1,
        source,
        ref,
        name,
        off_cents,
        provider_cents,
        merchant_cents,
        points,
        gift_cents,
      })),
    ),
  );
  behind(
    tx,
    tx
      .insertInto("price_part_lines")
      .values(
        priced.parts.flatMap(({ lines }, n) =>
          lines.flatMap((cents, at) => (cents > 0 ? [{ ...owner, n: n + 1, place: facts.lines[at]?.place ?? 0, cents }] : [])),
        ),
      ),
  );
}

/**
 * Writes down how a new order was priced and has everybody set aside what it uses, in the order's own transaction.
 * @throws 409 where something was used up meanwhile
 */
export async function placeParts(tx: Transaction, services: Services, order: PricedOrder, { facts, wish, priced }: Pricing): Promise<void> {
  writePrice(tx, order, { facts, wish, priced });
  for (const contributor of contributorsOf(services)) {
    const used = priced.parts.filter(({ source }) => source === contributor.source);
    if (used.length > 0) await contributor.hold(tx, services, order, used);
  }
}
