import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import type { Owner } from "../campaigns/check-terms.ts";
import { carrierProblem, type CarriedFacts } from "./carrier-limits.ts";

/**
 * A campaign that WeChat would not take is told so as it is handed in.
 * @throws 400 at the field
 */
export async function checkCarrier({ tx, now_ms }: Pick<Ctx, "tx" | "now_ms">, owner: Owner, facts: CarriedFacts): Promise<void> {
  if (facts.carrier === "NONE") return;
  const { service_provider_id, merchant_id } = owner;
  if (merchant_id === null) throw invalid("carrier", "微信批次只属于一个商户，服务商的券不能发到微信");
  const problem = carrierProblem(facts, now_ms);
  if (problem) throw invalid(...problem);
  const { rows } = await sql<{ state: string }>`select s.state from channel_settings s where s.service_provider_id = ${service_provider_id}
    and s.merchant_id = ${merchant_id} and s.channel = 0`.execute(tx);
  if (rows[0]?.state !== "active")
    throw invalid("carrier", "商户还没有可用的微信支付密钥，请先在商户管理的 APIv3密钥 里设置，或选择不发到微信");
}

interface Ref {
  readonly service_provider_id: string;
  readonly id: string;
}
/** An approved campaign is to be made known to WeChat; the job does it. */
export async function openMirror(tx: Transaction, { service_provider_id, id }: Ref, now: string): Promise<void> {
  await sql`insert into coupon_mirrors (service_provider_id, campaign_id, merchant_id, next_at)
    select c.service_provider_id, c.id, c.merchant_id, ${now} from coupon_campaigns c
    where c.service_provider_id = ${service_provider_id} and c.id = ${id} and c.carrier <> 'NONE'
    on conflict (service_provider_id, campaign_id) do nothing`.execute(tx);
}
/** WeChat is to know a campaign as it is now: whatever it is then is read when it is told. */
export async function touchMirror(tx: Transaction, { service_provider_id, id }: Ref, now: string): Promise<void> {
  await sql`update coupon_mirrors m set rev = m.rev + 1, tries = 0, next_at = case when m.op is null then ${now}::timestamptz else m.next_at end
    where m.service_provider_id = ${service_provider_id} and m.campaign_id = ${id}`.execute(tx);
}
/** Codes of a campaign that 商家券 carries are to be uploaded, once its batch is there. */
export async function copyCoupons(
  tx: Transaction,
  { service_provider_id, id }: Ref,
  coupons: readonly string[],
  now: string,
): Promise<void> {
  await sql`insert into coupon_copies (service_provider_id, coupon_id, merchant_id, campaign_id, next_at)
    select m.service_provider_id, x, m.merchant_id, m.campaign_id, ${now} from coupon_mirrors m, unnest(${[...coupons]}::uuid[]) x
    where m.service_provider_id = ${service_provider_id} and m.campaign_id = ${id}`.execute(tx);
}
/** WeChat is to know these coupons as they are now, where it has their codes or is to have them. */
export async function touchCopies(tx: Transaction, service_provider_id: string, coupons: readonly string[], now: string): Promise<void> {
  await sql`update coupon_copies k set rev = k.rev + 1, tries = 0, next_at = case when k.op is null then ${now}::timestamptz else k.next_at end
    from (select y.coupon_id from coupon_copies y where y.service_provider_id = ${service_provider_id} and y.coupon_id = any(${[...coupons]}::uuid[])
      order by y.coupon_id for no key update) x
    where k.service_provider_id = ${service_provider_id} and k.coupon_id = x.coupon_id`.execute(tx);
}
