import { sql } from "kysely";
import { z } from "zod";
import { conflict, Refusal } from "@zhangfang/server/calls/errors.ts";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job, type Job } from "@zhangfang/server/jobs/jobs.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { type CouponTerms, worthWords } from "../../contract/index.ts";
import { giveCoupons } from "../claims/give-coupons.ts";
import { moveCoupons } from "../holding/move-coupons.ts";

/** What something gives, to whom, and by what: once for a cause and its id. */
export interface CouponGift {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly member_id: string;
  readonly cause: "recharge" | "card" | "right";
  readonly cause_id: string;
  readonly campaign_id: string;
  readonly count: number;
  /** Whether a piece was set aside for each (`holdCouponStock`). */
  readonly held?: boolean;
}
type Cause = Pick<CouponGift, "service_provider_id" | "cause" | "cause_id">;
/** How much of what brought coupons is back by now. */
interface Part {
  readonly cents: number;
  readonly of_cents: number;
}

/** Writes down coupons that come with something else, in its transaction; a job gives them right after. Once more changes nothing. */
export async function oweCoupons(tx: Transaction, services: Services, gift: CouponGift): Promise<void> {
  const { service_provider_id, merchant_id, member_id, cause, cause_id, campaign_id, count, held = false } = gift;
  const now_ms = services.clock.now_ms();
  const ids = Array.from({ length: count }, () => services.ids.uuid(now_ms));
  await sql`insert into coupon_gifts (service_provider_id, id, merchant_id, member_id, cause, cause_id, place, campaign_id, at, held)
    select ${service_provider_id}, g.id, ${merchant_id}, ${member_id}, ${cause}, ${cause_id}, g.place, ${campaign_id}, ${new Date(now_ms).toISOString()}, ${held}
    from unnest(${ids}::uuid[]) with ordinality g(id, place) on conflict (service_provider_id, cause, cause_id, place) do nothing`.execute(
    tx,
  );
  await services.jobs.enqueue(tx, giveGifts, { service_provider_id, cause, cause_id });
}
/**
 * The thing goes back: what of its coupons is usable is void, what an order has is void as soon as it is free, what was used stays. By a job.
 * @param part how much of it is back by now, where not all is: as many of its coupons go back, unused ones first
 */
export const takeBackGifts = (
  tx: Transaction,
  services: Services,
  { service_provider_id, cause, cause_id }: Cause,
  part?: Part,
): Promise<void> => services.jobs.enqueue(tx, takeGifts, { service_provider_id, cause, cause_id, ...(part && { part }) });

/** What came with something, in words. @example "2 张已发，1 张没发成：已领完"; empty where it gave none */
export async function giftWords(tx: Transaction, { service_provider_id, cause, cause_id }: Cause): Promise<string> {
  const { rows } = await sql<{ name: string; terms: CouponTerms; status: number; reason: string; given: boolean; count: number }>`
    select c.name, t.terms, g.status, g.reason, g.coupon_id is not null as given, count(*)::int as count from coupon_gifts g
    join coupon_campaigns c on c.service_provider_id = g.service_provider_id and c.id = g.campaign_id
    join coupon_terms t on t.service_provider_id = c.service_provider_id and t.campaign_id = c.id and t.version = c.version
    where g.service_provider_id = ${service_provider_id} and g.cause = ${cause} and g.cause_id = ${cause_id}
    group by 1, 2, 3, 4, 5 order by 3, 5`.execute(tx);
  const [first] = rows;
  if (!first) return "";
  const said = rows.map(
    ({ status, reason, given, count }) =>
      `${count} 张${["待发", "已发", "没发成", given ? "已收回" : "不发了"][status]}${reason && status === 2 ? `：${reason}` : ""}`,
  );
  return `${first.name} ${worthWords(first.terms)} ${said.join("，")}`;
}
/** What of something's coupons goes back once so much of it is back, in words; those that were used stay. Empty where none does. @example "回店 满 80 减 20 1 张" */
export async function giftsBackWords(tx: Transaction, cause: Cause, part: Part): Promise<string> {
  const back = partOf(await givenOf(tx, cause), part).filter(({ status, state }) => status === 0 || (status === 1 && state !== "USED"));
  if (back.length === 0) return "";
  const { rows } = await sql<{ name: string; terms: CouponTerms }>`select c.name, t.terms from coupon_gifts g
    join coupon_campaigns c on c.service_provider_id = g.service_provider_id and c.id = g.campaign_id
    join coupon_terms t on t.service_provider_id = c.service_provider_id and t.campaign_id = c.id and t.version = c.version
    where g.service_provider_id = ${cause.service_provider_id} and g.id = ${back[0]!.id}`.execute(tx);
  return `${rows[0]!.name} ${worthWords(rows[0]!.terms)} ${back.length} 张`;
}
/** What coupons of campaigns are worth, in words, by campaign. @example "满 80 减 20 的券" */
export async function couponWords(
  tx: Transaction,
  service_provider_id: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; terms: CouponTerms }>`select c.id, t.terms from coupon_campaigns c
    join coupon_terms t on t.service_provider_id = c.service_provider_id and t.campaign_id = c.id and t.version = c.version
    where c.service_provider_id = ${service_provider_id} and c.id = any(${[...ids]}::uuid[])`.execute(tx);
  return new Map(rows.map(({ id, terms }) => [id, `${worthWords(terms)} 的券`]));
}
/** Those of a merchant's campaigns that can be given now, of these, and how many are left of each. */
export async function givableOf(
  tx: Transaction,
  { service_provider_id, merchant_id }: Pick<CouponGift, "service_provider_id" | "merchant_id">,
  ids: readonly string[],
  now: string,
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; left: number }>`select c.id, s.total - s.issued - s.held as left from coupon_campaigns c
    join coupon_stock s on s.service_provider_id = c.service_provider_id and s.campaign_id = c.id where c.service_provider_id = ${service_provider_id}
    and c.merchant_id = ${merchant_id} and c.id = any(${[...ids]}::uuid[]) and c.state = 'RUNNING' and c.ends_at > ${now}`.execute(tx);
  return new Map(rows.map(({ id, left }) => [id, left]));
}

