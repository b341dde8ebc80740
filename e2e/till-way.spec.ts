import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { readCsv } from "@zhangfang/server/testing-tables.ts";
import { clean } from "./a11y/look.ts";
import { expect, sharedToken, signedIn, test } from "./journey.ts";
import { newPhone } from "./phone.ts";
import { centsIn, factsOf, rowOf, totalsOf } from "./read-screen.ts";
import { api, PORT, simulator, SIMULATOR_URL } from "./world.ts";

// Two members of a shop that nobody else sells at. One recharges, pays with level, points, stored value and money, and gets all of it
// back in two parts; the other spends half of a recharge and has the rest paid back by law. Every sum here was reckoned by hand.
test.describe.configure({ mode: "serial" });
test.use({ login: "mch07" });

const [HERE, THERE] = ["南屏街店", "翠湖店"];
const SMS_URL = `http://127.0.0.1:${PORT + 3}/sms/outbox`;
const TODAY = shanghaiDay(Date.now());
const first = { phone: newPhone(), no: "", order: "" };
const second = { phone: newPhone(), no: "" };
const tills: Record<string, string> = {};
/** What the report and the summary said before anybody came. */
const before = { report: {} as Record<string, Record<string, string>>, owed: 0 };

const office = async <T = Record<string, unknown>>(path: string, body?: object): Promise<T> => {
  const { status, data } = await api<T>(await sharedToken("mch07"), body ? "POST" : "GET", `/api/${path}`, body);
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(data)}`);
  return data;
};
const atTill = <T>(store: string, path: string, body: object): Promise<T> =>
  simulator<T>("_till/device", { sn: tills[store], path: `/api/till/${path}`, body });
interface Known {
  readonly ticket: string;
  readonly memberNo: string;
  readonly level: string;
  readonly points: number;
  readonly principalCents: number;
  readonly giftCents: number;
}
const seen = (store: string, phone: string): Promise<Known> => atTill<Known>(store, "members/identify", { phone });
const tillNo = (): string => `W${Date.now()}${Math.random().toString(16).slice(2, 8)}`;

async function codeTo(phone: string): Promise<string> {
  let code: string | undefined;
  await expect
    .poll(async () => {
      const { messages } = (await (await fetch(SMS_URL)).json()) as { messages: { phone: string; text: string }[] };
      return (code = /\d{6}/.exec(messages.find((one) => one.phone === phone)?.text ?? "")?.[0]);
    })
    .toBeDefined();
  return code!;
}
/** The office writes down the name, without which nobody may recharge. */
async function named(phone: string, name: string): Promise<void> {
  const { items } = await office<{ items: { id: string }[] }>(`members?keyword=${phone}`);
  const { id, revision } = await office<{ id: string; revision: number }>(`members/${items[0]!.id}`);
  await office("members/update", { id, revision, name });
}
/** The cells of the row of a table that holds a text, by the titles of their columns. */
async function cellsOf(table: Locator, text: string): Promise<Record<string, string>> {
  await expect(table.getByRole("row").filter({ hasText: text }).first()).toBeVisible();
  return table.evaluate((element: HTMLTableElement, holds) => {
    const titles = [...element.tHead!.rows[0]!.cells].map((cell) => cell.innerText.trim());
    const row = [...element.rows].slice(1).find((one) => one.innerText.includes(holds))!;
    return Object.fromEntries(titles.map((title, at) => [title, row.cells[at]?.innerText.trim().split("\n")[0] ?? ""]));
  }, text);
}
/** 支付统计 of today, the row of each store. */
async function report(page: Page): Promise<Record<string, Record<string, string>>> {
  await page.goto("/#/");
  await page.goto(`/#/dataCentre/payStatistics?by=store&from=${TODAY}&to=${TODAY}`);
  const table = page.getByRole("table", { name: "支付统计", exact: true });
  await expect(table.getByRole("row").last()).toContainText("合计");
  const rows: Record<string, Record<string, string>> = {};
  for (const store of [HERE, THERE])
    rows[store] = (await table.getByRole("row").filter({ hasText: store }).count()) > 0 ? await cellsOf(table, store) : {};
  return rows;
}
/** What a store's row of the report has grown by since the beginning, in cents; counts as they are. */
const grown = (now: Record<string, Record<string, string>>, store: string, title: string): number => {
  const read = (rows: typeof now): number =>
    title.endsWith("笔数") ? Number((rows[store]?.[title] ?? "0").replaceAll(",", "")) : centsIn(rows[store]?.[title]);
  return read(now) - read(before.report);
};
async function owed(page: Page): Promise<number> {
  await page.goto("/#/");
  await page.goto("/#/dataCentre/cardSummary");
  const figure = page.locator(".stat").filter({ hasText: "欠顾客的本金（元）" }).locator(".stat-value");
  await expect(figure).toContainText(/\d/);
  return centsIn((await figure.innerText()).trim());
}
async function exported(page: Page, title: string): Promise<Record<string, string>[]> {
  await page.locator(".view:visible").getByRole("button", { name: "导出", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: `导出${title}` });
  await dialog.getByLabel(/\.csv/).check();
  await dialog.getByLabel("全部列").check();
  await dialog.getByRole("button", { name: "开始导出" }).click();
  await page.getByRole("button", { name: "查看导出记录" }).click();
  const file = page.getByRole("table", { name: "导出记录" }).getByRole("row").filter({ hasText: title }).first();
  await expect(file).toContainText("可下载");
  const downloading = page.waitForEvent("download");
  await file.getByRole("button", { name: /下载/ }).click();
  const [titles = [], ...rows] = readCsv(readFileSync(await (await downloading).path())).map((row) => row.map(({ text }) => text));
  return rows.map((row) => Object.fromEntries(row.map((cell, at) => [titles[at]!, cell])));
}

