import { sha256 } from "@zhangfang/server/crypto.ts";
import type { Caller } from "../../../../apps/server/testing/matrix/people.ts";
import { plant, type Soil } from "../../../../apps/server/testing/world.ts";
import { storedFacts } from "../../../stored-value/server/testing/plant.ts";

/** The cookie of a member of mch01, the first of those who hold stored value; by caller. */
export const memberCookies = plant(async ({ of, till, owner }: Soil): Promise<ReadonlyMap<Caller, string>> => {
  const own = of(storedFacts).find(({ merchant }) => merchant === "mch01")!;
  const { id: merchant_id, serviceProviderId } = till.tree.merchants.mch01;
  const token = "member-of-the-first-merchant-of-the-matrix-00";
  const text = token.slice(0, 43);
  await owner.query(
    `insert into member_sessions (service_provider_id, token_hash, merchant_id, member_id, code_version, created_at, expires_at)
      select m.service_provider_id, $1, m.merchant_id, m.id, m.code_version, '2026-01-01', '2100-01-01' from members m
      where m.service_provider_id = $2 and m.id = $3`,
    [sha256(text), serviceProviderId, own.memberId],
  );
  return new Map([["member mch01", `zf_member_${merchant_id.replaceAll("-", "")}=${text}`]]);
});
