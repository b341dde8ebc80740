import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { MerchantKey } from "../../../../apps/server/testing/matrix/people.ts";
import type { TillWorld } from "../../../orders/server/testing/till-world.ts";
import { findOrMake } from "../make-member.ts";
import { sendCode } from "../sms/sms-codes.ts";
import { issueMemberTicket } from "../tickets.ts";

interface Ground {
  readonly till: Pick<TillWorld, "tree">;
  readonly services: Services;
}
const placeOf = ({ till: { tree } }: Ground, merchant: MerchantKey, store: number) => {
  const { id, serviceProviderId, stores } = tree.merchants[merchant];
  return { service_provider_id: serviceProviderId, merchant_id: id, store_id: stores[store]!.id };
};

/** A whole member, confirmed and with a name, of a room that stands above members; not among those that members' own rows of the matrix count. */
export async function plantMember(
  ground: Ground,
  merchant: MerchantKey,
  store: number,
  phone: string,
): Promise<{ id: string; no: string }> {
  const { services } = ground;
  return withScope(services.pool, platformScope("plant a member"), async (tx) => {
    const by = { kind: "phone" as const, phone, confirmed: true };
    const { id } = await findOrMake(tx, services, {
      ...placeOf(ground, merchant, store),
      source: 1,
      by,
      stage: 1,
      name: "文新",
      by_name: "收银端",
    });
    return tx.selectFrom("members").select(["id", "no"]).where("id", "=", id).executeTakeFirstOrThrow();
  });
}
/** What a member's phone is told for 合并: the code that is said is the one that it got. */
export async function plantMergeCode({ till, services }: Ground, merchant: MerchantKey, phone: string, code: string): Promise<void> {
  const { id: merchant_id, serviceProviderId: service_provider_id } = till.tree.merchants[merchant];
  const ids = Object.assign(Object.create(services.ids) as Services["ids"], { digits: () => code });
  const at = { service_provider_id, merchant_id };
  await withScope(services.pool, platformScope("plant a code"), (tx) =>
    sendCode(tx, { ...services, ids }, at, phone, "merge", { address: phone }),
  );
}
/** A ticket of a member at a till of the store, fully proved. */
export const plantTicket = (ground: Ground, merchant: MerchantKey, store: number, member_id: string): Promise<string> =>
  withScope(ground.services.pool, platformScope("plant a ticket"), (tx) =>
    issueMemberTicket(tx, ground.services, placeOf(ground, merchant, store), { member_id, proof: "full" }),
  );