test.beforeAll(async () => {
  const all = await simulator<{ tills: { sn: string; store: string }[] }>("_till/tills");
  for (const store of [HERE, THERE]) tills[store] = all.tills.find((one) => one.store.includes(store))!.sn;
  const tiers = [
    { amountCents: 20_000, giftCents: 4_000, points: 100 },
    { amountCents: 50_000, giftCents: 10_000, points: 1_000 },
  ];
  const now = async (path: string): Promise<number> => (await office<{ version: number }>(path)).version;
  const { rule } = await office<{ rule: { version: number } | null }>("stored-value/rules");
  await office("stored-value/rules/save", { version: rule?.version ?? 0, tiers });
  await office("vip/rules/set", {
    version: await now("vip/rules"),
    levels: [{ rank: 1, name: "鲜果金卡", basis: "paid", priceCents: 19_900, months: 12 }],
  });
  await office("vip/rights/set", { version: await now("vip/rights"), rights: [{ rank: 1, discount: 95, multiple: 150 }] });
  const always = { storeIds: [], weekdays: [] };
  await office("points/rule", {
    version: await now("points/rule"),
    rule: {
      earn: {
        ...always,
        on: true,
        points: 1,
        perCents: 100,
        storeMultiple: 100,
        weekdayMultiple: 100,
        birthdayMultiple: 100,
        pendingDays: 0,
        dayCap: null,
        onRecharge: false,
      },
      spend: { ...always, on: true, points: 100, cents: 100, stepPoints: 100, leastPoints: 100, mostRate: 50_000, mostCents: null },
      expiry: { kind: "never", months: 12, monthDay: "12-31", yearsBack: 0 },
      graceDays: 30,
      secondAbove: 1_000,
    },
  });
});

