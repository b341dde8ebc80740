import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { getSecurity } from "../../contract/security.ts";

/** 安全设置: how the own account is secured. */
export const getSecurityRoute = implement(getSecurity, async (ctx) =>
  ctx.tx
    .selectFrom("users")
    .select([
      sql<boolean>`totp_sealed is not null`.as("totp"),
      sql<number>`case when totp_sealed is null then 0 else cardinality(recovery_hashes) end`.as("recoveryCodesLeft"),
    ])
    .where("id", "=", ctx.principal.id)
    .executeTakeFirstOrThrow(),
);
