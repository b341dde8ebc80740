import { sql } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { behind, inSavepoint, mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { giveCoupons } from "../claims/give-coupons.ts";
import { holdPackage, type Item, itemsOf, type PackageHead, type PackageRef } from "./find-package.ts";
import { count, couponsIn, freePackages, freePlace, itemBar, readAskers } from "./give-package.ts";
import { packageBar } from "./package-rules.ts";

/** One package for a member; the same `source_id` is the same package. */
interface Give {
  readonly member_id: string;
  readonly source_id: string;
}
interface Winner extends Give {
  readonly person: string;
  readonly nth: number;
}
/** A campaign leaves some of them out: packages are given whole, so that all is undone and done again without these. */
class LeftOut extends Error {
  readonly whom: ReadonlyMap<string, Refusal>;
  constructor(whom: ReadonlyMap<string, Refusal>) {
    super("a campaign leaves somebody out");
    this.whom = whom;
  }
}

/**
 * Gives a package to each of some members for whom it was set aside, to each all of it or nothing, all of them at once; what is not given is free
 * again. Members are held first and then the package and its campaigns, as by whoever receives one.
 * @returns for each the package that was given, or why there is none
 */
export async function sendPackages(
  tx: Transaction,
  services: Services,
  ref: PackageRef,
  gives: readonly Give[],
): Promise<readonly (string | Refusal)[]> {
  const { service_provider_id } = ref;
  const now_ms = services.clock.now_ms();
  const today = shanghaiDay(now_ms);
  const ids = [...new Set(gives.map(({ member_id }) => member_id))];
  await sql`select 1 from members m where m.service_provider_id = ${service_provider_id} and m.id = any(${ids}::uuid[])
    order by m.id for no key update of m`.execute(tx);
  const pack = await holdPackage(tx, ref, today);
  if (!pack) throw new Error("a package that is sent is gone");
  const items = (await itemsOf(tx, service_provider_id, [pack.id])).map((item) => ({ ...item, left: item.count }));
  const met: Met = { pack, items, had: await readHad(tx, pack, ids, today), now: new Date(now_ms).toISOString() };
  const left = new Map<string, Refusal>();
  for (;;) {
    const { winners, refused } = choose(met, gives, left);
    try {
      const given = await inSavepoint(tx, () => giveAll(tx, services, met, winners));
      await freePackages(tx, services, ref, refused.size);
      return gives.map(({ source_id }) => refused.get(source_id) ?? given.get(source_id)!);
    } catch (error) {
      if (!(error instanceof LeftOut)) throw error;
      for (const [source_id, why] of error.whom) left.set(source_id, why);
    }
  }
}

type Asker = NonNullable<ReturnType<Awaited<ReturnType<typeof readAskers>>["get"]>>;
/** Who asks, and what of the package they had: whoever has the same phone, and whoever was merged with them. */
interface Had extends Asker {
  readonly had: number;
  readonly had_today: number;
  readonly nths: readonly number[];
}
interface Met {
  readonly pack: PackageHead;
  readonly items: readonly Item[];
  readonly had: ReadonlyMap<string, Had>;
  readonly now: string;
}
async function readHad(tx: Transaction, pack: PackageHead, ids: readonly string[], today: string): Promise<ReadonlyMap<string, Had>> {
  const { service_provider_id, id } = pack;
  const askers = await readAskers(tx, pack, ids, today);
  const people = [...askers.values()].map(({ person }) => Buffer.from(person, "hex"));
  const members = [...askers].flatMap(([member_id, { family }]) => [member_id, ...family]);
  // Person by person, member by member: behind `offset 0` no plan reads all that the package gave.
  const of = sql`(select g.id, g.person, g.member_id, g.asked_on, g.nth from package_gets g
    where g.service_provider_id = ${service_provider_id} and g.package_id = ${id} and g.status not in (2, 5)`;
  const { rows } = await sql<{ person: string; member_id: string; had: number; had_today: number; nths: number[] }>`
    select encode(x.person, 'hex') as person, x.member_id, count(*)::int as had,
      (count(*) filter (where x.asked_on = ${today}::date))::int as had_today, array_agg(x.nth) as nths
    from (select y.* from unnest(${people}::bytea[]) h cross join lateral ${of} and g.person = h offset 0) y
      union select y.* from unnest(${members}::uuid[]) m cross join lateral ${of} and g.member_id = m offset 0) y) x
    group by x.person, x.member_id`.execute(tx);
  const [of_person, of_member] = [Map.groupBy(rows, ({ person }) => person), Map.groupBy(rows, ({ member_id }) => member_id)];
  return new Map(
    [...askers].map(([member_id, asker]) => {
      const theirs = of_person.get(asker.person) ?? [];
      const all = [...new Set([...theirs, ...[member_id, ...asker.family].flatMap((one) => of_member.get(one) ?? [])])];
      const sum = (key: "had" | "had_today") => all.reduce((total, one) => total + one[key], 0);
      return [member_id, { ...asker, had: sum("had"), had_today: sum("had_today"), nths: theirs.flatMap(({ nths }) => nths) }];
    }),
  );
}

/** Who gets one, in their order: one human counts what those before gave them. */
function choose(
  { pack, items, had, now }: Met,
  gives: readonly Give[],
  left: ReadonlyMap<string, Refusal>,
): { readonly winners: readonly Winner[]; readonly refused: ReadonlyMap<string, Refusal> } {
  const winners: Winner[] = [];
  const refused = new Map(left);
  const given = new Map<string, readonly number[]>();
  for (const give of gives) {
    if (left.has(give.source_id)) continue;
    const asker = had.get(give.member_id);
    const more = given.get(asker?.person ?? "") ?? [];
    const supply = { ...pack, held: pack.held - 1, today: pack.today + winners.length };
    const bar = asker
      ? (packageBar(supply, asker.had + more.length, asker.had_today + more.length, now) ??
        items.map((item) => itemBar(item, asker, now)).find(Boolean))
      : notFound("会员");
    if (bar || !asker) {
      refused.set(give.source_id, bar ?? notFound("会员"));
      continue;
    }
    const nth = freePlace([...asker.nths, ...more]);
    given.set(asker.person, [...more, nth]);
    winners.push({ ...give, person: asker.person, nth });
  }
  return { winners, refused };
}

/** @returns the package of each, by what it is given by. @throws LeftOut */
async function giveAll(
  tx: Transaction,
  services: Services,
  { pack, items, now }: Met,
  winners: readonly Winner[],
): Promise<ReadonlyMap<string, string>> {
  if (winners.length === 0) return new Map();
  const { service_provider_id, merchant_id } = pack;
  const today = shanghaiDay(now);
  // Each row's look at its references would be planned anew.
  behind(tx, sql`select set_config('plan_cache_mode', 'force_generic_plan', true)`);
  const gets = winners.map((winner) => ({ ...winner, id: services.ids.uuid(Date.parse(now)) }));
  behind(
    tx,
    sql`insert into package_gets (service_provider_id, id, merchant_id, package_id, member_id, person, nth, request_id, status, price_cents, asked_on, created_at, got_at)
      select ${service_provider_id}, r.id, ${merchant_id}, ${pack.id}, r.member_id, decode(r.person, 'hex'), r.nth, r.source_id, 1, 0, ${today}::date, ${now}, ${now}
      from jsonb_to_recordset(${JSON.stringify(gets)}::jsonb) as r(id uuid, member_id uuid, person text, nth int, source_id uuid)`,
  );
  const coupons = couponsIn(items).map((coupon, at) => ({ ...coupon, place: at + 1 }));
  const { rows: parts } = await sql<{ get_id: string; place: number; id: string; campaign_id: string }>`
    insert into package_coupons (service_provider_id, get_id, place, merchant_id, campaign_id, value_cents, share_cents)
    select ${service_provider_id}, g.id, r.place, ${merchant_id}, r.campaign_id, r.value_cents, 0
    from unnest(${gets.map(({ id }) => id)}::uuid[]) with ordinality as g(id, at)
    cross join jsonb_to_recordset(${JSON.stringify(coupons)}::jsonb) as r(place int, campaign_id uuid, value_cents bigint)
    order by g.at, r.place returning get_id, place, id, campaign_id`.execute(tx);
  await count(tx, pack, { today, held: -gets.length, issued: gets.length, todays: gets.length });
  const get_of = new Map(gets.map((get) => [get.id, get]));
  // Campaigns are held in the order of their ids.
  const of_campaign = [...Map.groupBy(parts, ({ campaign_id }) => campaign_id)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [campaign_id, some] of of_campaign) {
    const answers = await giveCoupons(
      tx,
      services,
      { service_provider_id, campaign_id },
      some.map(({ get_id, id }) => ({ member_id: get_of.get(get_id)!.member_id, source_id: id })),
      { source: "package", held: true, many: true },
    );
    const left = new Map<string, Refusal>();
    const given = answers.flatMap((answer, at) => {
      const { get_id, place } = some[at]!;
      if (!(answer instanceof Refusal)) return [{ get_id, place, coupon_id: answer.coupon_id }];
      left.set(get_of.get(get_id)!.source_id, answer);
      return [];
    });
    if (left.size > 0) throw new LeftOut(left);
    const written = await sql`update package_coupons x set coupon_id = r.coupon_id
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as r(get_id uuid, place int, coupon_id uuid)
      where x.service_provider_id = ${service_provider_id} and x.get_id = r.get_id and x.place = r.place and x.coupon_id is null`.execute(
      tx,
    );
    mustChange(
      { numUpdatedRows: written.numAffectedRows === BigInt(given.length) ? 1n : 0n },
      () => new Error("a coupon of a package was given twice"),
    );
  }
  return new Map(gets.map(({ source_id, id }) => [source_id, id]));
}
