import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { MemberRef } from "./member-facts.ts";

type Kind =
  | "joined"
  | "confirmed"
  | "changed"
  | "revealed"
  | "frozen"
  | "unfrozen"
  | "pin-set"
  | "pin-locked"
  | "phone-changed"
  | "merged"
  | "close-asked"
  | "close-withdrawn"
  | "closed"
  | "balance"
  | "points"
  | "note";

/** Adds to a member's timeline; nothing personal stands there. */
export async function addMemberEvent(
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id, id: member_id }: MemberRef,
  kind: Kind,
  by_name: string,
  said = "",
  at = new Date(services.clock.now_ms()).toISOString(),
): Promise<void> {
  await tx
    .insertInto("member_events")
    .values({
      service_provider_id,
      merchant_id,
      member_id,
      id: services.ids.uuid(Date.parse(at)),
      kind,
      said: said.slice(0, 200),
      by_name,
      at,
    })
    .execute();
}