test("a member joins at the till, buys a level, recharges, and pays with level, points, stored value and money", async ({
  page,
  context,
}) => {
  before.report = await report(page);
  before.owed = await owed(page);

  const till = await context.newPage();
  await till.goto(`${SIMULATOR_URL}/till`);
  await till.getByLabel("设备").selectOption(tills[HERE]!);
  await till.getByLabel("会员码或手机号").fill(first.phone);
  await till.getByRole("button", { name: "发短信码" }).click();
  await till.getByLabel("短信验证码").fill(await codeTo(first.phone));
  await till.getByRole("button", { name: "入会" }).click();
  await expect(till.getByRole("status")).toHaveText("已入会");
  await named(first.phone, "程晚");

  const level = await atTill<{ codeUrl: string }>(HERE, "vip/orders", {
    tillNo: tillNo(),
    ticket: (await seen(HERE, first.phone)).ticket,
    rank: 1,
    tradeType: "NATIVE",
    wallet: "wechat",
  });
  await simulator("_control/pay", { codeUrl: level.codeUrl });
  await expect.poll(async () => (await seen(HERE, first.phone)).level).toBe("鲜果金卡");
  const recharge = await atTill<{ codeUrl: string; giftCents: number; points: number }>(HERE, "recharges", {
    tillNo: tillNo(),
    ticket: (await seen(HERE, first.phone)).ticket,
    amountCents: 50_000,
    tradeType: "NATIVE",
    wallet: "wechat",
  });
  expect(recharge).toMatchObject({ giftCents: 10_000, points: 1_000 });
  // Nothing is there before it is paid.
  expect(await seen(HERE, first.phone)).toMatchObject({ principalCents: 0, giftCents: 0, points: 0 });
  await simulator("_control/pay", { codeUrl: recharge.codeUrl });
  await expect.poll(() => seen(HERE, first.phone)).toMatchObject({ principalCents: 50_000, giftCents: 10_000, points: 1_000 });
  first.no = (await seen(HERE, first.phone)).memberNo;

  // 213.47; 九五折 takes 10.67 and leaves 202.80; 500 points take 5.00 and leave 197.80; of it 73.00 stored, 5 : 1 of principal and gift.
  await till.getByLabel("金额（元）").fill("213.47");
  await till.getByLabel("用积分").fill("500");
  await till.getByLabel("用储值（元）").fill("73");
  await till.getByRole("button", { name: "报价" }).click();
  await expect(till.getByRole("status")).toHaveText("应付 ¥124.80");
  await expect(till.locator("#steps")).toContainText("储值本金 ¥60.83");
  await expect(till.locator("#steps")).toContainText("储值赠送 ¥12.17");
  await expect(till.locator("#steps")).toContainText("可得积分 278");
  await till.getByRole("button", { name: "填一个微信付款码" }).click();
  await till.getByRole("button", { name: "收款", exact: true }).click();
  await expect(till.getByRole("status")).toHaveText("已收款 ¥124.80");
  first.order = /P\d+/.exec(await till.locator("#orders li small").first().innerText())![0];
  // 124.80 + 60.83 at 1.5 points a yuan.
  await expect(till.locator("#orders li").first()).toContainText("得 278 积分");
  expect(await seen(HERE, first.phone)).toMatchObject({ principalCents: 43_917, giftCents: 8_783, points: 778 });

  // 60.00 of 197.80 goes back at the till: everything is said before.
  const said: string[] = [];
  till.on("dialog", (dialog) => {
    said.push(dialog.message());
    return dialog.accept(dialog.type() === "prompt" ? "60" : undefined);
  });
  await till.getByRole("button", { name: "退款…" }).click();
  await expect(till.getByRole("status")).toHaveText("退款已提交");
  expect(said[1]).toBe("退款 ¥37.86，退回储值本金 ¥18.45，退回赠送 3.69，退回积分 152，扣回积分 85？");
  await expect(till.locator("#orders li").first()).toContainText("已退 ¥37.86", { timeout: 60_000 });
  await expect.poll(() => seen(HERE, first.phone)).toMatchObject({ principalCents: 45_762, giftCents: 9_152, points: 845 });
});

