import type { Transaction } from "@zhangfang/server/database/db.ts";
import { tiedTo } from "@zhangfang/server/calls/domain.ts";
import type { Services } from "@zhangfang/server/services.ts";

/** Somebody followed an official account for the first time. */
export interface Follow {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  /** Nobody where it is not known yet which member they are. */
  readonly member_id: string | null;
  readonly first_at: string;
  /** The store of the code that first brought them; null where none of a store's did. */
  readonly store_id: string | null;
}
/** What somebody has of it. `offered`: they get it once it is known who they are; the rest as of grants (domains/activities). */
export interface Welcome {
  readonly name: string;
  readonly worth: string;
  readonly outcome: "offered" | "owed" | "review" | "refused" | "known" | "over";
}
/** What the rooms above this one do for followers. */
export interface FanFacts {
  /** Told again for the same follow (WeChat repeats itself, somebody opens their link twice), it changes nothing. In the transaction that heard it. */
  followed(tx: Transaction, services: Services, follow: Follow): Promise<readonly Welcome[]>;
}
declare module "@zhangfang/server/calls/domain.ts" {
  interface Domain {
    /** What this room does for followers (domains/wechat). */
    readonly fanFacts?: FanFacts;
  }
}

export async function tellFollowed(tx: Transaction, services: Services, follow: Follow): Promise<Welcome[]> {
  const welcomes: Welcome[] = [];
  for (const { fanFacts } of tiedTo(services)) welcomes.push(...((await fanFacts?.followed(tx, services, follow)) ?? []));
  return welcomes;
}
