import { createHmac } from "node:crypto";
import { sql } from "kysely";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { derivedKey } from "@zhangfang/server/config.ts";
import { asPlatform, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { couponWords, oweCoupons } from "../../../coupons/server/index.ts";
import { addLot, addPoints } from "../../../value-book/server/index.ts";
import type { RefusedWhy } from "../../contract/index.ts";

export interface Opened {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly store_id: string;
  readonly card_id: string;
  readonly member_id: string;
  readonly holder_id: string;
  /** The mark of the phone on whose page it was. */
  readonly device?: string | undefined;
}
interface Gift {
  readonly id: string;
  readonly points: number;
  readonly points_days: number | null;
  readonly gift_cents: number;
  readonly coupon_campaign_id: string | null;
  readonly coupon_count: number | null;
}
/** Everybody who was merged into a member, and the member. */
const family = (provider: string, member: string) => sql`(select f.id from members f where f.service_provider_id = ${provider}
  and (f.id = ${member} or f.merged_into = ${member}))`;

interface Mark {
  readonly kind: "phone" | "openid" | "device";
  readonly hash: string;
}
/** By what whoever opens a card is known again. */
async function marksOf(tx: Transaction, { config }: Services, { service_provider_id, member_id, device }: Opened): Promise<Mark[]> {
  const { rows } =
    await sql<Mark>`select distinct case i.kind when 'phone' then 'phone' else 'openid' end as kind, encode(i.subject_hash, 'hex') as hash
    from member_identities i where i.service_provider_id = ${service_provider_id} and i.kind in ('phone', 'openid', 'alipay')
      and i.member_id in ${family(service_provider_id, member_id)}`.execute(tx);
  if (device === undefined) return rows;
  const key = derivedKey(config.secret, "card-marks");
  return [...rows, { kind: "device", hash: createHmac("sha256", key).update(`${service_provider_id}|${device}`).digest("hex") }];
}
const KINDS = sql`array['phone', 'openid', 'device']`;
const listed = (marks: readonly Mark[]) =>
  sql`unnest(${marks.map(({ kind }) => kind)}::text[], ${marks.map(({ hash }) => Buffer.from(hash, "hex"))}::bytea[]) x(kind, hash)`;
/** How many more people a `card_activities a` gives to: as many as may get it, and as its balance lasts for. */
export const PEOPLE_LEFT = sql<number>`least(a.most_count - a.given_count,
  (coalesce(a.budget_cents, 0) - a.given_cents) / nullif(a.gift_cents, 0))::int`;
/**
 * Why an activity gives somebody nothing, if it does: it is used up, or they had it as somebody else; and whether their coupons were set aside. It
 * is held until the end; what it is by then is read after the wait.
 */
async function askActivity(tx: Transaction, provider: string, activity_id: string, marks: readonly Mark[]) {
  const { rows } = await sql<{
    gone: boolean;
    held: boolean;
  }>`select ${PEOPLE_LEFT} < 1 as gone, a.held_coupons >= coalesce(a.coupon_count, 1) as held
    from card_activities a where a.service_provider_id = ${provider} and a.id = ${activity_id} for no key update`.execute(tx);
  const { rows: had } = await sql<{ kind: RefusedWhy }>`select m.kind from card_marks m join ${listed(marks)}
      on m.kind = x.kind and m.hash = x.hash
    where m.service_provider_id = ${provider} and m.activity_id = ${activity_id} order by array_position(${KINDS}, m.kind) limit 1`.execute(
    tx,
  );
  const why: RefusedWhy | undefined = had[0]?.kind ?? (rows[0]?.gone === true ? "gone" : undefined);
  return { why, held: rows[0]?.held === true };
}

interface Given {
  readonly points: number;
  readonly giftCents: number;
  /** In words. */
  readonly coupons: string;
}
/**
 * What opening a card brings, by each activity that runs: once for a human and an activity, and only while there is some of it left. One
 * statement takes it from the budget, so that no two take the last. Who gets nothing of one is written down with why.
 * @returns what was given
 */
export async function giveOpeningGifts(tx: Transaction, services: Services, opened: Opened, now_ms: number): Promise<Given> {
  const { service_provider_id, merchant_id, store_id, card_id, member_id } = opened;
  const today = shanghaiDay(now_ms);
  const running = await asPlatform(tx, () =>
    sql<{ id: string }>`select a.id from card_activities a where a.service_provider_id = ${service_provider_id} and a.card_id = ${card_id}
      and a.status = 1 and a.first_day <= ${today}::date and a.last_day >= ${today}::date and not exists (select 1 from card_gifts g
        where g.service_provider_id = a.service_provider_id and g.activity_id = a.id and g.member_id in ${family(service_provider_id, member_id)})
      order by a.id`.execute(tx),
  );
  const given: Given[] = [];
  const marks = running.rows.length > 0 ? await asPlatform(tx, () => marksOf(tx, services, opened)) : [];
  for (const { id: activity_id } of running.rows) {
    const { why, held } = await asPlatform(tx, () => askActivity(tx, service_provider_id, activity_id, marks));
    if (why === undefined) given.push(...(await give(tx, services, opened, { activity_id, marks, held }, now_ms)));
    else
      await sql`insert into card_refusals (service_provider_id, merchant_id, activity_id, member_id, store_id, why, at)
        values (${service_provider_id}, ${merchant_id}, ${activity_id}, ${member_id}, ${store_id}, ${why}, ${new Date(now_ms).toISOString()})
        on conflict do nothing`.execute(tx);
  }
  return {
    points: given.reduce((sum, { points }) => sum + points, 0),
    giftCents: given.reduce((sum, { giftCents }) => sum + giftCents, 0),
    coupons: given.flatMap(({ coupons }) => coupons || []).join("、"),
  };
}
/** Gives what one activity brings; nothing where it does not run any more. */
async function give(
  tx: Transaction,
  services: Services,
  opened: Opened,
  { activity_id, marks, held }: { readonly activity_id: string; readonly marks: readonly Mark[]; readonly held: boolean },
  now_ms: number,
): Promise<Given[]> {
  const { service_provider_id, merchant_id, store_id, member_id, holder_id } = opened;
  const today = shanghaiDay(now_ms);
  const { rows } = await sql<Gift>`update card_activities a set given_count = given_count + 1, given_points = given_points + points,
      given_cents = given_cents + gift_cents, held_coupons = held_coupons - case when ${held} then coalesce(coupon_count, 0) else 0 end
    where service_provider_id = ${service_provider_id} and id = ${activity_id} and status = 1 and first_day <= ${today}::date
      and last_day >= ${today}::date and ${PEOPLE_LEFT} > 0
    returning id, points, points_days, gift_cents, coupon_campaign_id, coupon_count`.execute(tx);
  const [gift] = rows;
  if (!gift) return [];
  const { points, points_days, gift_cents, coupon_campaign_id, coupon_count } = gift;
  const [id, at] = [services.ids.uuid(now_ms), new Date(now_ms).toISOString()];
  // Twice for one member is a broken key, and undoes the whole.
  await tx
    .insertInto("card_gifts")
    .values({ service_provider_id, id, merchant_id, store_id, activity_id, holder_id, member_id, points, gift_cents, at })
    .execute();
  await asPlatform(tx, () =>
    sql`insert into card_marks (service_provider_id, merchant_id, activity_id, kind, hash, gift_id, at)
      select ${service_provider_id}, ${merchant_id}, ${activity_id}, x.kind, x.hash, ${id}, ${at} from ${listed(marks)}`.execute(tx),
  );
  const holder = { service_provider_id, merchant_id, member_id };
  const poster = { ids: services.ids, now_ms };
  if (points > 0) {
    const expires_on = points_days === null ? null : addDays(today, points_days);
    await addPoints(tx, poster, holder, { cause: "points-given", cause_id: id, points, usable_from: today, expires_on, store_id });
  }
  if (gift_cents > 0) {
    const lot = { cause: "gift", cause_id: id, sold_store_id: store_id, mode: "ratio", principal_cents: 0, gift_cents } as const;
    await addLot(tx, poster, holder, lot);
  }
  if (coupon_campaign_id === null) return [{ points, giftCents: gift_cents, coupons: "" }];
  const count = coupon_count ?? 1;
  await oweCoupons(tx, services, { ...holder, cause: "card", cause_id: id, campaign_id: coupon_campaign_id, count, held });
  const worth = (await couponWords(tx, service_provider_id, [coupon_campaign_id])).get(coupon_campaign_id) ?? "优惠券";
  return [{ points, giftCents: gift_cents, coupons: `${worth} ${count} 张` }];
}
