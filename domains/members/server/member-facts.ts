import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { sql, type RawBuilder } from "kysely";
import { tiedTo } from "@zhangfang/server/calls/domain.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";

/** A member at one merchant. */
export interface MemberRef {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly id: string;
}
/** Something of a member's that is used by its number. */
export interface Thing {
  readonly no: string;
  readonly name: string;
  readonly endsAt: string;
}
/** A level that members can have. */
export interface Rung {
  readonly rank: number;
  readonly name: string;
  /** It is bought: nobody stands there without a term. */
  readonly paid: boolean;
}
/** A step up or down the levels, in words. */
export interface LevelStep {
  readonly id: string;
  readonly at: string;
  readonly from: string;
  readonly to: string;
  readonly cause: string;
}
/** What other rooms know of members, for the till, the list and the page of one. Each answers for those it knows alone. */
export interface MemberFacts {
  /** 金卡, by member, on a day. */
  levels?(tx: Transaction, provider: string, ids: readonly string[], today: string): Promise<ReadonlyMap<string, string>>;
  /** Whether a list's `members m` stands at a rank on a day; 0 is none. */
  levelIs?(rank: number, today: string): RawBuilder<boolean>;
  /** The levels of a merchant as they are today, the lowest first. */
  ladder?(tx: Transaction, provider: string, merchant: string): Promise<readonly Rung[]>;
  /** A new member stood at that rank elsewhere: they do here, as if they had reached it today. In that transaction. */
  levelBrought?(tx: Transaction, services: Services, member: MemberRef, rank: number): Promise<void>;
  /** How a member rose and fell, the newest first. */
  levelSteps?(tx: Transaction, member: MemberRef): Promise<readonly LevelStep[]>;
  /** Coupons that are good at a till at a moment. */
  coupons?(tx: Transaction, member: MemberRef, now: string): Promise<readonly Thing[]>;
  timesCards?(tx: Transaction, member: MemberRef, today: string): Promise<readonly (Thing & { readonly left: number })[]>;
  /** An order that was paid by nobody known turned out to be a member's. In that transaction. */
  claimed?(tx: Transaction, services: Services, order: MemberRef & { readonly order_id: string }): Promise<void>;
  /** Why somebody may neither leave nor be merged now, in words; nothing where they may. */
  against?(tx: Transaction, member: MemberRef): Promise<string | undefined>;
  /** Somebody is another member from now on: what this room keeps of them goes over. In that transaction, which holds both. @throws 409 */
  merged?(tx: Transaction, services: Services, merge: Merge): Promise<void>;
  /** Somebody is a member now, at a store: new, or confirmed. It may be told more than once. In that transaction. */
  joined?(tx: Transaction, services: Services, joining: Joining): Promise<void>;
}
/** Two of one merchant: who goes, and who stays. */
export interface Merge {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly from: string;
  readonly into: string;
}
/** Who joins where, and by whom. */
export interface Joining {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly store_id: string;
  readonly member_id: string;
  readonly way: "till" | "office" | "sheet" | "page";
  readonly by_name: string;
  /** The till where it was. */
  readonly device_id?: string;
  /** The phone on whose page it was: its own mark, its address, and by whose invitation it came. */
  readonly from?: {
    readonly device?: string | undefined;
    readonly address?: string | undefined;
    readonly invitation?: string | undefined;
  };
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
  const today = shanghaiDay(services.clock.now_ms());
  for (const { levels } of knowers(services))
    for (const [id, name] of (await levels?.(tx, provider, ids, today)) ?? []) found.set(id, name);
  return found;
}
/** Whether a list's `members m` stands at a rank today; nobody does where nobody knows levels. */
export function levelIs(services: Services, rank: number): RawBuilder<boolean> {
  const [known] = knowers(services).flatMap(({ levelIs: is }) => is ?? []);
  return known ? known(rank, shanghaiDay(services.clock.now_ms())) : sql<boolean>`${rank === 0}`;
}
/** The levels of a merchant, the lowest first. */
export async function ladderOf(tx: Transaction, services: Services, provider: string, merchant: string): Promise<Rung[]> {
  const rungs: Rung[] = [];
  for (const { ladder } of knowers(services)) rungs.push(...((await ladder?.(tx, provider, merchant)) ?? []));
  return rungs;
}
/** Gives a new member the level that a sheet says. */
export async function bringLevel(tx: Transaction, services: Services, member: MemberRef, rank: number): Promise<void> {
  for (const { levelBrought } of knowers(services)) await levelBrought?.(tx, services, member, rank);
}
/** The coupons and times cards that a member could use at the till. */
export async function thingsOf(tx: Transaction, services: Services, member: MemberRef) {
  const coupons: Thing[] = [];
  const timesCards: (Thing & { readonly left: number })[] = [];
  const now = new Date(services.clock.now_ms()).toISOString();
  const today = shanghaiDay(now);
  for (const facts of knowers(services)) {
    coupons.push(...((await facts.coupons?.(tx, member, now)) ?? []));
    timesCards.push(...((await facts.timesCards?.(tx, member, today)) ?? []));
  }
  return { coupons, timesCards };
}
/** How a member rose and fell, as far as anybody keeps it. */
export async function levelStepsOf(tx: Transaction, services: Services, member: MemberRef): Promise<LevelStep[]> {
  const steps: LevelStep[] = [];
  for (const facts of knowers(services)) steps.push(...((await facts.levelSteps?.(tx, member)) ?? []));
  return steps;
}
/** Tells everybody that an order which was nobody's is a member's. */
export async function tellClaimed(tx: Transaction, services: Services, order: MemberRef & { readonly order_id: string }): Promise<void> {
  for (const { claimed } of knowers(services)) await claimed?.(tx, services, order);
}
/** The first thing that stands against somebody's leaving or being merged. */
export async function whatIsAgainst(tx: Transaction, services: Services, member: MemberRef): Promise<string | undefined> {
  for (const { against } of knowers(services)) {
    const why = await against?.(tx, member);
    if (why !== undefined) return why;
  }
  return undefined;
}
/** Tells everybody that somebody was merged. */
export async function tellMerged(tx: Transaction, services: Services, merge: Merge): Promise<void> {
  for (const { merged } of knowers(services)) await merged?.(tx, services, merge);
}
/** Tells everybody that somebody joined. */
export async function tellJoined(tx: Transaction, services: Services, joining: Joining): Promise<void> {
  for (const { joined } of knowers(services)) await joined?.(tx, services, joining);
}
/** Of a query over `members`: a member and everybody who was merged into them; one step, for a merge leaves no longer way. */
export const familyOf = (provider: string, id: string) =>
  sql`(select f.id from members f where f.service_provider_id = ${provider} and (f.id = ${id} or f.merged_into = ${id}))`;

/**
 * Asked by what gives somebody something, where it was refused: a merge may have come between the reading of who it is and the giving.
 * @throws Error where the member is merged by now, so that the job runs anew and gives to the one that stays
 */
export async function mustBeWho(
  tx: Transaction,
  { service_provider_id, member_id }: { readonly service_provider_id: string; readonly member_id: string },
): Promise<void> {
  const { rows } = await sql`select 1 from members m
    where m.service_provider_id = ${service_provider_id} and m.id = ${member_id} and m.merged_into is not null`.execute(tx);
  if (rows.length > 0) throw new Error("a member was merged while something was given to them");
}
