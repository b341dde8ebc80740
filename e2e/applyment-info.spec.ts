import { randomUUID } from "node:crypto";
import { clean } from "./a11y/look.ts";
import { expect, sharedToken, signedIn, test } from "./journey.ts";
import { aPhone } from "./phone.ts";
import { newPicture } from "./picture.ts";
import { mayAskAgain } from "./rounds.ts";
import { api, payCent, simulator, standsAt } from "./world.ts";

// A provider's application goes the whole way: handed in, its account verified, signed, opened, the number in the settings, the first cent.
test.describe.configure({ timeout: 300_000 });
test.use({ login: "sp01" });

/** Does something as the provider. */
async function office<T = { id: string }>(path: string, body: object): Promise<T> {
  const { status, data } = await api<T>(await sharedToken("sp01"), "POST", path, body);
  expect(status, JSON.stringify(data)).toBe(200);
  return data;
}
const SECRETS = ["510122199008214041", "6212264402009182738", "13980019033", "li@example.com"];
/** A new merchant whose dossier has nothing wrong. */
async function aMerchant(login: string, shortName: string): Promise<{ merchantId: string; token: string; versions: object }> {
  const { id: merchantId, password } = await office<{ id: string; password: string }>("/api/organisation/merchants/add", {
    requestId: randomUUID(),
    name: `成都市锦江区${shortName}店`,
    shortName,
    contactName: "李小红",
    contactPhone: "13980019033",
    login,
  });
  const { data } = await api<{ id_token: string }>(undefined, "POST", "/api/authenticateNew", {
    username: login,
    password,
    newPassword: "Kontor#2026",
  });
  const base64 = newPicture(160, 120).toString("base64");
  const file = async (): Promise<string> => (await office("/api/applyments/files/add", { merchantId, base64 })).id;
  const values = {
    "contact.type": "LEGAL",
    "contact.name": "李小红",
    "contact.phone": SECRETS[2],
    "contact.mail": SECRETS[3],
    "legal.idType": "IDENTIFICATION_TYPE_IDCARD",
    "legal.idFront": await file(),
    "legal.idBack": await file(),
    "legal.name": "李小红",
    "legal.idNumber": SECRETS[0],
    "legal.begin": "2021-06-30",
    "legal.end": "2041-06-30",
    "subject.type": "SUBJECT_TYPE_INDIVIDUAL",
    "licence.picture": await file(),
    "licence.number": "92510100MA6DFR8X1C",
    "licence.name": `成都市锦江区${shortName}店`,
    "licence.person": "李小红",
    "licence.begin": "2021-04-02",
    "licence.end": "长期",
    "business.shortName": shortName,
    "business.phone": "028-87654321",
    "business.scenes": ["SALES_SCENES_STORE"],
    "store.name": `${shortName}一店`,
    "store.area": "510104",
    "store.address": "春熙路 1 号",
    "store.entrance": [await file()],
    "store.indoor": [await file()],
    "settlement.id": "719",
    "settlement.trade": "餐饮",
    "account.type": "BANK_ACCOUNT_TYPE_PERSONAL",
    "account.name": "李小红",
    "account.bank": "工商银行",
    "account.area": "510100",
    "account.number": SECRETS[1],
  };
  const changes = Object.entries(values).map(([path, value]) => ({ path, value, version: 0 }));
  const { versions } = await office<{ versions: object }>("/api/applyments/dossier/save", { merchantId, changes });
  return { merchantId, token: data.id_token, versions };
}
const act = (code: string, what: string) => simulator("_control/applyment", { code, act: what });

