import { readFileSync } from "node:fs";
import type { Browser, Locator, Page } from "@playwright/test";
import { readCsv, readXlsx } from "@zhangfang/server/testing-tables.ts";
import { expect, sharedToken, signedIn, test } from "./journey.ts";
import { centsIn, factsOf, rowOf, totalsOf } from "./read-screen.ts";
import { api, sell, SIMULATOR_URL } from "./world.ts";

// What a new user would try: sell at the till, pay on the phone, watch it arrive, refund a part, and find the same cents everywhere.
test.describe.configure({ mode: "serial" });
test.use({ login: "mch01" });

const PAID = 12_800;
const REFUND = 2_850;
const TILL = "ZF-01-1";
let orderNo = "";

/** What the strip of the overview says of today. */
async function today(page: Page): Promise<{ paid: number; count: number; refunded: number }> {
  const facts = await factsOf(page.getByRole("region", { name: "今日实时" }));
  return { paid: centsIn(facts["实收（元）"]), count: Number(facts["笔数"]?.replaceAll(",", "")), refunded: centsIn(facts["退款（元）"]) };
}
/** Opens the overview and waits until it knows today. */
async function openOverview(page: Page): Promise<void> {
  await page.goto("/#/");
  await expect(page.getByRole("region", { name: "今日实时" })).toHaveAttribute("aria-busy", "false");
}

test("a payment at the till shows up in the list and on the overview by itself", async ({ page, context }) => {
  await openOverview(page);
  const before = await today(page);
  const list = await context.newPage();
  await list.clock.install();
  await list.goto("/#/dataCentre/payOrder");
  await expect(list.getByRole("table", { name: "支付订单" })).toBeVisible();

  const till = await context.newPage();
  await till.goto(`${SIMULATOR_URL}/till`);
  await till.getByLabel("设备").selectOption(TILL);
  await till.getByLabel("金额（元）").fill("128.00");
  await till.getByLabel("商品说明").fill("午市套餐");
  await till.getByRole("button", { name: "收款", exact: true }).click();
  await expect(till.getByRole("status")).toHaveText("等待顾客扫码");
  orderNo = /P\d+/.exec(await till.locator("#orders li small").first().innerText())![0];

  const phone = await context.newPage();
  await phone.goto(SIMULATOR_URL);
  await phone.getByRole("listitem").filter({ hasText: orderNo }).getByRole("button", { name: "支付" }).click();
  await expect(phone.getByRole("status")).toHaveText("已支付 ¥128.00");
  await expect(till.locator("#orders li").first()).toContainText("已完成");

  await till.getByRole("button", { name: "填一个微信付款码" }).click();
  await till.getByLabel("金额（元）").fill("66.60");
  await till.getByRole("button", { name: "收款", exact: true }).click();
  await expect(till.getByRole("status")).toHaveText("已收款 ¥66.60");

  // The list asks every fifteen seconds; nobody here has to wait for them.
  await list.clock.fastForward(16_000);
  await list.getByRole("button", { name: "有 2 笔新数据" }).click();
  await expect(rowOf(list, orderNo)).toContainText("128.00");
  await expect(rowOf(list, orderNo)).toContainText("已完成");
  await expect(list.getByRole("table", { name: "支付订单" }).getByRole("row").nth(1)).toContainText("66.60");

  await expect.poll(() => today(page)).toEqual({ ...before, paid: before.paid + PAID + 6_660, count: before.count + 2 });
});

