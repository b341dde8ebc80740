import { createHash } from "node:crypto";
import { expect, sharedToken, test } from "./journey.ts";
import { newPicture } from "./picture.ts";
import { api, DEVICES_URL } from "./world.ts";

const PRIORITY = 8;

async function ask<T>(login: string, verb: string, path: string, body?: object): Promise<T> {
  const { status, data } = await api<T>(await sharedToken(login), verb, path, body);
  expect(status, `${path} ${JSON.stringify(data)}`).toBe(200);
  return data;
}
/** A picture as its provider uploads it and the platform lets it pass. */
async function addMaterial(): Promise<string> {
  const file = newPicture();
  const sha256 = createHash("sha256").update(file).digest("hex");
  const begun = await ask<{ upload: { policy: string } }>("sp01", "POST", "/api/ad-materials/uploads", {
    fileName: "海报.png",
    sizeBytes: file.length,
    contentType: "image/png",
    sha256,
  });
  const { policy } = begun.upload;
  await ask("sp01", "POST", "/api/ad-materials/uploads/piece", { policy, place: 0, base64: file.toString("base64") });
  const made = await ask<{ material_id: string; sha256: string }>("sp01", "POST", "/ad/api/Material/upload_callback", {
    policy,
    name: "海报",
  });
  const items = [{ material_id: made.material_id, sha256: made.sha256 }];
  await ask("admin", "POST", "/api/ad-materials/audit", { items, audit_status: 1 });
  return made.material_id;
}
/** An ad of one second, above all others, at the first store of 蜀味川菜; paused. */
async function addAd(name: string): Promise<string> {
  const stores = await ask<{ items: { id: string; shortName: string }[] }>("sp01", "GET", "/api/stores?keyword=春熙路店&pageSize=10");
  const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10);
  const ad = await ask<{ ad_id: string }>("sp01", "POST", "/ad/api/Ad/create_ad", {
    name,
    materials: [{ material_id: await addMaterial(), seconds: 1 }],
    starts_on: today,
    ends_on: new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10),
    weekdays: [1, 2, 3, 4, 5, 6, 7],
    periods: [[0, 1_440]],
    targets: [{ item_type: 1, item_id: stores.items[0]!.id }],
    priority: PRIORITY,
  });
  return ad.ad_id;
}
/** The running devices that have an ad in their round. */
async function showing(ad: string): Promise<number> {
  const { devices } = (await (await fetch(`${DEVICES_URL}/devices`)).json()) as { devices: { ads: { round: string[] } }[] };
  return devices.filter(({ ads }) => ads.round.includes(ad)).length;
}
/** At noon and at six the demo's platform shows an ad of its own for a quarter of an hour, before all others (apps/demo/ads/ads.ts). */
const nearPlatformAd = (): boolean => {
  const minute = Math.floor(Date.now() / 60_000 + 8 * 60) % 1_440;
  return [12 * 60, 18 * 60].some((from) => minute >= from - 5 && minute < from + 15);
};
async function platformAd(status: 0 | 1): Promise<void> {
  const [found] = await ask<{ id: string }[]>("admin", "GET", "/api/ads/lookup?search=刷脸支付安全提示");
  await ask("admin", "POST", "/ad/api/Ad/update_ad_play_status", { ad_id: found!.id, status });
}

test.describe("a provider", () => {
  test.use({ login: "sp01" });
  let away = false;
  test.beforeAll(async () => {
    away = nearPlatformAd();
    if (away) await platformAd(0);
  });
  test.afterAll(async () => {
    if (away) await platformAd(1);
  });

  test("an ad that is enabled is on the screens by itself, its plays are counted, and paused it is gone", async ({ page }) => {
    const ad = await addAd(`周年庆 ${Date.now()}`);
    await page.goto(`/#/ad/adDevices?ad_id=${ad}`);
    const table = page.getByRole("table", { name: "广告设备", exact: true });
    await expect(table.getByText("广告已暂停").first()).toBeVisible();
    await expect(page.getByRole("heading", { name: "这段时间没有播放" })).toBeVisible();
    expect(await showing(ad)).toBe(0);

    await ask("sp01", "POST", "/ad/api/Ad/update_ad_play_status", { ad_id: ad, status: 1 });
    await expect.poll(() => showing(ad)).toBeGreaterThan(0);
    const refresh = page.locator(".view:visible").getByRole("button", { name: "刷新" });
    await expect(async () => {
      await refresh.click();
      await expect(table.getByText("播放中").first()).toBeVisible({ timeout: 1_000 });
      await expect(page.locator(".totals:visible")).toContainText(/播放 [1-9][\d,]* 次/, { timeout: 1_000 });
    }).toPass({ timeout: 90_000 });
    await expect(table.locator("tbody tr:visible").first()).toContainText(/ZF-/);

    await page.getByRole("button", { name: "按门店" }).click();
    await expect(page.getByRole("heading", { name: /春熙路店 播放最多/ })).toBeVisible();

    await ask("sp01", "POST", "/ad/api/Ad/update_ad_play_status", { ad_id: ad, status: 0 });
    await expect.poll(() => showing(ad)).toBe(0);
    await refresh.click();
    await expect(table.getByText("广告已暂停").first()).toBeVisible();
  });

  test("the days behind the figures can be had as a file, and narrowed to what does not play", async ({ page }) => {
    const ad = await addAd(`日报 ${Date.now()}`);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`/#/ad/adDevices?ad_id=${ad}&playing=2`);
    await expect(page.getByRole("list", { name: "广告设备" }).getByRole("listitem").first()).toContainText("未播放");
    await page.getByRole("button", { name: "导出日报" }).click();
    await expect(page.getByRole("dialog", { name: /广告播放日报/ })).toBeVisible();
    await page.keyboard.press("Escape");
    await page.goto("/#/ad/adDevices");
    // Without one in its address it opens on the one that was looked at last.
    await expect(page).toHaveURL(new RegExp(`ad_id=${ad}`));
  });
});
