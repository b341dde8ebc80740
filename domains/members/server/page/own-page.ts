import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { levelsOf, thingsOf, type MemberRef } from "../member-facts.ts";
import { formOf, maskedOf, personOf } from "../seal.ts";
import { CLOSE_DAYS } from "../write/close-member.ts";

/** A member as they see themselves on their own page. @throws 404 */
export async function readOwn(tx: Transaction, services: Services, member: MemberRef) {
  const { service_provider_id, merchant_id, id } = member;
  const row = await tx
    .selectFrom("members")
    .select([
      "service_provider_id",
      "id",
      "no",
      "stage",
      "status",
      "name_sealed",
      "phone_sealed",
      "birthday",
      "form_sealed",
      "revision",
      "code_version",
      "created_at",
      "close_asked_at",
    ])
    .select((column) => [column("pin_hash", "is not", null).as("hasPin"), column("id_card_sealed", "is not", null).as("hasIdCard")])
    .where("service_provider_id", "=", service_provider_id)
    .where("merchant_id", "=", merchant_id)
    .where("id", "=", id)
    .where("status", "<", 4)
    .executeTakeFirst();
  if (!row) throw notFound("会员");
  const { close_asked_at } = row;
  return {
    ...row,
    hasPin: Boolean(row.hasPin),
    hasIdCard: Boolean(row.hasIdCard),
    ...personOf(services, row),
    masked: maskedOf(services, row),
    /** What they said on the form of a card. */
    said: formOf(services, service_provider_id, id, row.form_sealed),
    level: (await levelsOf(tx, services, service_provider_id, [id])).get(id) ?? "",
    /** The day on which a member who asked to leave is forgotten. */
    closeOn: row.status === 3 && close_asked_at !== null ? addDays(shanghaiDay(close_asked_at), CLOSE_DAYS) : null,
    ...(await thingsOf(tx, services, member)),
  };
}
export type OwnMemberPage = Awaited<ReturnType<typeof readOwn>>;
