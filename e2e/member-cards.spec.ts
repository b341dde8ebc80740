import { clean } from "./a11y/look.ts";
import { expect, test } from "./journey.ts";

test.describe("a merchant", () => {
  test.use({ login: "mch01" });

  test("makes a card, opens it, says where it serves, what opening brings, and gives it to WeChat", async ({ page }) => {
    await page.goto("/#/memberCard/card?panel=add:new");
    const add = page.getByRole("dialog", { name: "新建会员卡" });
    await add.getByLabel("卡名").fill("麻辣会员卡");
    await add.getByText("珊瑚", { exact: true }).click();
    await add.getByLabel("使用提醒").fill("结账前请出示");
    await add.getByLabel("权益说明").fill("会员价；生日送小吃");
    await clean(page, "a new card");
    await add.getByRole("button", { name: "新建", exact: true }).click();
    const facts = page.getByRole("dialog", { name: "会员卡详情" });
    await expect(facts.getByRole("img", { name: "卡面：麻辣会员卡" })).toBeVisible();
    await expect(facts.getByText("必填 手机号；选填 姓名、生日")).toBeVisible();
    await clean(page, "a card");
    await page.keyboard.press("Escape");

    const row = page.getByRole("row", { name: /麻辣会员卡/ });
    await row.getByRole("button", { name: "表单" }).click();
    const asked = page.getByRole("dialog", { name: /开卡表单/ });
    await asked.getByRole("radiogroup", { name: "性别" }).getByText("必填").click();
    await expect(asked.getByText(/必填 手机号、性别/)).toBeVisible();
    await asked.getByRole("button", { name: "保存" }).click();
    await row.getByRole("button", { name: "确认创建" }).click();
    await row.getByRole("button", { name: "启用" }).click();
    await page.locator("dialog.ask").getByRole("button", { name: "启用" }).click();
    await expect(row.getByText("已启用")).toBeVisible();

    await page.goto("/#/memberCard/area");
    const place = page.getByRole("row", { name: /麻辣会员卡/ });
    await place.getByRole("button", { name: "范围" }).click();
    const places = page.getByRole("dialog", { name: /适用范围/ });
    await places.getByRole("switch").click();
    await places.getByRole("button", { name: "保存" }).click();
    await page.locator("dialog.ask").getByRole("button", { name: "保存范围" }).click();
    await expect(places.getByText("请选择区域或门店")).toBeVisible();
    await places.getByLabel("区域").click();
    await page.getByTitle(/家）/).first().click();
    await page.keyboard.press("Escape");
    await clean(page, "where a card serves");
    await places.getByRole("button", { name: "保存" }).click();
    await page.locator("dialog.ask").getByRole("button", { name: "保存范围" }).click();
    await expect(places).toBeHidden();

    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/#/memberCard/activity?panel=add:new");
    const gift = page.getByRole("dialog", { name: "新建开卡活动" });
    await gift.getByLabel("活动名称").fill("新店开卡礼");
    await gift.getByLabel("会员卡").click();
    await page.getByTitle("麻辣会员卡").last().click();
    await gift.getByLabel("送余额").fill("5");
    await gift.getByLabel("名额").fill("100");
    await gift.getByLabel("余额总预算").fill("1");
    await gift.getByRole("button", { name: "新建", exact: true }).click();
    await expect(gift.getByText("预算不够送一个人")).toBeVisible();
    await clean(page, "an activity that is refused, on a phone");
    await gift.getByLabel("余额总预算").fill("500");
    await gift.getByRole("button", { name: "新建", exact: true }).click();
    await expect(page.getByText("已新建，点「开始」后生效")).toBeVisible();
    await clean(page, "activities, on a phone");

    await page.goto("/#/memberCard/binding?panel=add:new");
    const bind = page.getByRole("dialog", { name: "绑定会员卡" });
    await bind.getByLabel("会员卡").click();
    await page.getByTitle("麻辣会员卡").last().click();
    await bind.getByText("小程序", { exact: true }).click();
    await bind.getByLabel("小程序 AppID").fill("wx01");
    await bind.getByLabel("小程序名称").fill("点餐");
    await bind.getByRole("button", { name: "绑定" }).click();
    await expect(bind.getByText("AppID 以 wx 开头，共 18 位")).toBeVisible();
    await bind.getByLabel("小程序 AppID").fill("wx0123456789abcdef");
    await bind.getByRole("button", { name: "绑定" }).click();
    await expect(page.getByText("已绑定", { exact: true })).toBeVisible();

    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto("/#/memberCard/wx");
    const wx = page.getByRole("row", { name: /麻辣会员卡/ });
    await wx.getByRole("button", { name: "创建" }).click();
    await page
      .getByRole("dialog", { name: /创建微信会员卡/ })
      .getByRole("button", { name: "提交微信审核" })
      .click();
    await expect(wx.getByText("待审核")).toBeVisible();
    await clean(page, "cards at WeChat");

    await page.goto("/#/memberCard/setAuth");
    await page
      .getByRole("row", { name: /麻辣会员卡/ })
      .getByRole("button", { name: "修改授权" })
      .click();
    const auth = page.getByRole("dialog", { name: /授权 麻辣会员卡/ });
    await auth.getByLabel("暂停与重启").check();
    await clean(page, "what stores may change");
    await auth.getByRole("button", { name: "保存" }).click();
    await expect(page.getByRole("row", { name: /麻辣会员卡/ }).getByText("暂停与重启")).toBeVisible();
  });
});

test.describe("a provider", () => {
  test.use({ login: "sp01" });

  test("sees its merchants' cards at WeChat and what it leaves to them", async ({ page }) => {
    await page.goto("/#/memberCard/wxCard");
    await expect(page.getByRole("heading", { name: "微信会员卡" })).toBeVisible();
    await clean(page, "cards of all merchants at WeChat");
    await page.goto("/#/memberCard/setAuth");
    await expect(page.getByRole("heading", { name: "会员卡授权" })).toBeVisible();
    await clean(page, "leave for merchants");
  });
});
