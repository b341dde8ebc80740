import { sql, type RawBuilder } from "kysely";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { checkRefundPassword, needsRefundPassword } from "../../../orders/server/index.ts";
import { ALONE_CENTS, type CouponTerms } from "../../contract/index.ts";

export interface CampaignHead {
  readonly service_provider_id: string;
  /** None: it is the provider's own. */
  readonly merchant_id: string | null;
  readonly id: string;
  readonly no: string;
  readonly name: string;
  readonly kind: number;
  readonly state: string;
  readonly version: number;
  readonly made_by: string;
  readonly begins_at: string;
  readonly ends_at: string;
  readonly total: number;
  readonly value_cents: number;
  readonly provider_percent: number;
  readonly carrier: string;
  readonly terms: CouponTerms;
}
/** Of somebody's, in sight of a second person who decides about it. */
export type Made = Pick<CampaignHead, "service_provider_id" | "merchant_id" | "made_by">;
/** The campaigns `c` that the caller steers: a merchant its own, a provider those that are no merchant's. */
export const ownCampaigns = (scope: Scope): RawBuilder<boolean> =>
  scope.merchant === undefined
    ? sql<boolean>`(${inScope(scope, "c", "provider")} and c.merchant_id is null)`
    : sql<boolean>`(${inScope(scope, "c", "merchant")} and c.merchant_id is not null)`;
/** The provider's campaigns `c`, with their stock `s`, that a merchant in sight is asked to take part in. One that was taken back before anybody had any is nobody's. */
export const offeredCampaigns = (scope: Scope): RawBuilder<boolean> =>
  sql<boolean>`(c.merchant_id is null and c.state <> 'UNAUDIT' and not (c.state = 'STOPED' and s.issued = 0) and exists (
    select 1 from coupon_covers v where v.service_provider_id = c.service_provider_id and v.campaign_id = c.id and ${inScope(scope, "v", "merchant")}))`;
/** One of the caller's own campaigns. @throws 404 */
async function readHead({ tx, scope }: Pick<Ctx, "tx" | "scope">, id: string): Promise<CampaignHead> {
  const { rows } =
    await sql<CampaignHead>`select c.service_provider_id, c.merchant_id, c.id, c.no, c.name, c.kind, c.state, c.version, c.made_by, c.provider_percent, c.carrier,
      c.begins_at, c.ends_at, s.total, t.value_cents, t.terms
    from coupon_campaigns c join coupon_stock s on s.service_provider_id = c.service_provider_id and s.campaign_id = c.id
    join coupon_terms t on t.service_provider_id = c.service_provider_id and t.campaign_id = c.id and t.version = c.version
    where c.id = ${id} and ${ownCampaigns(scope)}`.execute(tx);
  if (!rows[0]) throw notFound("优惠券");
  return rows[0];
}
/** Holds the stock of a campaign: who issues of it and who steers it come one after the other. */
export const holdStock = (tx: Transaction, { service_provider_id, id }: Pick<CampaignHead, "service_provider_id" | "id">) =>
  sql`select 1 from coupon_stock where service_provider_id = ${service_provider_id} and campaign_id = ${id} for no key update`.execute(tx);
/** The same, held with its stock until the end, and as it stands after the wait. @throws 404 */
export async function heldHead(ctx: Pick<Ctx, "tx" | "scope">, id: string): Promise<CampaignHead> {
  await holdStock(ctx.tx, await readHead(ctx, id));
  return readHead(ctx, id);
}

/** The `pauses` of a campaign, or of what else rests and goes on, once it does. */
export const restsFrom = (act: "pause" | "resume", now: string): RawBuilder<string> =>
  act === "pause"
    ? sql`pauses + tstzmultirange(tstzrange(${now}::timestamptz, null))`
    : sql`pauses * tstzmultirange(tstzrange(null, ${now}::timestamptz))`;

/** Whether the caller made it, or acts through who did. */
export const isMaker = ({ principal }: Pick<Ctx, "principal">, { made_by }: Pick<CampaignHead, "made_by">): boolean =>
  made_by === principal.id || made_by === principal.actorId;
const secondPerson = () => new Refusal(403, "second-person", "须由另一人审核，不能审核自己提交的");
const isRoot = ({ principal }: Pick<Ctx, "principal">): boolean =>
  principal.actorId === undefined &&
  principal.session?.["login"] !== undefined &&
  principal.session["login"] === principal.session["root_login"];
/** Whether the caller, who made it, may say yes alone: a merchant's root, to little, with a refund password to prove it by. */
export async function mayAlone(
  ctx: Pick<Ctx, "tx" | "principal">,
  { service_provider_id, merchant_id }: Pick<CampaignHead, "service_provider_id" | "merchant_id">,
  liability_cents: number,
): Promise<boolean> {
  if (merchant_id === null || !isRoot(ctx) || liability_cents > ALONE_CENTS) return false;
  return needsRefundPassword(ctx.tx, { service_provider_id, merchant_id });
}
/**
 * Who made a campaign says yes to it alone only in little and with the refund password.
 * @returns whether it is alone
 * @throws 403 where another has to; 400 at `refundPassword`
 */
export async function mustMayDecide(
  ctx: Ctx,
  campaign: Made,
  { liability_cents, refundPassword }: { readonly liability_cents: number; readonly refundPassword: string | undefined },
): Promise<boolean> {
  if (!isMaker(ctx, campaign)) return false;
  const { service_provider_id, merchant_id } = campaign;
  if (merchant_id === null || !(await mayAlone(ctx, campaign, liability_cents))) throw secondPerson();
  await checkRefundPassword(ctx, ctx.tx, { service_provider_id, merchant_id }, refundPassword);
  return true;
}
/** What stands against a maker's deciding at all. */
export const mustBeAnother = (ctx: Pick<Ctx, "principal">, campaign: Made): void => {
  if (isMaker(ctx, campaign)) throw secondPerson();
};
