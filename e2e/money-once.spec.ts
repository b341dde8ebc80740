import type { Locator, Page, Route } from "@playwright/test";
import { expect, sharedToken, shortWaits, test } from "./journey.ts";
import { rowOf } from "./read-screen.ts";
import { api, sell } from "./world.ts";

// Whatever is lost or pressed again between a person and a refund: one refund, and the truth on the screen.
test.use({ login: "mch01" });

const REFUNDS = "**/api/orders/refunds?*";
const formOf = (page: Page, orderNo: string): Locator => page.getByRole("dialog", { name: `退款 ${orderNo}` });
const askIn = (page: Page): Locator => page.getByRole("dialog", { name: "提示" }).getByRole("button", { name: "确认退款 ¥0.01" });

async function openForm(page: Page, orderNo: string): Promise<Locator> {
  await rowOf(page, orderNo).getByRole("button", { name: "退款", exact: true }).click();
  const form = formOf(page, orderNo);
  await form.getByLabel("退款金额").fill("0.01");
  await form.getByRole("button", { name: "金额有误" }).click();
  return form;
}
async function send(page: Page, orderNo: string): Promise<void> {
  await formOf(page, orderNo).getByRole("button", { name: "确认退款 ¥0.01" }).click();
  await askIn(page).click();
}
async function sold(page: Page): Promise<string> {
  const { orderNo } = await sell(5_000);
  await page.goto(`/#/dataCentre/payOrder?keyword=${orderNo}`);
  await expect(rowOf(page, orderNo)).toBeVisible();
  return orderNo;
}
/** The first refund reaches the server; its answer does not come back. */
async function loseFirstAnswer(page: Page): Promise<void> {
  let sent = 0;
  await page.route(REFUNDS, async (route: Route) => {
    if (route.request().method() !== "POST" || sent++ > 0) return route.fallback();
    await route.fetch();
    await route.abort();
  });
}
async function refundsOf(orderNo: string): Promise<number[]> {
  const { data } = await api<{ items: { amountCents: number }[] }>(
    await sharedToken("mch01"),
    "GET",
    `/api/orders/refunds?keyword=${orderNo}`,
  );
  return data.items.map(({ amountCents }) => amountCents);
}
const result = (page: Page): Locator => page.getByRole("dialog", { name: "退款结果" });

test("a lost answer, a reload, and the same again is one refund", async ({ page }) => {
  const orderNo = await sold(page);
  await openForm(page, orderNo);
  await loseFirstAnswer(page);
  await send(page, orderNo);
  await expect(formOf(page, orderNo).getByRole("alert")).toContainText("结果未知，请先查询再重试");
  await page.reload();
  await expect(formOf(page, orderNo).getByLabel("退款金额")).toHaveValue("0.01");
  await send(page, orderNo);
  await expect(result(page)).toContainText(/已退款|退款中/);
  expect(await refundsOf(orderNo)).toEqual([1]);
});

test("after a lost answer the list tells what became of it, and the same again from a new form is one refund", async ({ page }) => {
  const orderNo = await sold(page);
  const form = await openForm(page, orderNo);
  await loseFirstAnswer(page);
  await send(page, orderNo);
  await expect(form.getByRole("alert")).toContainText("结果未知");
  await form.getByRole("button", { name: "取消", exact: true }).click();
  await page.getByRole("button", { name: "放弃修改" }).click();
  await expect(rowOf(page, orderNo)).toContainText("0.01");
  await openForm(page, orderNo);
  await send(page, orderNo);
  await expect(result(page)).toContainText(/已退款|退款中/);
  expect(await refundsOf(orderNo)).toEqual([1]);
  // What was seen to work is done: asked for once more it is a second refund.
  await result(page).getByRole("button", { name: "完成" }).click();
  await openForm(page, orderNo);
  await send(page, orderNo);
  await expect(result(page)).toContainText(/已退款|退款中/);
  expect(await refundsOf(orderNo)).toEqual([1, 1]);
});

