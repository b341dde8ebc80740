import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { clean } from "./a11y/look.ts";
import { expect, sharedToken, signedIn, test } from "./journey.ts";
import { api, BASE_URL } from "./world.ts";

// A store's day that somebody still has to look at, closed by two, on paper, on a phone, and in both themes.
test.use({ login: "mch01" });

interface Difference {
  readonly id: string;
  readonly day: string;
  readonly storeName: string | null;
  readonly class: string;
}
const daysAgo = (days: number): string => addDays(shanghaiDay(Date.now()), -days);
const call = async <T>(login: string, verb: string, path: string, body?: object): Promise<T> => {
  const { status, data } = await api<T>(await sharedToken(login), verb, path, body);
  expect(status).toBe(200);
  return data;
};
/** Of some days: midnight may have come since the world was made. */
const open = async (): Promise<Difference[]> =>
  (
    await call<{ items: Difference[] }>(
      "mch01",
      "GET",
      `/api/reconciliation/differences?pageSize=100&status=open&from=${daysAgo(3)}&to=${daysAgo(2)}`,
    )
  ).items;
const storesOn = (login: string, on: string) =>
  call<{ items: { id: string; storeName: string }[] }>(login, "GET", `/api/reconciliation/store-days?day=${on}&pageSize=100`);

test("what hinders is dealt with, one proposes, another confirms, and the day never changes", async ({ page, browser }) => {
  test.setTimeout(240_000);
  // A payment that the channel of the demo world knows with another amount (apps/demo/orders/bills.ts).
  const hindering = (await open()).find((one) => one.class === "amount" && one.storeName !== null)!;
  const [day, storeName] = [hindering.day, hindering.storeName!];
  const { id: storeId } = (await storesOn("mch01", day)).items.find((one) => one.storeName === storeName)!;
  await page.goto(`/#/reconciliation/bill?view=stores&day=${day}`);
  await expect(page.locator(".rows:visible")).toHaveAttribute("aria-busy", "false");
  await clean(page, "the stores of a day");
  await page.getByRole("button", { name: storeName, exact: true }).click();

  const view = page.locator(".view:visible");
  await expect(view.getByText(/条差异没有处理/).first()).toBeVisible();
  await expect(view.getByRole("link", { name: "去处理" }).first()).toBeVisible();
  await expect(view.getByRole("button", { name: "提交关账" })).toBeDisabled();
  await clean(page, "a day with what hinders it");

  const ids = (await open()).filter((one) => one.day === day && one.storeName === storeName).map((one) => one.id);
  await call("mch01", "POST", "/api/reconciliation/differences/write-off", {
    requestId: crypto.randomUUID(),
    ids,
    reason: "通道多记，已联系通道更正",
  });
  await call("sp01", "POST", "/api/reconciliation/differences/decide", { requestId: crypto.randomUUID(), ids, approve: true });

  await page.reload();
  await view.getByRole("button", { name: "提交关账" }).click();
  const question = page.locator("dialog.ask");
  await expect(question).toContainText(`${storeName} ${day}：合计 ¥`);
  await question.getByRole("button", { name: "提交关账" }).click();
  await expect(view.getByText("提交的人不能自己确认")).toBeVisible();
  await expect(view.getByRole("button", { name: "确认关账" })).toHaveCount(0);

  // The link is the same for whoever confirms it.
  const other = await browser.newPage({ storageState: signedIn(await sharedToken("sp01")), baseURL: BASE_URL });
  await other.goto(`/#/reconciliation/bill?view=stores&storeId=${storeId}&day=${day}`);
  await other.getByRole("button", { name: "确认关账" }).click();
  await other
    .locator("dialog.ask")
    .getByRole("button", { name: `关账 ${day}` })
    .click();
  await expect(other.locator(".view:visible").getByRole("button", { name: "撤回" })).toHaveCount(0);
  await other.close();

  await page.reload();
  await expect(view.getByRole("heading", { name: "已关账" })).toBeVisible();
  await clean(page, "a closed day");

  // What it was signed over stays, each closing on its own sheet, and what changed since has a place of its own.
  const parts = view.getByRole("group", { name: "这一天的" });
  await parts.getByRole("button", { name: "历次关账 1" }).click();
  await expect(view.getByRole("button", { name: "打印日结单" })).toHaveCount(1);
  await clean(page, "the closings of a day");
  await parts.getByRole("button", { name: /^关账后变动/ }).click();
  await expect(parts.getByRole("button", { name: /^关账后变动/ })).toHaveAttribute("aria-pressed", "true");
  await clean(page, "what changed after a close");
  await parts.getByRole("button", { name: "日结" }).click();

  // Each figure opens its rows.
  await view
    .getByRole("table", { name: `${storeName} ${day} 各来源` })
    .getByRole("link")
    .first()
    .click();
  await expect(page).toHaveURL(/dateOf=paid.*storeId=/);
  await page.goBack();

  // The arrow keys go from day to day.
  await expect(view.getByRole("heading", { name: "已关账" })).toBeVisible();
  await page.keyboard.press("ArrowLeft");
  await expect(page).toHaveURL(new RegExp(`day=${addDays(day, -1)}`));
  await page.keyboard.press("ArrowRight");
  await expect(page).toHaveURL(new RegExp(`day=${day}`));

  // On one sheet of A4, black on white, with room for two signatures.
  await expect(view.getByRole("heading", { name: "已关账" })).toBeVisible();
  await page.evaluate(() => (window.print = () => undefined));
  await page.keyboard.press("p");
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  const paper = page.locator(".print-sheet");
  await expect(paper).toContainText("门店日结单");
  for (const words of [storeName, day, "已关账", "当天合计", "经手人：", "复核人：", "打印时间"]) await expect(paper).toContainText(words);
  await expect(page.locator("#root")).toBeHidden();
  expect(await paper.locator("article").evaluate((element) => getComputedStyle(element).color)).toBe("rgb(0, 0, 0)");
  expect((await page.pdf({ preferCSSPageSize: true })).toString("latin1").match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  await page.emulateMedia({ media: "screen", colorScheme: "light" });
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));

  // On a phone nothing is pushed sideways.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(view.getByText("当天合计").first()).toBeVisible();
  expect(await view.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
  await clean(page, "a closed day on a phone");
});

test.describe("a store's own people", () => {
  test.use({ login: "emp01" });
  test("see its days alone, from 门店收款, and closed ones as they were", async ({ page }) => {
    await page.goto("/#/dataCentre/storeOrder");
    await page.getByRole("link", { name: "门店日" }).first().click();
    const view = page.locator(".view:visible");
    await expect(view.getByRole("heading", { name: "门店日", level: 1 })).toBeVisible();
    await expect(page).toHaveURL(/view=stores&storeId=/);
    await expect(view.getByRole("button", { name: "按日" })).toHaveCount(0);
    const closed = daysAgo(7);
    const [store] = (await storesOn("emp01", closed)).items;
    await page.goto(`/#/reconciliation/bill?view=stores&storeId=${store!.id}&day=${closed}`);
    await expect(view.getByRole("heading", { name: "已关账" })).toBeVisible();
    await expect(view.getByText("提交人")).toBeVisible();
  });
});
