import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { LotteryRef } from "../manage/find-lottery.ts";
import { type Draw, drawBatch, type Outcome } from "./draw-batch.ts";

/** How many go into one transaction. */
const MOST = 200;
const SCOPE = platformScope("draws of a lottery");
interface Waiting {
  readonly draw: Draw;
  readonly done: (outcome: Outcome) => void;
  readonly failed: (error: unknown) => void;
}
/** Those who wait for a lottery in this process, while the batch before them is on its way. */
const waiting = new WeakMap<Services["pool"], Map<string, Waiting[]>>();

/**
 * 摇一次: whoever asks while a batch of the same lottery is written goes with the next one, as with coupons. Outside any transaction.
 * @throws 404 and 409 with why not
 */
export function draw(services: Services, lottery: LotteryRef, given: Draw): Promise<Outcome> {
  const queues = waiting.get(services.pool) ?? new Map<string, Waiting[]>();
  waiting.set(services.pool, queues);
  const key = `${lottery.service_provider_id}:${lottery.id}`;
  return new Promise((done, failed) => {
    const queue = queues.get(key);
    if (queue) return void queue.push({ draw: given, done, failed });
    const mine: Waiting[] = [{ draw: given, done, failed }];
    queues.set(key, mine);
    // Nobody is left behind: the queue is taken away in the very step that finds it empty.
    void drain(services, lottery, mine, () => queues.delete(key));
  });
}
async function drain(services: Services, lottery: LotteryRef, queue: Waiting[], over: () => void): Promise<void> {
  while (queue.length > 0) {
    const batch = queue.splice(0, MOST);
    try {
      const draws = batch.map((one) => one.draw);
      const answers = await withScope(services.pool, SCOPE, (tx) => drawBatch(tx, services, lottery, draws), { planEach: true });
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
