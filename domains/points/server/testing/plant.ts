import { randomUUID } from "node:crypto";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import type { MerchantKey, Place } from "../../../../apps/server/testing/matrix/people.ts";
import { plant } from "../../../../apps/server/testing/world.ts";
import { plantMember } from "../../../members/server/testing/plant-member.ts";
import { addPoints } from "../../../value-book/server/index.ts";

/** What each of the members has. */
export const PLANTED_POINTS = 100;
const MERCHANTS = ["mch01", "mch03", "mch02"] as const;
export interface PointFact extends Place {
  readonly merchant: MerchantKey;
  readonly store: number;
  readonly id: string;
  readonly memberNo: string;
  readonly adjustmentId: string;
  readonly taskId: string;
  readonly clearId: string;
}
/** Of three merchants: a member with points, an adjustment that waits, a task that stands still, and a clearing that is over. */
export const pointFacts = plant(async (soil): Promise<PointFact[]> => {
  const { tree, owner, look, services } = soil.till;
  const facts: PointFact[] = [];
  for (const [n, merchant] of MERCHANTS.entries()) {
    const { id: merchant_id, serviceProviderId: provider } = tree.merchants[merchant];
    const { id, no: memberNo } = await plantMember(soil, merchant, 0, `1390000${1_000 + n}`);
    const [adjustmentId, taskId, clearId] = [randomUUID(), randomUUID(), randomUUID()];
    const now_ms = services.clock.now_ms();
    const at = new Date(now_ms).toISOString();
    await look((tx) =>
      addPoints(
        tx,
        { ids: services.ids, now_ms },
        { service_provider_id: provider, merchant_id, member_id: id },
        {
          cause: "points-opening",
          cause_id: randomUUID(),
          points: PLANTED_POINTS,
          usable_from: shanghaiDay(now_ms),
          expires_on: null,
          store_id: tree.merchants[merchant].stores[0]!.id,
        },
      ),
    );
    await owner(
      `insert into point_adjustments (service_provider_id, id, merchant_id, member_id, points, reason, note, status, asked_by, asked_by_name, created_at)
       values ($1, $2, $3, $4, 20000, 'event', '周年', 0, $5, '他人', $6)`,
      [provider, adjustmentId, merchant_id, id, randomUUID(), at],
    );
    await owner(
      `insert into point_tasks (service_provider_id, id, merchant_id, name, reason, mark, status, owner_id, owner_name, created_at)
       values ($1, $2, $3, '任务', 'event', 'mark', 1, $4, '他人', $5)`,
      [provider, taskId, merchant_id, randomUUID(), at],
    );
    await owner(
      `insert into point_clears (service_provider_id, id, merchant_id, kind, status, ends_on, frozen_at, reason, asked_by, asked_by_name, created_at)
       values ($1, $2, $3, 'now', 2, '2026-01-31', $5, '停业', $4, '他人', $5)`,
      [provider, clearId, merchant_id, randomUUID(), at],
    );
    facts.push({ id, memberNo, adjustmentId, taskId, clearId, merchant, store: 0 });
  }
  return facts;
});
