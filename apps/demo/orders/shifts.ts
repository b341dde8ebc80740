import { addDays, dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { handOver } from "@zhangfang/domains/orders/contract/index.ts";
import { endShift } from "@zhangfang/domains/orders/server/index.ts";
import { writeAudit } from "@zhangfang/server/calls/audit.ts";
import { seededIds } from "@zhangfang/server/clock.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { pastCtx } from "../past-ctx.ts";
import type { DemoStore } from "../tree/tree.ts";

/** Whoever ends a merchant's shifts. */
export interface Keeper {
  readonly id: string;
  readonly name: string;
}
/** Days of the past whose evenings were handed over; what lies before them is in the first of these sheets. */
const DAYS = 30;
const NOTES = ["", "", "", "现金已清点", "备用金留 500 元", "小票纸剩两卷"] as const;

/** The evenings on which a store was handed over, some time after half past ten, but today's is still open. */
export function planHandovers(
  store: DemoStore,
  keeper: Keeper,
  { seed, now_ms, days }: { seed: number; now_ms: number; days: number },
): { at_ms: number; play: (tx: Transaction, services: Services) => Promise<[]> }[] {
  const today = shanghaiDay(now_ms);
  const random = seededIds(seed);
  return Array.from({ length: Math.min(DAYS, days) }, (_none, at) => {
    const evening_ms = Date.parse(dayStart(addDays(today, at - Math.min(DAYS, days)))) + 22.5 * 3600_000;
    const note = NOTES[Math.floor(random.next() * NOTES.length)] || undefined;
    const play = async (tx: Transaction, services: Services): Promise<[]> => {
      await handOverStore(tx, services, { store, keeper, note });
      return [];
    };
    return { at_ms: evening_ms + Math.floor(random.next() * 40 * 60_000), play };
  });
}

interface Evening {
  readonly store: DemoStore;
  readonly keeper: Keeper;
  readonly note: string | undefined;
}
async function handOverStore(tx: Transaction, services: Services, { store, keeper, note }: Evening): Promise<void> {
  const seen = await tx
    .selectFrom("ledger_entries")
    .select(["id", "seq"])
    .where("service_provider_id", "=", store.serviceProviderId)
    .where("store_id", "=", store.id)
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  const last = await tx
    .selectFrom("handovers")
    .select(["id", "up_to_seq"])
    .where("service_provider_id", "=", store.serviceProviderId)
    .where("store_id", "=", store.id)
    .where("cashier_id", "is", null)
    .orderBy("after_seq", "desc")
    .limit(1)
    .executeTakeFirst();
  // On an evening without takings nothing is handed over.
  if (!seen || seen.seq <= (last?.up_to_seq ?? 0)) return;
  const ctx = pastCtx(services, handOver, store, { kind: "user", ...keeper });
  const shift = { storeId: store.id, lastHandoverId: last?.id ?? null, lastEntryId: seen.id, note, by: keeper };
  await writeAudit(tx, ctx, handOver, (await endShift({ ...ctx, tx }, shift)).note);
}
