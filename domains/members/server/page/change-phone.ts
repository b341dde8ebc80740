import { maskPhone } from "@zhangfang/contract/text.ts";
import { conflict, invalid } from "@zhangfang/server/calls/errors.ts";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { addMemberEvent } from "../events.ts";
import type { MemberRef } from "../member-facts.ts";
import { personColumns, searchHash } from "../seal.ts";

/**
 * 更换手机号, both numbers proved by codes before. Who is known by the old number is known by the new one alone; codes and sessions that
 * were shown or opened before are over.
 * @throws 400 at `newPhone` where it is another member's
 */
export async function changePhone(
  tx: Transaction,
  services: Services,
  member: MemberRef,
  { phone, from, by_name }: { readonly phone: string; readonly from: string; readonly by_name: string },
): Promise<void> {
  const { service_provider_id, merchant_id, id } = member;
  const now = new Date(services.clock.now_ms()).toISOString();
  const subject_hash = searchHash(services, service_provider_id, "phone", phone);
  const claimed = await tx
    .insertInto("member_identities")
    .values({ service_provider_id, merchant_id, kind: "phone", subject_hash, member_id: id, verified_at: now, created_at: now })
    .onConflict((twice) => twice.columns(["service_provider_id", "merchant_id", "kind", "subject_hash"]).doNothing())
    .executeTakeFirst();
  if (claimed.numInsertedOrUpdatedRows !== 1n) throw invalid("newPhone", "这个手机号已是本店会员，请到店合并");
  const changed = await tx
    .updateTable("members")
    .set((column) => ({
      ...personColumns(services, service_provider_id, id, { phone }),
      phone_confirmed_at: now,
      code_version: column("code_version", "+", 1),
      revision: column("revision", "+", 1),
    }))
    .where("service_provider_id", "=", service_provider_id)
    .where("merchant_id", "=", merchant_id)
    .where("id", "=", id)
    .where("status", "=", 1)
    .executeTakeFirst();
  mustChange(changed, () => conflict("会员已冻结或正在注销，不能更换手机号"));
  await tx
    .deleteFrom("member_identities")
    .where("service_provider_id", "=", service_provider_id)
    .where("member_id", "=", id)
    .where("kind", "=", "phone")
    .where("subject_hash", "!=", subject_hash)
    .execute();
  await addMemberEvent(tx, services, member, "phone-changed", by_name, `${maskPhone(from)} → ${maskPhone(phone)}`);
}
