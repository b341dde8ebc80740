import type { Route } from "@playwright/test";
import { clean } from "./a11y/look.ts";
import { expect, sharedToken, test } from "./journey.ts";
import { aPhone, codeOnceMore, fits, join, tab } from "./phone.ts";
import { BASE_URL, simulator } from "./world.ts";

test.describe("the customer's page", () => {
  test.use({ login: "mch01" });
  test.setTimeout(240_000);

  test("a shop finds its address; a customer joins on a phone, sees the code change, recharges for real and reads it in the records", async ({
    page,
    browser,
  }) => {
    await page.goto("/#/member/member");
    await page.getByRole("button", { name: "会员页" }).click();
    const drawer = page.getByRole("dialog", { name: "会员页" });
    await expect(drawer.getByRole("img", { name: "蜀味川菜会员页二维码" })).toBeVisible();
    const address = await drawer.getByText(/\/m\/[0-9a-f-]{36}$/).innerText();
    await clean(page, "the address");
    const path = new URL(address).pathname;

    const phone = await aPhone(browser);
    await phone.goto(path);
    await phone.getByLabel("手机号", { exact: true }).fill("123");
    await phone.getByRole("button", { name: "加入或登录" }).click();
    await expect(phone.getByText("请输入 11 位手机号")).toBeVisible();
    await fits(phone, "joining");
    // The server's code lasts half a minute: the first one is another's that is over in three seconds, and the page draws the next by itself.
    const over = `99${"0".repeat(18)}`;
    const shorten = async (route: Route): Promise<void> => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), code: over, leftMs: 3_000 } });
    };
    await phone.route(/\/api\/customer\/[^/]+\/code\?/, shorten, { times: 1 });
    const number = await join(phone, path, "林小满");
    await expect(phone.getByText("林小满")).toBeVisible();
    await expect(phone.getByText(/^\d+ 秒后换新$/)).toBeVisible();
    await expect(phone.locator(".digits")).not.toHaveAttribute("data-code", over);
    await fits(phone, "the code");
    const now = await phone.locator(".digits").getAttribute("data-code");
    const identified = await simulator<{ proof: string }>("_till/device", {
      sn: "ZF-01-1",
      path: "/api/till/members/identify",
      body: { code: now },
    });
    expect(identified.proof).toBe("full");

    await tab(phone, "充值").click();
    await expect(phone.getByText("先选一个金额")).toBeVisible();
    await fits(phone, "choosing");
    await phone.getByRole("radio").nth(1).check();
    await expect(phone.getByRole("row", { name: "本金" })).toContainText("¥500.00");
    await phone.getByRole("button", { name: "微信支付 ¥500.00" }).click();
    await expect(phone.getByRole("link", { name: "去付款" })).toBeVisible();
    await fits(phone, "paying");
    const [wallet] = await Promise.all([phone.waitForEvent("popup"), phone.getByRole("link", { name: "去付款" }).click()]);
    await wallet.getByRole("button", { name: "扫码支付" }).click();
    await expect(wallet.getByRole("status")).toHaveText("已支付");
    await expect(phone.getByRole("heading", { name: "充值成功" })).toBeVisible();
    await expect(phone.getByText(/现在本金 ¥500\.00/)).toBeVisible();
    await fits(phone, "paid");
    await phone.getByRole("button", { name: "看会员码" }).click();
    await expect(phone.locator(".worth")).toContainText("¥500.00");

    await tab(phone, "明细").click();
    await expect(phone.getByText("本金 +¥500.00")).toBeVisible();
    await expect(phone.getByText("余 ¥500.00")).toBeVisible();
    await fits(phone, "records");

    await tab(phone, "我的").click();
    await fits(phone, "one's own");
    await phone.getByRole("button", { name: /充值记录和退卡/ }).click();
    await phone.getByRole("button", { name: "看能退多少" }).click();
    await expect(phone.getByRole("radio")).toHaveCount(3);
    await phone.getByRole("radio").first().check();
    await expect(phone.getByRole("button", { name: "申请退卡 ¥500.00" })).toBeVisible();
    await fits(phone, "退卡");
    await phone.getByLabel("为什么退").fill("搬家了");
    await phone.getByLabel(/^短信验证码/).fill(await codeOnceMore(phone, number));
    await phone.getByRole("button", { name: "申请退卡 ¥500.00" }).click();
    await expect(phone.getByRole("heading", { name: "已申请" })).toBeVisible();
    await phone.getByRole("button", { name: "好" }).click();
    await phone.getByRole("button", { name: "撤回退卡" }).click();
    await expect(phone.getByText(/已撤回/)).toBeVisible();
    await phone.getByRole("button", { name: "返回" }).click();
    await phone.getByRole("button", { name: "注销会员" }).click();
    await expect(phone.getByText(/还有储值本金 ¥500\.00，先退卡/)).toBeVisible();
    await phone.getByRole("checkbox").check();
    await phone.getByLabel(/^短信验证码/).fill("000000");
    await phone.getByRole("button", { name: "申请注销" }).click();
    await expect(phone.getByText("验证码错误或已过期，请重新获取")).toBeVisible();
    await fits(phone, "注销");

    // Large type, a narrow phone, and no network.
    await phone.getByRole("button", { name: /^字大/ }).click();
    await phone.setViewportSize({ width: 320, height: 640 });
    await phone.goto(`${path}#code`);
    await expect(phone.locator(".digits")).toBeVisible();
    await fits(phone, "large on a narrow phone");
    await phone.context().setOffline(true);
    await tab(phone, "明细").click();
    await expect(phone.getByText("没连上网，请检查后重试")).toBeVisible();
    await fits(phone, "offline");
    await expect(phone.getByRole("button", { name: "再试一次" })).toBeVisible();
    // It looks again by itself.
    await phone.context().setOffline(false);
    await expect(phone.getByText("释放退卡占用")).toBeVisible();
    await phone.context().close();
  });

  test("inside WeChat the recharge is paid by the page itself; a page that is not there says so; cold it weighs under 30 KB", async ({
    browser,
    request,
  }) => {
    const lookup = await request.get("/newokpayorderservice/api/stores/list?keyword=&type=all", {
      headers: { authorization: `Bearer ${await sharedToken("mch01")}` },
    });
    const [store] = (await lookup.json()) as { merchants: { id: string } }[];
    const path = `/m/${store!.merchants.id}`;
    const wechat = await aPhone(browser, {
      userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 MicroMessenger/8.0.50",
    });
    await wechat.context().exposeFunction("payOnPhone", async () => {
      const { orders } = await simulator<{ orders: { key: string; tradeType: string }[] }>("_control/phone");
      await simulator("_control/pay", { key: orders.find((order) => order.tradeType === "JSAPI")?.key });
    });
    await wechat.addInitScript(() => {
      const invoke = (_name: string, _given: object, done: (said: { err_msg: string }) => void): void => {
        const { payOnPhone: pay } = window as unknown as { payOnPhone: () => Promise<void> };
        void pay();
        setTimeout(() => done({ err_msg: "get_brand_wcpay_request:ok" }), 500);
      };
      Object.assign(window, { WeixinJSBridge: { invoke } });
    });
    await join(wechat, path, "陈雨");
    await tab(wechat, "充值").click();
    await wechat.getByRole("radio").first().check();
    await wechat.getByRole("button", { name: "微信支付 ¥200.00" }).click();
    await expect(wechat.getByRole("heading", { name: "充值成功" })).toBeVisible();
    expect(new URL(wechat.url()).search).toBe("");
    await wechat.context().close();

    const stranger = await aPhone(browser);
    await stranger.goto("/m/01a1f71c-7600-7000-8000-0123456789ab");
    await expect(stranger.getByText("这个会员页不存在，请向店员要新的链接")).toBeVisible();
    await fits(stranger, "no such page");
    await stranger.context().close();

    let bytes = 0;
    for (const file of [path, "/member.js", "/member.css", "/theme.js"]) {
      const answer = await fetch(`${BASE_URL}${file}`, { headers: { "accept-encoding": "br" } });
      expect(answer.headers.get("content-encoding"), file).toBe("br");
      bytes += Number(answer.headers.get("content-length"));
      await answer.arrayBuffer();
    }
    expect(bytes).toBeGreaterThan(5_000);
    expect(bytes).toBeLessThan(30 * 1024);
  });
});
