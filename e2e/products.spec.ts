import { openXlsx } from "@zhangfang/server/lists/xlsx-writer.ts";
import { clean } from "./a11y/look.ts";
import { expect, sharedToken, signedIn, test } from "./journey.ts";

const HEADINGS = ["商品名称*", "商品编码", "条码", "售价*"];
async function workbook(rows: readonly (readonly string[])[]) {
  const pieces: Buffer[] = [];
  const columns = HEADINGS.map((label) => ({ label, kind: "text" as const, width: 16 }));
  const book = await openXlsx(async (bytes) => void pieces.push(Buffer.from(bytes)), { sheetName: "商品", columns });
  await book.write(rows);
  await book.end();
  return { name: "商品.xlsx", mimeType: "application/octet-stream", buffer: Buffer.concat(pieces) };
}
const digits = () => String(Math.floor(Math.random() * 90_000) + 10_000);
/** Tomorrow at noon in Shanghai, as the browser's field takes it. */
const tomorrow = (): string => `${new Date(Date.now() + 8 * 3_600_000 + 86_400_000).toISOString().slice(0, 10)}T12:00`;

test.describe("a merchant", () => {
  test.use({ login: "mch01" });

  test("adds a product with its bar code, plans a price for a minute, and takes the found ones off sale and on again", async ({ page }) => {
    const tag = digits();
    await page.goto("/#/product/product?panel=add:new");
    const add = page.getByRole("dialog", { name: "新建商品" });
    await add.getByLabel("名称").fill(`旅程奶茶${tag}`);
    await add.getByLabel("规格 1 编码").fill(`J${tag}`);
    await add.getByLabel("规格 1 条码").fill("6901234567890");
    await add.getByLabel("规格 1 售价").fill("18");
    await add.getByLabel("规格 1 会员价").fill("16");
    await add.getByRole("button", { name: "新建", exact: true }).click();
    await expect(add.getByText("第 13 位校验码应为 2")).toBeVisible();
    await add.getByLabel("规格 1 条码").fill(`J-${tag}`);
    await add.getByRole("button", { name: "新建", exact: true }).click();
    await expect(page.getByText("已新建商品")).toBeVisible();

    await page.goto(`/#/product/product?keyword=J-${tag}`);
    const row = page.getByRole("row").filter({ hasText: `J${tag}` });
    await row.getByRole("button", { name: "改价", exact: true }).click();
    const price = page.getByRole("dialog", { name: new RegExp(`改价 旅程奶茶${tag}`) });
    await price.getByLabel("售价").fill("40");
    await expect(price.getByText("确认大幅改价")).toBeVisible();
    await price.getByLabel("售价").fill("20");
    await price.getByText("指定时间").click();
    await price.getByLabel("生效时间").fill(tomorrow());
    await price.getByRole("button", { name: "定时改价" }).click();
    await expect(page.getByText("已定改价").first()).toBeVisible();

    await page.getByRole("button", { name: `旅程奶茶${tag}`, exact: true }).click();
    const details = page.getByRole("dialog", { name: "商品详情" });
    await expect(details.getByText("未开始")).toBeVisible();
    await page.keyboard.press("Escape");

    await page
      .getByRole("checkbox", { name: /全选|选择/ })
      .first()
      .check();
    await page.getByRole("button", { name: "下架", exact: true }).click();
    const question = page.locator("dialog.ask");
    await question.getByRole("button", { name: "下架 1 个" }).click();
    await expect(page.getByText("已下架 1 个")).toBeVisible();
    await expect(page.locator(".view:visible .table").getByText("已下架")).toBeVisible();
    await page
      .getByRole("checkbox", { name: /全选|选择/ })
      .first()
      .check();
    await page.getByRole("button", { name: "上架", exact: true }).click();
    await question.getByRole("button", { name: "上架 1 个" }).click();
    await expect(page.getByText("已上架 1 个")).toBeVisible();
  });

  test("imports what is right of a sheet and repairs what is not where it stands", async ({ page }) => {
    const tag = digits();
    await page.goto("/#/product/product");
    await page.getByRole("button", { name: "批量导入" }).click();
    await page.locator("input[type=file]").setInputFiles(
      await workbook([
        [`旅程豆浆${tag}`, `A${tag}`, "", "3.50"],
        [`旅程油条${tag}`, `B${tag}`, "6901234567890", "2"],
        [`旅程包子${tag}`, `C${tag}`, "", "两块"],
      ]),
    );
    const sheet = page.getByRole("dialog", { name: "导入商品" });
    await expect(sheet.getByText("可导入 1，有误 2")).toBeVisible();
    await expect(sheet.getByText("第 13 位校验码应为 2")).toBeVisible();
    await sheet.getByLabel("第 4 行 售价").fill("2.00");
    await page.keyboard.press("Enter");
    await expect(sheet.getByText("可导入 2，有误 1")).toBeVisible();
    await sheet.getByRole("button", { name: "导入 2 个商品" }).click();
    await expect(sheet.getByText("已完成")).toBeVisible({ timeout: 20_000 });
    await page.goto(`/#/product/product?keyword=${tag}`);
    await expect(page.locator(".view:visible").getByText("旅程包子", { exact: false }).first()).toBeVisible();
  });

  test("makes a tag, calls it otherwise and takes it away", async ({ page }) => {
    const code = `T${digits()}`;
    await page.goto("/#/product/tag?panel=add:new");
    const add = page.getByRole("dialog", { name: "新建标签" });
    await add.getByLabel("名称").fill("旅程早餐");
    await add.getByLabel("编码").fill(code);
    await add.getByRole("button", { name: "新建", exact: true }).click();
    await expect(page.getByText("已新建标签")).toBeVisible();
    await page.goto(`/#/product/tag?keyword=${code}`);
    const row = page.getByRole("row").filter({ hasText: code });
    await row.getByRole("button", { name: "改名" }).click();
    const edit = page.getByRole("dialog", { name: `修改标签 ${code}` });
    await edit.getByLabel("名称").fill("旅程夜宵");
    await edit.getByRole("button", { name: "保存" }).click();
    await expect(row).toContainText("旅程夜宵");
    await page.reload();
    await expect(row).toContainText("旅程夜宵");
    await row.getByRole("button", { name: "删除" }).click();
    await page.locator("dialog.ask").getByRole("button", { name: "删除" }).click();
    await expect(row).toHaveCount(0);
  });

  test("counts what stands at a store", async ({ page }) => {
    await page.goto("/#/product/store?keyword=可乐");
    await page.getByRole("button", { name: "库存", exact: true }).first().click();
    const stock = page.getByRole("dialog", { name: /库存 岷江可乐/ });
    await stock.getByText("盘点").click();
    await stock.getByLabel("实有件数").fill("42");
    await stock.getByRole("button", { name: "库存改为 42 件" }).click();
    await expect(page.getByText("已调整库存")).toBeVisible();
    await expect(page.locator(".view:visible .table").getByText("42", { exact: true })).toBeVisible();
  });
});

