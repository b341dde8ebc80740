import { sql } from "kysely";
import { conflict, notFound, type Refusal } from "@zhangfang/server/calls/errors.ts";
import type { CouponTerms } from "../../contract/index.ts";
import type { Share } from "../rules/share-rules.ts";

/** The level of a `members m` on a day: what was earned, or a term that was bought. */
export const rankOn = (
  today: string,
) => sql<number>`coalesce((select greatest(v.earned_rank, (select max((b ->> 'rank')::int) from jsonb_array_elements(v.terms) b
    where b ->> 'from' <= ${today} and b ->> 'to' >= ${today})) from vip_members v
  where v.service_provider_id = m.service_provider_id and v.member_id = m.id), 0)`;
const BOUGHT = sql`o.service_provider_id = m.service_provider_id and o.purpose = 0 and o.paid_at is not null`;
/**
 * Whether a `members m`, or whoever was merged into them, ever bought something: orders keep the id of who paid them. Recharges, levels, cards
 * and packages are no orders here.
 */
export const ORDERED = sql<boolean>`(exists (select 1 from pay_orders o where ${BOUGHT} and o.member_id = m.id)
  or exists (select 1 from members f join pay_orders o on o.member_id = f.id
    where f.service_provider_id = m.service_provider_id and f.merged_into = m.id and ${BOUGHT}))`;
/** One human behind a `members m`: by their phone, else by the member. */
export const PERSON = sql<Buffer>`coalesce((select i.subject_hash from member_identities i where i.service_provider_id = m.service_provider_id
  and i.member_id = m.id and i.kind = 'phone' order by i.subject_hash limit 1), uuid_send(m.id))`;

/** What terms look at in somebody who asks. */
export interface Face {
  readonly stage: number;
  readonly status: number;
  readonly tags: readonly string[];
  readonly ordered: boolean;
  readonly rank: number;
}
interface Offered {
  readonly state: string;
  readonly begins_at: string;
  readonly ends_at: string;
  readonly terms: CouponTerms;
}
/** Why somebody may not have one, whatever is left of it. */
export function barOf({ state, begins_at, ends_at, terms }: Offered, face: Face | undefined, now: string): Refusal | undefined {
  if (state === "UNAUDIT") return notFound("优惠券");
  if (state === "PAUSED") return conflict("暂停领取，请稍后再来", "coupon.paused");
  if (state === "STOPED" || ends_at <= now) return conflict("领取已结束", "coupon.over");
  if (begins_at > now) return conflict("还没到领取时间", "coupon.early");
  if (!face || face.status > 2) return conflict("会员已注销或正在注销，不能领券", "member.closed");
  if (face.status === 2) return conflict("会员已冻结，不能领券", "member.frozen");
  if (face.stage === 0) return conflict("请先确认手机号再领券", "member.unconfirmed");
  if (terms.newOnly && face.ordered) return conflict("只给没下过单的新客", "coupon.not-for");
  if (terms.levels.length > 0 && !terms.levels.includes(face.rank)) return conflict("您的会员等级不在领取范围内", "coupon.not-for");
  if (terms.memberTags.length > 0 && !terms.memberTags.some((tag) => face.tags.includes(tag)))
    return conflict("不在领取范围内", "coupon.not-for");
  return undefined;
}
/** Why somebody may not have what they paid for: whatever the terms say by now, it is theirs, but who has left has nothing. */
export const paidBar = (face: Face | undefined): Refusal | undefined =>
  !face || face.status > 3 ? conflict("会员已注销，不能领券", "member.closed") : undefined;

type No = Extract<Share, { readonly why: string }>["why"];
const SAID: Readonly<Record<No, readonly [string, string]>> = {
  gone: ["已领完", "coupon.gone"],
  "day-gone": ["今天的已领完，请明天再来", "coupon.day-gone"],
  person: ["已达每人限领张数", "coupon.person"],
  "person-day": ["今天已达每人限领张数", "coupon.person"],
};
/** What somebody is told who got none. */
export const refusalOf = (why: No): Refusal => conflict(...SAID[why]);
