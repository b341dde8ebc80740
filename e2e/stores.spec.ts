import { clean } from "./a11y/look.ts";
import { expect, sharedToken, signedIn, test } from "./journey.ts";
import { api } from "./world.ts";

// A merchant's stores: one is opened by keyboard alone, somebody of it signs in and sees just this one, it is found, gathered and closed.

test.describe("a merchant", () => {
  test.use({ login: "mch03" });

  test("opens a store by keyboard; its employee sees only that one, and is put out when it closes", async ({ page, browser }) => {
    await page.goto("/#/store/store");
    await expect(page.getByRole("table", { name: "门店" })).toBeVisible();
    await page.getByRole("button", { name: "新建门店" }).first().focus();
    await page.keyboard.press("Enter");
    const form = page.getByRole("dialog", { name: "新建门店" });
    await expect(form.getByLabel("门店名称")).toBeFocused();
    await page.keyboard.insertText("晨光便利望江楼店");
    await page.keyboard.press("Tab");
    await page.keyboard.insertText("望江楼店");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.insertText("13700006612");
    await page.keyboard.press("Tab");
    await expect(form.getByLabel("所在地区：省")).toBeFocused();
    await page.keyboard.press("Control+Enter");
    await expect(page.getByText("门店已建好")).toBeVisible();
    await page.getByRole("searchbox", { name: "门店" }).fill("wjld");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("table", { name: "门店" }).locator("tbody tr")).toHaveCount(1);
    await page.getByRole("row").filter({ hasText: "望江楼店" }).focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog", { name: "望江楼店" }).getByText("137****6612")).toBeVisible();
    await page.keyboard.press("Escape");

    await page.goto("/#/bypass/bypass?panel=edit");
    const account = page.getByRole("dialog", { name: "新增子账号" });
    await account.getByLabel("门店员工").check();
    await account.getByLabel("登录名").fill("wjl.clerk");
    await account.getByLabel("姓名").fill("店员小江");
    await account.getByLabel("门店", { exact: true }).click();
    await page.locator(".ant-select-item-option").filter({ hasText: "望江楼店" }).click();
    await page.keyboard.press("Escape");
    await account.getByRole("button", { name: "新增子账号" }).click();
    const password = (await page.getByRole("dialog", { name: "一次性密码" }).locator("td .num").first().innerText()).trim();
    const { data } = await api<{ id_token: string }>(undefined, "POST", "/api/authenticateNew", {
      username: "wjl.clerk",
      password,
      newPassword: "Kontor#2026",
    });
    const clerk = await (await browser.newContext({ locale: "zh-CN", storageState: signedIn(data.id_token) })).newPage();
    await clerk.goto("/#/store/store");
    await expect(clerk.getByRole("table", { name: "门店" }).locator("tbody tr")).toHaveCount(1);
    await expect(clerk.getByRole("table", { name: "门店" })).toContainText("望江楼店");
    await expect(clerk.getByRole("button", { name: "新建门店" })).toHaveCount(0);
    await expect(clerk.getByRole("button", { name: "修改", exact: true })).toHaveCount(0);

    await page.goto("/#/store/store?keyword=望江楼");
    await page.locator("tbody tr:visible").first().click();
    await page.getByRole("dialog", { name: "望江楼店" }).getByRole("button", { name: "停用" }).click();
    const question = page.getByRole("dialog", { name: "提示" });
    await expect(question).toContainText("1 个账号的 1 处登录立即退出，0 台设备停止收款");
    await question.getByRole("button", { name: "停用" }).click();
    await expect(page.getByText("已停用，1 处登录已退出")).toBeVisible();
    expect((await api(data.id_token, "GET", "/api/account")).status).toBe(401);
    await clerk.context().close();
  });

  test("gathers stores in a group from the list, and finds them by it", async ({ page }) => {
    await page.goto("/#/store/group?panel=add");
    const form = page.getByRole("dialog", { name: "新建分组" });
    await form.getByLabel("分组名称").fill("夜间营业");
    await clean(page, "新建分组", ".drawer");
    await form.getByRole("button", { name: "新建分组" }).click();
    await expect(page.getByRole("table", { name: "门店分组" })).toContainText("夜间营业");
    await page.goto("/#/store/store?keyword=玉林路");
    await page.getByRole("table", { name: "门店" }).locator("tbody input[type=checkbox]").first().check();
    await page.getByRole("button", { name: "加入分组" }).click();
    const adding = page.getByRole("dialog", { name: "把 1 家门店加入分组" });
    await adding.getByLabel("分组").click();
    await page.locator(".ant-select-item-option").filter({ hasText: "夜间营业" }).click();
    await clean(page, "加入分组", ".drawer");
    await adding.getByRole("button", { name: "加入 1 家" }).click();
    await expect(page.getByText("已把 1 家门店加入分组")).toBeVisible();
    await page.goto("/#/store/group");
    await page.getByRole("button", { name: "夜间营业" }).click();
    await page.getByRole("link", { name: "在门店列表里查看" }).click();
    await expect(page.getByRole("table", { name: "门店" }).locator("tbody tr")).toHaveCount(1);
    await expect(page.getByText("分组 夜间营业")).toBeVisible();
  });

  test("makes an area of its stores, whose address opens it again", async ({ page }) => {
    await page.goto("/#/store/area?panel=add");
    const form = page.getByRole("dialog", { name: "新建区域" });
    await form.getByLabel("区域名称").fill("南岸片区");
    await form.getByRole("button", { name: "新建区域" }).click();
    await page.getByRole("table", { name: "区域分组" }).getByRole("button", { name: "南岸片区" }).click();
    const area = page.getByRole("dialog", { name: "南岸片区" });
    await expect(area.getByText("还没有区域经理")).toBeVisible();
    await page.reload();
    await expect(area.getByText("还没有区域经理")).toBeVisible();
  });

  test("maps a store of another platform to its own", async ({ page }) => {
    await page.goto("/#/store/other?panel=edit");
    const form = page.getByRole("dialog", { name: "新增映射" });
    await form.getByLabel("平台", { exact: true }).click();
    await page.locator(".ant-select-item-option").filter({ hasText: "美团" }).click();
    await form.getByLabel("平台门店编号").fill("mt-9001");
    await form.getByLabel("平台门店名称").fill("晨光便利（科华路店）");
    await form.getByRole("button", { name: "保存" }).click();
    const row = page.getByRole("row").filter({ hasText: "mt-9001" });
    await expect(row).toContainText("待映射");
    await row.getByRole("button", { name: "映射", exact: true }).click();
    const mapping = page.getByRole("dialog", { name: "映射 晨光便利（科华路店）" });
    await mapping.getByRole("combobox", { name: "门店" }).fill("khl");
    await page.locator(".ant-select-item-option").filter({ hasText: "科华路店" }).click();
    await clean(page, "映射", ".drawer");
    await mapping.getByRole("button", { name: "保存" }).click();
    await expect(row).toContainText("已映射");
  });
});

