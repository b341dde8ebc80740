import { expect, sharedToken, test } from "./journey.ts";
import { aPhone, fits, join, tab } from "./phone.ts";
import { api, BASE_URL } from "./world.ts";

test.describe("the code on a store's counter", () => {
  test.use({ login: "mch01" });
  test.setTimeout(240_000);

  test("a stranger pays as ever; signed in, points and balance come off in sight, the balance alone pays at once", async ({
    page,
    browser,
  }) => {
    const token = await sharedToken("mch01");
    const { data: stores } = await api<readonly { id: string }[]>(token, "GET", "/newokpayorderservice/api/stores/list?keyword=&type=all");
    const opened = await api<{ items: { url: string }[] }>(token, "POST", "/api/pay-codes/open", { storeIds: [stores[0]!.id] });
    const path = new URL(opened.data.items[0]!.url).pathname;

    const phone = await aPhone(browser);
    await phone.goto(path);
    await phone.getByLabel("付款金额（元）").fill("12.50");
    await expect(phone.getByRole("button", { name: "付款 ¥12.50" })).toBeVisible();
    await expect(phone.getByRole("switch")).toHaveCount(0);
    await fits(phone, "nobody is signed in");
    const way = await phone.getByRole("link", { name: "会员登录" }).getAttribute("href");

    // There and back again, by a code to the phone.
    await join(phone, way!, "林小满");
    await expect(phone.getByText(/^林小满/)).toBeVisible();
    expect(new URL(phone.url()).pathname).toBe(path);

    const merchant = way!.split("?")[0]!;
    await phone.goto(merchant);
    await tab(phone, "充值").click();
    await phone.getByRole("radio").nth(1).check();
    await phone.getByRole("button", { name: "微信支付 ¥500.00" }).click();
    const [wallet] = await Promise.all([phone.waitForEvent("popup"), phone.getByRole("link", { name: "去付款" }).click()]);
    await wallet.getByRole("button", { name: "扫码支付" }).click();
    await expect(phone.getByRole("heading", { name: "充值成功" })).toBeVisible();

    await phone.goto(path);
    await expect(phone.getByText(/本金 ¥500\.00/)).toBeVisible();
    await phone.getByLabel("付款金额（元）").fill("150");
    await expect(phone.getByRole("button", { name: "微信支付 ¥150.00" })).toBeVisible();
    await phone.getByRole("switch", { name: /用余额/ }).check();
    await expect(phone.getByRole("button", { name: "用余额付清 150.00" })).toBeVisible();
    await expect(phone.getByText("微信还要付")).toBeVisible();
    await expect(phone.getByText("赠送支付（不可退现）")).toBeVisible();
    await fits(phone, "the price of a member");
    await phone.getByRole("button", { name: "用余额付清 150.00" }).click();
    await expect(phone.getByRole("heading", { name: "付款成功" })).toBeVisible();
    await expect(phone.locator("#tenders").getByText("本金支付")).toBeVisible();
    await fits(phone, "paid by the balance");
    const number = /P\d+/.exec(await phone.locator("#number").innerText())![0];

    // Above the line a PIN is asked for, which is not there yet.
    await phone.getByRole("button", { name: "再付一笔" }).click();
    await phone.getByLabel("付款金额（元）").fill("250");
    await phone.getByRole("switch", { name: /用余额/ }).check();
    await expect(phone.getByRole("link", { name: "这个金额要用支付密码，先去设置" })).toBeVisible();
    await fits(phone, "a PIN is wanted");
    await phone.getByRole("switch", { name: /用余额/ }).uncheck();
    await phone.getByRole("button", { name: "微信支付 ¥250.00" }).click();
    await expect(phone.getByRole("link", { name: "去付款" })).toBeVisible();
    await phone.context().close();

    await page.goto(`/#/dataCentre/payOrder?keyword=${number}`);
    await page.getByRole("row").filter({ hasText: number }).click();
    await expect(page.getByRole("dialog")).toContainText("储值");

    let bytes = 0;
    for (const file of [path, "/pay.js", "/pay.css"]) {
      const answer = await fetch(`${BASE_URL}${file}`, { headers: { "accept-encoding": "br" } });
      bytes += Number(answer.headers.get("content-length"));
      await answer.arrayBuffer();
    }
    expect(bytes).toBeLessThan(12 * 1024);
  });
});
