import { sql } from "kysely";
import { ask, type Transaction } from "@zhangfang/server/database/db.ts";
import type { PriceSource } from "../../contract.ts";
import { contributorsOf, type Contributor, type PricedOrder, type Used } from "../contributor.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Ask, Given, Paid } from "../rules/back.ts";
import { type Line, type Part, sum } from "../rules/facts.ts";
import { STEP } from "../rules/price.ts";

/** How an order was paid, as its rows say: lines, parts, and what it is worth in a refund. */
export interface ReadParts {
  readonly lines: readonly Line[];
  readonly paid: Paid;
}

/** Reads the lines and parts of an order that was priced. */
export async function readParts(
  tx: Transaction,
  { service_provider_id, id }: Pick<PricedOrder, "service_provider_id" | "id">,
): Promise<ReadParts> {
  const [lines, found] = await Promise.all([
    ask(
      tx,
      tx
        .selectFrom("order_lines")
        .select(["place", "name", "units", "unit_cents", "net_cents"])
        .where("service_provider_id", "=", service_provider_id)
        .where("order_id", "=", id)
        .orderBy("place"),
    ),
    ask(
      tx,
      sql<Omit<Part, "lines" | "step"> & { cuts: { place: number; cents: number }[] }>`
      select p.source, p.ref, p.name, p.off_cents, p.provider_cents, p.merchant_cents, p.points, p.gift_cents,
        (select coalesce(json_agg(json_build_object('place', l.place, 'cents', l.cents)), '[]') from price_part_lines l
          where l.service_provider_id = p.service_provider_id and l.order_id = p.order_id and l.n = p.n) as cuts
      from price_parts p where p.service_provider_id = ${service_provider_id} and p.order_id = ${id} order by p.n`,
    ),
  ]);
  const parts = found.map(({ cuts, ...part }): Part => ({
    ...part,
    step: STEP[part.source],
    lines: lines.map(({ place }) => cuts.find((cut) => cut.place === place)?.cents ?? 0),
  }));
  const stored = parts.filter(({ source }) => source === "stored");
  const value_cents = sum(lines.map(({ net_cents }) => net_cents));
  const stored_cents = sum(stored.map(({ off_cents }) => off_cents));
  const gift_cents = sum(stored.map((part) => part.gift_cents));
  return {
    lines: lines.map(({ place, name, units, unit_cents }) => ({ place, name, units, unit_cents })),
    paid: {
      parts,
      nets: lines.map(({ net_cents }) => net_cents),
      value_cents,
      money_cents: value_cents - stored_cents,
      principal_cents: stored_cents - gift_cents,
      gift_cents,
    },
  };
}

/** What is back of an order or on its way: refunds that wait, are out or done; a failed or refused one holds nothing. */
export async function readGiven(
  tx: Transaction,
  { service_provider_id, id }: Pick<PricedOrder, "service_provider_id" | "id">,
  except?: string,
): Promise<Given> {
  const { rows } = await sql<{ source: string; ref: string; cents: number; units: number; points: number; provider_cents: number }>`
    select b.source, b.ref, sum(b.cents)::bigint as cents, sum(b.units)::int as units, sum(b.points)::bigint as points, sum(b.provider_cents)::bigint as provider_cents
    from price_backs b join refunds r on r.service_provider_id = b.service_provider_id and r.id = b.refund_id
    where b.service_provider_id = ${service_provider_id} and b.order_id = ${id} and r.status in (0, 1, 2) and r.id is distinct from ${except ?? null}::uuid
    group by b.source, b.ref`.execute(tx);
  const of = (source: string) => sum(rows.filter((row) => row.source === source).map(({ cents }) => cents));
  const parts = rows.filter(({ source }) => !KINDS.has(source));
  const [money_cents, principal_cents, gift_cents] = [of("money"), of("principal"), of("gift")];
  return {
    value_cents: money_cents + principal_cents + gift_cents,
    amount_cents: of("amount"),
    money_cents,
    principal_cents,
    gift_cents,
    units: Object.fromEntries(rows.filter(({ source }) => source === "line").map(({ ref, units }) => [Number(ref), units])),
    points: Object.fromEntries(parts.map(({ ref, points }) => [ref, points])),
    provider: Object.fromEntries(parts.map(({ ref, provider_cents }) => [ref, provider_cents])),
  };
}
/** What a refund asked for: units of lines, or an amount. */
export async function readAsk(tx: Transaction, service_provider_id: string, refund_id: string): Promise<Ask> {
  const rows = await tx
    .selectFrom("price_backs")
    .select(["source", "ref", "cents", "units"])
    .where("service_provider_id", "=", service_provider_id)
    .where("refund_id", "=", refund_id)
    .where("source", "in", ["line", "amount"])
    .execute();
  const lines = rows.filter(({ source }) => source === "line");
  if (lines.length === 0) return { cents: sum(rows.map(({ cents }) => cents)) };
  return { units: Object.fromEntries(lines.map(({ ref, units }) => [Number(ref), units])) };
}

/** Rows of a refund that say how its value is cut; all others are a part's. */
export const KINDS: ReadonlySet<string> = new Set(["line", "amount", "money", "principal", "gift"]);

/** Each contributor with what it has of an order, in the order of locks. */
export function eachUsed<P extends Used & { readonly source: PriceSource }>(
  services: Services,
  parts: readonly P[],
): (readonly [Contributor, readonly P[]])[] {
  return contributorsOf(services).flatMap((contributor) => {
    const used = parts.filter(({ source }) => source === contributor.source);
    return used.length > 0 ? [[contributor, used] as const] : [];
  });
}
