import { expect, test } from "../journey.ts";
import { alert, breakCalls, clean, lookAtLists } from "./look.ts";

// They change nothing: all workers take from it.
test.describe.configure({ mode: "parallel", timeout: 240_000 });
test.use({ contextOptions: { reducedMotion: "reduce" } });

lookAtLists([["设备列表", "mch01", "/device/list", /Device\/get_devices/]]);

for (const [title, path, key, calls] of [
  ["设备配置", "/device/config", "音量", /Device\/get_device_config/],
  ["广告配置", "/ad/config", "视频音量", /Ad\/get_ad_config/],
] as const)
  test.describe(title, () => {
    test.use({ login: "sp01" });
    test(`${title}: the tree, a node, a change before it is saved, the history, nothing found, and broken`, async ({ page }) => {
      await page.goto(`/#${path}`);
      const tree = page.getByRole("tree", { name: "层级" });
      await expect(tree.getByRole("treeitem").nth(2)).toBeVisible();
      await clean(page, "nothing chosen");
      await tree.getByRole("treeitem").first().click();
      await page.getByLabel(key).fill("999");
      await expect(page.getByText(`${key}须为 0 到 100 的整数`)).toBeVisible();
      await clean(page, "a value that does not fit");
      await page.getByLabel(key).fill("44");
      await page.getByRole("button", { name: "查看影响并保存" }).click();
      await expect(
        page
          .getByRole("dialog")
          .getByText(/台设备/)
          .first(),
      ).toBeVisible();
      await clean(page, "before it is saved");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "全部取消" }).click();
      await page.getByRole("button", { name: "修改历史" }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await clean(page, "the history");
      await page.keyboard.press("Escape");
      await page.getByLabel("查找节点").fill("NOTHING0LIKE0THIS");
      await expect(page.getByText("没有找到")).toBeVisible();
      await clean(page, "nothing found");
      await breakCalls(page, calls);
      await page.reload();
      await expect(alert(page)).toBeVisible();
      await clean(page, "broken");
    });
  });
