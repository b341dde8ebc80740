import { expect, test } from "./journey.ts";

// What is printed is the whole of what lies open, black on white, with nothing to press.
test.use({ login: "mch01", colorScheme: "dark" });

test("an order in a drawer is printed to its end, in the dark too, and a list without its buttons", async ({ page }) => {
  await page.goto("/#/dataCentre/payOrder?status=2");
  await page.getByRole("button", { name: "详情" }).first().click();
  const drawer = page.getByRole("dialog", { name: /^订单 P/ });
  await expect(drawer.getByRole("heading", { name: /账务分录/ })).toBeVisible();
  const ink = (): Promise<string> => drawer.evaluate((element) => getComputedStyle(element).color);
  expect(await ink()).toBe("rgb(232, 230, 225)");

  await page.emulateMedia({ media: "print" });
  expect(await ink()).toBe("rgb(27, 31, 39)");
  await expect(page.getByRole("heading", { name: "支付订单", level: 1 })).toBeHidden();
  await expect(drawer.getByRole("button", { name: "关闭" })).toBeHidden();
  expect(await drawer.evaluate((element) => getComputedStyle(element).position)).toBe("static");
  // Nothing of it is left behind a scroll bar.
  expect(
    await drawer.evaluate((element) =>
      [element, ...element.querySelectorAll(".drawer-body, .table-scroll")].every((box) => getComputedStyle(box).overflowY === "visible"),
    ),
  ).toBe(true);

  await page.emulateMedia({ media: "screen" });
  await drawer.getByRole("button", { name: "关闭" }).click();
  await page.emulateMedia({ media: "print" });
  const table = page.getByRole("table", { name: "支付订单" });
  await expect(table.getByRole("button", { name: "退款" }).first()).toBeHidden();
  // Which days it speaks of stands on the paper.
  await expect(page.getByRole("button", { name: /^下单时间 \d{4}-/ })).toBeVisible();
  await expect(page.getByRole("button", { name: "查询" })).toBeHidden();
});
