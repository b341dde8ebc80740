import { sql } from "kysely";
import type { z } from "zod";
import { ERROR_HEADER, USER_EXISTS } from "@zhangfang/contract/problem.ts";
import { checkGiven } from "@zhangfang/server/calls/edge.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { invalid, Refusal } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Level, Role } from "../../contract/levels.ts";
import { newUser } from "../../contract/users.ts";
import { assertQuota } from "../quota/assert-quota.ts";

const NODE_COLUMN = {
  AG: "agent_id",
  GP: "business_group_id",
  TM: "business_team_id",
  SM: "salesman_id",
  MCH: "merchant_id",
  AE: "merchant_id",
} as const;
const ROLE: Readonly<Record<Exclude<Level, "AE">, Role>> = {
  ADMIN: "ROLE_ADMIN",
  SP: "ROLE_ServiceProvider",
  AG: "ROLE_Agent",
  GP: "ROLE_BusinessGroup",
  TM: "ROLE_BusinessTeam",
  SM: "ROLE_BusinessTeam",
  MCH: "ROLE_Merchants",
};

/**
 * Adds an account to a node. Who may add whom is the caller's to check (account-rules.ts); that the node, the position, the
 * stores and the areas are of one tree the database checks.
 * @param passwordHash from hashPassword
 * @returns its id
 * @throws 409 beyond the provider's quota, 400 with `x-app-error: error.userexists` where the login is taken, 400 at a wrong field
 */
export async function addUser(
  tx: Transaction,
  services: Services,
  given: z.input<typeof newUser>,
  passwordHash: string,
  extra: { createdBy?: string; oneTimeUntil?: string } = {},
): Promise<string> {
  const user = checkGiven(newUser, given);
  const { level } = user;
  const needsNode = level !== "ADMIN" && level !== "SP";
  if (needsNode !== (user.nodeId !== undefined)) throw invalid("nodeId", "请选择所属机构");
  if ((level === "ADMIN") !== (user.serviceProviderId === undefined)) throw invalid("serviceProviderId", "请选择服务商");
  if (level === "AE" && user.areaIds.length > 0 === user.storeIds.length > 0) throw invalid("storeIds", "区域经理选择区域，员工选择门店");
  if (level !== "AE" && user.areaIds.length > 0) throw invalid("areaIds", "只有区域经理可选择区域");
  if (level !== "AE" && level !== "MCH" && user.storeIds.length > 0) throw invalid("storeIds", "只有商户的账号可限定门店");
  if (user.serviceProviderId !== undefined) await assertQuota(tx, user.serviceProviderId, "account");
  const now_ms = services.clock.now_ms();
  const id = services.ids.uuid(now_ms);
  const added = await tx
    .insertInto("users")
    .values({
      id,
      login: user.login,
      root_login: user.rootLogin ?? user.login,
      first_name: user.firstName,
      password_hash: passwordHash,
      must_change_password: extra.oneTimeUntil !== undefined,
      password_expires_at: extra.oneTimeUntil ?? null,
      level,
      role: level === "AE" ? (user.areaIds.length > 0 ? "ROLE_Area" : "ROLE_Employee") : ROLE[level],
      service_provider_id: user.serviceProviderId ?? null,
      ...(needsNode && { [NODE_COLUMN[level]]: user.nodeId }),
      position_id: user.positionId ?? null,
      narrowed: level === "MCH" && user.storeIds.length > 0,
      created_by: extra.createdBy ?? null,
      created_at: new Date(now_ms).toISOString(),
    })
    .onConflict((conflicting) => conflicting.expression(sql`lower(login)`).doNothing())
    .executeTakeFirst();
  if (added.numInsertedOrUpdatedRows !== 1n)
    throw new Refusal(
      400,
      "userexists",
      "账号已存在，请更换登录名",
      { login: "账号已存在，请更换登录名" },
      { [ERROR_HEADER]: USER_EXISTS },
    );
  if (level === "MCH" || level === "AE")
    await setUserStores(tx, { id, service_provider_id: user.serviceProviderId!, merchant_id: user.nodeId! }, user.storeIds, user.areaIds);
  return id;
}

/** Puts the stores and areas of a merchant's account in place of what was there. */
export async function setUserStores(
  tx: Transaction,
  user: { id: string; service_provider_id: string; merchant_id: string },
  storeIds: readonly string[],
  areaIds: readonly string[],
): Promise<void> {
  const owner = { service_provider_id: user.service_provider_id, merchant_id: user.merchant_id, user_id: user.id };
  await tx.deleteFrom("user_stores").where("service_provider_id", "=", owner.service_provider_id).where("user_id", "=", user.id).execute();
  await tx.deleteFrom("user_areas").where("service_provider_id", "=", owner.service_provider_id).where("user_id", "=", user.id).execute();
  if (storeIds.length > 0)
    await tx
      .insertInto("user_stores")
      .values(storeIds.map((store_id) => ({ ...owner, store_id })))
      .execute();
  if (areaIds.length > 0)
    await tx
      .insertInto("user_areas")
      .values(areaIds.map((area_id) => ({ ...owner, area_id })))
      .execute();
}
