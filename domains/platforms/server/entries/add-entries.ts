import { shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { EntryKind, GoodsKind, Platform } from "../../contract/index.ts";

/** A fact that a platform holds (platforms.md 2). Amounts in cents; what is not named is 0 or empty. Instants are ISO in UTC. */
export interface PlatformEntry {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  /** None where the platform's store is mapped to none. */
  readonly store_id: string | null;
  readonly platform: Platform;
  readonly account_id?: string;
  readonly kind: EntryKind;
  readonly goods_kind?: GoodsKind;
  readonly certificate_id: string;
  /** Of a 次卡 each use has its own; empty where the platform gives none. */
  readonly verify_id: string;
  /** Of several lines under one verify_id (通兑券): 0, 1, … */
  readonly part?: number;
  /** The platform's own number of a ledger line, by which it is known again. */
  readonly line_no?: string;
  readonly attempt_id?: string;
  readonly platform_order_no?: string;
  readonly platform_store_id?: string;
  readonly goods_id?: string;
  readonly title?: string;
  /** Who did it, as they were called then. */
  readonly by_name?: string;
  readonly user_id?: string;
  readonly cashier_id?: string;
  readonly device_id?: string;
  /** 券面值, 用户实付, 商家补贴, 平台补贴, 预计佣金: of verify, reverse and external. */
  readonly face_cents?: number;
  readonly pay_cents?: number;
  readonly merchant_ticket_cents?: number;
  readonly platform_ticket_cents?: number;
  readonly expected_fee_cents?: number;
  /** 手续费, 达人, 机构, 服务商, 平台服务费, 代运营, 商家货款, and the line's own total: of ledger alone. */
  readonly fee_cents?: number;
  readonly talent_cents?: number;
  readonly agency_cents?: number;
  readonly provider_cents?: number;
  readonly platform_fee_cents?: number;
  readonly operator_cents?: number;
  readonly goods_cents?: number;
  readonly total_cents?: number;
  readonly happened_at: string;
  /** The Shanghai day it counts for, where that is not the day of `happened_at`: of a ledger line that of the use. */
  readonly day?: string;
}

const AT_ONCE = 500;
/**
 * Adds facts, each once: by merchant, platform, kind, certificate_id, verify_id and part; a use as verify or as external, a line by its
 * number too. What is there already stays as it is.
 * @returns the facts that were new, in the order given
 * @example await addPlatformEntries(tx, services, lines.map((line) => ({ ...where, kind: "ledger", certificate_id, verify_id, goods_cents, happened_at, day })))
 */
export async function addPlatformEntries<E extends PlatformEntry>(
  tx: Transaction,
  services: Services,
  entries: readonly E[],
): Promise<readonly E[]> {
  const now_ms = services.clock.now_ms();
  const added_at = new Date(now_ms).toISOString();
  const fresh: E[] = [];
  for (let from = 0; from < entries.length; from += AT_ONCE) {
    const some = entries.slice(from, from + AT_ONCE).map((entry) => ({ entry, id: services.ids.uuid(now_ms) }));
    const rows = some.map(({ entry, id }) => ({ ...entry, id, day: entry.day ?? shanghaiDay(entry.happened_at), added_at }));
    const added = await tx
      .insertInto("platform_entries")
      .values(rows)
      .onConflict((twice) => twice.doNothing())
      .returning("id")
      .execute();
    const ids = new Set(added.map(({ id }) => id));
    fresh.push(...some.flatMap(({ entry, id }) => (ids.has(id) ? [entry] : [])));
  }
  return fresh;
}
