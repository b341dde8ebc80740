import type { Services } from "@zhangfang/server/services.ts";
import { tiedTo } from "@zhangfang/server/calls/domain.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Figures } from "./shift-figures.ts";

type Outside = Figures["outside"];
interface Where {
  readonly service_provider_id: string;
  readonly store_id: string;
}
/** Money that a store takes past every channel: it stands in no ledger, but whoever ends a shift hands it over. */
export interface TakenOutside {
  /** What no shift has yet. */
  readonly open: (tx: Transaction, where: Where) => Promise<Outside>;
  /** Gives all of that to a shift, for ever. @returns what it gave */
  readonly give: (tx: Transaction, where: Where, handover_id: string) => Promise<Outside>;
}
declare module "@zhangfang/server/calls/domain.ts" {
  interface Domain {
    /** What it takes past the channels. */
    readonly takenOutside?: TakenOutside;
  }
}

/** Everything of that kind, of a whole store: no till took it, so no cashier's own shift has it. */
export async function outsideOf(services: Services, of: (one: TakenOutside) => Promise<Outside>): Promise<Outside> {
  const all: Outside = [];
  for (const { takenOutside } of tiedTo(services)) if (takenOutside) all.push(...(await of(takenOutside)));
  return all;
}
export const sumOutside = (outside: Outside): number => outside.reduce((sum, { cents }) => sum + cents, 0);
