import { setImmediate } from "node:timers/promises";
import { addAuditRows } from "@zhangfang/server/calls/audit.ts";
import type { AuditRow } from "@zhangfang/server/calls/ctx.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { type CampaignRef, type Claim, claimBatch, type Claimed } from "./claim-batch.ts";

/** How many go into one transaction. */
const MOST = 200;
const SCOPE = platformScope("claim coupons");
/** What is written down of a claim that got its coupon. */
type Told = (claimed: Claimed) => AuditRow;
interface Waiting {
  readonly claim: Claim;
  readonly told: Told | undefined;
  readonly done: (claimed: Claimed) => void;
  readonly failed: (error: unknown) => void;
}
/** Those who wait for a campaign in this process, while the batch before them is on its way. */
const waiting = new WeakMap<Services["pool"], Map<string, Waiting[]>>();

/**
 * 领取一张: whoever asks while a batch of the same campaign is written goes with the next one, so that what a coupon costs is shared by
 * all who ask at the same moment, and nobody waits for a clock: those of one turn of the loop are one batch. What is told of each is in
 * the same transaction. Outside any transaction.
 * @throws 404 and 409 with why there is none
 */
export function claimCoupon(services: Services, campaign: CampaignRef, claim: Claim, told?: Told): Promise<Claimed> {
  const queues = waiting.get(services.pool) ?? new Map<string, Waiting[]>();
  waiting.set(services.pool, queues);
  const key = `${campaign.service_provider_id}:${campaign.campaign_id}`;
  return new Promise((done, failed) => {
    const queue = queues.get(key);
    if (queue) return void queue.push({ claim, told, done, failed });
    const mine: Waiting[] = [{ claim, told, done, failed }];
    queues.set(key, mine);
    // Nobody is left behind: the queue is taken away in the very step that finds it empty.
    void drain(services, campaign, mine, () => queues.delete(key));
  });
}
async function drain(services: Services, campaign: CampaignRef, queue: Waiting[], over: () => void): Promise<void> {
  while (queue.length > 0) {
    // Whose sessions were read together go together.
    await setImmediate();
    const batch = queue.splice(0, MOST);
    try {
      const answers = await withScope(
        services.pool,
        SCOPE,
        async (tx) => {
          const claims = batch.map(({ claim }) => claim);
          const given = await claimBatch(tx, services, campaign, claims);
          const rows = batch.flatMap(({ told }, at) => {
            const answer = given[at]!;
            return told === undefined || answer instanceof Refusal ? [] : [told(answer)];
          });
          await addAuditRows(tx, rows);
          return given;
        },
        { planOnce: true },
      );
      for (const [at, answer] of answers.entries()) {
        if (answer instanceof Refusal) batch[at]!.failed(answer);
        else batch[at]!.done(answer);
      }
    } catch (error) {
      for (const { failed } of batch) failed(error);
    }
  }
  over();
}
