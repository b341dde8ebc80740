import { clean } from "./a11y/look.ts";
import { expect, test } from "./journey.ts";

test.describe("a merchant", () => {
  test.use({ login: "mch01" });

  test("sets levels and what they are worth, has a times card for sale, and sells to no number that is no member's", async ({ page }) => {
    await page.goto("/#/vip-member/rules");
    await page.getByRole("button", { name: "修改规则" }).first().click();
    const rules = page.getByRole("dialog", { name: "修改VIP规则" });
    const levels = rules.getByRole("group");
    await expect(rules.getByRole("button", { name: "加一级" })).toBeVisible();
    const before = await levels.count();
    for (const [at, name, basis, fields] of [
      [0, "旅程卡", "成长值", [["成长值门槛", "3000"]]],
      [
        1,
        "钻石卡",
        "付费",
        [
          ["价格", "299"],
          ["时长", "12"],
        ],
      ],
    ] as const) {
      await rules.getByRole("button", { name: "加一级" }).click();
      const level = levels.nth(before + at);
      await level.getByLabel("名称").fill(name);
      await level.getByRole("radio", { name: basis }).check();
      for (const [label, value] of fields) await level.getByLabel(label).fill(value);
    }
    await clean(page, "the ladder");
    await rules.getByRole("button", { name: `保存 ${before + 2} 个等级` }).click();
    await page.locator("dialog.ask").getByRole("button", { name: "保存规则" }).click();
    await expect(page.getByText("近 12 个月成长值满 3,000 升级，保级 12 个月")).toBeVisible();
    await expect(page.getByText("付 299 元开通，用 12 个月；续费接在后面")).toBeVisible();

    await page.goto("/#/vip-member/rights");
    await page.getByRole("button", { name: "修改权益" }).click();
    const rights = page.getByRole("dialog", { name: "修改会员权益" });
    await rights.getByRole("group", { name: "钻石卡" }).getByLabel("会员折扣（折）").fill("9.5");
    await rights.getByRole("group", { name: "钻石卡" }).getByLabel("积分倍数").fill("1.5");
    await clean(page, "修改会员权益", ".drawer");
    await rights.getByRole("button", { name: "保存权益" }).click();
    await expect(page.getByRole("row").filter({ hasText: "钻石卡" }).getByText("享 9.5 折，积分 1.5 倍")).toBeVisible();

    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/#/vip-member/timesCard?panel=add:new");
    const add = page.getByRole("dialog", { name: "新建次卡" });
    for (const [label, value] of [
      ["名称", "精洗十次"],
      ["次数", "10"],
      ["赠送次数", "2"],
      ["售价", "500"],
      ["单次价", "40"],
      ["有效期", "365"],
    ] as const)
      await add.getByLabel(label, { exact: true }).fill(value);
    await add.getByRole("button", { name: "新建", exact: true }).click();
    await expect(add.getByText("单次价乘次数不能低于售价，否则顾客单买更便宜")).toBeVisible();
    await clean(page, "a times card that is refused, on a phone");
    await add.getByLabel("单次价", { exact: true }).fill("60");
    await add.getByRole("button", { name: "新建", exact: true }).click();
    await expect(page.getByText("已新建次卡")).toBeVisible();
    await clean(page, "times cards, on a phone");

    await page.goto("/#/vip-member/timesOrders?panel=sell:new");
    const sell = page.getByRole("dialog", { name: "售次卡" });
    await sell.getByLabel("会员号").fill("0000000000");
    await sell.getByLabel("门店").fill("春熙路");
    await page
      .getByTitle(/春熙路店/)
      .last()
      .click();
    await sell.getByLabel("次卡").click();
    await page
      .getByTitle(/精洗十次/)
      .last()
      .click();
    await sell.getByRole("button", { name: "生成付款码 ¥500.00" }).click();
    await expect(sell.getByText("没有这个会员号")).toBeVisible();
  });
});
