import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { domain, tie, tiedTo } from "@zhangfang/server/calls/domain.ts";
import { openHttpWorld } from "../../../apps/server/testing/open-world.ts";
import type { Caller, MerchantKey } from "../../../apps/server/testing/matrix/people.ts";
import type { HttpWorld } from "../../../apps/server/testing/world.ts";
import { memberFacts } from "../../members/server/testing/plant.ts";
import { orderFacts, type OrderFact } from "../../orders/server/testing/live-a-day.ts";
import { AMOUNT_DAYS, type find } from "../contract/index.ts";
import type { Finder } from "./index.ts";

let world: HttpWorld;
beforeAll(async () => {
  world = await openHttpWorld();
});
afterAll(() => world.close());

type Answer = OutputOf<typeof find>;
async function ask(caller: Caller, text: string): Promise<Answer> {
  const { status, body } = await world.send(caller, { verb: "GET", path: "/api/find", query: { text } });
  expect([status, text]).toEqual([200, text]);
  return body as Answer;
}
const of = (answer: Answer, kind: string) => answer.groups.find((group) => group.kind === kind)?.items ?? [];
const titles = async (caller: Caller, kind: string, text: string) => of(await ask(caller, text), kind).map(({ title }) => title);
const paidOf = (merchant: MerchantKey): OrderFact =>
  world.of(orderFacts).orders.find((order) => order.merchant === merchant && order.tillNo.endsWith("paid"))!;

