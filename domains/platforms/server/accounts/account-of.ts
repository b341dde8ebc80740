import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Platform } from "../../contract/index.ts";
import { openKey, placeInAccount, placeInApp } from "./account-keys.ts";

/** Whose account is asked for. */
export interface AccountOf {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly platform: Platform;
}
/** A merchant's account at a platform with what signs for it, opened: it stays in memory, never in a log or an answer. */
export interface PlatformAccount extends AccountOf {
  readonly id: string;
  /** The platform's number of the merchant. */
  readonly accountNo: string;
  readonly appOf: "merchant" | "provider";
  readonly appKey: string;
  readonly secret: string;
  /** What notices are signed with: the secret itself where the platform has no other. */
  readonly signSecret: string;
  /** 快手: what its tokens are made from. */
  readonly refreshToken?: string;
  /** The merchant's own word on what the platform takes, in parts of 100,000 of 用户实付. */
  readonly takeRate: number;
  readonly active: boolean;
  /** Of the account, and of the provider's application: whether it is still what was looked at. */
  readonly revision: number;
  readonly appRevision: number | null;
}

/**
 * A merchant's account at a platform. Needs sight of the provider's application, which stores and merchants have not: ask in a job's scope, or
 * inside `asPlatform`.
 * @returns nothing where the merchant has none, or nothing signs for it yet
 */
export async function platformAccountOf(tx: Transaction, services: Services, of: AccountOf): Promise<PlatformAccount | undefined> {
  const row = await tx
    .selectFrom("platform_accounts as a")
    .leftJoin("platform_apps as p", (join) =>
      join.onRef("p.service_provider_id", "=", "a.service_provider_id").onRef("p.platform", "=", "a.platform"),
    )
    .selectAll("a")
    .select([
      "p.app_key as p_app_key",
      "p.secret_sealed as p_secret_sealed",
      "p.sign_secret_sealed as p_sign_secret_sealed",
      "p.revision as p_revision",
    ])
    .where("a.service_provider_id", "=", of.service_provider_id)
    .where("a.merchant_id", "=", of.merchant_id)
    .where("a.platform", "=", of.platform)
    .executeTakeFirst();
  if (!row) return undefined;
  const byProvider = row.app_of === "provider";
  const open = (column: "secret" | "sign_secret", own: string | null, providers: string | null): string | undefined => {
    const sealed = byProvider ? providers : own;
    return sealed === null ? undefined : openKey(services, byProvider ? placeInApp(column, of) : placeInAccount(column, row), sealed);
  };
  const appKey = byProvider ? row.p_app_key : row.app_key;
  const secret = open("secret", row.secret_sealed, row.p_secret_sealed);
  if (appKey === null || secret === undefined) return undefined;
  return {
    ...of,
    id: row.id,
    accountNo: row.account_no,
    appOf: byProvider ? "provider" : "merchant",
    appKey,
    secret,
    signSecret: open("sign_secret", row.sign_secret_sealed, row.p_sign_secret_sealed) ?? secret,
    ...(row.refresh_sealed !== null && { refreshToken: openKey(services, placeInAccount("refresh", row), row.refresh_sealed) }),
    takeRate: row.take_rate,
    active: row.state === "active",
    revision: row.revision,
    appRevision: byProvider ? row.p_revision : null,
  };
}
