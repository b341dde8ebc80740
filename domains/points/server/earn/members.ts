import { ask, type Transaction } from "@zhangfang/server/database/db.ts";
import { tiedTo } from "@zhangfang/server/calls/domain.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Customer } from "../../../pricing/server/index.ts";
import type { Holder } from "../../../value-book/server/index.ts";

/** A store and a moment; and whose price is reckoned there, of whom nothing is read twice. */
interface There {
  readonly store_id: string;
  readonly at: string;
  readonly customer?: Customer;
}
/** The level's multiple of points in percent, for whoever is a member there. */
export type LevelMultiple = (tx: Transaction, services: Services, holder: Holder, where: There) => Promise<number>;
declare module "@zhangfang/server/calls/domain.ts" {
  interface Domain {
    /** Who knows levels. */
    readonly levelMultiple?: LevelMultiple;
  }
}
/** 100 where nobody knows levels. */
export async function levelMultipleOf(tx: Transaction, services: Services, holder: Holder, where: There): Promise<number> {
  const [known] = tiedTo(services).flatMap(({ levelMultiple }) => levelMultiple ?? []);
  return known ? known(tx, services, holder, where) : 100;
}

export interface Member {
  readonly id: string;
  readonly stage: number;
  readonly status: number;
  readonly birthday: string | null;
}
/** A member, or the one that it was merged into. */
export async function memberOf(tx: Transaction, service_provider_id: string, id: string): Promise<Member | undefined> {
  const [row] = await ask(
    tx,
    tx
      .selectFrom("members")
      .select(["id", "stage", "status", "birthday", "merged_into"])
      .where("service_provider_id", "=", service_provider_id)
      .where("id", "=", id),
  );
  return row?.merged_into ? memberOf(tx, service_provider_id, row.merged_into) : row;
}
