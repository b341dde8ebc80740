import { afterAll, beforeAll, expect, test } from "vitest";
import { clientOf } from "@zhangfang/server/database/db.ts";
import { openTillWorld, type TillWorld } from "../testing/till-world.ts";
import { settlePayment } from "./settle-payment.ts";

let world: TillWorld;
beforeAll(async () => void (world = await openTillWorld()));
afterAll(() => world.close());

const make = (tillNo: string) =>
  world.till(world.tree.merchants.mch01.stores[0]!, "createTillOrder", {
    tillNo,
    tradeType: "NATIVE",
    subject: "午餐",
    grossCents: 10_000,
  });
const rule = (level: string, owner: string, rate: number, from: string) =>
  world.owner(
    `insert into rate_rules (service_provider_id, level, owner_id, channel, product, rate, from_day, by_name, at) values ($1, $2, $3, 0, 'ALL', $4, $5, '测', now())`,
    [world.tree.providers.sp01, level, owner, rate, from],
  );

test("the fee is that of the day of the payment, the order says at which rate, and it costs one more query", async () => {
  const merchant = world.tree.merchants.mch01.id;
  await rule("merchant", merchant, 500, "2026-11-21");
  const [today, after] = [await make("R1"), await make("R2")];
  const pay = async (orderNo: string, paidAt: string) => {
    const [order] = await world.owner<{ id: string }>("select id from pay_orders where order_no = $1", [orderNo]);
    const trade = { ...world.channel.customerPays(orderNo), paidAt };
    const asked: string[] = [];
    await world.look(async (tx) => {
      const client = clientOf(tx);
      const query = client.query.bind(client) as (...given: unknown[]) => unknown;
      client.query = ((given: { text?: string }, ...rest: unknown[]) => {
        asked.push(given.text ?? "");
        return query(given, ...rest);
      }) as typeof client.query;
      try {
        await settlePayment(tx, world.services, { service_provider_id: world.tree.providers.sp01, id: order!.id }, trade);
      } finally {
        client.query = query as typeof client.query;
      }
    });
    return asked;
  };
  // 23:59:59 and 00:00:00 in Shanghai.
  const asked = await pay(today.orderNo, "2026-11-20T15:59:59.000Z");
  await pay(after.orderNo, "2026-11-20T16:00:00.000Z");
  const fees = await world.owner("select till_no, fee_rate, fee_cents from pay_orders order by till_no");
  expect(fees).toEqual([
    { till_no: "R1", fee_rate: 380, fee_cents: 38 },
    { till_no: "R2", fee_rate: 500, fee_cents: 50 },
  ]);
  expect(asked.filter((text) => text.includes("rate_on"))).toHaveLength(1);
  process.stdout.write(`settling a payment: ${asked.length} statements, 1 of them for the rate\n`);
  expect(await world.verify()).toEqual([]);
});

test("where a level above has come to pay more, the merchant pays no less", async () => {
  await rule("agent", world.tree.agents.agent01, 600, "2026-11-20");
  const order = await make("R3");
  const store = world.tree.merchants.mch01.stores[0]!;
  const { mchId } = world.settings.get(store.merchantId)!.account;
  await world.notify(store.merchantId, world.channel.notice("E3", mchId, { transaction: world.channel.customerPays(order.orderNo) }));
  expect(await world.owner("select fee_rate, fee_cents from pay_orders where till_no = 'R3'")).toEqual([{ fee_rate: 600, fee_cents: 60 }]);
  expect(await world.verify()).toEqual([]);
});
