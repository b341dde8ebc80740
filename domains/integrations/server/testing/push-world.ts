import { randomUUID } from "node:crypto";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { openTillWorld, type TillWorld } from "../../../orders/server/testing/till-world.ts";
import { addPushEndpoint, listenable, takePushSecret } from "../../contract/index.ts";
import { integrations } from "../index.ts";
import { givePushDoor, openPushDoor, type PushDoor } from "../push-door.ts";
import { verifyPushes } from "../verify-pushes.ts";
import { openReceiver, type Receiver } from "./receiver.ts";

export interface PushWorld extends TillWorld {
  readonly receiver: Receiver;
  readonly door: PushDoor;
  call<E extends Endpoint>(login: string, endpoint: E, input: InputOf<E>): Promise<OutputOf<E>>;
  /** An address of sp01 with its secret, listening to everything at the receiver unless said otherwise. */
  endpoint(more?: Partial<InputOf<typeof addPushEndpoint>>, login?: string): Promise<{ id: string; secret: string }>;
  /** A paid order of a store of mch01. */
  pay(cents: number): Promise<{ id: string; orderNo: string; tillNo: string }>;
  refund(tillNo: string, cents: number): Promise<string>;
  send(): Promise<void>;
  breaches(): Promise<unknown[]>;
  clean(): Promise<void>;
}
/** The world of tills with this room over it, and a receiver on this machine. */
export async function openPushWorld(wrap: (door: PushDoor) => PushDoor = (door) => door): Promise<PushWorld> {
  const world = await openTillWorld({ above: [integrations] });
  const receiver = await openReceiver();
  const door = wrap(openPushDoor("any"));
  givePushDoor(world.services, door);
  const { owner, services, tree } = world;
  const store = tree.merchants.mch01.stores[0]!;
  const call = async <E extends Endpoint>(login: string, endpoint: E, input: InputOf<E>) =>
    (await world.ask(
      login,
      integrations.routes.find((one) => one.endpoint === endpoint)!,
      input as object,
    )) as OutputOf<E>;
  let n = 0;
  return {
    ...world,
    receiver,
    door,
    call,
    async endpoint(more = {}, login = "sp01") {
      const { id } = await call(login, addPushEndpoint, {
        requestId: randomUUID(),
        name: `ERP ${++n}`,
        url: receiver.url,
        events: [...listenable],
        ...more,
      });
      return { id, ...(await call(login, takePushSecret, { id })) };
    },
    async pay(cents) {
      const tillNo = `P${++n}`;
      await world.till(store, "createTillOrder", {
        tillNo,
        tradeType: "MICROPAY",
        authCode: "130000000000000009",
        subject: "午餐",
        grossCents: cents as never,
      });
      await world.runJobs();
      const [order] = await owner<{ id: string; order_no: string; status: number }>(
        "select id, order_no, status from pay_orders where till_no = $1",
        [tillNo],
      );
      if (order?.status !== 2) throw new Error("not paid");
      return { id: order.id, orderNo: order.order_no, tillNo };
    },
    async refund(tillNo, cents) {
      const { refundNo } = await world.till(store, "refundTillOrder", {
        requestId: randomUUID(),
        tillNo,
        amountCents: cents as never,
        reason: "退菜",
      });
      await world.runJobs();
      world.channel.decide(refundNo, "success");
      services.clock.advance(60_000);
      await world.sweep("query-refunds");
      await world.runJobs();
      return refundNo;
    },
    send: () => world.sweep("send-pushes"),
    breaches: async () => [...(await world.verify()), ...(await world.look((tx) => verifyPushes(tx, services.clock.now_ms())))],
    async clean() {
      await emptyTables(owner, "push_attempts, push_deliveries, push_events, push_versions, push_endpoints");
      await world.forget();
      world.channel.forget();
      receiver.forget();
    },
    close: async () => {
      await receiver.close();
      await world.close();
    },
  };
}
