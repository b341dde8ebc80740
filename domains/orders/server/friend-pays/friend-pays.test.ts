import { afterAll, beforeAll, expect, test } from "vitest";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { callAs } from "@zhangfang/server/testing.ts";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { doors } from "../../../accounts/server/world-for-tests.ts";
import type { openFriendPay } from "../../contract/index.ts";
import { openTillWorld, type TillWorld } from "../testing/till-world.ts";
import { idOfToken, linkToken } from "@zhangfang/server/files/signed-link.ts";
import { followFriendPayRoute, openFriendPayRoute } from "./pay-as-friend.ts";

let world: TillWorld;
beforeAll(async () => void (world = await openTillWorld()));
afterAll(() => world.close());

const store = (n = 0) => world.tree.merchants.mch01.stores[n]!;
const ask = (tillNo: string, more: object = {}, n = 0) => {
  world.services.clock.advance(1_000);
  return world.till(store(n), "createFriendOrder", {
    tillNo,
    subject: "生日蛋糕",
    grossCents: 19_900,
    orderer: "o-orderer-000000001",
    ordererName: "小王",
    message: "帮我付一下吧",
    ...more,
  });
};
const tokenOf = ({ friendUrl }: { friendUrl: string }) => friendUrl.split("/").at(-1)!;
type Page = OutputOf<typeof openFriendPay>;
const open = async (token: string) => (await callAs(world.services, doors, openFriendPayRoute, undefined, { token })) as Page;
const follow = async (token: string) => (await callAs(world.services, doors, followFriendPayRoute, undefined, { token })) as Page;
const refusal = (asked: Promise<unknown>) =>
  asked.then(
    () => "went through",
    (error: unknown) => (error instanceof Refusal ? `${error.status} ${error.message}` : Promise.reject(error)),
  );
async function pays(orderNo: string, openId: string): Promise<void> {
  const transaction = { ...world.channel.customerPays(orderNo), openId };
  const { mchId } = world.settings.get(store().merchantId)!.account;
  await world.notify(store().merchantId, world.channel.notice(`E-${orderNo}`, mchId, { transaction }));
}

test("a friend opens the link, pays, and the statistics tell it from the orderer's own payment", async () => {
  const made = await ask("F1");
  expect(made).toMatchObject({ status: 0, grossCents: 19_900 });
  expect(Date.parse(made.expiresAt) - Date.parse(made.createdAt)).toBe(60 * 60_000);
  // The same again is the same link; another orderer under the same number is refused.
  expect(await ask("F1")).toMatchObject({ orderNo: made.orderNo, friendUrl: made.friendUrl });
  expect(await refusal(ask("F1", { orderer: "o-somebody-else" }))).toMatch(/^409/);

  const page = await open(tokenOf(made));
  expect(page).toMatchObject({
    storeName: "春熙路店",
    ordererName: "小王",
    message: "帮我付一下吧",
    amountCents: 19_900,
    state: "waiting",
  });
  expect(page.codeUrl).toMatch(/^weixin:/);
  await pays(made.orderNo, "o-friend-9999999999");
  expect(await follow(tokenOf(made))).toMatchObject({ state: "paid", codeUrl: null, qr: null });

  const own = await ask("F2", { grossCents: 500 });
  await pays(own.orderNo, "o-orderer-000000001");
  const late = await ask("F3", { grossCents: 700, minutes: 5 }, 1);
  world.services.clock.advance(5 * 60_000);
  expect(await open(tokenOf(late))).toMatchObject({ state: "expired", codeUrl: null });
  await ask("F4", { grossCents: 900 });

  const sums = await world.as("mch01", "summariseFriendPays", {});
  expect(sums).toMatchObject({
    madeCount: 4,
    madeCents: 22_000,
    openedCount: 3,
    paidCount: 1,
    paidCents: 19_900,
    ownCount: 1,
    expiredCount: 1,
    waitingCount: 1,
  });
  const rows = (await world.as("mch01", "listFriendPays", {})).items;
  expect(rows.map(({ amountCents, state, orderer, payer, opened }) => [amountCents, state, orderer, payer, opened])).toEqual([
    [900, "waiting", "o-or****0001", null, false],
    [700, "expired", "o-or****0001", null, true],
    [500, "own", "o-or****0001", "o-or****0001", true],
    [19_900, "paid", "o-or****0001", "o-fr****9999", true],
  ]);
  const byStore = (await world.as("mch01", "statFriendPays", { view: "store" })).items;
  expect(byStore.map(({ storeName, madeCount, paidCount }) => [storeName, madeCount, paidCount])).toEqual([
    ["春熙路店", 3, 1],
    ["建设路店", 1, 0],
  ]);
  const [today] = (await world.as("sp01", "statFriendPays", {})).items;
  expect(today).toMatchObject({ day: "2026-11-20", madeCount: 4, paidCents: 19_900 });
  expect((await world.as("mch02", "listFriendPays", {})).items).toEqual([]);
});

test("an expired link is closed at the channel by the minute's look, and a filter narrows list and sums alike", async () => {
  const made = await ask("F5", { minutes: 5 });
  world.services.clock.advance(5 * 60_000 + 1_000);
  await world.sweep();
  expect(world.channel.trades.get(made.orderNo)?.state).toBe("CLOSED");
  const filter = { state: "expired" } as const;
  const [sums, list] = [
    await world.as("mch01", "summariseFriendPays", filter),
    await world.as("mch01", "listFriendPays", { ...filter, withTotal: true }),
  ];
  expect([sums.madeCount, list.total]).toEqual([2, { count: 2, more: false }]);
  expect(sums.perState.reduce((sum, { count }) => sum + count, 0)).toBe(5);
});

test("nobody finds a link by changing one: every other token is void, and none is looked up", async () => {
  const token = tokenOf(await ask("F6"));
  expect(idOfToken(world.services, "friend-pay", token)).toMatch(/^[0-9a-f-]{36}$/);
  expect(idOfToken(world.services, "comment", token)).toBeUndefined();
  for (let at = 0; at < 44; at++) {
    const other = token.slice(0, at) + (token[at] === "A" ? "B" : "A") + token.slice(at + 1);
    expect(await refusal(open(other))).toBe("404 代付链接无效，请向朋友索取新的链接");
  }
  expect(linkToken(world.services, "friend-pay", "00000000-0000-4000-8000-000000000000")).toHaveLength(44);
  expect(await refusal(follow(linkToken(world.services, "friend-pay", "00000000-0000-4000-8000-000000000000")))).toMatch(/^404/);
});

test("a link lives between five minutes and two hours, and who orders is named", async () => {
  expect(await refusal(ask("F7", { minutes: 4 }))).toMatch(/^400 有效期至少 5 分钟/);
  expect(await refusal(ask("F7", { minutes: 121 }))).toMatch(/^400/);
  expect(await refusal(ask("F7", { orderer: "" }))).toMatch(/^400/);
});
