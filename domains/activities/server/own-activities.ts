import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { MemberRef } from "../../members/server/index.ts";
import { type ActivityKind, type ActivityTerms, giftStatus, type GrantStatus } from "../contract/index.ts";
import { daysOf } from "./manage/check-terms.ts";

interface Found {
  readonly id: string;
  readonly kind: ActivityKind;
  readonly name: string;
  readonly terms: ActivityTerms;
  readonly worth: string;
  readonly said: string[];
  readonly begins_at: string;
  readonly ends_at: string;
  readonly running: boolean;
}
interface Mine {
  readonly activity_id: string;
  readonly status: GrantStatus;
  readonly reason: string;
  readonly at: string;
  readonly things: readonly {
    readonly words: string;
    readonly status: 0 | 1 | 2 | 3 | 4;
    readonly reason: string;
    readonly couponId: string | null;
  }[];
}
const PROGRESS: Readonly<Record<GrantStatus, string>> = {
  owed: "正在发，马上到账",
  review: "同一网络领取的人多，等店里确认",
  given: "已到账",
  failed: "有的没发成，请找店里",
  refused: "没有领到",
};
/** When a birthday's gift comes. */
const birthdayWords = (birthday: string | null, { daysBefore }: ActivityTerms): string =>
  birthday === null ? "还没填生日" : `生日 ${birthday.slice(5)}，${daysBefore === 0 ? "当天" : `提前 ${daysBefore} 天`}到账`;
/** What a member gets by activities: those that run for them and those that they had, the newest first. Of a merchant's own alone. */
export async function ownActivities(tx: Transaction, services: Services, { service_provider_id, merchant_id, id }: MemberRef) {
  const now = new Date(services.clock.now_ms()).toISOString();
  const family = sql`(select f.id from members f where f.service_provider_id = ${service_provider_id} and (f.id = ${id} or f.merged_into = ${id}))`;
  const { rows: mine } =
    await sql<Mine>`select g.activity_id, g.status, g.reason, g.at, coalesce((select jsonb_agg(jsonb_build_object('words', case x.kind
        when 'coupon' then c.name when 'points' then x.amount || ' 积分' else trim_scale(x.amount / 100.0) || ' 元赠送余额' end,
        'status', x.status, 'reason', x.reason, 'couponId', x.coupon_id) order by x.place)
      from activity_gifts x left join coupon_campaigns c on c.service_provider_id = x.service_provider_id and c.id = x.campaign_id
      where x.service_provider_id = g.service_provider_id and x.grant_id = g.id), '[]'::jsonb) as things
    from activity_grants g where g.service_provider_id = ${service_provider_id} and g.merchant_id = ${merchant_id} and g.member_id in ${family}
    order by g.at desc, g.id desc limit 50`.execute(tx);
  const { rows: self } = await sql<{ birthday: string | null }>`select m.birthday from members m
    where m.service_provider_id = ${service_provider_id} and m.id = ${id}`.execute(tx);
  const { rows: activities } = await sql<Found>`select a.id, a.kind, a.name, t.terms, t.worth, t.said, a.begins_at, a.ends_at,
      a.state = 'RUNNING' and a.begins_at <= ${now} and a.ends_at > ${now} as running
    from activities a join activity_terms t on t.service_provider_id = a.service_provider_id and t.activity_id = a.id and t.version = a.version
    where a.service_provider_id = ${service_provider_id} and a.merchant_id = ${merchant_id}
      and (a.id = any(${[...new Set(mine.map(({ activity_id }) => activity_id))]}::uuid[])
        or a.kind <> 'new' and a.state = 'RUNNING' and a.begins_at <= ${now} and a.ends_at > ${now})
    order by a.created_at desc, a.id desc limit 50`.execute(tx);
  return activities.map(({ begins_at, ends_at, terms, ...row }) => {
    const own = mine.filter(({ activity_id }) => activity_id === row.id);
    return {
      activityId: row.id,
      kind: row.kind,
      name: row.name,
      worth: row.worth,
      said: row.said,
      running: row.running,
      ...daysOf({ begins_at, ends_at }),
      progress: own[0]
        ? PROGRESS[own[0].status] + (own[0].status === "refused" ? `：${own[0].reason}` : "")
        : row.running && row.kind === "birthday"
          ? birthdayWords(self[0]?.birthday ?? null, terms)
          : row.running && row.kind === "scan"
            ? "到店扫活动码领取"
            : row.running && row.kind === "recommend"
              ? "看我的邀请码"
              : row.running && row.kind === "fans"
                ? "第一次关注公众号就送，点公众号发来的链接领取"
                : row.running && row.kind === "paid"
                  ? "付款后自动到账"
                  : "",
      prizes: own.flatMap(({ at, things }) => things.map((thing) => ({ ...thing, said: giftStatus.label(thing.status), at }))),
    };
  });
}
