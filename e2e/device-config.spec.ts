import { clean } from "./a11y/look.ts";
import { expect, sharedToken, test } from "./journey.ts";
import { api, DEVICES_URL, PASSWORD } from "./world.ts";

interface Running {
  readonly device: { readonly merchantName?: string };
  readonly values: Readonly<Record<string, unknown>>;
}
/** What the volume is on the merchant's running devices. */
async function volumes(): Promise<unknown[]> {
  const { devices } = (await (await fetch(`${DEVICES_URL}/devices`)).json()) as { devices: Running[] };
  const own = devices.filter(({ device }) => device.merchantName === "蜀味川菜");
  return [...new Set(own.map(({ values }) => values["volume"]))];
}

test.describe("a merchant", () => {
  test.use({ login: "mch01" });

  test("sets a value for all its stores, sees which devices change, finds it at a store, and takes it back", async ({ page }) => {
    await page.goto("/#/device/config");
    const tree = page.getByRole("tree", { name: "层级" });
    await tree
      .getByRole("treeitem", { name: /蜀味川菜/ })
      .first()
      .focus();
    await page.keyboard.press("Enter");
    const volume = page.getByLabel("音量");
    await expect(volume).toHaveValue("60");
    await volume.fill("101");
    await expect(page.getByText("音量须为 0 到 100 的整数")).toBeVisible();
    await volume.fill("35");
    await page.getByRole("button", { name: "查看影响并保存" }).click();
    const drawer = page.getByRole("dialog", { name: "保存设备配置" });
    await expect(drawer.getByText(/音量：60 → 35/)).toBeVisible();
    await drawer.getByRole("button", { name: /保存，\d+ 台设备改变/ }).click();
    await expect(page.getByText("已保存 1 项设备配置")).toBeVisible();
    // The devices of the demo run in a process of their own and wait for their configuration.
    await expect.poll(volumes, { timeout: 30_000 }).toEqual([35]);
    await expect(page.getByText("本级设置").first()).toBeVisible();

    await tree.getByRole("treeitem", { name: /春熙路店/ }).click();
    await expect(page.getByText("继承自商户「蜀味川菜」").first()).toBeVisible();
    await expect(page.getByLabel("音量")).toHaveValue("35");

    await tree
      .getByRole("treeitem", { name: /蜀味川菜/ })
      .first()
      .getByRole("button", { name: /蜀味川菜/ })
      .click();
    await page.getByRole("button", { name: "修改历史" }).click();
    const history = page.getByRole("dialog", { name: /修改历史/ });
    await history.getByRole("button", { name: "撤销这次保存" }).first().click();
    const undo = page.getByRole("dialog", { name: "撤销修改" });
    await expect(undo.getByText(/音量：35 → 60/)).toBeVisible();
    await clean(page, "撤销修改", ".drawer");
    await undo.getByRole("button", { name: /撤销，/ }).click();
    await expect(page.getByText("已撤销 1 项")).toBeVisible();
    await expect(history.getByText("已撤销").first()).toBeVisible();
  });

  test("edits that were not saved come back after a reload and a new login, and tell what somebody else saved meanwhile", async ({
    page,
  }) => {
    await page.goto("/#/device/config");
    const tree = page.getByRole("tree", { name: "层级" });
    const store = tree.getByRole("treeitem", { name: /建设路店/ });
    await tree
      .getByRole("treeitem", { name: /蜀味川菜/ })
      .first()
      .focus();
    await page.keyboard.press("ArrowRight");
    await store.focus();
    await page.keyboard.press("Enter");
    const volume = page.getByLabel("音量");
    await expect(page.locator(".config-lead")).toContainText("建设路店");
    await volume.fill("42");
    await expect(page.getByText("已改 1 项")).toBeVisible();

    // Another person saves the same key, and the session ends.
    const [, node = ""] = new URL(page.url().replace("#", "")).searchParams.get("node")!.split(":");
    const write = (value: number | null) =>
      sharedToken("sp01").then((token) =>
        api(token, "POST", "/device/api/Device/update_device_config", {
          item_type: 1,
          item_id: node,
          configs: [{ ckey: "volume", value }],
        }),
      );
    expect((await write(77)).status).toBe(200);
    await page.evaluate(() => localStorage.setItem("zhangfang_token", "gone"));
    await page.reload();
    // It says so, and loads itself anew.
    await page.waitForEvent("load");
    await page.getByLabel("用户名").fill("mch01");
    await page.getByLabel("密码", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "登录", exact: true }).click();
    await expect(page.getByText("上次有 1 项修改没有保存，已经恢复。")).toBeVisible();
    await expect(volume).toHaveValue("42");
    await page.getByRole("button", { name: "查看影响并保存" }).click();
    const drawer = page.getByRole("dialog", { name: "保存设备配置" });
    await expect(drawer.getByText(/「音量」在你打开后被.+改为77/)).toBeVisible();
    await drawer.getByRole("button", { name: "取消" }).click();

    // Leaving asks, and what is thrown away stays away.
    await page.getByRole("button", { name: "关闭 设备配置" }).click();
    await page.locator("dialog.ask").getByRole("button", { name: "继续填写" }).click();
    await page.getByRole("button", { name: "放弃这些修改" }).click();
    await expect(volume).toHaveValue("77");
    await expect(page.getByText("已经恢复")).toBeHidden();
    await page.reload();
    await expect(volume).toHaveValue("77");
    await expect(page.getByText("已经恢复")).toBeHidden();
    expect((await write(null)).status).toBe(200);
  });

  test("sets several stores at once, on a phone too", async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/#/device/config");
    await page.getByRole("button", { name: "批量设置" }).click();
    const tree = page.getByRole("tree", { name: "层级" });
    for (const store of ["建设路店", "宽窄巷子店"]) await tree.getByRole("button", { name: new RegExp(store) }).click();
    await expect(page.getByText("已选 2 个节点")).toBeVisible();
    await page.getByLabel("小票份数").fill("2");
    await page.reload();
    await expect(page.getByText("上次有 1 项修改没有保存，已经恢复。")).toBeVisible();
    await expect(page.getByText("已选 2 个节点")).toBeVisible();
    await page.getByRole("button", { name: "查看影响并保存" }).click();
    const drawer = page.getByRole("dialog", { name: "保存设备配置" });
    await expect(drawer.getByRole("cell", { name: "宽窄巷子店" }).or(drawer.getByText("宽窄巷子店")).first()).toBeVisible();
    await drawer.getByRole("button", { name: /保存，/ }).click();
    await expect(page.getByText("已保存 2 项设备配置")).toBeVisible();
  });
});
