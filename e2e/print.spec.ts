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

test("a chart is drawn for paper in the dark too, and for the screen again afterwards", async ({ page }) => {
  await page.goto("/#/dataCentre/payStatistics?by=day");
  const drawing = page.getByRole("figure").locator("canvas");
  await expect(drawing).toBeVisible();
  const grey = (): Promise<number> => drawing.evaluate(meanOfGreys);
  await expect.poll(grey).toBeLessThan(120);
  await page.emulateMedia({ media: "print" });
  await expect.poll(grey).toBeGreaterThan(180);
  // A picture wider than on the screen is higher too, and pushes away what follows.
  const box = await page.getByRole("figure").boundingBox();
  const picture = await drawing.boundingBox();
  expect((picture?.y ?? 0) + (picture?.height ?? 0)).toBeLessThanOrEqual((box?.y ?? 0) + (box?.height ?? 0) + 1);
  await page.emulateMedia({ media: "screen" });
  await expect.poll(grey).toBeLessThan(120);
});

/** The mean brightness of what is drawn without a colour, from 0 to 255: the lines of the grid before all. */
function meanOfGreys(element: SVGElement | HTMLElement): number {
  const canvas = element as HTMLCanvasElement;
  const points = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
  let [sum, count] = [0, 0];
  for (let at = 0; at < points.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = points.slice(at, at + 4);
    if (alpha < 255 || Math.max(red, green, blue) - Math.min(red, green, blue) > 24) continue;
    sum += (red + green + blue) / 3;
    count += 1;
  }
  return count === 0 ? 0 : sum / count;
}