test("every button pressed twice makes one refund", async ({ page }) => {
  const orderNo = await sold(page);
  const form = await openForm(page, orderNo);
  await form.getByRole("button", { name: "确认退款 ¥0.01" }).dblclick();
  await askIn(page).dblclick();
  await expect(result(page)).toContainText(/已退款|退款中/);
  expect(await refundsOf(orderNo)).toEqual([1]);
});

test("a refund that is never answered ends in words after the time that calls have, and can be sent again", async ({ page }) => {
  const short = await shortWaits(page);
  const orderNo = await sold(page);
  const form = await openForm(page, orderNo);
  let hung = 0;
  await page.route(REFUNDS, (route) => {
    if (route.request().method() !== "POST" || hung++ > 0) return route.fallback();
    return route.fetch().then(() => undefined);
  });
  await short(true);
  await send(page, orderNo);
  await expect(form.getByRole("alert")).toContainText("等待超过 50 秒没有答复，结果未知，请先查询再重试");
  await short(false);
  await send(page, orderNo);
  await expect(result(page)).toContainText(/已退款|退款中/);
  expect(await refundsOf(orderNo)).toEqual([1]);
});

test("a right that was taken meanwhile is said in words, and what was typed stays", async ({ page }) => {
  const orderNo = await sold(page);
  const form = await openForm(page, orderNo);
  // The server's own refusal: the same question from somebody who may see no refund button.
  const other = await sharedToken("agent01");
  await page.route(REFUNDS, (route) =>
    route.request().method() === "POST"
      ? route.continue({ headers: { ...route.request().headers(), authorization: `Bearer ${other}` } })
      : route.fallback(),
  );
  await send(page, orderNo);
  await expect(form.getByRole("alert")).toContainText(/[一-龥]{4}/);
  await expect(form.getByRole("alert")).not.toContainText(/Forbidden|403|undefined/);
  await expect(form.getByLabel("退款金额")).toHaveValue("0.01");
  expect(await refundsOf(orderNo)).toEqual([]);
  await page.unroute(REFUNDS);
  await send(page, orderNo);
  await expect(result(page)).toContainText(/已退款|退款中/);
});

test("what somebody else refunded meanwhile is refused at the amount", async ({ page }) => {
  const orderNo = await sold(page);
  await rowOf(page, orderNo).getByRole("button", { name: "退款", exact: true }).click();
  const form = formOf(page, orderNo);
  await form.getByRole("button", { name: "金额有误" }).click();
  await expect(form.getByRole("region", { name: "退款试算" })).toContainText("¥50.00");
  const token = await sharedToken("mch01");
  const { items } = (await api<{ items: { id: string }[] }>(token, "GET", `/api/orders/pay-orders?keyword=${orderNo}`)).data;
  const body = { requestId: crypto.randomUUID(), orderId: items[0]!.id, amountCents: 3_000, reason: "另一台电脑" };
  expect((await api(token, "POST", "/api/orders/refunds", body)).status).toBe(200);
  await form.getByRole("button", { name: /退款 ¥50\.00$/ }).click();
  await page
    .getByRole("dialog", { name: "提示" })
    .getByRole("button", { name: /¥50\.00/ })
    .click();
  await expect(form.getByText(/20\.00/).first()).toBeVisible();
  expect(await refundsOf(orderNo)).toEqual([3_000]);
});

test("back and forward close and open what lies over the list, with what was typed", async ({ page }) => {
  const orderNo = await sold(page);
  await rowOf(page, orderNo).getByRole("button", { name: "详情" }).click();
  const details = page.getByRole("dialog", { name: `订单 ${orderNo}` });
  await details.getByRole("button", { name: "退款", exact: true }).click();
  await formOf(page, orderNo).getByLabel("退款原因").fill("写到一半");
  await page.goBack();
  await expect(formOf(page, orderNo)).toBeHidden();
  await expect(details).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(rowOf(page, orderNo)).toBeVisible();
  await page.goForward();
  await expect(details.getByText("¥50.00").first()).toBeVisible();
  await page.goForward();
  await expect(formOf(page, orderNo).getByLabel("退款原因")).toHaveValue("写到一半");
  await page.goBack();
  await page.goBack();
  await rowOf(page, orderNo).getByRole("button", { name: "详情" }).click();
  await expect(details).toBeVisible();
});
