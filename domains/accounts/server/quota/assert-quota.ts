import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";

const KIND = { merchant: ["商户", "家"], store: ["门店", "家"], device: ["设备", "台"], account: ["账号", "个"] } as const;
export type QuotaKind = keyof typeof KIND;

/**
 * Refuses what would go beyond the provider's quota of a kind. Call it before what it is about is added, in the same
 * transaction: the provider's row is held until that ends, so that those who add at the same time never exceed it together.
 * It counts the provider's whole tree, whatever the caller sees, and what is closed too.
 * @param n how many are about to be added
 * @throws 409 in words with the limit and what is used
 */
export async function assertQuota(tx: Transaction, providerId: string, kind: QuotaKind, n = 1): Promise<void> {
  const { rows } = await sql<{ quota: number; used: number }>`select quota, used from app.hold_quota(${providerId}, ${kind})`.execute(tx);
  const found = rows[0];
  if (!found || found.used + n <= found.quota) return;
  const [what, unit] = KIND[kind];
  const asked = n === 1 ? "" : `，本次要新增 ${n} ${unit}`;
  throw conflict(`${what}数量已达上限：最多 ${found.quota} ${unit}，已有 ${found.used} ${unit}${asked}。请联系平台提高限额`, "quota");
}
