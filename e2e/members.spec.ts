import type { Page } from "@playwright/test";
import { openXlsx } from "@zhangfang/server/lists/xlsx-writer.ts";
import { clean } from "./a11y/look.ts";
import { expect, test } from "./journey.ts";
import { newPhone } from "./phone.ts";
import { api, PORT, simulator, tokenOf } from "./world.ts";

const SMS_URL = `http://127.0.0.1:${PORT + 3}/sms/outbox`;
const device = <T>(path: string, body: object): Promise<T> => simulator<T>("_till/device", { sn: "ZF-01-1", path, body });
/** The newest code that went to a phone. */
async function codeTo(phone: string): Promise<string> {
  for (let tries = 0; tries < 50; tries++) {
    const { messages } = (await (await fetch(SMS_URL)).json()) as { messages: { phone: string; text: string }[] };
    const found = messages.find((one) => one.phone === phone);
    if (found) return /\d{6}/.exec(found.text)![0];
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error("no SMS came");
}
async function workbook(rows: readonly (readonly string[])[]) {
  const pieces: Buffer[] = [];
  const columns = ["手机号*", "姓名", "门店编号*", "积分", "储值本金"].map((label) => ({ label, kind: "text" as const, width: 16 }));
  const book = await openXlsx(async (bytes) => void pieces.push(Buffer.from(bytes)), { sheetName: "会员", columns });
  await book.write(rows);
  await book.end();
  return { name: "会员.xlsx", mimeType: "application/octet-stream", buffer: Buffer.concat(pieces) };
}
const view = (page: Page) => page.locator(".view:visible");

test.describe("a merchant", () => {
  test.use({ login: "mch01" });

  test("a customer joins at the till by a code; the shop finds her, looks at her number with a reason, and freezes her", async ({
    page,
  }) => {
    const phone = newPhone();
    await device("/api/till/members/sms", { phone });
    const joined = await device<{ memberNo: string; joined: boolean; proof: string }>("/api/till/members/join", {
      phone,
      sms: await codeTo(phone),
    });
    expect(joined).toMatchObject({ joined: true, proof: "full" });

    await page.goto(`/#/member/member?keyword=${phone}`);
    await expect(view(page).getByText(`${phone.slice(0, 3)}****${phone.slice(-4)}`)).toBeVisible();
    await view(page).getByRole("link", { name: joined.memberNo }).click();
    await expect(view(page).getByText(`会员号 ${joined.memberNo}`)).toBeVisible();
    await view(page).getByRole("button", { name: "查看完整信息" }).click();
    const reveal = page.getByRole("dialog");
    await reveal.getByLabel("查看原因").fill("联系顾客取物");
    await reveal.getByRole("button", { name: "查看", exact: true }).click();
    await expect(reveal.getByText(phone)).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(view(page).getByText("联系顾客取物")).toBeVisible();

    await view(page).getByRole("button", { name: "发积分" }).click();
    const points = page.getByRole("dialog", { name: /发送积分/ });
    await points.getByLabel("每人积分").fill("120");
    await points.getByLabel("原因").fill("开业礼");
    await clean(page, "发送积分", ".drawer");
    await points.getByRole("button", { name: "发送", exact: true }).click();
    await page.locator("dialog.ask").getByRole("button", { name: "发送" }).click();
    await expect(page.getByText("已发给 1 人")).toBeVisible();
    await view(page).getByRole("tab", { name: /积分/ }).click();
    await expect(view(page).getByRole("table", { name: "积分流水" }).getByText("120").first()).toBeVisible();

    await view(page).getByRole("button", { name: "更多" }).click();
    await page.getByRole("button", { name: "冻结", exact: true }).click();
    const freeze = page.getByRole("dialog", { name: "冻结会员" });
    await freeze.getByLabel("原因").fill("顾客挂失");
    await freeze.getByRole("button", { name: "冻结会员" }).click();
    await expect(page.getByText("已冻结").first()).toBeVisible();
    await clean(page, "会员详情");
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });

  test("members of a level are found, one's page steps to the next, and balance and points are corrected there", async ({ page }) => {
    await page.goto("/#/member/member?status=1&stage=1&level=1");
    const rows = view(page).getByRole("table", { name: "微信会员" }).getByRole("row");
    await expect(rows.nth(1).getByText("银卡")).toBeVisible();
    await expect(view(page).getByText("金卡", { exact: true })).toHaveCount(0);
    await rows.nth(1).getByRole("link").first().click();
    const before = await view(page)
      .getByText(/^会员号 \d/)
      .textContent();
    await expect(view(page).getByRole("button", { name: "上一条" })).toBeDisabled();
    await view(page).getByRole("tab", { name: /积分/ }).click();
    await view(page).getByRole("button", { name: "下一条" }).click();
    await expect(view(page).getByText(/^会员号 \d/)).not.toHaveText(before!);
    await expect(view(page).getByRole("tab", { name: /积分/ })).toHaveAttribute("aria-selected", "true");
    await view(page).getByRole("button", { name: "积分调整" }).click();
    const points = page.getByRole("dialog", { name: "调整积分" });
    await expect(points.getByText(/^会员号 \d{10}$/)).toBeVisible();
    await points.getByLabel("积分", { exact: true }).fill("7");
    await points.getByLabel("说明").fill("旅程");
    await points.getByRole("button", { name: "提交" }).click();
    await page.locator("dialog.ask").getByRole("button").last().click();
    await expect(page.getByText("已调整 7 积分")).toBeVisible();
    await expect(view(page).getByRole("table", { name: "积分流水" }).getByText("积分调整").first()).toBeVisible();
    await view(page).getByRole("button", { name: "改余额" }).click();
    const balance = page.getByRole("dialog", { name: "改余额" });
    await expect(balance.getByText(/^会员号 \d{10}$/)).toBeVisible();
    await clean(page, "改余额 over a member");
    await page.keyboard.press("Escape");
    await view(page).getByRole("button", { name: "上一条" }).click();
    await expect(view(page).getByText(before!)).toBeVisible();
    // Its address opens the same member's page, at the same part.
    expect(page.url()).toContain("#/member/details?id=");
    await page.reload();
    await expect(view(page).getByText(before!)).toBeVisible();
    await expect(view(page).getByRole("tab", { name: /积分/ })).toHaveAttribute("aria-selected", "true");
  });

  test("a bad row of a sheet is repaired where it stands, another stays, and the principal waits for somebody else", async ({ page }) => {
    const [good, repaired, twice] = [newPhone(), newPhone(), newPhone()];
    const token = await tokenOf("mch01");
    const { data } = await api<{ items: { number: string }[] }>(token, "GET", "/api/stores?pageSize=10");
    const number = data.items[0]!.number;
    await page.goto("/#/member/member?panel=import:new");
    await page.locator("input[type=file]").setInputFiles(
      await workbook([
        [good, "旅程甲", number, "500", "100.00"],
        ["12345", "旅程乙", number, "", ""],
        [twice, "旅程丙", "6000000000", "", ""],
      ]),
    );
    const sheet = page.getByRole("dialog", { name: "导入会员" });
    await expect(sheet.getByText("可导入 1，有误 2")).toBeVisible();
    await sheet.getByLabel("第 3 行 手机号").fill(repaired);
    await page.keyboard.press("Enter");
    await expect(sheet.getByText("可导入 2，有误 1")).toBeVisible();
    await sheet.getByRole("button", { name: "导入 2 人会员" }).click();
    await expect(sheet.getByText("已完成")).toBeVisible({ timeout: 30_000 });
    const found = await api<{ items: { points: number; principalCents: number }[] }>(token, "GET", `/api/members?keyword=${good}`);
    // What the sheet says, and the 100 that the demo's 开卡活动 gives to whoever joins.
    expect(found.data.items).toMatchObject([{ points: 600, principalCents: 0 }]);
    for (const [phone, count] of [
      [repaired, 1],
      [twice, 0],
    ] as const)
      expect((await api<{ items: unknown[] }>(token, "GET", `/api/members?keyword=${phone}`)).data.items).toHaveLength(count);
    await page.goto("/#/member/member");
    await view(page)
      .getByRole("button", { name: /待确认本金/ })
      .click();
    const waiting = page.getByRole("dialog", { name: "待确认的期初本金" });
    await expect(waiting.getByText("¥100.00").or(waiting.getByText("100.00")).first()).toBeVisible();
    await waiting.getByRole("checkbox").first().check();
    await expect(waiting.getByText("自己导入的要由另一人确认")).toBeVisible();
  });
});