test("the office gives the rest back, and the order's drawer tells every cent of it", async ({ page }) => {
  await page.goto(`/#/dataCentre/payOrder?keyword=${first.order}`);
  await rowOf(page, first.order).getByRole("button", { name: "退款" }).click();
  const form = page.getByRole("dialog", { name: `退款 ${first.order}` });
  const preview = form.getByRole("region", { name: "退款试算" });
  await expect(preview).toContainText("¥86.94");
  const told = await factsOf(preview);
  const line = (label: string): string => Object.entries(told).find(([name]) => name.startsWith(label))![1];
  expect(["顾客收到", "退回储值本金", "退回储值赠送", "手续费退回商户", "商户实际支出"].map((label) => centsIn(line(label)))).toEqual([
    8_694, 4_238, 848, 26, 8_668,
  ]);
  expect([line("退回积分"), line("扣回积分")]).toEqual(["348", "−193"]);
  await form.getByRole("button", { name: "金额有误" }).click();
  await form.getByRole("button", { name: /退款 ¥137\.80$/ }).click();
  await page
    .getByRole("dialog", { name: "提示" })
    .getByRole("button", { name: /¥137\.80/ })
    .click();
  await expect(page.getByRole("dialog", { name: "退款结果" }).getByRole("status")).toContainText("已退款", { timeout: 60_000 });
  // Everything is where it was after the recharge.
  await expect.poll(() => seen(HERE, first.phone)).toMatchObject({ principalCents: 50_000, giftCents: 10_000, points: 1_000 });

  await page.goto("/#/");
  await page.goto(`/#/dataCentre/payOrder?keyword=${first.order}`);
  await rowOf(page, first.order).getByRole("button", { name: "详情" }).click();
  const details = page.getByRole("dialog", { name: `订单 ${first.order}` });
  const facts = await factsOf(details);
  const cents = (label: string): number => centsIn(facts[label]?.split(/\s/)[0]);
  expect(
    ["订单金额", "会员优惠", "积分抵扣", "储值本金", "储值赠送", "实收", "手续费", "可退"].map((label) => [label, cents(label)]),
  ).toEqual([
    ["订单金额", 21_347],
    ["会员优惠", 1_067],
    ["积分抵扣", 500],
    ["储值本金", 6_083],
    ["储值赠送", 1_217],
    ["实收", 12_480],
    ["手续费", 37],
    ["可退", 0],
  ]);
  expect(facts["会员号"]).toContain(first.no);
  const ledger = await details.getByRole("table", { name: "账务分录" }).evaluate((element: HTMLTableElement) => {
    const titles = [...element.tHead!.rows[0]!.cells].map((cell) => cell.innerText.trim());
    return [...element.tBodies[0]!.rows].map((row) =>
      Object.fromEntries([...row.cells].map((cell, at) => [titles[at]!, cell.innerText.trim()])),
    );
  });
  // The money alone: 124.80 came, and went back in two parts.
  expect(
    ledger
      .map((entry) => centsIn(entry["通道待结算"]))
      .filter((one) => one !== 0)
      .toSorted((a, b) => a - b),
  ).toEqual([-12_480, 3_786, 8_694]);
  for (const entry of ledger) expect(centsIn(entry["合计"])).toBe(0);

  await page.goto(`/#/dataCentre/payOrder?keyword=${first.order}`);
  const [row, ...others] = await exported(page, "支付订单");
  expect(others).toEqual([]);
  expect(["订单金额", "优惠", "积分抵扣", "储值支付", "实收", "手续费", "已退款"].map((title) => [title, centsIn(row![title])])).toEqual([
    ["订单金额", 21_347],
    ["优惠", 1_567],
    ["积分抵扣", 500],
    ["储值支付", 7_300],
    ["实收", 12_480],
    ["手续费", 37],
    ["已退款", 12_480],
  ]);
  expect(row!["会员号"]).toBe(first.no);
});

