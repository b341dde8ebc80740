import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { MerchantKey } from "../../../../apps/server/testing/matrix/people.ts";
import { plant, type Soil } from "../../../../apps/server/testing/world.ts";
import { findOrMake } from "../make-member.ts";

/** A member of one store; beside it one with a balance from a sheet that waits for somebody else, one who is leaving, and a second record. */
export interface MemberFact {
  readonly id: string;
  readonly phone: string;
  readonly serviceProviderId: string;
  readonly merchantId: string;
  readonly merchant: MerchantKey;
  readonly store: number;
  readonly storeId: string;
  readonly openingId: string;
  readonly openingNo: string;
  readonly leavingId: string;
  readonly leavingNo: string;
  /** Another record of one person; somebody else asked to merge it into the first. */
  readonly twinNo: string;
  readonly mergeId: string;
}
const PLACES: readonly (readonly [MerchantKey, number])[] = [
  ["mch01", 0],
  ["mch01", 1],
  ["mch01", 2],
  ["mch01", 3],
  ["mch02", 0],
  ["mch03", 0],
];
async function addMembers({ till: { tree }, services, owner }: Soil): Promise<MemberFact[]> {
  const made: MemberFact[] = [];
  for (const [merchant, store] of PLACES) {
    const own = tree.merchants[merchant];
    const storeId = own.stores[store]!.id;
    const where = { service_provider_id: own.serviceProviderId, merchant_id: own.id, store_id: storeId };
    const make = async (source: 2 | 3, phone: string) => {
      const by = { kind: "phone" as const, phone, confirmed: true };
      const { id } = await withScope(services.pool, platformScope("plant a member"), (tx) =>
        findOrMake(tx, services, { ...where, source, by, stage: 1, name: "文新", by_name: "店长" }),
      );
      const { rows } = await owner.query<{ no: string }>("select no from members where id = $1", [id]);
      return { id, no: rows[0]!.no };
    };
    const phone = `1370000${String(1_000 + made.length)}`;
    const { id } = await make(2, phone);
    const [waiting, leaving, twin] = [
      await make(3, `1370001${String(1_000 + made.length)}`),
      await make(3, `1370002${String(1_000 + made.length)}`),
      await make(3, `1370003${String(1_000 + made.length)}`),
    ];
    const opening = await owner.query<{ id: string }>(
      `insert into member_openings (service_provider_id, id, merchant_id, member_id, store_id, principal_cents, gift_cents, asked_by, asked_name, created_at)
       values ($1, gen_random_uuid(), $2, $3, $4, 10000, 0, gen_random_uuid(), '别人', now()) returning id`,
      [own.serviceProviderId, own.id, waiting.id, storeId],
    );
    const merge = await owner.query<{ id: string }>(
      `insert into member_merges (service_provider_id, id, merchant_id, member_id, into_id, reason, asked_by, asked_name, created_at)
       values ($1, gen_random_uuid(), $2, $3, $4, '换了手机', gen_random_uuid(), '别人', now()) returning id`,
      [own.serviceProviderId, own.id, twin.id, id],
    );
    await owner.query("update members set status = 3, close_asked_at = now() where id = $1", [leaving.id]);
    const beside = { openingId: opening.rows[0]!.id, openingNo: waiting.no, leavingId: leaving.id, leavingNo: leaving.no, twinNo: twin.no };
    const mergeId = merge.rows[0]!.id;
    made.push({ id, phone, serviceProviderId: own.serviceProviderId, merchantId: own.id, merchant, store, storeId, mergeId, ...beside });
  }
  return made;
}
export const memberFacts = plant(addMembers);
