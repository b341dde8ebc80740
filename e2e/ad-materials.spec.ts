import { smallFilm } from "../apps/demo/ads/small-film.ts";
import { png } from "../apps/demo/ads/small-png.ts";
import { expect, signedIn, sharedToken, test } from "./journey.ts";

const tag = Date.now().toString(36).slice(-5);
/** A picture that nobody has uploaded before. */
const poster = (): Buffer => png(320, 200, [Date.now() % 251, Math.floor(Date.now() / 251) % 251, Math.floor(Date.now() / 63_001) % 251]);
const film = () =>
  smallFilm({ width: 320, height: 176, seconds: 3 }, (x, y, second) => [
    40 + ((x + second * 40 + (Date.now() % 97)) % 160),
    100 + (y >> 3),
    140,
  ]);
const chosen = (name: string, mimeType: string, buffer: Buffer) => ({ name, mimeType, buffer });

test.describe("a provider", () => {
  test.use({ login: "sp01" });

  test("uploads several files at once, the platform looks at them, and what passed is seen as passed", async ({ page, browser }) => {
    await page.goto("/#/ad/materials/add");
    const [picture, clip] = [`海报${tag}`, `短片${tag}`];
    const first = poster();
    await page
      .getByLabel("选择素材文件")
      .setInputFiles([
        chosen(`${picture}.png`, "image/png", first),
        chosen(`${clip}.mp4`, "video/mp4", film()),
        chosen(`假图${tag}.png`, "image/png", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>")),
        chosen(`文档${tag}.pdf`, "application/pdf", Buffer.from("%PDF")),
      ]);
    const list = page.getByRole("list", { name: "本次上传" });
    await expect(list.getByText("上传完成，等待审核")).toHaveCount(2);
    await expect(list.getByText("未通过检查：图片已损坏，或不是 JPEG、PNG")).toBeVisible();
    await expect(list.getByText("未通过检查：只支持 JPEG、PNG 图片和 MP4 视频")).toBeVisible();
    // The same content is known by its name, whatever the file is called.
    await page.getByLabel("选择素材文件").setInputFiles([chosen("另一个名字.png", "image/png", first)]);
    await expect(list.getByText(`内容与素材「${picture}」相同，无需再次上传`)).toBeVisible();

    const above = await browser.newContext({ storageState: signedIn(await sharedToken("admin")) });
    const admin = await above.newPage();
    await admin.goto(`/#/ad/materials?keyword=${tag}`);
    for (const name of [picture, clip]) await admin.getByRole("checkbox", { name: `选择 ${name}` }).check();
    await admin.getByRole("button", { name: "审核 2 个" }).click();
    const drawer = admin.getByRole("dialog", { name: "审核 2 个素材" });
    // The film itself plays, not its small picture.
    await expect
      .poll(() => drawer.locator("video").evaluate((shown: HTMLVideoElement) => [shown.videoWidth, shown.videoHeight]))
      .toEqual([320, 176]);
    await drawer.getByLabel("拒绝").check();
    await drawer.getByRole("button", { name: "拒绝 2 个素材" }).click();
    await expect(drawer.getByText("请填写原因")).toBeVisible();
    await drawer.getByLabel("通过").check();
    await drawer.getByRole("button", { name: "通过 2 个素材" }).click();
    await expect(admin.getByText("已审核")).toBeVisible();
    await above.close();

    await page.getByRole("link", { name: "返回素材列表" }).click();
    await page.goto(`/#/ad/materials?keyword=${tag}&audit_status=1`);
    await page.getByRole("button", { name: `查看 ${picture}` }).click();
    const details = page.getByRole("dialog", { name: "素材详情" });
    await expect(details.getByText("已通过").first()).toBeVisible();
    // Large by the keyboard, and back.
    await details.getByRole("button", { name: `放大查看 ${picture}` }).click();
    const large = page.getByRole("dialog", { name: picture });
    await page.keyboard.press("+");
    await expect(large.getByText("150%")).toBeVisible();
    await page.keyboard.press("0");
    await expect(large.getByText("100%")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(large).toBeHidden();
  });

  test("goes on with an upload after the page was loaded anew", async ({ page }) => {
    // Three pieces and a little; the third never arrives.
    const long = Buffer.concat([film(), Buffer.from([0, 8, 0, 0]), Buffer.from("free"), Buffer.alloc(0x80000 - 8)]);
    const name = `长片${tag}.mp4`;
    let [pieces, cut] = [0, true];
    await page.route(/ad-materials\/uploads\/piece/, (route) => (cut && ++pieces > 2 ? new Promise(() => undefined) : route.continue()));
    await page.goto("/#/ad/materials/add");
    await page.getByLabel("选择素材文件").setInputFiles([chosen(name, "video/mp4", long)]);
    await expect.poll(() => pieces).toBe(3);
    await page.reload();
    cut = false;
    await expect(page.getByRole("region", { name: "未完成的上传" }).getByText(name)).toBeVisible();
    const sent: number[] = [];
    page.on("request", (request) => {
      if (request.url().includes("uploads/piece")) sent.push((request.postDataJSON() as { place: number }).place);
    });
    await page.getByLabel("选择素材文件").setInputFiles([chosen(name, "video/mp4", long)]);
    await expect(page.getByRole("list", { name: "本次上传" }).getByText("上传完成，等待审核")).toBeVisible();
    expect(sent[0]).toBe(2);
    await expect(page.getByText(name)).toHaveCount(1);
  });
});