/**
 * What brought these coupons goes back: those that are usable are void, what an order has is void as soon as it is free, what was used stays.
 * @returns those that are void now
 */
export async function voidUnused(
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id }: Pick<CouponGift, "service_provider_id" | "merchant_id">,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string; state: string }>`select c.id, c.state from coupons c
    where c.service_provider_id = ${service_provider_id} and c.id = any(${[...ids]}::uuid[]) order by c.id for no key update`.execute(tx);
  const usable = rows.filter(({ state }) => state === "SENDED");
  await moveCoupons(tx, services, { service_provider_id, merchant_id }, usable, { to: "DEACTIVATED", cause: "revoked" });
  const had = rows.filter(({ state }) => state === "LOCKED" || state === "USED").map(({ id }) => id);
  await sql`update coupons c set revoked = true where c.service_provider_id = ${service_provider_id} and c.id = any(${had}::uuid[])`.execute(
    tx,
  );
  return new Set(usable.map(({ id }) => id));
}

/** How many of them could not be given. */
export async function failedGifts(tx: Transaction, { service_provider_id, cause, cause_id }: Cause): Promise<number> {
  const { rows } = await sql<{
    n: number;
  }>`select count(*)::int as n from coupon_gifts g where g.service_provider_id = ${service_provider_id}
    and g.cause = ${cause} and g.cause_id = ${cause_id} and g.status = 2`.execute(tx);
  return rows[0]!.n;
}
/**
 * What could not be given is owed once more, or is given no more.
 * @throws 409 where nothing of it waits for that
 */
export async function settleFailedGifts(tx: Transaction, services: Services, of: Cause, again: boolean): Promise<void> {
  const { service_provider_id, cause, cause_id } = of;
  const settled = await sql`update coupon_gifts g set status = ${again ? 0 : 3}, reason = ${again ? "" : "商户不再发"}
    where g.service_provider_id = ${service_provider_id} and g.cause = ${cause} and g.cause_id = ${cause_id} and g.status = 2`.execute(tx);
  if ((settled.numAffectedRows ?? 0n) === 0n) throw conflict("没有要再发的券，请刷新后查看");
  if (again) await services.jobs.enqueue(tx, giveGifts, { service_provider_id, cause, cause_id });
}

