import { sql } from "kysely";
import { withScope } from "@zhangfang/server/database/db.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { Services } from "@zhangfang/server/services.ts";
import {
  type ChannelAccount,
  type ChannelCouponState,
  type ChannelStock,
  couponChannelOf,
  type CouponCarrier,
  NOT_FOUND,
} from "../../../channels/server/index.ts";
import { couponState, type CouponState } from "../../contract/index.ts";
import { accountOf, CARRY, type Differs, endDifferences, noteDifference } from "./carrier-calls.ts";
import type { CopyThere, MirrorNow } from "./carrier-steps.ts";
import type { MirrorRef } from "./tell-stock.ts";

const MOST = 200;
/** Coupons of one campaign that are asked about in a round, the longest unasked first. */
const COUPONS = 50;
interface Mirror extends MirrorRef {
  readonly merchant_id: string;
  readonly carrier: CouponCarrier;
  readonly state: string;
  readonly stock_id: string;
  readonly there: MirrorNow["there"];
  readonly total: number;
  readonly there_total: number;
  readonly codes: number;
}
interface Copy {
  readonly coupon_id: string;
  readonly no: string;
  readonly state: CouponState;
  readonly there: CopyThere;
  readonly over: boolean;
  readonly rev: number;
}

const STOCK_WORDS = { waiting: "审核中或未激活", running: "运行中", paused: "暂停发放", stopped: "已停止" } as const;
/** What WeChat's word for a code means for us; nothing where it is as good as over. */
const MEANS: Readonly<Partial<Record<ChannelCouponState, CopyThere>>> = {
  UPLOADED: "SENDED",
  SENDED: "SENDED",
  USED: "USED",
  DEACTIVATED: "DEACTIVATED",
};
const CODE_WORDS: Readonly<Record<ChannelCouponState | typeof NOT_FOUND, string>> = {
  UPLOADED: "可用",
  SENDED: "可用",
  USED: "已核销",
  EXPIRED: "已过期",
  DELETED: "已删除",
  DEACTIVATED: "已失效",
  [NOT_FOUND]: "没有这个券码",
};
const n = (count: number): string => `${count.toLocaleString("en-US")} 张`;

/** What of a batch is not as it is here. Nothing is due about it, so that it should be the same. */
export function stockDiffers(
  mirror: Pick<Mirror, "carrier" | "state" | "total" | "codes" | "there">,
  { state, total, sent, codes }: ChannelStock,
): Differs[] {
  const { carrier } = mirror;
  // 商家券 goes on there while ours is paused: there is no call that stops it, and nothing is sent.
  const wrong =
    carrier === "favor" ? state !== mirror.there : state !== "running" && (mirror.state === "RUNNING" || mirror.state === "PAUSED");
  const found: (Differs | false)[] = [
    total !== mirror.total && {
      kind: "total",
      ours: n(mirror.total),
      theirs: n(total),
      seen: String(total),
      reason: "发放总量和微信批次不一致",
    },
    wrong && {
      kind: "stock-state",
      ours: mirror.state === "RUNNING" ? "发放中" : "不再发放",
      theirs: STOCK_WORDS[state],
      seen: state,
      reason: "批次状态被别处改过",
    },
    codes !== null &&
      codes !== mirror.codes && { kind: "code-count", ours: n(mirror.codes), theirs: n(codes), reason: "已上传的券码数量不一致" },
    sent > 0 && { kind: "sent", ours: "不由微信发券", theirs: `已发 ${n(sent)}`, reason: "有人在微信侧发了这个批次的券，请在商户平台核对" },
  ];
  return found.filter((one) => one !== false);
}
const STOCK_KINDS = ["total", "stock-state", "code-count", "sent"];