test("a part of it goes back by keyboard alone, once, however often it is sent", async ({ page }) => {
  await openOverview(page);
  const before = await today(page);
  const { keyboard } = page;
  await keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: /搜索/ })).toBeFocused();
  await keyboard.insertText(orderNo);
  await expect(page.getByRole("option", { name: new RegExp(orderNo) })).toBeVisible();
  await keyboard.press("Enter");
  await expect(
    page
      .getByRole("dialog", { name: `订单 ${orderNo}` })
      .getByText("¥128.00")
      .first(),
  ).toBeVisible();
  await keyboard.press("r");
  const form = page.getByRole("dialog", { name: `退款 ${orderNo}` });
  const amount = form.getByLabel("退款金额");
  await expect(amount).toBeFocused();

  // More than was paid is refused at the field, before anything is sent.
  await keyboard.type("128.01");
  await expect(form.getByText("最多可退 ¥128.00")).toBeVisible();
  await keyboard.press("Tab");
  await keyboard.type("菜品退回");
  await keyboard.press("Control+Enter");
  await expect(amount).toBeFocused();
  await expect(page.getByRole("dialog", { name: "提示" })).toBeHidden();

  await keyboard.press("Control+a");
  await keyboard.type("28.50");
  await expect(form.getByRole("button", { name: "确认退款 ¥28.50" })).toBeVisible();
  await expect(form.getByRole("region", { name: "退款试算" })).toContainText("¥28.50");
  await keyboard.press("Control+Enter");
  await keyboard.press("Control+Enter");
  const question = page.getByRole("dialog", { name: "提示" });
  await expect(question).toContainText(orderNo);
  await expect(question).toContainText("¥28.50");
  await expect(question.getByRole("button", { name: "确认退款 ¥28.50" })).toBeFocused();
  await keyboard.press("Enter");
  await keyboard.press("Enter");

  const result = page.getByRole("dialog", { name: "退款结果" });
  await expect(result.getByRole("status")).toContainText("已退款");
  await keyboard.press("Escape");
  // Behind it the order knows by itself, and so does the overview.
  const details = page.getByRole("dialog", { name: `订单 ${orderNo}` });
  await expect(details.getByText("部分退款")).toBeVisible();
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest("[role=dialog]") !== null)).toBe(true);
  const token = await sharedToken("mch01");
  const { items } = (await api<{ items: { amountCents: number }[] }>(token, "GET", `/api/orders/refunds?keyword=${orderNo}`)).data;
  expect(items.map((refund) => refund.amountCents)).toEqual([REFUND]);
  await keyboard.press("Escape");
  await expect(details).toBeHidden();
  await expect(rowOf(page, orderNo)).toContainText("28.50");
  await openOverview(page);
  await expect.poll(() => today(page)).toEqual({ ...before, refunded: before.refunded + REFUND });
});

test("the order's details, its ledger, the refunds and the sums say the same cents", async ({ page }) => {
  await page.goto(`/#/dataCentre/payOrder?keyword=${orderNo}`);
  await expect.poll(() => totalsOf(page)).toMatchObject({ 实收: PAID, 退款: REFUND });
  const totals = await totalsOf(page);
  await rowOf(page, orderNo).getByRole("button", { name: "详情" }).click();
  const details = page.getByRole("dialog", { name: `订单 ${orderNo}` });
  const facts = await factsOf(details);
  expect([facts["实收"], facts["已退款"], facts["可退"]].map(centsIn)).toEqual([PAID, REFUND, PAID - REFUND]);
  const fee = centsIn(facts["手续费"]?.split(" ")[0]);
  expect(totals["手续费"]).toBe(fee);

  const ledger = await tableOf(details.getByRole("table", { name: "账务分录" }));
  const accounts = Object.keys(ledger[0]!).filter((title) => !["时间", "事项", "合计"].includes(title));
  expect(ledger.length).toBeGreaterThanOrEqual(2);
  for (const entry of ledger) {
    expect(centsIn(entry["合计"])).toBe(0);
    expect(accounts.reduce((sum, account) => sum + centsIn(entry[account]), 0)).toBe(0);
  }
  // What the customer's side gave and got back, whatever the other accounts are called.
  const moved = accounts.map((account) => ledger.reduce((sum, entry) => sum + centsIn(entry[account]), 0));
  expect(moved.map(Math.abs)).toContain(PAID - REFUND);

  const refund = details.getByRole("table", { name: "本单退款" }).getByRole("row").nth(1);
  await expect(refund).toContainText("28.50");
  await expect(refund).toContainText("已退款");
  await refund.getByRole("link").click();
  await expect(page).toHaveURL(/payRefund\?id=/);
  await expect(page.getByRole("dialog").getByText("¥28.50").first()).toBeVisible();
  await page.goto(`/#/dataCentre/payRefund?keyword=${orderNo}`);
  await expect.poll(() => totalsOf(page)).toMatchObject({ "已退 1 笔": REFUND, 申请: REFUND });
});