test.describe("a provider", () => {
  test.use({ login: "sp01" });
  test("gives a base good to its merchants; one of them sells it, and both pages say so", async ({ page, browser }) => {
    const name = `旅程酸奶${digits()}`;
    await page.goto("/#/basicInfo/basicGoods?panel=add:new");
    const add = page.getByRole("dialog", { name: "新建基础商品" });
    await add.getByLabel("名称").fill(name);
    await add.getByRole("button", { name: "新建", exact: true }).click();
    await expect(page.getByText("已新建基础商品")).toBeVisible();
    await page.goto(`/#/basicInfo/basicGoods?keyword=${name}`);
    await page.getByRole("link", { name }).click();
    await page.getByRole("button", { name: "修改", exact: true }).click();
    const edit = page.getByRole("dialog", { name: `修改基础商品 ${name}` });
    await edit.getByLabel("品牌").fill("岷江");
    await edit.getByRole("button", { name: "保存" }).click();
    await expect(page.getByText("已保存，在卖的商户随即更新")).toBeVisible();
    await page.getByRole("button", { name: "下发或收回" }).click();
    await page
      .getByRole("dialog", { name: /^下发或收回/ })
      .getByRole("button", { name: "下发", exact: true })
      .click();
    await expect(page.locator(".view:visible").getByText(/^下发给 \d+ 家商户，0 家在卖$/)).toBeVisible();
    await clean(page, "基础商品详情", ".view");

    expect(page.url()).toContain("#/basicInfo/basicGoods/detail?id=");
    const shop = await browser.newContext({ storageState: signedIn(await sharedToken("mch01")) });
    const seller = await shop.newPage();
    await seller.goto(page.url());
    await expect(seller.locator(".view:visible").getByText("岷江", { exact: true })).toBeVisible();
    await seller.getByRole("button", { name: "转为销售商品" }).click();
    const adopt = seller.getByRole("dialog", { name: `销售 ${name}` });
    await adopt.getByLabel(/售价/).first().fill("6.6");
    await adopt.getByRole("button", { name: "销售 1 个规格" }).click();
    await expect(seller.getByText("已转为销售商品")).toBeVisible();
    await shop.close();

    await page.reload();
    await expect(page.locator(".view:visible").getByText(/^下发给 \d+ 家商户，1 家在卖$/)).toBeVisible();
    await page.getByRole("link", { name: "谁在卖" }).click();
    await expect(page.locator(".view:visible").getByRole("table", { name: "商户" })).toContainText("6.60");
    expect(page.url()).toContain("#/basicInfo/saleGoods/detail?id=");
    await page.reload();
    await expect(page.locator(".view:visible").getByText("1 家，1 家在售")).toBeVisible();
    await clean(page, "销售商品详情", ".view");
  });
});