test("the demo's two: one waits for its signature, one is finished", async ({ page, browser }) => {
  await page.goto("/#/applyment/info");
  await expect(page.getByRole("table", { name: "进件详情" }).getByText("老成都面馆").first()).toBeVisible();
  await page.screenshot({ path: ".test/applyment-list.png" });
  await page.getByRole("button", { name: "悦颜美容" }).first().click();
  await expect(page.getByRole("heading", { name: "现在要做的：请陈*强本人用微信扫，签约" })).toBeVisible();
  await expect(page.getByRole("img", { name: "悦颜美容的签约二维码，给陈*强扫" })).toBeVisible();
  await clean(page, "待签约");
  await page.screenshot({ path: ".test/applyment-sign.png", fullPage: true });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.screenshot({ path: ".test/applyment-sign-dark.png", fullPage: true });
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/#/applyment/info?state=FINISHED");
  await page.getByRole("button", { name: "老成都面馆" }).first().click();
  await expect(page.getByRole("heading", { name: "开通以后要做的" })).toBeVisible();
  await clean(page, "已完成");
  await page.screenshot({ path: ".test/applyment-done.png", fullPage: true });
  const url = page.url();
  await page.goto("/#/applyment/info?panel=account");
  await expect(page.getByRole("dialog", { name: "进件账户" }).getByLabel("服务商商户号")).toHaveValue(/^\d+$/);
  await clean(page, "进件账户", ".drawer");
  await page.screenshot({ path: ".test/applyment-account.png" });
  const phone = await aPhone(browser, { storageState: signedIn(await sharedToken("sp01")) });
  await phone.goto(url);
  await expect(phone.getByRole("heading", { name: "开通以后要做的" })).toBeVisible();
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await phone.screenshot({ path: ".test/applyment-done-phone.png", fullPage: true });
  await phone.goto("/#/applyment/info?state=TO_BE_SIGNED");
  await phone.getByText("悦颜美容").first().click();
  await expect(phone.getByRole("img", { name: "悦颜美容的签约二维码，给陈*强扫" })).toBeVisible();
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await phone.screenshot({ path: ".test/applyment-sign-phone.png", fullPage: true });
});

test("handed in, verified, signed, opened; the merchant watches, and takes its first cent under the new number", async ({
  page,
  browser,
}) => {
  const login = `bing${Date.now() % 1_000_000}`;
  const { merchantId, token, versions } = await aMerchant(login, "验证冰粉");
  const { id } = await office("/api/applyments/submit", { requestId: randomUUID(), merchantId, versions, submissions: 0 });
  const owner = await (await browser.newContext({ locale: "zh-CN", storageState: signedIn(token) })).newPage();
  await owner.clock.install();
  await owner.goto(`/#/applyment/info?id=${id}`);
  const card = owner.getByRole("region", { name: "现在要做的" });
  await expect(card).toContainText("等微信支付审核", { timeout: 60_000 });
  const code = (await owner.locator(".applyment-head .num").first().innerText()).trim();
  // Confirmed before it was asked about, it would not be seen to wait: until then the simulator audits.
  await expect.poll(() => standsAt(code)).toBe("TO_BE_CONFIRMED");
  await mayAskAgain(id);
  await owner.getByRole("button", { name: "现在查" }).click();
  await expect(card).toContainText("请李*红本人用微信扫，验证账户");
  await expect(card).toContainText("还剩 9 天");
  // Nobody presses anything: the page asks by itself, a minute after the last time, while it is looked at.
  const minute = async (): Promise<void> => {
    await mayAskAgain(id);
    await owner.clock.fastForward(62_000);
  };
  await act(code, "confirm");
  await minute();
  await expect(card).toContainText("签约");
  await act(code, "sign");
  await expect.poll(() => standsAt(code)).toBe("FINISHED");
  await minute();
  await expect(card).toContainText("开通完成");
  const subMchId = (await card.locator(".applyment-number").innerText()).trim();
  await expect(owner.getByRole("button", { name: "作废" })).toHaveCount(0);

  await page.goto(`/#/applyment/info?id=${id}`);
  const after = page.getByRole("region", { name: "开通以后" });
  await expect(after).toContainText(`已写入通道设置：子商户号 ${subMchId}`);
  await after.getByRole("button", { name: "向通道验证" }).click();
  await expect(after).toContainText("验证通过");
  await after.getByRole("button", { name: "查开户意愿" }).click();
  await expect(after).toContainText("法人还没有确认");
  await after.getByRole("button", { name: "登记已办：绑定 AppID" }).click();
  await expect(after.getByRole("button", { name: "撤销登记：绑定 AppID" })).toBeVisible();
  await page.goto(`/#/merchants/v3Secret?merchantId=${merchantId}`);
  await expect(page.locator(".pairs dd:visible").filter({ hasText: subMchId })).toBeVisible();

  // The test cent, at the code of the merchant's first store.
  await owner.goto("/#/store/store?panel=add");
  const opening = owner.getByRole("dialog", { name: "新建门店" });
  await opening.getByLabel("门店名称").fill("验证冰粉春熙店");
  await opening.getByLabel("门店简称").fill("春熙店");
  await opening.getByRole("button", { name: "新建门店" }).click();
  await expect(owner.getByText("门店已建好")).toBeVisible();
  const { data: stores } = await api<{ items: { id: string }[] }>(token, "GET", "/api/stores");
  await payCent(token, stores.items[0]!.id);
  await owner.goto(`/#/applyment/info?id=${id}`);
  await expect(owner.getByRole("region", { name: "开通以后" })).toContainText("收到第一笔 ¥0.01", { timeout: 30_000 });
  const seen = JSON.stringify([
    await api(token, "GET", `/api/applyments/one?id=${id}`),
    await api(token, "GET", "/api/applyments"),
    await api(await sharedToken("sp01"), "GET", "/api/audit?pageSize=100"),
  ]);
  for (const secret of SECRETS) expect(seen).not.toContain(secret);
});

