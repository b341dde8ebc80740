import { checkGiven } from "@zhangfang/server/calls/edge.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { z } from "zod";
import { assertQuota } from "../../../accounts/server/index.ts";
import { newMerchant } from "../../contract/index.ts";
import { searchWords } from "@zhangfang/server/pinyin.ts";
import { readAttribution } from "./read-attribution.ts";

/** Adds a merchant under a provider, attributed to an agent, a team and a salesman where given. @returns its id @throws 400 at a wrong field, 409 beyond the quota */
export async function addMerchant(tx: Transaction, services: Services, given: z.input<typeof newMerchant>): Promise<string> {
  const merchant = checkGiven(newMerchant, given);
  await assertQuota(tx, merchant.serviceProviderId, "merchant");
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  const id = services.ids.uuid(now_ms);
  await tx
    .insertInto("merchants")
    .values({
      service_provider_id: merchant.serviceProviderId,
      id,
      number: `8${services.ids.digits(9)}`,
      name: merchant.name,
      short_name: merchant.shortName,
      pinyin: searchWords(merchant.shortName, merchant.name),
      trade: merchant.trade,
      province: merchant.province,
      city: merchant.city,
      address: merchant.address,
      ...(await readAttribution(tx, merchant.serviceProviderId, merchant)),
      salesman_id: merchant.salesmanId,
      contact_name: merchant.contactName,
      contact_phone: merchant.contactPhone,
      service_phone: merchant.servicePhone,
      licence_no: merchant.licenceNo,
      legal_person: merchant.legalPerson,
      fee_rate: merchant.feeRate,
      refund_approval_above_cents: merchant.refundApprovalAbove,
      opened_at: now,
      created_at: now,
    })
    .execute();
  return id;
}