test.describe("a merchant at WeChat Pay", () => {
  test.use({ login: "mch01" });
  test("a store is told to it, and who serves there is registered, and changed by an address", async ({ page }) => {
    await page.goto("/#/store/wx");
    const store = page.getByRole("table", { name: "微信门店" }).getByRole("row").nth(1);
    const name = (await store.getByRole("cell").nth(1).innerText()).trim();
    await store.getByRole("button", { name: "提交" }).click();
    await page.locator("dialog.ask").getByRole("button", { name: "提交" }).click();
    await expect(store).toContainText("审核中");
    await store.getByRole("button", { name: "同步" }).click();
    await expect(store).toContainText("已生效");

    await page.goto("/#/store/payIsService?panel=add:new");
    const add = page.getByRole("dialog", { name: "新增服务人员" });
    await add.getByRole("combobox", { name: "所在门店" }).click();
    await page.locator(".ant-select-item-option").filter({ hasText: name }).first().click();
    await add.getByLabel("编号").fill("G-01");
    await add.getByLabel("姓名").fill("李娟");
    await add.getByLabel("手机号").fill("13700006613");
    await add.getByLabel("企业ID").fill("ww1234567890");
    await add.getByLabel("企业微信员工ID").fill("lijuan");
    await add.getByLabel("名片二维码").fill("https://open.work.weixin.qq.com/wwopen/userQRCode?vcode=1");
    await add.getByLabel("头像").fill("https://example.com/lijuan.png");
    await add.getByRole("button", { name: "登记" }).click();
    const guide = page.getByRole("table", { name: "支付即服务" }).getByRole("row").filter({ hasText: "G-01" });
    await expect(guide).toContainText("已登记");

    const { data } = await api<{ items: { id: string }[] }>(await sharedToken("mch01"), "GET", "/api/stores/guides");
    await page.goto(`/#/store/payIsService?status=failed&panel=edit:${data.items[0]!.id}`);
    const edit = page.getByRole("dialog", { name: "修改服务人员 G-01" });
    await clean(page, "修改服务人员", ".drawer");
    await edit.getByLabel("姓名").fill("王芳");
    await edit.getByRole("button", { name: "保存并更新登记" }).click();
    await expect(edit).toBeHidden();
    await page.goto("/#/store/payIsService");
    await page.reload();
    await expect(guide).toContainText("已登记");
    await expect(guide).toContainText(/[王芳]/);
  });
});