async function compareStock(services: Services, ref: MirrorRef): Promise<void> {
  const found = await withScope(services.pool, CARRY, async (tx) => {
    const { rows } =
      await sql<Mirror>`select m.service_provider_id, m.campaign_id, m.merchant_id, c.carrier, c.state, m.stock_id, m.there, s.total,
        m.total as there_total, (select count(*)::int from coupon_copies k where k.service_provider_id = m.service_provider_id and k.campaign_id = m.campaign_id
          and k.there <> 'NONE') as codes
      from coupon_mirrors m join coupon_campaigns c on c.service_provider_id = m.service_provider_id and c.id = m.campaign_id
      join coupon_stock s on s.service_provider_id = m.service_provider_id and s.campaign_id = m.campaign_id
      where m.service_provider_id = ${ref.service_provider_id} and m.campaign_id = ${ref.campaign_id} and m.stock_id is not null`.execute(
        tx,
      );
    const account = rows[0] && (await accountOf(tx, services, rows[0]));
    return account && { mirror: rows[0]!, account };
  });
  if (!found) return;
  const { mirror, account } = found;
  const about = { ...ref, merchant_id: mirror.merchant_id };
  const channel = couponChannelOf(services, mirror.carrier);
  const outcome = await channel.verify(account, mirror.stock_id);
  await withScope(services.pool, CARRY, async (tx) => {
    // What is on its way is compared once it is there.
    const { rows } = await sql<{
      quiet: boolean;
    }>`update coupon_mirrors m set checked_at = ${new Date(services.clock.now_ms()).toISOString()}
      where m.service_provider_id = ${ref.service_provider_id} and m.campaign_id = ${ref.campaign_id} returning m.next_at is null and not exists (
        select from coupon_copies k where k.service_provider_id = m.service_provider_id and k.campaign_id = m.campaign_id
          and k.there = 'NONE' and (k.next_at is not null or k.op is not null)) as quiet`.execute(tx);
    if (outcome.kind !== "ok" || rows[0]?.quiet !== true) return;
    const differs = stockDiffers(mirror, outcome.value);
    for (const one of differs) await noteDifference(tx, services, about, one);
    await endDifferences(
      tx,
      services,
      about,
      STOCK_KINDS.filter((kind) => !differs.some((one) => one.kind === kind)),
    );
  });
  if (mirror.carrier === "busifavor") await compareCoupons(services, mirror, account);
}

/** A code that is over can be used nowhere. */
const sameThere = ({ there, over }: Copy, seen: ChannelCouponState | typeof NOT_FOUND): boolean =>
  seen !== NOT_FOUND && MEANS[seen] === there ? true : over && seen !== "USED";
async function compareCoupons(services: Services, mirror: Mirror, account: ChannelAccount): Promise<void> {
  const now = () => new Date(services.clock.now_ms()).toISOString();
  const { service_provider_id, campaign_id, merchant_id, stock_id } = mirror;
  const { rows } = await withScope(services.pool, CARRY, (tx) =>
    sql<Copy>`select k.coupon_id, c.no, c.state, k.there, c.valid_to <= ${now()} as over, k.rev from coupon_copies k
      join coupons c on c.service_provider_id = k.service_provider_id and c.id = k.coupon_id
      where k.service_provider_id = ${service_provider_id} and k.campaign_id = ${campaign_id} and k.there <> 'NONE' and k.op is null and k.next_at is null
      order by k.checked_at nulls first, k.coupon_id limit ${COUPONS}`.execute(tx),
  );
  const channel = couponChannelOf(services, "busifavor");
  for (const copy of rows) {
    const about = { service_provider_id, campaign_id, merchant_id, coupon_id: copy.coupon_id };
    const outcome = await channel.query(account, { stockId: stock_id, code: copy.no });
    const seen =
      outcome.kind === "ok" ? outcome.value.state : outcome.kind === "refused" && outcome.code === NOT_FOUND ? NOT_FOUND : undefined;
    if (seen === undefined) {
      // Whoever does not answer is not asked for the next one; this one comes last the next time.
      await withScope(services.pool, CARRY, (tx) =>
        sql`update coupon_copies k set checked_at = ${now()} where k.service_provider_id = ${service_provider_id} and k.coupon_id = ${copy.coupon_id}`.execute(
          tx,
        ),
      );
      return;
    }
    await withScope(services.pool, CARRY, async (tx) => {
      const { numAffectedRows } =
        await sql`update coupon_copies k set checked_at = ${now()} where k.service_provider_id = ${service_provider_id}
        and k.coupon_id = ${copy.coupon_id} and k.rev = ${copy.rev} and k.op is null and k.next_at is null`.execute(tx);
      if (numAffectedRows !== 1n) return;
      if (sameThere(copy, seen)) return endDifferences(tx, services, about, ["coupon"]);
      const reason = seen === NOT_FOUND ? "微信没有这个券码" : "微信侧的状态和这里不一致";
      await noteDifference(tx, services, about, {
        kind: "coupon",
        ours: couponState.label(copy.state),
        theirs: CODE_WORDS[seen],
        seen,
        reason,
      });
    });
  }
}

/** Each hour: a batch's figures and some of its coupons are asked about, and what differs is listed. */
export const compareCarriers = lookAfter<MirrorRef>({
  name: "compare-coupon-carriers",
  due: async (tx, now) => {
    const { rows } = await sql<MirrorRef>`select m.service_provider_id, m.campaign_id from coupon_mirrors m
      join coupon_campaigns c on c.service_provider_id = m.service_provider_id and c.id = m.campaign_id
      where m.stock_id is not null and (m.checked_at is null or m.checked_at < ${now}::timestamptz - interval '1 hour')
        and (c.state <> 'STOPED' or c.stopped_at > ${now}::timestamptz - interval '400 days')
      order by m.checked_at nulls first limit ${MOST}`.execute(tx);
    return rows;
  },
  one: compareStock,
});
