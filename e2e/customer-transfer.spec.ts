import { expect, sharedToken, test } from "./journey.ts";
import { aPhone, codeOnceMore, fits, join, tab } from "./phone.ts";

test.describe("the customer's page", () => {
  test.setTimeout(300_000);

  test("a transfer waits for the other's yes, both see it, and a larger recharge asks for an id number", async ({ browser, request }) => {
    const lookup = await request.get("/newokpayorderservice/api/stores/list?keyword=&type=all", {
      headers: { authorization: `Bearer ${await sharedToken("mch01")}` },
    });
    const [store] = (await lookup.json()) as { merchants: { id: string } }[];
    const path = `/m/${store!.merchants.id}`;
    const [sender, receiver] = [await aPhone(browser), await aPhone(browser)];
    const number = await join(sender, path, "林小满");
    const other = await join(receiver, path, "陈小雨");

    await tab(sender, "充值").click();
    await sender.getByRole("radio").nth(1).check();
    await sender.getByRole("button", { name: "微信支付 ¥500.00" }).click();
    const [wallet] = await Promise.all([sender.waitForEvent("popup"), sender.getByRole("link", { name: "去付款" }).click()]);
    await wallet.getByRole("button", { name: "扫码支付" }).click();
    await expect(sender.getByRole("heading", { name: "充值成功" })).toBeVisible();
    await sender.getByRole("button", { name: "看会员码" }).click();
    await tab(sender, "充值").click();
    await sender.getByRole("button", { name: /登记证件号/ }).click();
    await fits(sender, "an id number");
    await sender.getByLabel("身份证号").fill("110105194912310021");
    await sender.getByRole("button", { name: "登记", exact: true }).click();
    await expect(sender.getByText("证件号有误，请核对 18 位身份证号")).toBeVisible();
    await sender.getByLabel("身份证号").fill("11010519491231002x");
    await sender.getByRole("button", { name: "登记", exact: true }).click();
    await sender.getByRole("button", { name: "好" }).click();
    await expect(sender.getByText("先选一个金额")).toBeVisible();
    await expect(sender.getByRole("button", { name: /登记证件号/ })).toHaveCount(0);

    const send = async (): Promise<void> => {
      await sender.goto(`${path}#transfer`);
      await sender.getByLabel(/^对方手机号/).fill(other);
      await sender.getByLabel(/^转多少/).fill("55");
      await sender.getByRole("button", { name: "下一步" }).click();
      await expect(sender.getByText("转给 陈**")).toBeVisible();
    };
    await send();
    await fits(sender, "to whom");
    await sender.getByLabel(/^短信验证码/).fill(await codeOnceMore(sender, number));
    await sender.getByRole("button", { name: "转出 55.00" }).click();
    await expect(sender.getByRole("heading", { name: "等对方接收" })).toBeVisible();
    await fits(sender, "waiting");
    await sender.getByRole("button", { name: "好" }).click();
    await expect(sender.getByText(/^等接收，/)).toBeVisible();
    await expect(sender.getByRole("button", { name: "撤回" })).toBeVisible();

    await receiver.goto(`${path}#code`);
    await receiver.reload();
    await receiver.getByRole("button", { name: "有 1 笔转余额等你接收" }).click();
    await expect(receiver.getByText("林** 转来")).toBeVisible();
    await fits(receiver, "what came");
    await receiver.getByRole("button", { name: /^接收 ¥/ }).click();
    await expect(receiver.getByText("已接收")).toBeVisible();
    await receiver.goto(`${path}#code`);
    await receiver.reload();
    await expect(receiver.locator(".worth")).toContainText("¥45.45");
    await sender.goto(`${path}#transfers`);
    await sender.reload();
    await expect(sender.getByText("已接收")).toBeVisible();
    await fits(sender, "what went");
    await sender.context().close();
    await receiver.context().close();
  });
});
