import { percent } from "@zhangfang/contract/money.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";

/** Whether an agent may get that much of the fees: not more than its provider allows. @throws 400 */
export async function checkRatio(tx: Transaction, provider: string, ratio: number): Promise<void> {
  const found = await tx.selectFrom("service_providers").select("agent_ratio_limit").where("id", "=", provider).executeTakeFirst();
  if (found && ratio > found.agent_ratio_limit) throw invalid("profitRatio", `不能超过服务商的上限 ${percent(found.agent_ratio_limit)}`);
}