test("the merchant fills in its own steps by a link on a phone; the office takes the papers as a file", async ({ page, browser }) => {
  const login = `link${Date.now() % 1_000_000}`;
  const { merchantId } = await aMerchant(login, "链接小吃");
  await page.goto(`/#/applyment/form?merchantId=${merchantId}&panel=links`);
  const drawer = page.getByRole("dialog", { name: "商户填写链接 链接小吃" });
  await drawer.getByRole("checkbox", { name: "经营资料" }).check();
  await drawer.getByRole("checkbox", { name: "结算账户" }).check();
  await drawer.getByRole("button", { name: "生成 2 步的链接" }).click();
  await expect(drawer.getByRole("img", { name: "经营资料、结算账户的填写链接" })).toBeVisible();
  await clean(page, "填写链接", ".drawer");
  await page.screenshot({ path: ".test/applyment-links.png" });
  const { data } = await api<{ items: { url: string }[] }>(
    await sharedToken("sp01"),
    "GET",
    `/api/applyments/links?merchantId=${merchantId}`,
  );
  const phone = await aPhone(browser);
  await phone.goto(new URL(data.items[0]!.url).pathname);
  await expect(phone.getByRole("heading", { name: "链接小吃的开户资料" })).toBeVisible();
  await phone.getByLabel("客服电话").fill("02899998888");
  await phone.getByLabel("客服电话").blur();
  await expect(phone.getByRole("status").first()).toContainText("已保存");
  await expect(phone.getByText("超级管理员姓名")).toHaveCount(0);
  // A card number is kept when its field is left, and comes back masked.
  await phone.getByRole("button", { name: "重填银行账号" }).click();
  await phone.getByLabel("银行账号", { exact: true }).pressSequentially("62122644", { delay: 30 });
  await phone.waitForTimeout(1_500);
  await phone.getByLabel("银行账号", { exact: true }).pressSequentially("02009182738", { delay: 10 });
  await phone.getByLabel("银行账号", { exact: true }).blur();
  await expect(phone.getByLabel("银行账号", { exact: true })).toHaveValue("****2738");
  await expect(phone.getByText(SECRETS[1]!)).toHaveCount(0);
  // Begun and emptied, it stays as it was kept.
  await phone.getByRole("button", { name: "重填银行账号" }).click();
  await phone.getByLabel("银行账号", { exact: true }).pressSequentially("6");
  await phone.getByLabel("银行账号", { exact: true }).press("Backspace");
  await phone.getByLabel("银行账号", { exact: true }).blur();
  await expect(phone.getByLabel("银行账号", { exact: true })).toHaveValue("****2738");
  // Two pictures at once, of which one takes long: both stay.
  const asKept = async () =>
    (
      await api<{ values: Record<string, unknown>; versions: Record<string, number> }>(
        await sharedToken("sp01"),
        "GET",
        `/api/applyments/dossier?merchantId=${merchantId}`,
      )
    ).data;
  const pictures = async () => ((await asKept()).values["store.indoor"] as string[]).length;
  let slow = Promise.resolve();
  await phone.route(
    "**/api/applyment-page/picture*",
    (route) =>
      (slow = expect
        .poll(pictures, { timeout: 20_000 })
        .toBe(2)
        .then(() => route.continue())),
    { times: 1 },
  );
  await phone
    .locator('[data-path="store.indoor"] input[type=file]')
    .setInputFiles(["a.png", "b.png"].map((name) => ({ name, mimeType: "image/png", buffer: newPicture(1_200, 800) })));
  await expect.poll(pictures, { timeout: 30_000 }).toBe(3);
  await slow;
  await expect(phone.locator('[data-path="store.indoor"]').getByText("已上传")).toHaveCount(3);
  // The office writes in the same field meanwhile: both are seen, what is typed elsewhere goes through.
  await office("/api/applyments/dossier/save", {
    merchantId,
    changes: [{ path: "business.phone", value: "028-11112222", version: (await asKept()).versions["business.phone"] }],
  });
  await phone.getByLabel("客服电话").fill("02833334444");
  await phone.locator('[data-path="store.name"] input').fill("链接小吃新店");
  await phone.locator('[data-path="store.name"] input').blur();
  await expect(phone.getByText("刚写了「028-11112222」，你写的还没有保存")).toBeVisible();
  await expect.poll(async () => (await asKept()).values["store.name"]).toBe("链接小吃新店");
  await phone.screenshot({ path: ".test/applyment-fill-conflict.png" });
  await phone.getByRole("button", { name: "用我写的" }).click();
  await expect.poll(async () => (await asKept()).values["business.phone"]).toBe("02833334444");
  // A branch of 其他银行 is picked from WeChat Pay's lists; one that they have not is typed.
  await phone.locator('[data-path="account.bank"] select').selectOption("其他银行");
  const branches = phone.getByRole("region", { name: "选开户支行" });
  await branches.getByRole("searchbox", { name: "银行名称里的字" }).fill("农村");
  await branches.getByRole("button", { name: "选这家：成都农村商业银行", exact: true }).click();
  await branches.getByRole("searchbox", { name: "支行名称里的字" }).fill("青羊 第40");
  await branches.getByRole("button", { name: "选这家：成都农村商业银行成都市青羊第40支行", exact: true }).click();
  await expect.poll(async () => (await asKept()).values["account.branchName"]).toBe("成都农村商业银行成都市青羊第40支行");
  await clean(phone, "选支行");
  await branches.screenshot({ path: ".test/applyment-fill-branch.png" });
  await branches.getByRole("button", { name: "找不到，手填" }).click();
  await phone.getByLabel("开户银行全称").fill("成都农村商业银行新开支行");
  await phone.getByLabel("开户银行全称").blur();
  await expect.poll(async () => (await asKept()).values["account.branchName"]).toBe("成都农村商业银行新开支行");
  // The number of the branch that was picked is gone with it.
  await expect.poll(async () => (await asKept()).values["account.branchId"] ?? "").toBe("");
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await clean(phone, "商户填写");
  await phone.screenshot({ path: ".test/applyment-fill-phone-dark.png", fullPage: true });
  await phone.emulateMedia({ colorScheme: "light" });
  await phone.screenshot({ path: ".test/applyment-fill-phone.png", fullPage: true });
  await drawer.getByRole("button", { name: "停用" }).click();
  await page.getByRole("dialog", { name: "提示" }).getByRole("button", { name: "停用" }).click();
  await expect(drawer.getByText(/ 停用 · /)).toBeVisible();
  await phone.reload();
  await expect(phone.getByRole("alert")).toContainText("链接无效或已停用");

  await page.goto(`/#/applyment/form?merchantId=${merchantId}&panel=packages`);
  const packages = page.getByRole("dialog", { name: "资料包 链接小吃" });
  await packages
    .getByLabel("通道")
    .selectOption({ label: "支付宝" })
    .catch(async () => {
      await packages.getByLabel("通道").click();
      await page.getByTitle("支付宝").click();
    });
  await packages.getByRole("button", { name: "生成给支付宝的资料包" }).click();
  const down = page.waitForEvent("download");
  await packages.getByRole("button", { name: "下载" }).click();
  expect((await down).suggestedFilename()).toBe("资料包-链接小吃-支付宝.zip");
  await packages.getByRole("button", { name: "登记已提交" }).click();
  await page.getByRole("dialog", { name: "提示" }).getByRole("button", { name: "已提交" }).click();
  await packages.getByRole("button", { name: "登记通过" }).click();
  const told = page.getByRole("dialog", { name: "支付宝通过了" });
  await told.getByLabel("通道给的商户号").fill("2088123456789012");
  await told.getByRole("button", { name: "登记" }).click();
  await expect(packages.getByText("2088123456789012")).toBeVisible();
  await clean(page, "资料包", ".drawer");
  await page.screenshot({ path: ".test/applyment-packages.png" });
});
