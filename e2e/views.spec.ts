import type { Page } from "@playwright/test";
import { expect, sharedToken, signedIn, test } from "./journey.ts";
import { anotherToken } from "./office.ts";
import { api } from "./world.ts";

const rowsStand = (page: Page) => expect(page.locator(".rows:visible")).toHaveAttribute("aria-busy", "false");
const button = (page: Page) => page.locator(".view:visible .screen-title > button");
const panel = (page: Page) => page.locator(".views:popover-open");
/** That the list of refunds asks for those of a status; the counts of the views that come with the list have others. */
const asked = (page: Page, status: string) =>
  page.waitForRequest((request) => {
    const { pathname, searchParams } = new URL(request.url());
    return pathname === "/api/orders/refunds" && request.method() === "GET" && searchParams.get("status") === status;
  });

test("a view keeps filter and order, opens by one press, says what was changed, is shared, sent each morning and deleted", async ({
  browser,
}) => {
  const name = `退款 ${Date.now() % 100_000}`;
  // Somebody of mch01: what the screen begins with is nobody else's.
  const token = await anotherToken([
    "/dataCentre/payRefund",
    "/dataCentre/payRefund/export",
    "/dataCentre/exports",
    "/dataCentre/exports/shareView",
  ]);
  const context = await browser.newContext({ storageState: signedIn(token) });
  const page = await context.newPage();
  await page.goto("/#/dataCentre/payRefund");
  await rowsStand(page);
  await page.getByRole("button", { name: "昨天" }).click();
  await page.getByRole("group", { name: "按状态查看" }).getByRole("button", { name: "已退款" }).click();
  await rowsStand(page);
  await button(page).click();
  await panel(page).getByRole("button", { name: "把当前列表存为视图" }).click();
  await panel(page).getByLabel("视图名称").fill(name);
  await expect(panel(page).getByLabel("每次打开都是昨天")).toBeChecked();
  await panel(page).getByLabel("共享给本机构的同事").check();
  await panel(page).getByRole("button", { name: "保存视图" }).click();
  await expect(button(page)).toHaveText(name);
  const saved = page.url();

  // Another filter leaves it, and it says so; it is brought back, or written over.
  await page.getByRole("group", { name: "按状态查看" }).getByRole("button", { name: "全部" }).click();
  await rowsStand(page);
  await expect(button(page)).toContainText("已修改");
  await button(page).click();
  await panel(page).getByRole("button", { name: "恢复" }).click();
  await expect(page).toHaveURL(saved);
  await expect(button(page)).toHaveText(name);

  // A colleague sees it, with what they may see; another merchant does not.
  const colleague = await browser.newContext({ storageState: signedIn(await sharedToken("emp01")) });
  const theirs = await colleague.newPage();
  await theirs.goto("/#/dataCentre/payRefund");
  await rowsStand(theirs);
  await button(theirs).click();
  const request = asked(theirs, "2");
  await panel(theirs).getByRole("button", { name, exact: true }).click();
  await request;
  await expect(button(theirs)).toHaveText(name);
  await colleague.close();
  const strangers = await api<{ items: { name: string }[] }>(await sharedToken("mch02"), "GET", "/api/views");
  expect(strangers.data.items.filter((view) => view.name === name)).toEqual([]);

  // It is what the screen begins with, until it is not.
  await button(page).click();
  await panel(page)
    .getByRole("button", { name: `管理视图 ${name}` })
    .click();
  await panel(page).getByRole("button", { name: "设为默认", exact: true }).click();
  await panel(page).getByLabel("每天 8:00").click();
  await expect(panel(page).getByLabel("每天 8:00")).toBeChecked();
  await expect(page.getByText("在「导出记录」下载")).toBeVisible();
  const mine = (await api<{ items: { id: string; name: string; subscription: string | null }[] }>(token, "GET", "/api/views")).data.items;
  expect(mine.find((view) => view.name === name)?.subscription).toBe("day");
  await page.keyboard.press("Escape");
  const fresh = await context.newPage();
  await fresh.goto("/#/dataCentre/payRefund");
  await expect(button(fresh)).toHaveText(name);
  await button(fresh).click();
  await panel(fresh)
    .getByRole("button", { name: `管理视图 ${name}` })
    .click();
  await panel(fresh).getByRole("button", { name: "删除" }).click();
  await fresh.getByRole("button", { name: "删除", exact: true }).last().click();
  await expect(button(fresh)).toHaveText("视图");
  await context.close();
});
