import { randomUUID } from "node:crypto";
import { DEMO_PASSWORD } from "../../../../apps/demo/tree/tree-plan.ts";
import { addPayoutAccount, applyWithdrawal, decideWithdrawal } from "../../contract/index.ts";
import type { CommissionWorld } from "./commission-world.ts";

/** A withdrawal of 100.00 to WeChat by agent01, who has earned 340.00: approved, and sent. @param meets what its sending meets */
export async function approveWithdrawal(world: CommissionWorld, meets?: () => void): Promise<{ id: string; number: string }> {
  const { services, tree } = world.till;
  await world.pay(tree.merchants.mch01.stores[0]!, 50_000_000);
  const account = { method: "wechat" as const, number: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o", holder: "周锦", password: DEMO_PASSWORD };
  const { id: accountId } = await world.as("agent01", addPayoutAccount, account);
  world.nextDay();
  services.clock.advance(86_400_000);
  await world.post();
  const requestId = services.ids.uuid(services.clock.now_ms());
  const asking = { requestId, accountId, amountCents: 10_000 as never, password: DEMO_PASSWORD };
  const { id, withdrawalNo } = await world.as("agent01", applyWithdrawal, asking);
  meets?.();
  await world.as("sp01", decideWithdrawal, { requestId: randomUUID(), id, decision: "approve" });
  await world.work();
  return { id, number: withdrawalNo };
}
