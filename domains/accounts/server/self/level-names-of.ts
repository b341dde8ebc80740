import type { LevelNames } from "@zhangfang/contract/level-names.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";

/** What a provider calls the levels of its tree; nothing of its own where there is no provider, as for the platform. */
export async function levelNamesOf(tx: Transaction, provider: string | null | undefined): Promise<LevelNames> {
  if (!provider) return {};
  const found = await tx.selectFrom("service_providers").select("level_names").where("id", "=", provider).executeTakeFirst();
  return (found?.level_names ?? {}) as LevelNames;
}
