import { sql } from "kysely";
import { derivedKey } from "@zhangfang/server/config.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { tryCode } from "../../../members/server/index.ts";
import type { PriceAsk } from "../../../pricing/server/index.ts";
import { COUPON_CODE_MS, couponCode, stepOf } from "../rules/number-rules.ts";

export const codeKey = ({ config }: Pick<Services, "config">): Buffer => derivedKey(config.secret, "coupon-code");
/** How long a till may ask the price again with a code that it read. */
const READ_MS = 10 * 60_000;

/** A code is read once; the store that read it may price with it, or look at it, again for ten minutes. @throws 400 at `field` */
export async function readCode(
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id, store_id }: Pick<PriceAsk, "service_provider_id" | "merchant_id" | "store_id">,
  code: string,
  field = "coupons",
): Promise<void> {
  const no = code.slice(2, 12);
  const read = await tryCode(tx, services, { service_provider_id, merchant_id, store_id }, { kind: "coupon", no, field }, async () => {
    const now_ms = services.clock.now_ms();
    const now = stepOf(now_ms);
    const back = Math.ceil(READ_MS / COUPON_CODE_MS);
    const step = Array.from({ length: back + 1 }, (_none, at) => now - at).find(
      (one) => couponCode(codeKey(services), service_provider_id, no, one) === code,
    );
    if (step === undefined) return;
    if (step >= now - 1)
      await sql`insert into coupon_codes (service_provider_id, merchant_id, coupon_id, step, store_id, at)
        select c.service_provider_id, c.merchant_id, c.id, ${step}, ${store_id}, ${new Date(now_ms).toISOString()} from coupons c
        where c.service_provider_id = ${service_provider_id} and c.merchant_id = ${merchant_id} and c.no = ${no} on conflict do nothing`.execute(
        tx,
      );
    const { rows } =
      await sql`select 1 from coupon_codes r join coupons c on c.service_provider_id = r.service_provider_id and c.id = r.coupon_id
      where r.service_provider_id = ${service_provider_id} and c.no = ${no} and r.step = ${step} and r.store_id = ${store_id}
        and r.at > ${new Date(now_ms - READ_MS).toISOString()}`.execute(tx);
    return rows[0];
  });
  if (read === undefined) throw invalid(field, "券码无效或已过期，请顾客刷新后再扫");
}
