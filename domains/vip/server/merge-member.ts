import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { MemberFacts, MemberRef } from "../../members/server/index.ts";
import { followLevel, lockLevel } from "./levels/follow-level.ts";

type Merge = Parameters<NonNullable<MemberFacts["merged"]>>[2];

/**
 * Somebody was merged: their times cards are the other's, terms and gifts of either count for both, and the level is as high as either had
 * it, for as long as either kept it.
 */
export async function mergeMember(
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id, from, into }: Merge,
): Promise<void> {
  for (const member_id of [from, into].toSorted()) await lockLevel(tx, { merchant_id, member_id });
  const stood = await tx
    .selectFrom("vip_members")
    .select(["member_id", "earned_rank", "keep_until"])
    .where("service_provider_id", "=", service_provider_id)
    .where("member_id", "in", [from, into])
    .where("earned_rank", ">", 0)
    .execute();
  const at = new Date(services.clock.now_ms()).toISOString();
  if (stood.length > 0)
    await tx
      .insertInto("level_merges")
      .values(
        stood.map(({ earned_rank: rank, keep_until }) => ({
          service_provider_id,
          merchant_id,
          member_id: into,
          id: services.ids.uuid(services.clock.now_ms()),
          rank,
          keep_until,
          at,
        })),
      )
      .execute();
  await tx
    .updateTable("times_cards")
    .set({ member_id: into })
    .where("service_provider_id", "=", service_provider_id)
    .where("merchant_id", "=", merchant_id)
    .where("member_id", "=", from)
    .execute();
  await tx.deleteFrom("vip_members").where("service_provider_id", "=", service_provider_id).where("member_id", "=", from).execute();
  await followLevel(tx, services, { service_provider_id, merchant_id, member_id: into });
}

/** What is on its way back keeps its member here. */
export async function backOnItsWay(tx: Transaction, { service_provider_id, id }: MemberRef): Promise<string | undefined> {
  const card = await tx
    .selectFrom("times_cards")
    .select("id")
    .where("service_provider_id", "=", service_provider_id)
    .where("member_id", "=", id)
    .where("status", "=", 4)
    .executeTakeFirst();
  if (card) return "有次卡正在退款";
  const term = await tx
    .selectFrom("vip_terms")
    .select("id")
    .where("service_provider_id", "=", service_provider_id)
    .where("member_id", "=", id)
    .where("status", "=", 3)
    .executeTakeFirst();
  return term ? "有 VIP 订单正在退款" : undefined;
}
