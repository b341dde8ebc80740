import { shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";

/** A step of a contract, as it stands after it. */
export interface ContractStep {
  readonly provider: string;
  readonly contract_state: string;
  readonly contract_from: string | null;
  readonly contract_until: string | null;
  readonly note?: string | null | undefined;
  /** Absent where it was the calendar. */
  readonly by?: string;
  readonly at: string;
}
/** Keeps a step of a contract. */
export async function noteStep(tx: Transaction, { provider, by, note, ...step }: ContractStep): Promise<void> {
  await tx
    .insertInto("provider_contract_steps")
    .values({ service_provider_id: provider, by_name: by ?? null, note: note ?? null, ...step })
    .execute();
}

/** A contract that runs ends today or later. @throws 400 at its last day */
export function checkTerm(until: string | null, now_ms: number): void {
  if (until !== null && until < shanghaiDay(now_ms)) throw invalid("contractUntil", "到期日不能早于今天");
}
