import { addMonths, shanghaiDay } from "@zhangfang/contract/time.ts";
import { asPlatform, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { MemberRef } from "../../../members/server/index.ts";
import { followLevel } from "./follow-level.ts";
import { KEEP_MONTHS } from "./level-rules.ts";

/**
 * A new member had a level elsewhere: it is a fact among the others, as if reached today. It is kept as long as one that was reached, lifts
 * alone and lowers nothing. Past the fence of a store, as every reckoning of a level.
 */
export async function bringLevel(
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id, id: member_id }: MemberRef,
  rank: number,
): Promise<void> {
  const now_ms = services.clock.now_ms();
  const fact = {
    service_provider_id,
    merchant_id,
    member_id,
    id: services.ids.uuid(now_ms),
    cause: "import",
    rank,
    keep_until: addMonths(shanghaiDay(now_ms), KEEP_MONTHS),
    at: new Date(now_ms).toISOString(),
  };
  await asPlatform(tx, async () => {
    await tx.insertInto("level_merges").values(fact).execute();
    await followLevel(tx, services, { service_provider_id, merchant_id, member_id });
  });
}
