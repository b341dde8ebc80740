import { randomUUID } from "node:crypto";
import type { PushWorld } from "@zhangfang/domains/integrations/server/testing/push-world.ts";
import { openPushWorld } from "@zhangfang/domains/integrations/server/testing/push-world.ts";
import { verifies } from "@zhangfang/domains/integrations/server/testing/receiver.ts";
import { apart, failAtCalls } from "@zhangfang/domains/orders/server/testing/failpoints.ts";
import { sweepOf, type Sweep } from "./flow.ts";

interface Sweeping extends PushWorld {
  readonly secret: string;
}
/** The world of pushes with one address for everything, whose calls have points. */
export async function openPushFlows(): Promise<Sweeping & { verify(): Promise<never[]> }> {
  const world = await openPushWorld(failAtCalls);
  const { secret } = await world.endpoint();
  // The verification leaves ten minutes to the channel's clock.
  world.services.clock.advance(3_600_000);
  return { ...world, secret, verify: async () => (await apart(() => world.breaches())) as never[] };
}
interface Run {
  readonly id: string;
  readonly tillNo: string;
  readonly requestId: string;
}
/** A message goes out and its answer is written down; a payment and a refund are told exactly where they are committed. */
export function pushFlows(world: Sweeping): readonly Sweep[] {
  const ofOrder = ({ id }: Run) =>
    world.owner<{ type: string; state: string; message: string }>(
      `select d.type, d.state, 'msg_' || replace(d.event_id::text, '-', '') as message from push_deliveries d
        where d.object_id = $1 or d.object_id in (select id from refunds where order_id = $1) order by d.type`,
      [id],
    );
  /** Whatever was left lying, until nothing waits any more. */
  async function go(run: Run): Promise<void> {
    for (let round = 0; round < 8; round++) {
      await world.runJobs();
      for (const one of world.channel.refunds.values()) if (one.status === "processing") world.channel.decide(one.outRefundNo, "success");
      await world.send();
      if (round > 0 && (await ofOrder(run)).every(({ state }) => state === "succeeded")) return;
      world.services.clock.advance(60_000);
      await world.sweep("query-payments", "query-refunds");
    }
    throw new Error("it never came to its end");
  }
  async function outcome(run: Run) {
    const rows = await apart(() => ofOrder(run));
    const told = rows.map(async ({ type, state, message }) => {
      const got = world.receiver.got.filter(({ headers }) => headers["webhook-id"] === message);
      const right = await Promise.all(got.map((one) => verifies(one, world.secret)));
      return {
        type,
        state,
        came: got.length > 0,
        bodies: new Set(got.map(({ bytes }) => bytes.toString())).size,
        right: right.every(Boolean),
      };
    });
    return Promise.all(told);
  }
  const prepare = async (): Promise<Run> => {
    const { id, tillNo } = await world.pay(1_000);
    return { id, tillNo, requestId: randomUUID() };
  };
  return [
    sweepOf<Run>({ name: "a payment is told", least: 5, prepare, ask: () => world.send(), go, outcome }),
    sweepOf<Run>({
      name: "a refund is told once it is one",
      least: 8,
      prepare,
      ask: async ({ tillNo, requestId }) =>
        void (await world.till(world.tree.merchants.mch01.stores[0]!, "refundTillOrder", {
          requestId,
          tillNo,
          amountCents: 300 as never,
          reason: "退菜",
        })),
      go,
      outcome,
    }),
  ];
}
