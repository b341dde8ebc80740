import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";

/** Whose step it is. */
export interface ApplymentRef {
  readonly service_provider_id: string;
  readonly id: string;
}
export interface Step {
  readonly kind: "submitted" | "refused" | "state" | "other-number" | "chosen" | "voided" | "alarm";
  readonly state: string;
  readonly round: number;
  readonly said?: string;
  readonly rejected?: readonly object[];
  readonly content_sealed?: string;
  readonly by_name?: string;
  readonly id?: string;
}
/** Writes a step of an application down, for good. */
export async function addEvent(
  tx: Transaction,
  services: Services,
  of: ApplymentRef & { readonly merchant_id: string },
  { said = "", rejected = [], id, ...step }: Step,
): Promise<void> {
  const now_ms = services.clock.now_ms();
  await tx
    .insertInto("applyment_events")
    .values({
      service_provider_id: of.service_provider_id,
      id: id ?? services.ids.uuid(now_ms),
      merchant_id: of.merchant_id,
      applyment_id: of.id,
      at: new Date(now_ms).toISOString(),
      said: said.slice(0, 2_000),
      rejected: JSON.stringify(rejected),
      ...step,
    })
    .execute();
}
