import type { Page } from "@playwright/test";
import { screensSeen } from "../tools/generated/coverage.ts";
import { clean } from "./a11y/look.ts";
import { walkOver, walkPage } from "./keyboard.ts";
import { coveredFigures, movedSince, stands, watchMoves } from "./layout.ts";
import { expect, sharedToken, test } from "./journey.ts";
import { api } from "./world.ts";

// Each screen with what the demo has, at three widths of a desk and on a phone, in both themes: nothing moves once it stands, no money and no
// status lies outside or under a fixed column. EVERY_SCREEN=all (npm run proofs) opens all of them, each with the drawer of its first row and
// its other halves, and what a provider and a merchant both have as both, whose columns differ; by itself those that no other journey opens.
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
/** The other halves of screens that draw more than one thing, as their addresses say. */
const HALVES: Readonly<Record<string, readonly string[]>> = {
  "group-buy-coupon-summary": ["view=entries"],
  "takeaway-order-summary": ["view=orders"],
  "merchants-fans-summary": ["view=rows"],
  "wei-xin-fans": ["view=channels"],
  "bill-reconciliation": ["view=differences", "view=stores"],
  "invoice-config-merchant": ["view=applications", "view=invoices", "view=reds"],
  "ticket-list": ["show=subsidies"],
  "merchant-ticket-list": ["show=offered", "show=differences", "show=subsidies"],
  "member-card": ["view=holders"],
  "order-comment": ["view=stores"],
  "daifu-order-statistics": ["view=store", "view=links", "view=payouts"],
  "platform-coupon-dy": ["show=list"],
  "platform-coupon-ks": ["show=list"],
  "payment-card-consumption": ["view=moves"],
  "payment-card-recharge": ["view=refunds", "view=lots"],
  "share-profit": ["view=lines"],
  "share-profit-own": ["view=lines"],
  "v3-secret": ["tab=alipay"],
};
/** Whose eyes look at a screen. */
function loginsOf(levels: string): readonly string[] {
  const held = levels.split(" ");
  const first = held.includes("MCH") ? "MCH" : held[0]!;
  return (ALL && first === "MCH" && held.includes("SP") ? [first, "SP"] : [first]).map((level) => LOGINS[level]!);
}
async function addressOf(key: string, path: string, login: string, half: string): Promise<string> {
  const list = ONE_OF[key];
  if (!list) return `/#${path}${half && `?${half}`}`;
  const { status, data } = await api<{ items: { id: string }[] }>(await sharedToken(login), "GET", list);
  expect(status, JSON.stringify(data)).toBe(200);
  return `/#${path}?id=${data.items[0]!.id}`;
}

/** Opens the first row, where rows open something over the list, and looks at it in both themes. */
async function lookAtDrawer(page: Page, title: string): Promise<void> {
  const row = page.locator(".view:visible .rows tr.pressable").first();
  if ((await row.count()) === 0) return;
  const before = new URL(page.url()).hash.split("?")[0]!;
  await row.press("Enter");
  const dialog = page.getByRole("dialog").first();
  await expect(async () => {
    const away = new URL(page.url()).hash.split("?")[0] !== before;
    expect(away || (await dialog.isVisible())).toBe(true);
  }).toPass();
  if (!(await dialog.isVisible())) return;
  await expect(dialog.locator(".skeleton, [aria-busy=true]")).toHaveCount(0);
  await clean(page, `the drawer of ${title}`, "[role=dialog]");
}

/** The widths of desks; none may be scrolled sideways at the second. */
const DESKS = [1280, 1440, 1920] as const;

// They change nothing: all workers take from it.
test.describe.configure({ mode: "parallel" });
const screens = new Map([...screensSeen().values()].flat().map((screen) => [`${screen.key} ${screen.path}`, screen]));
const looks = [...screens.values()]
  .filter(({ journeys }) => ALL || journeys.length === 0)
  .flatMap((screen) =>
    loginsOf(screen.levels).flatMap((login) => ["", ...((ALL && HALVES[screen.key]) || [])].map((half) => ({ ...screen, login, half }))),
  );
test("each other half is of a screen that there is", () => {
  const keys = new Set([...screens.values()].map(({ key }) => key));
  expect(Object.keys(HALVES).filter((key) => !keys.has(key))).toEqual([]);
});
for (const { key, title, path, login, half } of looks) {
  test.describe(login, () => {
    test.use({ login });
    const shown = half === "" ? title : `${title} ${half}`;
    test(`${key} ${shown} is whole at every width, stands still, and fits a phone`, async ({ page }) => {
      await watchMoves(page);
      const address = await addressOf(key, path, login, half);
      await page.goto(address);
      const view = page.locator(".view:visible");
      await expect(view.locator("h1").first()).toBeVisible();
      await expect(view.getByRole("heading", { level: 1, name: "页面不存在" })).toHaveCount(0);
      await stands(page);
      const stood_ms = await page.evaluate(() => performance.now());
      await expect(view.getByRole("alert").filter({ hasText: "追踪编号" })).toHaveCount(0);
      await clean(page, title);
      expect(await movedSince(page, stood_ms), `${title} stands still`).toEqual([]);
      for (const width of DESKS) {
        await page.setViewportSize({ width, height: 900 });
        await stands(page);
        // A chart follows its box a moment later.
        await expect.poll(() => coveredFigures(view, { still: width === 1440 }), { message: `${title} at ${width} px` }).toEqual([]);
      }
      await page.setViewportSize({ width: 390, height: 844 });
      await stands(page);
      await expect.poll(() => view.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
      await clean(page, `${title} on a phone`, ".view");
      if (!ALL) return;
      await page.setViewportSize({ width: 1440, height: 900 });
      await stands(page);
      await lookAtDrawer(page, title);
    });
  });
}

/** Walked in every test: a list, a form as a page, a tree, figures, a screen of several tables, and one thing with its acts. */
const WALKED = ["pay-order-page", "merchant-ticket-new", "device-config", "overview", "bill-reconciliation", "wei-xin-app"];
for (const { key, title, path, levels } of screens.values()) {
  if (!ALL && !WALKED.includes(key)) continue;
  const login = loginsOf(levels)[0]!;
  test.describe(login, () => {
    test.use({ login });
    test(`${key} ${title} is walked by the keyboard alone`, async ({ page }) => {
      await page.goto(await addressOf(key, path, login, ""));
      await expect(page.locator(".view:visible h1").first()).toBeVisible();
      await stands(page);
      expect(await walkPage(page)).toEqual([]);
      expect(await walkOver(page)).toEqual([]);
    });
  });
}
