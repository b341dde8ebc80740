import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { askBetter, type CouponTerms, couponTerms, decideBetter, sayTerms, withdrawBetter, worseIn } from "../../contract/index.ts";
import { valueOf } from "../rules/term-rules.ts";
import { canonical, checkTerms, writeTerms } from "./check-terms.ts";
import { type CampaignHead, heldHead, isMaker, mayAlone, mustBeAnother, mustMayDecide } from "./find-campaign.ts";

const gone = () => conflict("此改动已被处理，请刷新后查看");
const noteOf = (ctx: Ctx, { id, service_provider_id, merchant_id }: CampaignHead, after: object) =>
  ctx.note({ targetKind: "coupon_campaign", targetId: id, provider: service_provider_id, merchant: merchant_id!, after });
/** @throws 409 where the terms of a campaign can't be made better any more */
async function mustGiveOut(tx: Transaction, campaign: CampaignHead): Promise<void> {
  if (campaign.merchant_id === null) throw conflict("服务商的券须各商户重新同意条款，请另建一张");
  if (campaign.state !== "RUNNING" && campaign.state !== "PAUSED") throw conflict("只有发放中或已暂停的优惠券可以改善条款");
  if (campaign.carrier !== "NONE") throw conflict("微信承载的券以微信的批次为准，请另建一张");
  const name = await pinnedBy(tx, campaign);
  if (name !== undefined) throw conflict(`「${name}」还在送这张券，预算和公示按现在的条款算，请等它结束，或另建一张券`);
}
/** An activity or a lottery that goes on, or still holds pieces, and whose budget and published rules say what one of them is worth. */
async function pinnedBy(tx: Transaction, { service_provider_id, id }: CampaignHead): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`select a.name from activity_stock s
      join activities a on a.service_provider_id = s.service_provider_id and a.id = s.activity_id
      where s.service_provider_id = ${service_provider_id} and s.campaign_id = ${id} and (a.state in ('RUNNING', 'PAUSED') or s.held > 0)
    union all select l.name from lottery_prizes p join lotteries l on l.service_provider_id = p.service_provider_id and l.id = p.lottery_id
      where p.service_provider_id = ${service_provider_id} and p.campaign_id = ${id} and (l.state in ('RUNNING', 'PAUSED') or p.held > 0)
    limit 1`.execute(tx);
  return rows[0]?.name;
}
/** Terms that are better and can be. @throws 400 at the field */
async function mustBeBetter(ctx: Ctx, campaign: CampaignHead, terms: CouponTerms) {
  const names = await checkTerms(ctx, campaign, terms);
  const worse = worseIn(campaign.terms, terms);
  if (worse) throw invalid(`terms.${worse.field}`, `条款只能改得对顾客更好：${worse.why}`);
  if (canonical(terms) === canonical(campaign.terms)) throw invalid("terms.minCents", "条款没有改动");
  return names;
}

/** 改善条款. One waits at a time. */
export const askBetterRoute = implement(askBetter, async (ctx, { id, version, terms }) => {
  const campaign = await heldHead(ctx, id);
  await mustGiveOut(ctx.tx, campaign);
  if (campaign.version !== version) throw conflict("条款已被修改，请重新打开后再改");
  const names = await mustBeBetter(ctx, campaign, terms);
  const { service_provider_id, merchant_id } = campaign;
  const { id: asked_by, name: asked_by_name } = askerOf(ctx);
  const { rows } = await sql<{
    n: number;
  }>`insert into coupon_betterments (service_provider_id, campaign_id, n, merchant_id, version, terms, said, value_cents,
      asked_by, asked_by_name, asked_at)
    select ${service_provider_id}, ${id}, coalesce(max(b.n), 0) + 1, ${merchant_id}, ${version}, ${canonical(terms)}, ${sayTerms(terms, names)}, ${valueOf(terms)},
      ${asked_by}, ${asked_by_name}, ${ctx.now} from coupon_betterments b where b.service_provider_id = ${service_provider_id} and b.campaign_id = ${id}
    on conflict (service_provider_id, campaign_id) where status = 0 do nothing returning n`.execute(ctx.tx);
  const [made] = rows;
  if (!made) throw conflict("已有一次改动在等审核，请先处理它");
  noteOf(ctx, campaign, { better: made.n, terms });
  return { n: made.n };
});

