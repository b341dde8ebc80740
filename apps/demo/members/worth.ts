import { setTimeout as wait } from "node:timers/promises";
import { memberCodeOf } from "@zhangfang/domains/members/server/index.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { openWire } from "../live.ts";
import { signIn, type DemoStore, type DemoTree } from "../tree/tree.ts";

type Login = "mch01" | "mch02";
type Answer = Record<string, unknown>;
interface Person {
  readonly service_provider_id: string;
  readonly id: string;
  readonly no: string;
  readonly code_version: number;
}
/** A shop with its office, its tills and the members who come. */
interface Shop {
  readonly login: Login;
  readonly stores: readonly DemoStore[];
  readonly people: readonly Person[];
  ask(path: string, body: object): Promise<Answer>;
  read(path: string): Promise<Answer>;
  till(store: number, path: string, body: object): Promise<Answer>;
  /** Takes money for something at a till and waits until it is there: on a busy machine the channel's answer comes later. */
  sells(store: number, path: string, body: Readonly<Record<string, unknown>> & { readonly tillNo: string }): Promise<Answer>;
  /** A ticket of who shows the code; each may come twice. */
  comes(store: number, person: number): Promise<string>;
}
const STEP_MS = 30_000;
const PEOPLE = 24;

/** What members hold and do at two merchants, through office and tills as people do it: points, stored value, levels and times cards. */
export async function fillWorth(services: Services, tree: DemoTree): Promise<void> {
  await Promise.all((["mch01", "mch02"] as const).map((login) => fillShop(services, tree, login)));
}
async function fillShop(services: Services, tree: DemoTree, login: Login): Promise<void> {
  const shop = await openShop(services, tree, login);
  await setRules(shop);
  await recharge(shop);
  await buyAhead(shop);
  await spend(shop);
  await pointsByHand(shop);
}

async function openShop(services: Services, tree: DemoTree, login: Login): Promise<Shop> {
  const { wire, simulator, api } = openWire(services);
  const { id: merchant_id, serviceProviderId, stores } = tree.merchants[login];
  const headers = { authorization: `Bearer ${await signIn(services, login)}` };
  const people = await withScope(services.pool, platformScope("demo members who come"), (tx) =>
    tx
      .selectFrom("members")
      .select(["service_provider_id", "id", "no", "code_version"])
      .where("service_provider_id", "=", serviceProviderId)
      .where("merchant_id", "=", merchant_id)
      .where("stage", "=", 1)
      .where("status", "=", 1)
      .where("phone_confirmed_at", "is not", null)
      // Above 1,000.00 in all an id number would be asked for.
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("value_lots as l")
              .select("l.id")
              .whereRef("l.service_provider_id", "=", "members.service_provider_id")
              .whereRef("l.member_id", "=", "members.id"),
          ),
        ),
      )
      .orderBy("no")
      .limit(PEOPLE)
      .execute(),
  );
  if (people.length < PEOPLE) throw new Error(`演示商户 ${login} 的会员不够：${people.length} 人，要 ${PEOPLE} 人`);
  const requestId = () => services.ids.uuid(services.clock.now_ms());
  const came = new Map<number, number>();
  const till: Shop["till"] = (store, path, body) =>
    wire.post(`${simulator}/_till/device`, { sn: stores[store]!.devices[0]!.sn, path: `/api/till/${path}`, body });
  return {
    login,
    stores,
    people,
    till,
    async sells(store, path, body) {
      const { sn } = stores[store]!.devices[0]!;
      let order = await till(store, path, body);
      for (let tries = 1; order["status"] !== PAID; tries++) {
        if (tries === ASKS) throw new Error(`演示订单 ${body.tillNo} 一直没有收到款`);
        await wait(200);
        order = await wire.get(`${simulator}/_till/order?sn=${sn}&tillNo=${body.tillNo}`);
      }
      return order;
    },
    ask: (path, body) => wire.post(`${api}/api/${path}?_t=1`, { requestId: requestId(), ...body }, headers),
    read: (path) => wire.get(`${api}/api/${path}${path.includes("?") ? "&" : "?"}_t=1`, headers),
    async comes(store, person) {
      for (let tries = 1; ; tries++) {
        // A code is good once, for its own half minute and the next one.
        const now_ms = services.clock.now_ms();
        const step = Math.floor(now_ms / STEP_MS);
        const shown_ms = came.get(person) === step ? now_ms - STEP_MS : now_ms;
        came.set(person, step);
        const code = memberCodeOf({ ...services, clock: { now_ms: () => shown_ms } }, people[person]!);
        try {
          return String((await till(store, "members/identify", { code }))["ticket"]);
        } catch (error) {
          // On a busy machine it can be over before it arrives: the customer's phone shows another one.
          if (tries === CODES) throw error;
          await wait(STEP_MS / 10);
        }
      }
    },
  };
}
const PAID = 2;
/** How often a till asks for an order that is not paid at once. */
const ASKS = 300;
/** Codes that a customer shows at most, one after the other. */
const CODES = 12;

