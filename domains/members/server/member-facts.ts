import { tiedTo } from "@zhangfang/server/calls/domain.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";

/** A member at one merchant. */
export interface MemberRef {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly id: string;
}
/** What other rooms know of members, for the till, the list and the page of one. Each answers for those it knows alone. */
export interface MemberFacts {
  /** 金卡, by member. */
  levels?(tx: Transaction, provider: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  coupons?(tx: Transaction, member: MemberRef): Promise<readonly { readonly code: string; readonly name: string }[]>;
  timesCards?(
    tx: Transaction,
    member: MemberRef,
  ): Promise<readonly { readonly id: string; readonly name: string; readonly left: number }[]>;
}

declare module "@zhangfang/server/calls/domain.ts" {
  interface Domain {
    /** What this room knows of members (domains/members). */
    readonly memberFacts?: MemberFacts;
  }
}

const knowers = (services: Services): readonly MemberFacts[] =>
  tiedTo(services).flatMap(({ memberFacts }) => (memberFacts ? [memberFacts] : []));

/** The names of the members' levels; who has none is missing. */
export async function levelsOf(
  tx: Transaction,
  services: Services,
  provider: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const { levels } of knowers(services)) for (const [id, name] of (await levels?.(tx, provider, ids)) ?? []) found.set(id, name);
  return found;
}
/** The coupons and times cards that a member could use at the till. */
export async function thingsOf(tx: Transaction, services: Services, member: MemberRef) {
  const coupons = [];
  const timesCards = [];
  for (const facts of knowers(services)) {
    coupons.push(...((await facts.coupons?.(tx, member)) ?? []));
    timesCards.push(...((await facts.timesCards?.(tx, member)) ?? []));
  }
  return { coupons, timesCards };
}