test("half of a recharge is spent at another store, and the rest goes back by law, asked by the shop and decided by its provider", async ({
  page,
  context,
  browser,
}) => {
  // Known at the other store by a code: good for one order there.
  await atTill(THERE, "members/sms", { phone: second.phone });
  const joined = await atTill<Known>(THERE, "members/join", { phone: second.phone, sms: await codeTo(second.phone) });
  second.no = joined.memberNo;
  await named(second.phone, "罗望");

  const till = await context.newPage();
  till.on("dialog", (dialog) => void dialog.accept("200"));
  await till.goto(`${SIMULATOR_URL}/till`);
  await till.getByLabel("设备").selectOption(tills[HERE]!);
  await till.getByLabel("会员码或手机号").fill(second.phone);
  await till.getByRole("button", { name: "识别" }).click();
  await expect(till.locator("#member")).toContainText(second.no);
  await till.getByRole("button", { name: "充值…" }).click();
  await expect(till.getByRole("status")).toHaveText("等待顾客扫码");
  const recharged = /P\d+/.exec(await till.locator("#orders li small").first().innerText())![0];
  const phone = await context.newPage();
  await phone.goto(SIMULATOR_URL);
  await phone.getByRole("listitem").filter({ hasText: recharged }).getByRole("button", { name: "支付" }).click();
  await expect(phone.getByRole("status")).toHaveText("已支付 ¥200.00");
  await expect(till.locator("#orders li").first()).toContainText("已完成");
  await expect.poll(() => seen(HERE, second.phone)).toMatchObject({ principalCents: 20_000, giftCents: 4_000, points: 100 });

  // 121.00 of 240.00, and no money: principal 100.83, gift 20.17.
  const sold = { tillNo: tillNo(), grossCents: 12_100, ticket: joined.ticket };
  const quote = await atTill<{ quote: string; paidCents: number; tenders: object[] }>(THERE, "quotes", {
    ...sold,
    storedValueCents: "most",
  });
  expect(quote.paidCents).toBe(0);
  expect(quote.tenders).toMatchObject([
    { kind: "principal", cents: 10_083 },
    { kind: "gift", cents: 2_017 },
  ]);
  const order = await atTill<{ status: number }>(THERE, "orders", { ...sold, subject: "果篮", quote: quote.quote });
  expect(order.status).toBe(2);

  await page.goto(`/#/dataCentre/cardRecharge?keyword=${second.no}`);
  await rowOf(page, second.no).getByRole("button", { name: "退卡" }).click();
  const form = page.getByRole("dialog", { name: /^退卡/ });
  const reasons = form.getByRole("group", { name: "为什么退" });
  // 200.00 less the principal of 121.00; and less all of it.
  await expect(reasons).toContainText("¥99.17");
  await expect(reasons).toContainText("已消费 121.00 元");
  await reasons.getByRole("radio").nth(2).check();
  await expect(form.getByRole("table", { name: "会发生什么" })).toContainText("−¥79.00");
  // 99.17 of principal is left: 20.17 of it is not paid back. Of the gift 19.83 is left.
  await expect(form.getByRole("row", { name: /^退卡差额/ })).toContainText("20.17");
  await expect(form.getByRole("row", { name: /^赠送作废/ })).toContainText("19.83");
  await form.getByLabel("原因说明").fill("顾客搬家");
  await clean(page, "退卡", ".drawer");
  await form.getByRole("button", { name: "申请退卡 ¥79.00" }).click();
  await expect(page.getByText("已提交退卡，等另一人审核")).toBeVisible();
  // Held at once: nothing shrinks while somebody decides.
  expect(await seen(HERE, second.phone)).toMatchObject({ principalCents: 0, giftCents: 0 });

  await page.goto("/#/");
  await page.goto(`/#/dataCentre/cardRecharge?view=refunds&keyword=${second.no}`);
  await page.getByRole("button", { name: second.no, exact: true }).click();
  await expect(page.getByRole("dialog", { name: "退卡详情" })).toContainText("79.00");
  await expect(page.getByRole("dialog", { name: "退卡详情" }).getByRole("button", { name: /^通过/ })).toHaveCount(0);

  const context2 = await browser.newContext({ locale: "zh-CN", storageState: signedIn(await sharedToken("sp01")) });
  const other = await context2.newPage();
  await other.goto(`/#/dataCentre/cardRecharge?view=refunds&keyword=${second.no}`);
  await other.getByRole("button", { name: second.no, exact: true }).click();
  const decide = other.getByRole("dialog", { name: "退卡详情" });
  await decide.getByRole("button", { name: "通过 ¥79.00" }).click();
  await other.locator("dialog.ask").getByRole("button", { name: "通过 ¥79.00" }).click();
  await expect(other.getByText("已通过").first()).toBeVisible();
  await context2.close();
  await expect
    .poll(async () => (await office<{ items: { status: number }[] }>(`stored-value/card-refunds?keyword=${second.no}`)).items[0]?.status, {
      timeout: 60_000,
    })
    .toBe(2);
});

