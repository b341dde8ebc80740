import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openChannelWorld, type ChannelWorld } from "../testing/channel-world.ts";

let opened: ChannelWorld;
let world: ChannelWorld["world"];
let acquirer: Server;
/** Questions that the acquirer has taken and not answered. */
const held: ServerResponse[] = [];
let most = 0;
const store = () => world.tree.merchants.mch01.stores[0]!;

beforeAll(async () => {
  opened = await openChannelWorld();
  ({ world } = opened);
  await opened.addAccount(await opened.simulator.registerAcquirer(4));
  acquirer = createServer((_request, response) => {
    held.push(response);
    most = Math.max(most, held.filter(({ destroyed }) => !destroyed).length);
  });
  await new Promise<void>((resolve) => acquirer.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  acquirer.closeAllConnections();
  await new Promise((resolve) => acquirer.close(resolve));
  await opened.close();
});

const place = (tillNo: string, wallet: "unionpay" | "wechat") =>
  world.till(store(), "createTillOrder", { tillNo, tradeType: "NATIVE", wallet, subject: "午餐", grossCents: 2_000 });
const statusOf = async (tillNo: string) =>
  (await world.owner<{ status: number }>("select status from pay_orders where till_no = $1", [tillNo]))[0]!.status;
/** Paid at the channel, which tells nobody. */
async function paidUnheard(tillNo: string): Promise<void> {
  const { orderNo } = await place(tillNo, "wechat");
  await opened.simulator.control("POST faults", { kind: "lost", operation: "transaction", number: orderNo });
  await opened.simulator.control("POST pay", { outTradeNo: orderNo });
}

test("an acquirer that answers nothing holds four questions of a merchant, and what was paid by WeChat beside it is found all the same", async () => {
  for (let n = 0; n < 12; n++) await place(`H${n}`, "unionpay");
  await paidUnheard("W1");
  await world.owner("update channel_accounts set base_url = $1 where channel = 4", [
    `http://127.0.0.1:${(acquirer.address() as AddressInfo).port}/acquirer/4`,
  ]);
  world.services.clock.advance(10_000);
  const round = world.sweep("query-payments");
  await expect.poll(() => statusOf("W1"), { timeout: 30_000 }).toBe(2);
  await expect.poll(() => most, { timeout: 30_000 }).toBe(4);
  // Nor does it hold up the next round.
  await paidUnheard("W2");
  world.services.clock.advance(10_000);
  const next = world.sweep("query-payments");
  await expect.poll(() => statusOf("W2"), { timeout: 30_000 }).toBe(2);
  expect(most).toBe(4);
  // Its line is cut; what was not asked yet is.
  const cutting = setInterval(() => held.forEach((response) => response.destroy()), 10);
  await Promise.all([round, next]);
  clearInterval(cutting);
  expect(await world.owner("select distinct status from pay_orders where till_no like 'H%'")).toEqual([{ status: 0 }]);
  expect(await world.verify()).toEqual([]);
});