async function setRules({ login, ask }: Shop): Promise<void> {
  const first = login === "mch01";
  await ask("points/rule", {
    version: 0,
    rule: {
      earn: {
        on: true,
        points: 1,
        perCents: 100,
        storeIds: [],
        storeMultiple: 100,
        weekdays: [3],
        weekdayMultiple: 200,
        birthdayMultiple: 300,
        pendingDays: 0,
        dayCap: 2_000,
        onRecharge: false,
      },
      spend: {
        on: true,
        points: 100,
        cents: 100,
        stepPoints: 100,
        leastPoints: 100,
        mostRate: 30_000,
        mostCents: null,
        storeIds: [],
        weekdays: [],
      },
      expiry: { kind: first ? "yearly" : "months", months: 12, monthDay: "12-31", yearsBack: 0 },
      graceDays: 30,
      secondAbove: 1_000,
    },
  });
  const tiers = [
    { amountCents: 20_000, giftCents: 1_000, points: 50 },
    { amountCents: 50_000, giftCents: 5_000, points: 200 },
    { amountCents: 80_000, giftCents: 12_000, points: 400 },
  ];
  await ask("stored-value/rules/save", { version: 0, tiers, secondAboveCents: 50_000 });
  await ask("vip/rules/set", {
    version: 0,
    levels: [
      { rank: 1, name: "银卡", basis: "growth", threshold: 300 },
      { rank: 2, name: "金卡", basis: "growth", threshold: 1_500 },
      { rank: 3, name: "黑金卡", basis: "paid", priceCents: 19_900, months: 12 },
    ],
  });
  await ask("vip/rights/set", {
    version: 0,
    rights: [
      { rank: 1, birthdayPoints: 100 },
      { rank: 2, discount: 98, multiple: 120, birthdayPoints: 200 },
      { rank: 3, discount: 95, multiple: 150, birthdayPoints: 500, birthdayGiftCents: 2_000 },
    ],
  });
}

const paid = (n: number) => ({
  tradeType: "MICROPAY",
  authCode: `1346${String(50_000_000_000 + n * 7_919)}777`.slice(0, 18).padEnd(18, "7"),
});

/** Recharges at tills and in cash, one that waits, a card refund that waits, a transfer. */
async function recharge({ login, stores, people, ask, read, till, sells, comes }: Shop): Promise<void> {
  for (const [n, amountCents] of [20_000, 50_000, 80_000, 20_000].entries()) {
    const ticket = await comes(n % stores.length, n);
    await sells(n % stores.length, "recharges", { tillNo: `C-${login}-${n}`, ticket, amountCents, ...paid(n) });
  }
  for (const [n, [way, amountCents, note]] of (
    [
      [1, 20_000, "收据 0117"],
      [2, 50_000, "工行转账 尾号 6620"],
      [1, 30_000, "收据 0118"],
      [2, 80_000, "建行转账 尾号 0913"],
    ] as const
  ).entries())
    await ask("stored-value/recharges/add", {
      storeId: stores[n % stores.length]!.id,
      memberNo: people[4 + n]!.no,
      way,
      amountCents,
      note,
    });
  const { items } = (await read(`stored-value/recharges?keyword=${people[3]!.no}`)) as { items: { id: string }[] };
  const rechargeId = items[0]!.id;
  const { sums } = (await read(`stored-value/card-refunds/preview?rechargeId=${rechargeId}`)) as { sums: { paysCents: number }[] };
  await ask("stored-value/card-refunds/ask", { rechargeId, reason: 3, way: 0, paysCents: sums[2]!.paysCents, note: "顾客搬家，不再来店" });
  await till(0, "transfers", {
    requestId: crypto.randomUUID(),
    ticket: await comes(0, 0),
    toTicket: await comes(0, 8),
    amountCents: 5_000,
  });
}

