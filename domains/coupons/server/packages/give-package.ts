import { sql } from "kysely";
import { conflict, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import type { MemberRef } from "../../../members/server/index.ts";
import { barOf, type Face, ORDERED, PERSON, rankOn } from "../claims/claim-bars.ts";
import { freeCouponStock, giveCoupons, holdCouponStock } from "../claims/give-coupons.ts";
import { spanOf } from "../rules/term-rules.ts";
import { holdPackage, type Item, itemsOf, type PackageHead, type PackageRef } from "./find-package.ts";
import { packageBar, sharesOf } from "./package-rules.ts";

/** One package that somebody received or buys, as its row stands. */
export interface Get {
  readonly service_provider_id: string;
  readonly id: string;
  readonly merchant_id: string;
  readonly package_id: string;
  readonly member_id: string;
  readonly person: string;
  readonly status: number;
  readonly price_cents: number;
  readonly order_id: string | null;
  readonly asked_on: string;
}
export const GET = sql`g.service_provider_id, g.id, g.merchant_id, g.package_id, g.member_id, encode(g.person, 'hex') as person, g.status,
  g.price_cents, g.order_id, g.asked_on`;
/** What somebody asks for; the same `request_id` is the same package. */
export interface Asked {
  readonly package_id: string;
  readonly request_id: string;
}
interface Asker extends Face {
  readonly person: string;
  readonly birthday: string | null;
  /** Whoever was merged into them. */
  readonly family: readonly string[];
}
/** A member, and whoever was merged into them. */
const human = ({ service_provider_id, id }: Pick<MemberRef, "service_provider_id" | "id">) =>
  sql`g.member_id in (select f.id from members f where f.service_provider_id = ${service_provider_id} and ${id}::uuid in (f.id, f.merged_into))`;

/** Those of a merchant's members who ask, each with whoever was merged into them; where they are kept they stay as they are until the end. */
export async function readAskers(
  tx: Transaction,
  { service_provider_id, merchant_id }: Omit<MemberRef, "id">,
  ids: readonly string[],
  today: string,
  { keep = false } = {},
): Promise<ReadonlyMap<string, Asker>> {
  const { rows } = await sql<Asker & { id: string }>`select m.id, m.stage, m.status, m.tags, m.birthday, ${ORDERED} as ordered,
      ${rankOn(today)} as rank, encode(${PERSON}, 'hex') as person,
      array(select f.id::text from members f where f.service_provider_id = m.service_provider_id and f.merged_into = m.id) as family
    from members m where m.service_provider_id = ${service_provider_id} and m.merchant_id = ${merchant_id} and m.id = any(${[...ids]}::uuid[])
    ${keep ? sql`for no key update of m` : sql``}`.execute(tx);
  return new Map(rows.map(({ id, ...asker }) => [id, asker]));
}
/** Who asks. @throws 404 */
export async function readAsker(tx: Transaction, member: MemberRef, today: string, { keep = false } = {}): Promise<Asker> {
  const asker = (await readAskers(tx, member, [member.id], today, { keep })).get(member.id);
  if (!asker) throw notFound("会员");
  return asker;
}
/** How many of these packages one human had, by package: whoever has the same phone, and whoever was merged with them. */
export async function hadOf(
  tx: Transaction,
  { service_provider_id, id }: MemberRef,
  person: string,
  packages: readonly string[],
  today: string,
): Promise<ReadonlyMap<string, { readonly had: number; readonly had_today: number; readonly nths: readonly number[] }>> {
  const { rows } = await sql<{ package_id: string; had: number; had_today: number; nths: number[] }>`
    select g.package_id, count(*)::int as had, (count(*) filter (where g.asked_on = ${today}::date))::int as had_today,
      coalesce(array_agg(g.nth) filter (where g.person = decode(${person}, 'hex')), '{}') as nths
    from package_gets g where g.service_provider_id = ${service_provider_id} and g.package_id = any(${[...packages]}::uuid[]) and g.status not in (2, 5)
      and (g.person = decode(${person}, 'hex') or ${human({ service_provider_id, id })})
    group by g.package_id`.execute(tx);
  return new Map(rows.map(({ package_id, ...row }) => [package_id, row]));
}
/** The first place of a human that is free: who closed an order has its place again. */
export const freePlace = (taken: readonly number[]): number => {
  let nth = 1;
  while (taken.includes(nth)) nth += 1;
  return nth;
};
/** What of its coupons stands against one more: whom a campaign leaves out, what of it is left, and when it would be good. */
export function itemBar({ name, count, left, terms, ends_at, ...campaign }: Item, face: Face, now: string): Refusal | undefined {
  const bar = barOf({ ...campaign, ends_at, terms }, face, now);
  if (bar) return bar;
  if (left < count) return conflict("券包里的券已领完", "coupon.gone");
  const span = spanOf(terms, now, ends_at);
  return span.to <= now || span.to <= span.from ? conflict(`券包里的「${name}」使用期已过`, "coupon.over") : undefined;
}

/** One that was asked for by the same request before. @throws 409 where it was another's, or another package */
async function answered(tx: Transaction, member: MemberRef, { package_id, request_id }: Asked): Promise<Get | undefined> {
  const { rows } = await sql<Get & { own: boolean }>`select ${GET}, ${human(member)} as own from package_gets g
    where g.service_provider_id = ${member.service_provider_id} and g.request_id = ${request_id}`.execute(tx);
  if (rows[0] && (!rows[0].own || rows[0].package_id !== package_id)) throw conflict("请重新领取", "coupon.again");
  return rows[0];
}
/** Each coupon of a package, in the order of their places. */
export const couponsIn = (items: readonly Item[]): readonly Pick<Item, "campaign_id" | "value_cents">[] =>
  items.flatMap(({ campaign_id, value_cents, count: many }) => Array.from({ length: many }, () => ({ campaign_id, value_cents })));
/**
 * One package for a member, with each of its coupons written down, where the package, each campaign and the limits of a human allow it. The package is
 * held until the end, and then its campaigns in the order of their ids.
 */
async function begin(
  tx: Transaction,
  services: Services,
  member: MemberRef,
  { pack, asker }: Met,
  { request_id, order_id }: { readonly request_id: string; readonly order_id?: string },
): Promise<Get> {
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  const today = shanghaiDay(now_ms);
  const { service_provider_id, merchant_id } = pack;
  const own = (await hadOf(tx, member, asker.person, [pack.id], today)).get(pack.id);
  const items = await itemsOf(tx, service_provider_id, [pack.id]);
  const bar = packageBar(pack, own?.had ?? 0, own?.had_today ?? 0, now);
  const refused = bar ?? items.map((item) => itemBar(item, asker, now)).find(Boolean);
  if (refused) throw refused;
  const id = services.ids.uuid(now_ms);
  const paid = order_id !== undefined;
  const price_cents = paid ? (pack.price_cents ?? 0) : 0;
  await sql`insert into package_gets (service_provider_id, id, merchant_id, package_id, member_id, person, nth, request_id, status, price_cents, order_id,
      asked_on, created_at, got_at)
    values (${service_provider_id}, ${id}, ${merchant_id}, ${pack.id}, ${member.id}, decode(${asker.person}, 'hex'), ${freePlace(own?.nths ?? [])},
      ${request_id}, ${paid ? 0 : 1}, ${price_cents}, ${order_id ?? null}, ${today}::date, ${now}, ${paid ? null : now})`.execute(tx);
  const coupons = couponsIn(items);
  const shares = sharesOf(
    price_cents,
    coupons.map(({ value_cents }) => value_cents),
  );
  const rows = coupons.map((coupon, at) => ({ ...coupon, place: at + 1, share_cents: shares[at] }));
  await sql`insert into package_coupons (service_provider_id, get_id, place, merchant_id, campaign_id, value_cents, share_cents)
    select ${service_provider_id}, ${id}, r.place, ${merchant_id}, r.campaign_id, r.value_cents, r.share_cents
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(place int, campaign_id uuid, value_cents bigint, share_cents bigint)`.execute(
    tx,
  );
  await count(tx, pack, { today, held: paid ? 1 : 0, issued: paid ? 0 : 1, todays: 1 });
  return {
    service_provider_id,
    id,
    merchant_id,
    package_id: pack.id,
    member_id: member.id,
    person: asker.person,
    status: paid ? 0 : 1,
    price_cents,
    order_id: order_id ?? null,
    asked_on: today,
  };
}
/** Moves the counters of a package that is held; guarded all the same. */
export async function count(
  tx: Transaction,
  { service_provider_id, id }: PackageRef,
  { today, held, issued, todays }: { readonly today: string; readonly held: number; readonly issued: number; readonly todays: number },
): Promise<void> {
  const counted = await sql`update packages p set held = p.held + ${held}, issued = p.issued + ${issued}, day = ${today}::date,
      today = greatest(0, case when p.day = ${today}::date then p.today else 0 end + ${todays})
    where p.service_provider_id = ${service_provider_id} and p.id = ${id} and p.held + ${held} >= 0 and p.issued + p.held + ${held + issued} <= p.total`.execute(
    tx,
  );
  mustChange({ numUpdatedRows: counted.numAffectedRows ?? 0n }, () => new Error("a locked package has less than it had"));
}

/** Coupons of one package by campaign, in the order in which campaigns are held. */
export async function partsByCampaign(tx: Transaction, { service_provider_id, id }: Pick<Get, "service_provider_id" | "id">) {
  const { rows } = await sql<{ campaign_id: string; ids: string[] }>`select x.campaign_id, array_agg(x.id::text order by x.place) as ids
    from package_coupons x where x.service_provider_id = ${service_provider_id} and x.get_id = ${id} group by x.campaign_id order by x.campaign_id`.execute(
    tx,
  );
  return rows;
}
/** Gives all coupons of a package, or throws why one of them can't be. @param way as of `giveCoupons` */
export async function giveParts(
  tx: Transaction,
  services: Services,
  { service_provider_id, id }: Get,
  member_id: string,
  way: { readonly held: boolean; readonly paid: boolean },
): Promise<void> {
  for (const { campaign_id, ids } of await partsByCampaign(tx, { service_provider_id, id })) {
    const gives = ids.map((source_id) => ({ member_id, source_id }));
    const answers = await giveCoupons(tx, services, { service_provider_id, campaign_id }, gives, { source: "package", ...way });
    const given = answers.map((answer, at) => {
      if (answer instanceof Refusal) throw answer;
      return { id: ids[at], coupon_id: answer.coupon_id };
    });
    const written =
      await sql`update package_coupons x set coupon_id = r.coupon_id from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as r(id uuid, coupon_id uuid)
      where x.service_provider_id = ${service_provider_id} and x.get_id = ${id} and x.id = r.id and x.coupon_id is null`.execute(tx);
    mustChange(
      { numUpdatedRows: written.numAffectedRows === BigInt(given.length) ? 1n : 0n },
      () => new Error("a coupon of a package was given twice"),
    );
  }
}

/**
 * 领取 a free package: all of its coupons or none, in one transaction. The same request is the same package.
 * @throws 404, 409 with why there is none
 */
export async function receivePackage(
  tx: Transaction,
  services: Services,
  member: MemberRef,
  asked: Asked,
): Promise<{ readonly id: string; readonly coupons: number }> {
  const met = await meet(tx, services, member, asked.package_id);
  const before = await answered(tx, member, asked);
  const told = async (get: Get) => ({
    id: get.id,
    coupons: (await partsByCampaign(tx, get)).reduce((sum, { ids }) => sum + ids.length, 0),
  });
  if (before) return told(before);
  if (met.pack.price_cents !== null) throw conflict("这个券包要购买", "package.priced");
  const get = await begin(tx, services, member, met, asked);
  await giveParts(tx, services, get, member.id, { held: false, paid: false });
  return told(get);
}
/**
 * Sets packages aside for those to whom they are sent, with every piece of their coupons.
 * @throws 409 `coupon.gone` where so many are not left, `coupon.over` where it gives out none
 */
export async function holdPackages(tx: Transaction, services: Services, ref: PackageRef, many: number): Promise<void> {
  const today = shanghaiDay(services.clock.now_ms());
  const pack = await holdPackage(tx, ref, today);
  if (!pack || !["RUNNING", "PAUSED"].includes(pack.state)) throw conflict("此券包不在发放中", "coupon.over");
  const left = pack.total - pack.issued - pack.held;
  if (left < many) throw conflict(`此券包只剩 ${left.toLocaleString("en-US")} 份，不够 ${many.toLocaleString("en-US")} 份`, "coupon.gone");
  await count(tx, ref, { today, held: many, issued: 0, todays: 0 });
  for (const { campaign_id, count: each } of await piecesOf(tx, ref))
    await holdCouponStock(tx, { service_provider_id: ref.service_provider_id, campaign_id }, each * many);
}
/** Packages that were set aside and will not be given are free again, with every piece of their coupons. */
export async function freePackages(tx: Transaction, services: Services, ref: PackageRef, many: number): Promise<void> {
  if (many === 0) return;
  const today = shanghaiDay(services.clock.now_ms());
  await holdPackage(tx, ref, today);
  await count(tx, ref, { today, held: -many, issued: 0, todays: 0 });
  for (const { campaign_id, count: each } of await piecesOf(tx, ref))
    await freeCouponStock(tx, { service_provider_id: ref.service_provider_id, campaign_id }, each * many);
}
/** What is in a package, in the order in which campaigns are held. */
const piecesOf = async (tx: Transaction, { service_provider_id, id }: PackageRef) =>
  (
    await sql<{ campaign_id: string; count: number }>`select i.campaign_id, i.count from package_items i
      where i.service_provider_id = ${service_provider_id} and i.package_id = ${id} order by i.campaign_id`.execute(tx)
  ).rows;
/**
 * Sets a priced package aside for an order that is placed, with every piece of its coupons.
 * @throws 404, 409 with why there is none, or where its price is another
 */
export async function reservePackage(
  tx: Transaction,
  services: Services,
  member: MemberRef,
  asked: Asked & { readonly order_id: string; readonly price_cents: number },
): Promise<Get> {
  const met = await meet(tx, services, member, asked.package_id);
  if (await answered(tx, member, asked)) throw conflict("请重新购买", "coupon.again");
  if (met.pack.price_cents !== asked.price_cents) throw conflict("券包刚有变化，请重新下单", "price.changed");
  const today = shanghaiDay(services.clock.now_ms());
  const { birthday } = met.asker;
  if (birthday !== null && birthday > `${Number(today.slice(0, 4)) - ADULT_YEARS}${today.slice(4)}`)
    throw conflict("未满 18 周岁，不能预付购买", "member.minor");
  const get = await begin(tx, services, member, met, asked);
  for (const { campaign_id, ids } of await partsByCampaign(tx, get))
    await holdCouponStock(tx, { service_provider_id: get.service_provider_id, campaign_id }, ids.length);
  return get;
}
/** Lets go of every piece that an open order had set aside. */
export async function freeParts(tx: Transaction, get: Get): Promise<void> {
  for (const { campaign_id, ids } of await partsByCampaign(tx, get))
    await freeCouponStock(tx, { service_provider_id: get.service_provider_id, campaign_id }, ids.length);
}
const ADULT_YEARS = 18;
interface Met {
  readonly pack: PackageHead;
  readonly asker: Asker;
}
/** Who asks, and then the package, each kept until the end. @throws 404 */
async function meet(tx: Transaction, services: Services, member: MemberRef, id: string): Promise<Met> {
  const today = shanghaiDay(services.clock.now_ms());
  const asker = await readAsker(tx, member, today, { keep: true });
  const pack = await holdPackage(tx, { service_provider_id: member.service_provider_id, id }, today);
  if (pack?.merchant_id !== member.merchant_id || pack.state === "UNAUDIT") throw notFound("券包");
  return { pack, asker };
}