for (const format of ["xlsx", "csv"] as const)
  test(`the ${format} that is exported adds up to the list's own totals, with every number as it was`, async ({ page }) => {
    await page.goto("/#/dataCentre/payOrder");
    await expect(rowOf(page, orderNo)).toBeVisible();
    const totals = await totalsOf(page);
    await page.keyboard.press("e");
    const dialog = page.getByRole("dialog", { name: "导出支付订单" });
    await dialog.getByLabel(new RegExp(`\\.${format}`)).check();
    await dialog.getByLabel("全部列").check();
    await dialog.getByRole("button", { name: "开始导出" }).click();
    await page.getByRole("button", { name: "查看导出记录" }).click();
    const file = page
      .getByRole("table", { name: "导出记录" })
      .getByRole("row")
      .filter({ hasText: `.${format}` })
      .first();
    await expect(file).toContainText("可下载");
    const downloading = page.waitForEvent("download");
    await file.getByRole("button", { name: /下载/ }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(new RegExp(`^支付订单.*\\.${format}$`));
    const rows = readExport(await download.path(), format);
    expect(rows.length).toBe(totals["count"]);
    const sum = (title: string): number => rows.reduce((all, row) => all + centsIn(row[title]), 0);
    expect({ 实收: sum("实收"), 退款: sum("已退款"), 手续费: sum("手续费"), 优惠: sum("优惠") }).toEqual({
      实收: totals["实收"],
      退款: totals["退款"],
      手续费: totals["手续费"],
      优惠: totals["优惠"],
    });
    const mine = rows.find((row) => row["订单号"] === orderNo)!;
    expect([mine["实收"], mine["已退款"]].map(centsIn)).toEqual([PAID, REFUND]);
    // Numbers of thirty digits are words: nothing made 4.2E+31 of them.
    for (const row of rows) expect(row["通道单号"] ?? "").toMatch(/^(\d{20,32})?$/);
  });

test("above the limit one asks and another decides", async ({ page, browser }) => {
  const clerk = await openAs(browser, "emp01");
  await clerk.clock.install();
  const approved = await sell(80_000, "包间消费", TILL);
  const rejected = await sell(90_000, "宴席定金", TILL);
  const asked: string[] = [];
  for (const [order, cents] of [
    [approved, "600.00"],
    [rejected, "900.00"],
  ] as const) {
    await clerk.goto(`/#/dataCentre/payOrder?keyword=${order.orderNo}`);
    await rowOf(clerk, order.orderNo).getByRole("button", { name: "退款" }).click();
    const form = clerk.getByRole("dialog", { name: `退款 ${order.orderNo}` });
    await form.getByLabel("退款金额").fill(cents);
    await form.getByRole("button", { name: "重复付款" }).click();
    await expect(form.getByText("等待审批，通过后才会退款")).toBeVisible();
    await form.getByRole("button", { name: `申请退款 ¥${cents}` }).click();
    await clerk.getByRole("dialog", { name: "提示" }).getByRole("button", { name: /¥/ }).click();
    const result = clerk.getByRole("dialog", { name: "退款结果" });
    await expect(result.getByRole("status")).toContainText("待审批");
    asked.push((await factsOf(result))["退款单号"]!);
    await clerk.getByRole("button", { name: "完成", exact: true }).click();
  }
  // Nobody decides what they asked for themselves.
  await clerk.goto("/#/dataCentre/refund");
  await expect(clerk.getByRole("table", { name: "退款申请" })).toBeVisible();
  await expect(clerk.getByRole("table", { name: "退款申请" }).getByRole("button", { name: "审批" })).toHaveCount(0);

  // Meanwhile the clerk looks at the order.
  await clerk.goto(`/#/dataCentre/payOrder?keyword=${rejected.orderNo}`);
  await expect(rowOf(clerk, rejected.orderNo)).toContainText("退款中 ¥900.00");

  const decide = async (refundNo: string, what: string): Promise<Locator> => {
    await page.goto(`/#/dataCentre/refund?keyword=${refundNo}`);
    await rowOf(page, refundNo).getByRole("button", { name: "审批" }).click();
    const drawer = page.getByRole("dialog", { name: `退款审批 ${refundNo}` });
    await drawer.getByLabel(what).check();
    return drawer;
  };
  await (await decide(asked[0]!, "通过，立即退款")).getByRole("button", { name: "通过并退款 ¥600.00" }).click();
  await page.getByRole("dialog", { name: "提示" }).getByRole("button", { name: "通过并退款 ¥600.00" }).click();
  await expect(page.getByText("已提交审批结果")).toBeVisible();

  const no = await decide(asked[1]!, "驳回");
  await no.getByRole("button", { name: "驳回退款 ¥900.00" }).click();
  await expect(no.getByText("请填写驳回原因")).toBeVisible();
  await no.getByLabel("驳回原因").fill("监控显示已用餐");
  await no.getByRole("button", { name: "驳回退款 ¥900.00" }).click();
  await expect(no).toBeHidden();

  // What was turned down may be asked for again, as the row says by itself.
  await clerk.clock.fastForward(16_000);
  await expect(rowOf(clerk, rejected.orderNo)).not.toContainText("退款中");
  await expect(rowOf(clerk, rejected.orderNo).getByRole("button", { name: "退款" })).toBeVisible();
  await clerk.goto(`/#/dataCentre/payRefund?keyword=${approved.orderNo}`);
  await expect(rowOf(clerk, approved.orderNo)).toContainText("600.00");
  await expect.poll(() => totalsOf(clerk)).toMatchObject({ 申请: 60_000 });
  // It has gone out before the next shift is counted.
  await expect(async () => {
    await clerk.getByRole("button", { name: "刷新" }).first().click();
    await expect(rowOf(clerk, approved.orderNo)).toContainText("已退款", { timeout: 1_000 });
  }).toPass({ timeout: 90_000 });
  await clerk.goto(`/#/dataCentre/payRefund?keyword=${rejected.orderNo}`);
  await expect(rowOf(clerk, rejected.orderNo)).toContainText("已驳回");
  await rowOf(clerk, rejected.orderNo).click();
  await expect(clerk.getByRole("dialog")).toContainText("监控显示已用餐");
  await clerk.context().close();
});

test("a shift counts what was sold, is handed over, and prints", async ({ browser }) => {
  const clerk = await openAs(browser, "emp01");
  const net = async (): Promise<number> => {
    await expect(clerk.getByText("净收款（元）").first()).toBeVisible();
    return centsIn(await clerk.locator(".stat").filter({ hasText: "净收款（元）" }).locator(".stat-value").innerText());
  };
  await clerk.goto("/#/dataCentre/storeOrder");
  const before = await net();
  await sell(4_321, "夜宵", TILL);
  await clerk.getByRole("region", { name: "门店收款" }).or(clerk.locator(".store-takings")).getByRole("button", { name: "刷新" }).click();
  await expect.poll(net).toBe(before + 4_321);
  await clerk.getByRole("button", { name: "交班", exact: true }).click();
  const form = clerk.getByRole("dialog", { name: /^交班 春熙路店/ });
  await form.getByLabel(/交接说明/).fill("备用金五百元在抽屉");
  await form.getByRole("button", { name: /^确认交班 ¥/ }).click();

  const sheet = clerk.getByRole("dialog", { name: "打印交班单" });
  const article = sheet.getByRole("article");
  await expect(article).toContainText("春熙路店");
  await expect(article).toContainText("备用金五百元在抽屉");
  const cells = article.locator("tfoot td");
  expect(centsIn(await cells.nth(-2).innerText())).toBe(before + 4_321);
  await sheet.getByLabel("80 毫米小票").check();
  await expect(article.locator(".receipt-figures .sum dd").last()).toContainText(/\d/);
  expect(centsIn(await article.locator(".receipt-figures .sum dd").last().innerText())).toBe(before + 4_321);
  expect(await cutOn(article)).toEqual([]);
  await sheet.getByLabel("58 毫米小票").check();
  await expect(sheet.locator(".paper-roll58")).toBeVisible();
  expect(await cutOn(article)).toEqual([]);
  await sheet.getByLabel("A4 纸").check();
  await printed(clerk, () => sheet.getByRole("button", { name: "打印" }).click());
  await sheet.getByRole("button", { name: "关闭" }).last().click();

  await expect(clerk.getByText("上次交班以来还没有收款")).toBeVisible();
  await expect(clerk.getByRole("button", { name: "交班", exact: true })).toBeDisabled();
  const past = clerk.getByRole("table", { name: "交班记录" }).getByRole("row").nth(1);
  expect(centsIn((await past.getByRole("cell").nth(3).innerText()).trim())).toBe(before + 4_321);
  await clerk.context().close();
});

/** Presses print and looks at what the printer gets: the sheet, and nothing of the page around it. */
async function printed(page: Page, press: () => Promise<void>): Promise<void> {
  await page.evaluate(() => {
    window.print = () => document.documentElement.setAttribute("data-printed", document.querySelector(".print-sheet")?.textContent ?? "");
  });
  await press();
  await expect(page.locator("html")).toHaveAttribute("data-printed", /交班单.*合计/s);
  await page.emulateMedia({ media: "print" });
  await expect(page.locator(".print-sheet")).toBeVisible();
  await expect(page.locator("#root")).toBeHidden();
  expect(await cutOn(page.locator(".print-sheet"))).toEqual([]);
  await page.emulateMedia({ media: "screen" });
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await expect(page.locator(".print-sheet")).toHaveCount(0);
}

/** What of a paper is cut, stands beside it, or is an amount that is not at the right, with nearly ten million in each; A4 at the width between its margins. */
function cutOn(paper: Locator): Promise<string[]> {
  return paper.evaluate((sheet: HTMLElement) => {
    const amounts = [...sheet.querySelectorAll("span.num")].filter((part) => /\.\d\d$/.test(part.textContent));
    if (amounts.length === 0) return ["no amount"];
    for (const amount of amounts) amount.textContent = "9,999,999.99";
    if (sheet.matches(".print-a4")) sheet.style.width = "182mm";
    const { right } = sheet.getBoundingClientRect();
    return [...sheet.querySelectorAll("*")]
      .filter(
        (part) =>
          part.getBoundingClientRect().right > right + 1 ||
          part.scrollWidth > part.clientWidth + (part.clientWidth > 0 ? 1 : 1e6) ||
          (part.matches("td.at-right, dd") && getComputedStyle(part).textAlign !== "right"),
      )
      .map((part) => part.textContent);
  });
}

async function openAs(browser: Browser, login: string): Promise<Page> {
  const context = await browser.newContext({ storageState: signedIn(await sharedToken(login)) });
  return context.newPage();
}

/** A table as the eye reads it: one record for each row, by the titles of its columns. */
async function tableOf(table: Locator): Promise<Record<string, string>[]> {
  await expect(table).toBeVisible();
  return table.evaluate((element: HTMLTableElement) => {
    const titles = [...element.tHead!.rows[0]!.cells].map((cell) => cell.innerText.trim());
    return [...element.tBodies[0]!.rows].map((row) =>
      Object.fromEntries([...row.cells].map((cell, at) => [titles[at] ?? "", cell.innerText.trim()])),
    );
  });
}

/** The rows of an exported file by the titles of its columns; numbers as they stand in it. */
function readExport(path: string, format: "xlsx" | "csv"): Record<string, string>[] {
  const file = readFileSync(path);
  const [titles, ...rows] =
    format === "csv"
      ? readCsv(file).map((row) => row.map((cell) => cell.text))
      : readXlsx(file)[0]!.rows.map((row) =>
          Array.from(row, (cell) => (cell === undefined ? "" : "text" in cell ? cell.text : cell.number)),
        );
  return rows.map((row) => Object.fromEntries(row.map((cell, at) => [titles![at]!, cell])));
}
