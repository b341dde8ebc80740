import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, sharedToken, signedIn, test } from "./journey.ts";

const SCREENS: readonly (readonly [login: string, title: string, path: string])[] = [
  ["mch01", "概览", "/"],
  ["admin", "数据看板", "/"],
  ["mch01", "支付订单", "/dataCentre/payOrder"],
  ["mch01", "支付退款订单", "/dataCentre/payRefund"],
  ["mch01", "退款申请", "/dataCentre/refund"],
  ["emp01", "门店收款", "/dataCentre/storeOrder"],
  ["mch01", "导出记录", "/dataCentre/exports"],
];

async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).analyze();
  return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
}

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`${colorScheme}: nobody is kept out by how it is drawn`, () => {
    test.use({ colorScheme });

    test("the login", async ({ page }) => {
      await page.goto("/#/login");
      await expect(page.getByLabel("用户名")).toBeVisible();
      expect(await violations(page)).toEqual([]);
    });

    for (const [login, title, path] of SCREENS) {
      test.describe(() => {
        test.use({ login });
        test(`${title} of ${login}`, async ({ page }) => {
          await page.goto(`/#${path}`);
          await expect(page).toHaveTitle(new RegExp(`^${title} - `));
          await expect(page.locator("h1:visible").first()).toBeVisible();
          await page.waitForLoadState("networkidle");
          expect(await violations(page)).toEqual([]);
        });
      });
    }
  });
}

test("a phone shows every screen without scrolling sideways", async ({ browser }) => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    storageState: signedIn(await sharedToken("mch01")),
  });
  const page = await context.newPage();
  for (const [login, title, path] of SCREENS) {
    if (login === "admin") continue;
    await page.goto(`/#${path}`);
    await expect(page).toHaveTitle(new RegExp(`^${title} - `));
    await page.waitForLoadState("networkidle");
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(excess, title).toBe(0);
  }
  await context.close();
});