test("a merchant by a part of its name, initials, whole pinyin, number, end of the phone", async () => {
  const [row] = await world.till.owner<{ number: string }>("select number from merchants where short_name = '蜀味川菜'");
  for (const text of ["蜀味", "川菜", "swcc", "SWCC", "shuweichuancai", row!.number, row!.number.slice(-6), "1601", "13880001601"])
    expect([text, await titles("sp01", "merchants", text)]).toEqual([text, expect.arrayContaining(["蜀味川菜"])]);
  expect(await titles("sp02", "merchants", "蜀味")).toEqual([]);
  // Whoever holds no list of them is told of none.
  expect((await ask("emp01", "蜀味")).groups.map(({ kind }) => kind)).not.toContain("merchants");
});
test("stores, devices, cashiers, agents, providers and accounts by name and pinyin, each in its scope", async () => {
  const store = world.till.tree.merchants.mch01.stores[0]!;
  expect(await titles("mch01", "stores", "cxl")).toEqual([store.name]);
  expect(await titles("mch03", "stores", "cxl")).toEqual([]);
  const [device] = of(await ask("mch01", store.devices[0]!.sn.toLowerCase()), "devices");
  expect(device?.hint).toContain(store.devices[0]!.sn);
  expect(device?.to).toBe(`/device/list?id=${store.devices[0]!.id}`);
  const cashier = store.cashiers[0]!;
  expect(of(await ask("mch01", cashier.code), "cashiers").map(({ to }) => to)).toContain(`/cashier/cashier?id=${cashier.id}`);
  const [agent] = await world.till.owner<{ id: string; name: string; pinyin: string }>(
    "select id, name, pinyin from agents order by created_at, id",
  );
  for (const text of [agent!.name, agent!.name.slice(1), ...agent!.pinyin.split(" ").slice(0, 2)])
    expect([text, of(await ask("sp01", text), "agents").map(({ to }) => to)]).toEqual([
      text,
      expect.arrayContaining([`/agent/agent?id=${agent!.id}`]),
    ]);
  const providers = await world.till.owner<{ id: string; pinyin: string }>(
    "select id, pinyin from service_providers order by created_at, id",
  );
  expect(of(await ask("admin", providers[0]!.pinyin.split(" ")[1]!), "providers").map(({ to }) => to)).toContain(
    `/admin/serviceProvider?id=${providers[0]!.id}`,
  );
  expect(of(await ask("sp01", "agent01"), "users").map(({ hint }) => hint)).toEqual([expect.stringContaining("agent01")]);
  expect(of(await ask("sp02", "agent01"), "users")).toEqual([]);
  expect(of(await ask("mch01", "fin01"), "staff")).toHaveLength(1);
});
test("an order by any of its numbers, whole, its beginning, six digits inside, its end, and by its amount", async () => {
  const order = paidOf("mch01");
  const digits = order.orderNo.slice(1);
  const channel = order.channelNo!;
  const inside = [digits.slice(12, 18), digits.slice(13, 20), digits.slice(-9, -2)];
  for (const text of [
    order.orderNo,
    digits,
    digits.slice(0, 18),
    ...inside,
    digits.slice(-6),
    digits.slice(-4),
    order.tillNo,
    channel,
    channel.slice(-6),
    channel.slice(3),
    // As it is pasted from a chat, a sheet or a drawer.
    `支付单号：${order.orderNo}`,
    `商户单号: ${order.tillNo}`,
    `通道单号 ${channel}`,
    `\u202d${channel}\u202c\u200b`,
  ]) {
    const found = of(await ask("mch01", text), "orders").map(({ to }) => to);
    expect([text, found]).toEqual([text, expect.arrayContaining([`/dataCentre/payOrder?id=${order.id}`])]);
    expect([text, of(await ask("mch02", text), "orders").map(({ to }) => to)]).toEqual([
      text,
      expect.not.arrayContaining([`/dataCentre/payOrder?id=${order.id}`]),
    ]);
  }
  const amount = (order.gross / 100).toFixed(2);
  expect(of(await ask("mch01", amount), "orders").map(({ hint }) => hint)).toEqual(
    expect.arrayContaining([expect.stringContaining(`¥${yuan(order.gross)}`)]),
  );
  // The whole number stands before what holds it, and says that a refund may begin here.
  const [first] = of(await ask("mch01", order.orderNo), "orders");
  expect(first).toMatchObject({ near: 0, title: order.orderNo });
  expect(await titles("mch01", "orders", "没有这样的")).toEqual([]);
});
test("an order by a till's short number", async () => {
  const order = paidOf("mch01");
  const call = (number: string | null) => world.till.owner("update pay_orders set till_no = $1 where id = $2", [number, order.id]);
  await call("A-12");
  try {
    expect(of(await ask("mch01", "A-12"), "orders").map(({ to }) => to)).toEqual([`/dataCentre/payOrder?id=${order.id}`]);
    expect(of(await ask("mch02", "A-12"), "orders")).toEqual([]);
  } finally {
    await call(order.tillNo);
  }
});
test("a member by the whole phone, its last four and the number, masked; not another merchant's, and none whom a store does not see", async () => {
  const [own, elsewhere] = world.of(memberFacts).filter(({ merchant, store }) => merchant === "mch01" && [0, 2].includes(store));
  const [{ no }] = (await world.till.owner<{ no: string }>("select no from members where id = $1", [own!.id])) as [{ no: string }];
  const toOf = ({ id }: { readonly id: string }) => `/member/details?id=${id}`;
  // The last four of the first one's are those of more members than are told.
  for (const [text, meant] of [
    [own!.phone, own!],
    [no, own!],
    [elsewhere!.phone.slice(-4), elsewhere!],
  ] as const) {
    const members = of(await ask("mch01", text), "members");
    const to = toOf(meant);
    expect([text, members.map((hit) => hit.to)]).toEqual([text, expect.arrayContaining([to])]);
    expect(JSON.stringify(members)).not.toContain(meant.phone);
    expect([text, of(await ask("mch02", text), "members").map((hit) => hit.to)]).toEqual([text, expect.not.arrayContaining([to])]);
  }
  expect(of(await ask("emp01", own!.phone), "members").map((hit) => hit.to)).toEqual([toOf(own!)]);
  expect(of(await ask("emp01", elsewhere!.phone), "members")).toEqual([]);
});
test("a refund by its number and by six digits of it", async () => {
  const refund = world.of(orderFacts).refunds.find(({ merchant }) => merchant === "mch01")!;
  for (const text of [refund.refundNo, refund.refundNo.slice(-7, -1), refund.refundNo.slice(-6)])
    expect([text, of(await ask("mch01", text), "refunds").map(({ to }) => to)]).toEqual([
      text,
      expect.arrayContaining([`/dataCentre/payRefund?id=${refund.id}`]),
    ]);
  expect(of(await ask("mch02", refund.refundNo), "refunds")).toEqual([]);
});
test("a refund by its amount, as orders are; of which days, is said where an amount was meant", async () => {
  const refund = world.of(orderFacts).refunds.find(({ merchant }) => merchant === "mch01")!;
  const [row] = await world.till.owner<{ value_cents: string; created_at: string }>(
    "select value_cents, created_at from refunds where id = $1",
    [refund.id],
  );
  const amount = (Number(row!.value_cents) / 100).toFixed(2);
  const to = `/dataCentre/payRefund?id=${refund.id}`;
  for (const text of [amount, `¥${amount}`, `${amount}元`]) {
    const answer = await ask("mch01", text);
    expect([text, of(answer, "refunds").map((hit) => hit.to)]).toEqual([text, expect.arrayContaining([to])]);
    expect(answer.byAmount).toEqual(["支付订单", "退款"]);
    expect([text, of(await ask("mch02", text), "refunds").map((hit) => hit.to)]).toEqual([text, expect.not.arrayContaining([to])]);
  }
  expect((await ask("mch01", refund.refundNo)).byAmount).toEqual([]);
  expect((await ask("mch01", "春熙")).byAmount).toEqual([]);
  // Older than what is looked at: not found, and the answer says of what days it speaks.
  const move = (at: string) => world.till.owner("update refunds set created_at = $1 where id = $2", [at, refund.id]);
  await move(new Date(world.services.clock.now_ms() - (AMOUNT_DAYS + 1) * 86_400_000).toISOString());
  try {
    const answer = await ask("mch01", amount);
    expect([
      of(answer, "refunds")
        .map((hit) => hit.to)
        .includes(to),
      answer.byAmount,
    ]).toEqual([false, ["支付订单", "退款"]]);
  } finally {
    await move(row!.created_at);
  }
});
test("a good by digits: of its name, its number or a part of it, its bar code; not another merchant's, and none that is retired", async () => {
  world.keep.on = true;
  const sku = { skuNo: "77310045", priceCents: 1000, memberCents: null, barcodes: [{ barcode: "6901234567892" }] };
  const body = { requestId: randomUUID(), name: "乌龙茶 8848", skus: [sku] };
  const { body: made } = await world.send("mch01", { verb: "POST", path: "/api/products/add", body });
  world.keep.on = false;
  const { id } = made as { id: string };
  for (const text of ["8848", "77310045", "3100", "6901234567892"]) {
    expect([text, of(await ask("mch01", text), "products").map(({ to }) => to)]).toEqual([text, [`/product/product?id=${id}`]]);
    expect([text, of(await ask("mch02", text), "products")]).toEqual([text, []]);
  }
  await world.till.owner("update product_skus set retired_at = now() where id = $1", [id]);
  for (const text of ["8848", "77310045", "3100", "6901234567892"]) expect(of(await ask("mch01", text), "products")).toEqual([]);
});
test("where too many hold the digits, it says that only the newest were looked at; a merchant does not see what others hold", async () => {
  const [number, channelNo] = ["731864205917", "420000731864205917"];
  const merchantOf = (key: MerchantKey) => world.till.tree.merchants[key].id;
  const order = paidOf("mch01");
  const held = (merchant: MerchantKey) =>
    world.till.owner(
      "insert into number_search select $1, 'order', gen_random_uuid(), 9, app.number_grams($2, $3) from generate_series(1, 2000)",
      [world.till.tree.providers.sp01, merchantOf(merchant), number],
    );
  const call = (channel: string | null) => world.till.owner("update pay_orders set channel_no = $1 where id = $2", [channel, order.id]);
  const found = { groups: [{ items: [{ to: `/dataCentre/payOrder?id=${order.id}` }] }], recent: [] };
  await call(channelNo);
  try {
    expect(await ask("mch01", number)).toMatchObject(found);
    await held("mch02");
    expect(await ask("mch01", number)).toMatchObject(found);
    expect(await ask("sp01", number)).toMatchObject({ recent: ["支付订单"] });
    await held("mch01");
    expect(await ask("mch01", number)).toMatchObject({ recent: ["支付订单"] });
    expect((await ask("sp02", number)).recent).toEqual([]);
  } finally {
    await world.till.owner("delete from number_search where which = 9");
    await call(order.channelNo);
  }
});
test("whatever a channel calls an order fails no payment, and its digits find it", async () => {
  const order = paidOf("mch01");
  const call = (number: string | null) => world.till.owner("update pay_orders set channel_no = $1 where id = $2", [number, order.id]);
  try {
    for (const number of ["１２３４５６７８９０", "٠١٢٣٤٥٦٧٨", "ABCDEFGH", "", "9".repeat(64), "x".repeat(64), "号-73186420591", "1\n2"])
      await call(number);
    await call("号AB73186420591");
    expect(of(await ask("mch01", "318642"), "orders").map(({ to }) => to)).toEqual([`/dataCentre/payOrder?id=${order.id}`]);
  } finally {
    await call(order.channelNo ?? null);
  }
});
test("a day says what was taken on it, in the caller's scope, and leads to its payments", async () => {
  const today = shanghaiDay(world.services.clock.now_ms());
  const [day] = of(await ask("mch01", "今天"), "days");
  expect(day!.title).toContain("今天");
  expect(day!.to).toBe(`/dataCentre/payOrder?dateOf=paid&from=${today}&to=${today}`);
  const [other] = of(await ask("mch02", today), "days");
  expect(other!.title).not.toBe(day!.title);
});
test("who may see orders alone is told of a day what their sums tell; who may see takings is led to them", async () => {
  const told = async (items: readonly string[]) => {
    const finders = tiedTo(world.services).flatMap((one) => one.finders ?? []);
    const days = finders.find(({ kind }) => kind === "days")!;
    const holds = (asked: readonly string[]) => asked.some((item) => items.includes(item));
    const seen = holds([days.access].flat());
    const hits = finder("days", async (ctx, sought) => days.find({ ...ctx, principal: { ...ctx.principal, holds } }, sought));
    return { seen, hit: of(await askWith([hits], "今天"), "days")[0]! };
  };
  const orders = await told(["/dataCentre/payOrder"]);
  expect([orders.seen, orders.hit.hint]).toEqual([true, expect.stringMatching(/^[\d,]+ 笔$/)]);
  expect(orders.hit.to).toMatch(/^\/dataCentre\/payOrder\?dateOf=paid/);
  const takings = await told(["/dataCentre/sales"]);
  expect([takings.seen, takings.hit.hint]).toEqual([true, expect.stringMatching(/笔 · 退款 ¥.* · 净收 ¥/)]);
  expect(takings.hit.to).toMatch(/^\/dataCentre\/sales\?from=/);
  expect((await told(["/"])).seen).toBe(false);
});
test("what may be looked for is what the account holds", async () => {
  expect((await ask("mch01", "")).kinds).toEqual(expect.arrayContaining(["单号或金额", "门店", "会员"]));
  expect((await ask("emp01", "")).kinds).not.toContain("商户");
  expect((await ask("admin", "")).kinds).toEqual(expect.arrayContaining(["服务商", "商户"]));
});
const finder = (title: string, find: Finder["find"]): Finder => ({ kind: title, title, access: "/", match: () => true, find });
/** What is answered where these are asked before all others. */
async function askWith(finders: readonly Finder[], text: string): Promise<Answer> {
  const domains = tiedTo(world.services);
  tie(world.services, [domain({ finders }), ...domains]);
  try {
    return await ask("mch01", text);
  } finally {
    tie(world.services, domains);
  }
}
test("a finder that fails costs its own group, and is named", async () => {
  const broken = finder("坏掉的", async ({ tx }) => (await tx.selectFrom("no_such_table" as never).execute()) as never);
  const { groups, failed } = await askWith([broken], "cxl");
  expect(failed).toEqual(["坏掉的"]);
  expect(groups.map(({ kind }) => kind)).toContain("stores");
});
const sleeping = (title: string, seconds: number) =>
  finder(title, async ({ tx }) => {
    await sql`select pg_sleep(${seconds})`.execute(tx);
    return [];
  });
test("where one runs out of time, or all together, the rest is not asked and is named", async () => {
  const early = finder("早的", async () => [{ title: "早", hint: "", to: "/" }]);
  const asked: string[] = [];
  const late = finder("晚的", async () => (asked.push("late"), []));
  const { groups, failed } = await askWith([early, sleeping("慢的", 30), late], "cxl");
  expect(groups.map(({ title }) => title)).toEqual(["早的"]);
  expect(failed.slice(0, 2)).toEqual(["慢的", "晚的"]);
  expect(failed).toContain("门店");
  const slow = await askWith([early, sleeping("一", 1.2), sleeping("二", 1.2), late], "cxl");
  expect(slow.groups.map(({ title }) => title)).toEqual(["早的"]);
  expect(slow.failed).toEqual(expect.arrayContaining(["晚的", "门店"]));
  expect(asked).toEqual([]);
});
test.each(["%", "_", "\\", "' or 1=1 --", "a\nb", "🙂", "0".repeat(64), "P".repeat(64), "\u0000"])(
  "%j is a text like any other",
  async (text) => {
    const { status } = await world.send("mch01", { verb: "GET", path: "/api/find", query: { text } });
    expect([200, 400]).toContain(status);
  },
);
