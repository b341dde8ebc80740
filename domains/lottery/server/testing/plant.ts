import { randomUUID } from "node:crypto";
import type { MerchantKey } from "../../../../apps/server/testing/matrix/people.ts";
import { plant, type Soil } from "../../../../apps/server/testing/world.ts";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { plantMember } from "../../../members/server/testing/plant-member.ts";
import { drawBatch } from "../draws/draw-batch.ts";

/** A merchant's lotteries: one that runs, in which somebody won goods, one of somebody else's that waits, and one that waits and is the merchant's own. */
export interface LotteryFact {
  readonly id: string;
  readonly merchant: MerchantKey;
  readonly what: "running" | "waiting" | "own";
}
/** Goods that somebody won and has not come for. */
export interface WinFact {
  readonly id: string;
  readonly merchant: MerchantKey;
  readonly code: string;
  readonly storeId: string;
}
/** Somebody on a merchant's list of staff. */
export interface StaffFact {
  readonly id: string;
  readonly merchant: MerchantKey;
}
const MERCHANTS = ["mch01", "mch02", "mch03"] as const satisfies readonly MerchantKey[];
/** What a lottery is made of: everybody who draws wins goods. */
export const lotteryOf = ({ services }: Pick<Soil, "services">, name: string) => {
  const today = shanghaiDay(services.clock.now_ms());
  const prizes = [{ name: "酸梅汤一壶", kind: "goods", amount: 1, valueCents: 1_800, chance: 1_000_000, stock: 1_000 }];
  const terms = { prizes, perDay: 20, perPerson: 1_000, contact: "02886001234", staffListed: true };
  return { name, firstDay: today, lastDay: addDays(today, 30), terms };
};
async function addLotteries(soil: Soil): Promise<readonly LotteryFact[]> {
  const facts: LotteryFact[] = [];
  for (const merchant of MERCHANTS)
    for (const what of ["running", "waiting", "own"] as const) {
      const body = { requestId: randomUUID(), ...lotteryOf(soil, `摇一摇 ${merchant} ${what}`) };
      const answer = await soil.send(merchant, { verb: "POST", path: "/api/lotteries/add", body });
      const { id } = answer.body as { id: string };
      if (what !== "own") await soil.owner.query("update lotteries set made_by = gen_random_uuid() where id = $1", [id]);
      if (what === "running")
        await soil.send(merchant, { verb: "POST", path: "/api/lotteries/decide", body: { id, version: 1, approve: true } });
      facts.push({ id, merchant, what });
    }
  return facts;
}
export const lotteryFacts = plant(addLotteries);

async function addWins(soil: Soil): Promise<readonly WinFact[]> {
  const facts: WinFact[] = [];
  for (const { id: lottery, merchant } of soil.of(lotteryFacts).filter(({ what }) => what === "running")) {
    const { serviceProviderId: service_provider_id, stores } = soil.till.tree.merchants[merchant];
    const member = await plantMember(soil, merchant, 0, `1394100${1_000 + facts.length}`);
    await withScope(soil.services.pool, platformScope("plant a draw"), (tx) =>
      drawBatch(tx, soil.services, { service_provider_id, id: lottery }, [{ member_id: member.id, nonce: randomUUID() }]),
    );
    const { rows } = await soil.owner.query<{ id: string; code: string }>("select id, code from lottery_wins where lottery_id = $1", [
      lottery,
    ]);
    facts.push({ ...rows[0]!, merchant, storeId: stores[0]!.id });
  }
  return facts;
}
export const winFacts = plant(addWins);

async function addStaff(soil: Soil): Promise<readonly StaffFact[]> {
  const facts: StaffFact[] = [];
  for (const merchant of MERCHANTS) {
    const body = { name: "小周", phone: "13800138000" };
    const answer = await soil.send(merchant, { verb: "POST", path: "/api/lotteries/staff/add", body });
    facts.push({ id: (answer.body as { id: string }).id, merchant });
  }
  return facts;
}
export const lotteryStaffFacts = plant(addStaff);
