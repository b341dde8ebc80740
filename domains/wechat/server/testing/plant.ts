import { randomUUID } from "node:crypto";
import type { MerchantKey } from "../../../../apps/server/testing/matrix/people.ts";
import { plant, type Soil } from "../../../../apps/server/testing/world.ts";
import { fanCode } from "../fans/fan-code.ts";

/** A merchant's official account, with the link of one who follows it. */
export interface AppFact {
  readonly id: string;
  readonly merchant: MerchantKey;
  readonly code: string;
}
const MERCHANTS = ["mch01", "mch02", "mch03"] as const satisfies readonly MerchantKey[];
async function addApps(soil: Soil): Promise<readonly AppFact[]> {
  const facts: AppFact[] = [];
  for (const [n, merchant] of MERCHANTS.entries()) {
    const body = { requestId: randomUUID(), appId: `wx${String(n).padStart(16, "a")}`, name: `公众号 ${merchant}`, kind: 1 };
    const answer = await soil.send(merchant, { verb: "POST", path: "/api/wx-apps/add", body });
    const { id } = answer.body as { id: string };
    const fan = randomUUID();
    await soil.owner.query(
      `insert into wx_fans (service_provider_id, merchant_id, app_row, id, openid_hash, openid_sealed, following, first_at, changed_at)
        select service_provider_id, merchant_id, id, $2, uuid_send($2), 'sealed', true, created_at, created_at from wx_apps where id = $1`,
      [id, fan],
    );
    facts.push({ id, merchant, code: fanCode(soil.services, fan) });
  }
  return facts;
}
export const appFacts = plant(addApps);
