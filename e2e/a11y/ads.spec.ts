import { expect, sharedToken, test } from "../journey.ts";
import { api } from "../world.ts";
import { alert, breakCalls, clean, lookAtLists } from "./look.ts";

// They change nothing: all workers take from it.
test.describe.configure({ mode: "parallel", timeout: 240_000 });
test.use({ contextOptions: { reducedMotion: "reduce" } });

lookAtLists([
  ["广告设备", "sp01", "/ad/adDevices", /api\/ad-devices/],
  ["广告列表", "sp01", "/ad/list", /Ad\/get_ads/],
  ["广告素材", "sp01", "/ad/materials", /Material\/get_materials/],
]);

test.describe("广告设备", () => {
  test.use({ login: "sp01" });
  test("what an ad played: along the days, by store, as a table, and broken", async ({ page }) => {
    const { data } = await api<{ id: string }[]>(await sharedToken("sp01"), "GET", "/api/ads/lookup");
    await page.goto(`/#/ad/adDevices?ad_id=${data[0]!.id}`);
    await expect(page.locator(".rows:visible")).toHaveAttribute("aria-busy", "false");
    await expect(page.locator(".chart canvas, .chart svg").first()).toBeVisible();
    await clean(page, "along the days");
    await page.getByRole("button", { name: "按门店" }).click();
    await page.getByRole("button", { name: "看数据表" }).click();
    await clean(page, "by store, as a table");
    await breakCalls(page, /api\/ad-(devices|statistics)/);
    await page.reload();
    await expect(alert(page)).toBeVisible();
    await clean(page, "broken");
  });
});

test.describe("广告", () => {
  test.use({ login: "sp01" });
  test("新建广告 empty, filled, refused and broken, and an ad's details", async ({ page }) => {
    await page.goto("/#/ad/list/new");
    await expect(page.getByRole("tree", { name: "层级" }).getByRole("treeitem").nth(1)).toBeVisible();
    await clean(page, "a new ad");
    await page.getByRole("button", { name: "选择素材" }).click();
    await expect(page.locator(".ad-pick-card").first()).toBeVisible();
    await clean(page, "choosing materials");
    await page.locator(".ad-pick-card").first().click();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "保存", exact: true }).click();
    await expect(page.getByText("请选择投放范围").first()).toBeVisible();
    await clean(page, "refused");
    await page.getByRole("tree", { name: "层级" }).getByRole("treeitem").first().focus();
    await page.keyboard.press("Enter");
    await expect(page.getByText(/覆盖 \d+ 台设备/)).toBeVisible();
    await clean(page, "with its preview");
    await page.goto("/#/ad/list");
    await page.locator("tbody tr:visible").first().click();
    await expect(page.getByRole("dialog").getByText(/覆盖 \d+ 台设备/)).toBeVisible();
    await clean(page, "the details of an ad");
  });
  test("设备广告 of the device that it opens on, of another, and broken", async ({ page }) => {
    await page.goto("/#/ad/deviceAds");
    await expect(page.getByRole("list", { name: "这一周播放" })).toBeVisible();
    await clean(page, "the first device");
    await page.getByRole("combobox", { name: "设备" }).fill("ZF-01-1");
    await page
      .getByTitle(/春熙路店/)
      .first()
      .click();
    await expect(page.getByRole("list", { name: "这一周播放" })).toBeVisible();
    await clean(page, "a device");
    await breakCalls(page, /api\/ads\/on-device/);
    await page.reload();
    await expect(alert(page)).toBeVisible();
    await clean(page, "broken");
  });
});