/** 审核改动: what is approved is a new version, which holds for what is received from now on. */
export const decideBetterRoute = implement(decideBetter, async (ctx, { id, n, approve, refundPassword }) => {
  const campaign = await heldHead(ctx, id);
  const waiting = await mustWait(ctx.tx, campaign, n);
  const asked = { ...campaign, made_by: waiting.asked_by };
  let alone = false;
  if (!approve) mustBeAnother(ctx, asked);
  else {
    await mustGiveOut(ctx.tx, campaign);
    alone = await mustMayDecide(ctx, asked, { liability_cents: waiting.value_cents * campaign.total, refundPassword });
  }
  await end(ctx, campaign, n, approve ? 1 : 2);
  if (approve) await take(ctx, campaign, waiting, alone);
  noteOf(ctx, campaign, { better: n, approve });
  return { ok: true as const };
});
/** 撤回改动. */
export const withdrawBetterRoute = implement(withdrawBetter, async (ctx, { id, n }) => {
  const campaign = await heldHead(ctx, id);
  const { asked_by } = await mustWait(ctx.tx, campaign, n);
  if (!isMaker(ctx, { made_by: asked_by })) throw new Refusal(403, "second-person", "只有提交人可以撤回");
  await end(ctx, campaign, n, 3);
  noteOf(ctx, campaign, { better: n, withdrawn: true });
  return { ok: true as const };
});
/** @throws 404 of a number that never was, 409 of one that does not wait any more */
async function mustWait(tx: Transaction, campaign: CampaignHead, n: number): Promise<Waiting> {
  const waiting = await readWaiting(tx, campaign);
  if (waiting?.n === n) return waiting;
  const { service_provider_id, id } = campaign;
  const { rows } =
    await sql`select 1 from coupon_betterments b where b.service_provider_id = ${service_provider_id} and b.campaign_id = ${id}
    and b.n = ${n}`.execute(tx);
  throw rows.length > 0 ? gone() : notFound("改动");
}
async function end(ctx: Ctx, { service_provider_id, id }: CampaignHead, n: number, status: 1 | 2 | 3): Promise<void> {
  const by = askerOf(ctx);
  const ended = await sql`update coupon_betterments set status = ${status}, decided_by = ${by.id}, decided_by_name = ${by.name},
      decided_at = ${ctx.now} where service_provider_id = ${service_provider_id} and campaign_id = ${id} and n = ${n} and status = 0`.execute(
    ctx.tx,
  );
  mustChange({ numUpdatedRows: ended.numAffectedRows ?? 0n }, gone);
}
async function take(ctx: Ctx, campaign: CampaignHead, waiting: Waiting, alone: boolean): Promise<void> {
  const { version: read, terms: text, asked_by, asked_by_name } = waiting;
  if (campaign.version !== read) throw conflict("条款已被修改，请撤回后重新提交");
  const terms = couponTerms.parse(JSON.parse(text));
  const names = await mustBeBetter(ctx, campaign, terms);
  const { service_provider_id, id, version } = campaign;
  await writeTerms(ctx.tx, campaign, { campaign_id: id, version: version + 1, terms, names, by_name: asked_by_name, at: ctx.now });
  const changed =
    await sql`update coupon_campaigns set version = ${version + 1} where service_provider_id = ${service_provider_id} and id = ${id}
    and version = ${version} and state in ('RUNNING', 'PAUSED')`.execute(ctx.tx);
  mustChange({ numUpdatedRows: changed.numAffectedRows ?? 0n }, gone);
  // Two persons' yes to more is one to the whole: what its maker ran alone is theirs no longer. Of the two it is whoever did not make it.
  const by = askerOf(ctx);
  const other = isMaker(ctx, campaign) ? { id: asked_by, name: asked_by_name } : by;
  if (!alone)
    await sql`update coupon_campaigns c set alone = false, decided_by = ${other.id}, decided_by_name = ${other.name}, decided_at = ${ctx.now}
      where c.service_provider_id = ${service_provider_id} and c.id = ${id} and c.alone`.execute(ctx.tx);
}

interface Waiting {
  readonly n: number;
  readonly version: number;
  readonly terms: string;
  readonly said: string;
  readonly value_cents: number;
  readonly asked_by: string;
  readonly asked_by_name: string;
  readonly asked_at: string;
}
async function readWaiting(
  tx: Transaction,
  { service_provider_id, id }: Pick<CampaignHead, "service_provider_id" | "id">,
): Promise<Waiting | undefined> {
  const { rows } = await sql<Waiting>`select b.n, b.version, b.terms, b.said, b.value_cents, b.asked_by, b.asked_by_name, b.asked_at
    from coupon_betterments b where b.service_provider_id = ${service_provider_id} and b.campaign_id = ${id} and b.status = 0`.execute(tx);
  return rows[0];
}
/** The change that waits, as the campaign's page tells it. */
export async function betterOf(
  ctx: Ctx,
  campaign: Pick<CampaignHead, "service_provider_id" | "merchant_id" | "id" | "total">,
): Promise<{
  n: number;
  said: string;
  eachCents: never;
  by: string;
  at: never;
  own: boolean;
  mayDecide: boolean;
  mayDecideAlone: boolean;
} | null> {
  const waiting = await readWaiting(ctx.tx, campaign);
  if (!waiting) return null;
  const { n, said, value_cents, asked_by, asked_by_name, asked_at } = waiting;
  const own = isMaker(ctx, { made_by: asked_by });
  return {
    n,
    said,
    eachCents: value_cents as never,
    by: asked_by_name,
    at: asked_at as never,
    own,
    mayDecide: !own,
    mayDecideAlone: own && (await mayAlone(ctx, campaign, value_cents * campaign.total)),
  };
}
