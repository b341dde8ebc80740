import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { RateLevel, RatioLevel } from "../../contract/index.ts";

const COLUMN = { group: "business_group_id", team: "business_team_id", salesman: "salesman_id" } as const;

export interface GivenRatio {
  readonly level: RatioLevel;
  readonly serviceProviderId: string;
  readonly id: string;
  readonly ratio: number;
  readonly from: string;
  readonly by: string;
  readonly at: string;
}
/** One more row of the history of a group's, a team's or a salesman's ratio. Whether it may be is the caller's to know. */
export async function giveShareRatio(tx: Transaction, { level, serviceProviderId, id, ratio, from, by, at }: GivenRatio): Promise<void> {
  await tx
    .insertInto("share_ratios")
    .values({ service_provider_id: serviceProviderId, [COLUMN[level]]: id, effective_from: from, ratio, set_by: by, created_at: at })
    .execute();
}

export interface GivenRate {
  readonly level: RateLevel;
  readonly serviceProviderId: string;
  readonly id: string;
  readonly channel: number;
  readonly product: string;
  readonly rate: number;
  readonly from: string;
  readonly by: string;
  readonly at: string;
}
/** One more rule of what an owner pays. Whether it may be is the caller's to know. */
export async function giveRate(tx: Transaction, given: GivenRate): Promise<void> {
  const { level, serviceProviderId, id, channel, product, rate, from, by, at } = given;
  await tx
    .insertInto("rate_rules")
    .values({ service_provider_id: serviceProviderId, level, owner_id: id, channel, product, rate, from_day: from, by_name: by, at })
    .execute();
}
