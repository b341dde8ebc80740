import { z } from "zod";
import { id } from "@zhangfang/contract/fields.ts";
import { tiedTo } from "@zhangfang/server/calls/domain.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Ref } from "../rows.ts";
import type { SettlementHearer } from "./tell-settlement.ts";

/** Reckons what follows from an order as it is now, in transactions of its own. It may be told more than once, and late: the end is the same. */
export type OrderFollower = (services: Services, order: Ref) => Promise<void>;

declare module "@zhangfang/server/calls/domain.ts" {
  interface Domain {
    /** Who reckons something of a customer's orders after their money is settled, by a name that stays; lower floors first. */
    readonly followers?: Readonly<Record<string, OrderFollower>>;
  }
}

/** After each payment and refund of an order with somebody behind it: one job tells every follower, so that a settlement asks for one. */
export const followOrderJob = job({
  name: "follow-order",
  data: z.object({ service_provider_id: id, id }),
  concurrency: 4,
  async run(services, order) {
    const failures: unknown[] = [];
    for (const [name, follow] of tiedTo(services).flatMap(({ followers = {} }) => Object.entries(followers)))
      await follow(services, order).catch((error: unknown) => {
        services.log.error({ err: error, follower: name, order: order.id }, "a follower failed; it comes round with the job");
        services.metrics.hearings.inc({ hearer: name, outcome: "failed" });
        failures.push(error);
      });
    // The job comes round for all of them; whoever was done finds nothing to do.
    if (failures.length > 0) throw failures[0];
  },
});

/** Asks for it in the settlement's own transaction. Nobody follows what nobody known paid. */
export const hearForFollowers: SettlementHearer = async (tx, services, { kind, order }) => {
  if (kind === "closed" || (order.member_id === null && order.payer === null)) return;
  await services.jobs.enqueue(tx, followOrderJob, { service_provider_id: order.service_provider_id, id: order.id });
};