test("the ledgers of stored value, what is owed, the day's report and the file say the same cents", async ({ page }) => {
  const shown = (label: string) => page.locator(".view:visible").getByRole("table", { name: label });
  await page.goto(`/#/dataCentre/cardRecharge?keyword=${first.no}`);
  await expect.poll(() => totalsOf(page)).toMatchObject({ count: 1, 本金: 50_000, 已退卡: 0 });
  expect(await cellsOf(shown("储值充值"), first.no)).toMatchObject({
    "本金（元）": "500.00",
    "赠送（元）": "100.00",
    剩余本金: "500.00",
    剩余赠送: "100.00",
  });
  await page.goto(`/#/dataCentre/cardRecharge?keyword=${second.no}`);
  await expect.poll(() => totalsOf(page)).toMatchObject({ count: 1, 本金: 20_000, 已退卡: 7_900 });

  await page.goto(`/#/dataCentre/cardConsumption?view=moves&report=consumption&keyword=${first.no}`);
  await expect.poll(() => totalsOf(page)).toMatchObject({ count: 3, 本金变动: 0 });
  const moves = await exported(page, "储值消费");
  expect(moves.map((row) => [centsIn(row["本金变动"]), centsIn(row["赠送变动"])]).toSorted(([a = 0], [b = 0]) => a - b)).toEqual([
    [-6_083, -1_217],
    [1_845, 369],
    [4_238, 848],
  ]);
  await page.goto(`/#/dataCentre/cardConsumption?view=moves&report=consumption&keyword=${second.no}`);
  await expect.poll(() => totalsOf(page)).toMatchObject({ count: 1, 本金变动: -10_083 });

  await page.goto(`/#/dataCentre/cardConsumption?from=${TODAY}&to=${TODAY}`);
  expect(await cellsOf(shown("门店消费汇总"), THERE)).toMatchObject({
    售卡门店: HERE,
    "本金（元）": "100.83",
    "赠送（元，不可退）": "20.17",
    笔数: "1",
  });

  // 500.00 and 200.00 came; 100.83 was spent, 99.17 held for the card refund is gone.
  await expect.poll(() => owed(page)).toBe(before.owed + 50_000);
  expect(await cellsOf(page.getByRole("table", { name: "跨店对账" }), HERE)).toMatchObject({
    欠款门店: HERE,
    应收门店: THERE,
    "本金（元）": "100.83",
  });

  await expect(async () => {
    const now = await report(page);
    const by = (store: string, titles: readonly string[]) => Object.fromEntries(titles.map((title) => [title, grown(now, store, title)]));
    // Both recharges, the level and the order; what went back of the order and by the card refund.
    const here = { 支付笔数: 4, 订单金额: 111_247, 优惠金额: 1_567, 实收金额: 102_380, 退款金额: 20_380, 手续费: 307, 净收入: 81_754 };
    expect(by(HERE, Object.keys(here))).toEqual(here);
    // Stored value alone: turnover, and no money.
    const there = { 支付笔数: 1, 订单金额: 12_100, 优惠金额: 0, 实收金额: 0, 退款金额: 0, 手续费: 0, 净收入: 0 };
    expect(by(THERE, Object.keys(there))).toEqual(there);
  }).toPass({ timeout: 60_000 });
});
