import { screensSeen } from "../tools/generated/coverage.ts";
import { clean } from "./a11y/look.ts";
import { expect, sharedToken, test } from "./journey.ts";
import { api } from "./world.ts";

// Each screen with what the demo has, wide and on a phone, in both themes. EVERY_SCREEN=all (npm run proofs) opens all of them; by itself
// those that no other journey opens.
const ALL = process.env["EVERY_SCREEN"] === "all";
const LOGINS: Readonly<Record<string, string>> = {
  A: "admin",
  SP: "sp01",
  AG: "agent01",
  GP: "group01",
  TM: "team01",
  MCH: "mch01",
  AE: "area01",
};
/** What a page of one thing shows: the list that has it, and what more its address says. */
const ONE_OF: Readonly<Record<string, string>> = {
  "member-details": "/api/members?pageSize=10",
  "basic-goods-detail": "/api/base-goods?pageSize=10",
  "sale-goods-detail": "/api/sale-goods?pageSize=10",
  "platform-goods-dy-detail": "/api/platforms/goods?platform=dy&pageSize=10",
  "platform-goods-ks-detail": "/api/platforms/goods?platform=ks&pageSize=10",
  "platform-coupon-dy-detail": "/api/platforms/vouchers?platform=dy&pageSize=10",
  "platform-coupon-ks-detail": "/api/platforms/vouchers?platform=ks&pageSize=10",
  "ticket-details": "/api/coupons/campaigns?pageSize=10",
  "merchant-ticket-details": "/api/coupons/campaigns?pageSize=10",
  "shake-activity-details": "/api/lotteries?pageSize=10",
  "group-note-detail": "/api/group-notes?pageSize=10",
};
async function addressOf(key: string, path: string, login: string): Promise<string> {
  const list = ONE_OF[key];
  if (!list) return `/#${path}`;
  const { status, data } = await api<{ items: { id: string }[] }>(await sharedToken(login), "GET", list);
  expect(status, JSON.stringify(data)).toBe(200);
  return `/#${path}?id=${data.items[0]!.id}`;
}

// They change nothing: all workers take from it.
test.describe.configure({ mode: "parallel" });
const screens = new Map([...screensSeen().values()].flat().map((screen) => [`${screen.key} ${screen.path}`, screen]));
for (const { key, title, path, levels, journeys } of screens.values()) {
  if (!ALL && journeys.length > 0) continue;
  const login = LOGINS[levels.includes("MCH") ? "MCH" : levels.split(" ")[0]!]!;
  test.describe(login, () => {
    test.use({ login });
    test(`${key} ${title} is whole, and fits a phone`, async ({ page }) => {
      await page.goto(await addressOf(key, path, login));
      const view = page.locator(".view:visible");
      await expect(view.locator("h1").first()).toBeVisible();
      await expect(view.getByRole("heading", { level: 1, name: "页面不存在" })).toHaveCount(0);
      const settled = async (): Promise<void> => {
        await expect(view.locator("[aria-busy=true]")).toHaveCount(0);
        await expect(page.locator(".view:visible .skeleton, .view-skeleton:visible")).toHaveCount(0);
      };
      await settled();
      await expect(view.getByRole("alert").filter({ hasText: "追踪编号" })).toHaveCount(0);
      await clean(page, title);
      await page.setViewportSize({ width: 390, height: 844 });
      await settled();
      await expect.poll(() => view.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
      await clean(page, `${title} on a phone`, ".view");
    });
  });
}
