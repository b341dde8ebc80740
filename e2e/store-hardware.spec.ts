import { expect, test } from "./journey.ts";
import { sell, simulator } from "./world.ts";

// Printers and speakers of a store: the makers' clouds are played by the simulator, which checks signatures and keeps what came out.
test.use({ login: "mch01" });

interface Stock {
  readonly devices: { vendor: string; sn: string; key: string; bound: boolean }[];
  readonly outputs: { vendor: string; sn: string; shown: string; copies: number }[];
}
const stock = () => simulator<Stock>("_devices/state");
const free = async (vendor: string) => (await stock()).devices.findLast((device) => device.vendor === vendor && !device.bound)!;
const shownBy = async (sn: string) => (await stock()).outputs.filter((output) => output.sn === sn).map((output) => output.shown);

test("a printer is bound by its label, prints what is paid and what is asked for again, and is unbound", async ({ page }) => {
  const { sn, key } = await free("feie");
  await page.goto("/#/store/printers");
  await page.getByRole("button", { name: "绑定打印机" }).first().click();
  const form = page.getByRole("dialog", { name: "绑定云打印机" });
  await form.getByLabel("门店").click();
  await page.locator(".ant-select-item-option").filter({ hasText: "宽窄巷子店" }).click();
  await form.getByLabel("编号").fill(sn);
  await form.getByLabel("密钥").fill("wrong0");
  await form.getByLabel("名称").fill("吧台");
  await form.getByLabel("联数").fill("2");
  await form.getByRole("button", { name: "绑定", exact: true }).click();
  await expect(form.getByRole("alert").filter({ hasText: "识别码不正确" })).toBeVisible();
  await form.getByLabel("密钥").fill(key);
  await form.getByRole("button", { name: "绑定", exact: true }).click();
  const details = page.getByRole("dialog", { name: "吧台" });
  await expect(details).toContainText(`**** ${key.slice(-4)}`);
  await details.getByRole("button", { name: "测试打印" }).click();
  await expect(page.getByText("测试打印已发送到「吧台」")).toBeVisible();
  await expect(details.getByRole("table", { name: "最近打印" })).toContainText("已发送");
  expect(await shownBy(sn)).toEqual([expect.stringContaining("宽窄巷子店")]);

  const { orderNo } = await sell(1_250, "午餐<CUT>", "ZF-04-1");
  await expect.poll(async () => (await shownBy(sn))[0]).toContain(orderNo);
  expect((await shownBy(sn))[0]).toContain("午餐＜CUT＞");
  await page.goto(`/#/dataCentre/payOrder?keyword=${orderNo}`);
  await page.locator("tbody tr:visible").first().click();
  await page.getByRole("button", { name: "补打小票" }).click();
  await expect(page.getByText("已发送到 1 台打印机")).toBeVisible();
  await expect.poll(async () => (await shownBy(sn))[0]).toContain("（补打）");
  expect(await shownBy(sn)).toHaveLength(3);

  await page.goto(`/#/store/printers?keyword=${sn}`);
  await page.getByRole("button", { name: "吧台" }).click();
  await details.getByRole("button", { name: "解绑" }).click();
  const question = page.getByRole("dialog", { name: "提示" });
  await expect(question).toContainText("宽窄巷子店的这台设备不再打印");
  await question.getByRole("button", { name: "解绑" }).click();
  await expect(page.getByText("已解绑")).toBeVisible();
  expect((await stock()).devices.find((device) => device.sn === sn)?.bound).toBe(false);
});

test.describe("at the counter", () => {
  test.use({ login: "emp01" });

  test("an employee hears what is paid, and sees the own store's devices alone", async ({ page }) => {
    await page.goto("/#/store/trumpet");
    await expect(page.locator("tbody tr:visible")).toHaveCount(1);
    const sn = (await page.locator("tbody tr:visible td").nth(2).innerText()).trim();
    await sell(9_876);
    await expect.poll(() => shownBy(sn)).toContain("微信收款 98.76 元");
    await page.getByRole("button", { name: "测试", exact: true }).click();
    await expect(page.getByText("测试播报已发送到「收银台」")).toBeVisible();
    await expect(page.locator("tbody tr:visible").first()).toContainText("已发送");
  });
});
