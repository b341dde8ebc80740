import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { expect, sharedToken, test } from "./journey.ts";
import { api } from "./world.ts";

// A merchant looks at what its channel says of a day, somebody else agrees to a write-off, and the day is closed.
test.use({ login: "mch01" });

interface Difference {
  readonly id: string;
  readonly day: string;
  readonly class: string;
  readonly number: string;
}
const open = async (group: "channel" | "group-buy"): Promise<Difference[]> =>
  (
    await api<{ items: Difference[] }>(
      await sharedToken("mch01"),
      "GET",
      `/api/reconciliation/differences?pageSize=50&status=open&group=${group}`,
    )
  ).data.items;

test("a day with differences is resolved by two and closed", async ({ page }) => {
  // The payment that only the channel of the demo world knows (apps/demo/orders/bills.ts); its day is counted from when that world was made.
  const unknown = (await open("channel")).find((one) => one.number === "P20260101000000000000000000")!;
  await page.goto(`/#/reconciliation/bill?view=differences&id=${unknown.id}`);
  const drawer = page.getByRole("dialog").filter({ hasText: unknown.number });
  await expect(drawer.getByText("本地没有这个单号").first()).toBeVisible();
  await drawer.getByRole("button", { name: "申请核销" }).click();
  await page.getByLabel("核销原因").fill("顾客误扫旧收款码，已现金退还");
  await page.getByRole("button", { name: "申请核销", exact: true }).last().click();
  await page.locator("dialog.ask").getByRole("button", { name: "申请核销" }).click();
  await expect(drawer.getByText("待他人复核")).toBeVisible();

  const body = { requestId: crypto.randomUUID(), ids: [unknown.id], approve: true };
  expect(
    (await api(await sharedToken("mch01"), "POST", "/api/reconciliation/differences/decide", { ...body, requestId: crypto.randomUUID() }))
      .status,
  ).toBe(409);
  expect((await api(await sharedToken("sp01"), "POST", "/api/reconciliation/differences/decide", body)).status).toBe(200);

  await page.goto(`/#/reconciliation/bill?source=wechat&from=${unknown.day}&to=${unknown.day}`);
  await page.getByRole("button", { name: unknown.day, exact: true }).click();
  const day = page.getByRole("dialog").filter({ hasText: "两边合计" });
  await day.getByRole("button", { name: "关账" }).click();
  const question = page.locator("dialog.ask");
  await expect(question).toContainText(`关账 ${unknown.day}`);
  await expect(question).toContainText("笔 ¥");
  await question.getByRole("button", { name: `关账 ${unknown.day}` }).click();
  await expect(day.getByText("已关账").first()).toBeVisible();
  await expect(day.getByRole("button", { name: "撤销关账" })).toBeVisible();
});

test("a bill is uploaded by hand, and what is wrong with it is said", async ({ page }) => {
  const day = addDays(shanghaiDay(Date.now()), -5);
  await page.goto(`/#/reconciliation/bill?panel=bills:${day}`);
  const drawer = page.getByRole("dialog", { name: "获取账单" });
  await expect(drawer.getByLabel("账单日期")).toHaveValue(day);
  await drawer
    .locator("input[type=file]")
    .setInputFiles({ name: "账单.csv", mimeType: "text/csv", buffer: Buffer.from("交易时间,商户订单号\r\n") });
  await expect(drawer.getByText("失败").first()).toBeVisible({ timeout: 90_000 });
  await expect(drawer.getByText(/账单/).first()).toBeVisible();
});

interface Day {
  readonly id: string;
}
test("a day of a platform says what is missing, and where it is put right", async ({ page }) => {
  // 抖音's store that nobody mapped, as the demo world has it (apps/demo/orders/platform-days.ts). At ten past two a later day may differ, too.
  const { day } = (await open("group-buy")).find((one) => one.number === "59999999999999999991")!;
  const days = await api<{ items: Day[] }>(
    await sharedToken("mch01"),
    "GET",
    `/api/reconciliation/days?pageSize=50&source=dy&from=${day}&to=${day}`,
  );
  const { id } = days.data.items[0]!;
  await page.goto(`/#/reconciliation/bill?group=group-buy&from=&to=&id=${id}`);
  const drawer = page.getByRole("dialog", { name: `${day} 抖音对账` });
  await expect(drawer.getByText("其中平台端核销 1 张")).toBeVisible();
  await expect(drawer.getByText(/待结算 1 张/)).toBeVisible();
  await expect(drawer.getByRole("button", { name: "重新取账单" })).toBeVisible();
  await expect(drawer.getByRole("button", { name: /还有 \d 条待处理/ })).toBeDisabled();
  await drawer.getByRole("link", { name: /平台有本店无/ }).click();
  await page.getByRole("button", { name: "59999999999999999991" }).first().click();
  const difference = page.getByRole("dialog", { name: "差异 59999999999999999991" });
  await expect(difference.getByText("平台门店没有映射到本店")).toBeVisible();
  await expect(difference.getByRole("button", { name: "登记为未知收款" })).toHaveCount(0);
  await difference.getByRole("link", { name: "其他门店" }).click();
  await expect(page.getByRole("heading", { name: "其他门店" })).toBeVisible();
});
