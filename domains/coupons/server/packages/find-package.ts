import { sql } from "kysely";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { CampaignState, CouponTerms } from "../../contract/index.ts";
import type { Supply } from "./package-rules.ts";

export interface PackageRef {
  readonly service_provider_id: string;
  readonly id: string;
}
export interface PackageHead extends PackageRef, Supply {
  readonly merchant_id: string;
  readonly name: string;
  readonly price_cents: number | null;
  readonly made_by: string;
}
/** A package as it stands on a Shanghai day. */
export const HEAD = (
  today: string,
) => sql`p.service_provider_id, p.id, p.merchant_id, p.name, p.price_cents, p.made_by, p.state, p.begins_at, p.ends_at,
  p.total, p.issued, p.held, p.per_day, case when p.day = ${today}::date then p.today else 0 end as today, p.per_person, p.per_person_day`;

/** Holds a package until the end: who gets one, who closes an order and who steers it come one after the other. @returns it, after the wait */
export async function holdPackage(
  tx: Transaction,
  { service_provider_id, id }: PackageRef,
  today: string,
): Promise<PackageHead | undefined> {
  await sql`select 1 from packages where service_provider_id = ${service_provider_id} and id = ${id} for no key update`.execute(tx);
  const { rows } = await sql<PackageHead>`select ${HEAD(today)} from packages p
    where p.service_provider_id = ${service_provider_id} and p.id = ${id}`.execute(tx);
  return rows[0];
}
/** One in sight, held. @throws 404 */
export async function heldPackage({ tx, scope }: Pick<Ctx, "tx" | "scope">, id: string, today: string): Promise<PackageHead> {
  const { rows } = await sql<PackageRef>`select p.service_provider_id, p.id from packages p
    where p.id = ${id} and ${inScope(scope, "p", "merchant")}`.execute(tx);
  const held = rows[0] && (await holdPackage(tx, rows[0], today));
  if (!held) throw notFound("券包");
  return held;
}

/** What is in a package, with how its campaign stands, as whoever made it put them. */
export interface Item {
  readonly package_id: string;
  readonly campaign_id: string;
  readonly count: number;
  readonly name: string;
  readonly state: CampaignState;
  readonly begins_at: string;
  readonly ends_at: string;
  readonly terms: CouponTerms;
  readonly said: string;
  readonly value_cents: number;
  readonly left: number;
}
export async function itemsOf(tx: Transaction, service_provider_id: string, packages: readonly string[]): Promise<readonly Item[]> {
  if (packages.length === 0) return [];
  const { rows } =
    await sql<Item>`select i.package_id, i.campaign_id, i.count, c.name, c.state, c.begins_at, c.ends_at, t.terms, t.said, t.value_cents,
      s.total - s.issued - s.held as left
    from package_items i join coupon_campaigns c on c.service_provider_id = i.service_provider_id and c.id = i.campaign_id
    join coupon_stock s on s.service_provider_id = c.service_provider_id and s.campaign_id = c.id
    join coupon_terms t on t.service_provider_id = c.service_provider_id and t.campaign_id = c.id and t.version = c.version
    where i.service_provider_id = ${service_provider_id} and i.package_id = any(${[...packages]}::uuid[]) order by i.place`.execute(tx);
  return rows;
}
/** The most that one package of these costs. */
export const eachOf = (items: readonly Pick<Item, "value_cents" | "count">[]): number =>
  items.reduce((sum, { value_cents, count }) => sum + value_cents * count, 0);