/** Levels that are bought, and times cards with some of their uses. */
async function buyAhead({ login, stores, people, ask, read, till, sells, comes }: Shop): Promise<void> {
  for (const person of [9, 10, 11]) {
    const at = person % stores.length;
    await sells(at, "vip/orders", { tillNo: `L-${login}-${person}`, ticket: await comes(at, person), rank: 3, ...paid(person) });
  }
  const names = login === "mch01" ? ["午市套餐十次卡", "酸梅汤畅饮卡"] : ["小笼早餐月卡", "豆浆二十杯卡"];
  const [meals, drinks] = await Promise.all(
    [
      { name: names[0], times: 10, giftTimes: 1, priceCents: 28_000, singlePriceCents: 3_200, days: 180 },
      { name: names[1], times: 20, giftTimes: 4, priceCents: 12_000, singlePriceCents: 800, days: 90 },
    ].map((product) => ask("vip/times-products/add", product)),
  );
  for (const person of [12, 13, 14, 15]) {
    const at = person % stores.length;
    const product = person % 2 === 0 ? meals : drinks;
    const ticket = await comes(at, person);
    await sells(at, "times-cards/orders", { tillNo: `T-${login}-${person}`, ticket, productId: product!["id"], ...paid(person) });
    if (person === 15) continue;
    const { items } = (await read(`vip/times-cards?keyword=${people[person]!.no}`)) as { items: { cardNo: string }[] };
    const use = await till((at + 1) % stores.length, "times-cards/use", {
      requestId: crypto.randomUUID(),
      ticket: await comes((at + 1) % stores.length, person),
      cardNo: items[0]!.cardNo,
      times: person - 11,
    });
    if (person === 14) await ask("vip/times-uses/reverse", { id: use["useId"], reason: "多刷了一次" });
  }
}

/** Who recharged at one store spends at another one. */
async function spend({ login, stores, people, ask, till, comes }: Shop): Promise<void> {
  for (const [n, grossCents] of [
    [1, 8_800],
    [2, 16_600],
  ] as const) {
    const at = (n + 1) % stores.length;
    const tillNo = `S-${login}-${n}`;
    const ticket = await comes(at, n);
    const { quote } = await till(at, "quotes", { tillNo, grossCents, ticket, storedValueCents: "most" });
    await till(at, "orders", { tillNo, subject: "堂食", grossCents, quote, ticket });
  }
  const change = { storeId: stores[0]!.id, amountCents: 1_000 };
  await ask("stored-value/adjusts/add", { ...change, memberNo: people[4]!.no, kind: 1, reason: 1, note: "上菜慢，送 10 元" });
}

/** Points by hand, one adjustment that waits for another person, a task for regulars, and a clearing that is asked for. */
async function pointsByHand({ people, ask, login }: Shop): Promise<void> {
  for (const [n, [points, reason, note]] of (
    [
      [200, "comfort", "上错菜致歉"],
      [-150, "gift", "兑换保温杯"],
      [80, "correct", "补记 11 月 3 日消费"],
      [2_000, "event", "周年抽奖一等奖"],
    ] as const
  ).entries())
    await ask("points/adjustments", { memberNo: people[16 + Math.max(0, n - 1)]!.no, points, reason, note });
  await ask("points/tasks", { name: "老客答谢", reason: "event", filter: { tag: "老客" }, points: 50 });
  const sheet = [...people.slice(20, 23).map(({ no }) => ({ memberNo: no, points: 30 })), { memberNo: "1000000000", points: 30 }];
  await ask("points/tasks", { name: "问卷奖励", reason: "gift", rows: sheet, fileHash: "5a".repeat(32) });
  if (login === "mch01") await ask("points/clears", { reason: "换新的积分制度，旧积分年底前清掉" });
}