const which = z.object({ service_provider_id: z.uuid(), cause: z.enum(["recharge", "card", "right"]), cause_id: z.uuid() });
type Which = z.output<typeof which>;
const SCOPE = platformScope("coupons that come with something");
interface Owed {
  readonly id: string;
  readonly member_id: string;
  readonly campaign_id: string;
  readonly held: boolean;
}
/** Gives what is owed by one cause. Whoever was merged meanwhile has it at who they are now. */
export const giveGifts: Job<typeof which> = job({
  name: "give-gift-coupons",
  data: which,
  run: (services, cause) => withScope(services.pool, SCOPE, (tx) => giveOwed(tx, services, cause)),
});
async function giveOwed(tx: Transaction, services: Services, { service_provider_id, cause, cause_id }: Which): Promise<void> {
  const { rows } = await sql<Owed>`select g.id, coalesce(m.merged_into, m.id) as member_id, g.campaign_id, g.held from coupon_gifts g
    join members m on m.service_provider_id = g.service_provider_id and m.id = g.member_id
    where g.service_provider_id = ${service_provider_id} and g.cause = ${cause} and g.cause_id = ${cause_id} and g.status = 0
    order by g.place for no key update of g`.execute(tx);
  if (rows.length === 0) return;
  const campaign = { service_provider_id, campaign_id: rows[0]!.campaign_id };
  const gives = rows.map(({ id, member_id }) => ({ member_id, source_id: id }));
  const { held } = rows[0]!;
  // What came with a recharge was paid for, and what was set aside was promised: whatever became of the campaign since.
  const answers = await giveCoupons(tx, services, campaign, gives, { source: "gift", held, paid: cause === "recharge" || held });
  const told = answers.map((answer, at) => ({
    id: rows[at]!.id,
    status: answer instanceof Refusal ? 2 : 1,
    reason: answer instanceof Refusal ? answer.message : "",
    coupon_id: answer instanceof Refusal ? null : answer.coupon_id,
  }));
  const marked = await sql`update coupon_gifts g set status = x.status, reason = x.reason, coupon_id = x.coupon_id, held = false
    from jsonb_to_recordset(${JSON.stringify(told)}::jsonb) as x(id uuid, status smallint, reason text, coupon_id uuid)
    where g.service_provider_id = ${service_provider_id} and g.id = x.id and g.status = 0`.execute(tx);
  if (marked.numAffectedRows !== BigInt(told.length)) throw new Error("coupons that are owed were given meanwhile");
}
/** Each minute: what is owed for longer than a minute, whose job was lost. */
export const lookAfterGifts = lookAfter<Which>({
  name: "look-after-gift-coupons",
  due: async (tx, now) =>
    (
      await sql<Which>`select distinct g.service_provider_id, g.cause, g.cause_id from (select x.* from coupon_gifts x
        where x.status = 0 and x.at < ${now}::timestamptz - interval '1 minute' order by x.at limit 500) g`.execute(tx)
    ).rows,
  one: (services, cause) => withScope(services.pool, SCOPE, (tx) => giveOwed(tx, services, cause)),
});

const taking = which.extend({ part: z.object({ cents: z.int(), of_cents: z.int() }).optional() });
export const takeGifts: Job<typeof taking> = job({
  name: "take-gift-coupons",
  data: taking,
  run: (services, { service_provider_id, cause, cause_id, part }) =>
    withScope(services.pool, SCOPE, async (tx) => {
      // Before anything is read: whoever gives these at the moment ends first.
      await sql`select 1 from coupon_gifts g where g.service_provider_id = ${service_provider_id} and g.cause = ${cause}
        and g.cause_id = ${cause_id} order by g.place for no key update`.execute(tx);
      const all = await givenOf(tx, { service_provider_id, cause, cause_id });
      const rows = part ? partOf(all, part) : all;
      const voided = await voidUnused(
        tx,
        services,
        { service_provider_id, merchant_id: rows[0]?.merchant_id ?? "" },
        rows.flatMap(({ status, coupon_id }) => (status === 1 && coupon_id !== null ? [coupon_id] : [])),
      );
      const back = rows.flatMap(({ id, status, coupon_id }) => (status === 0 || status === 2 || voided.has(coupon_id ?? "") ? [id] : []));
      await sql`update coupon_gifts g set status = 3, reason = '已退' where g.service_provider_id = ${service_provider_id}
        and g.id = any(${back}::uuid[])`.execute(tx);
    }),
});
interface GivenGift {
  readonly id: string;
  readonly merchant_id: string;
  readonly coupon_id: string | null;
  readonly status: number;
  /** It is void, or will be as soon as an order lets it go. */
  readonly back: boolean;
  readonly state: string;
}
async function givenOf(tx: Transaction, { service_provider_id, cause, cause_id }: Cause): Promise<readonly GivenGift[]> {
  const { rows } =
    await sql<GivenGift>`select g.id, g.merchant_id, g.coupon_id, g.status, g.reason = '已退' or coalesce(c.revoked, false) as back,
      coalesce(c.state, '') as state
    from coupon_gifts g left join coupons c on c.service_provider_id = g.service_provider_id and c.id = g.coupon_id
    where g.service_provider_id = ${service_provider_id} and g.cause = ${cause} and g.cause_id = ${cause_id} order by g.place desc`.execute(
      tx,
    );
  return rows;
}
/** Which go back so that as many are back of all: what was not given yet, what is usable, what an order has, what was used. */
function partOf(all: readonly GivenGift[], { cents, of_cents }: Part): readonly GivenGift[] {
  const count = Math.floor((all.length * cents) / of_cents);
  const done = all.filter(({ back }) => back).length;
  return [
    ...all.filter(({ status }) => status === 0 || status === 2),
    ...["SENDED", "LOCKED", "USED"].flatMap((held) => all.filter(({ status, state, back }) => status === 1 && state === held && !back)),
  ].slice(0, Math.max(0, count - done));
}
