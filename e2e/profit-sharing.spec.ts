import { expect, sharedToken, test } from "./journey.ts";
import { rowOf } from "./read-screen.ts";
import { api } from "./world.ts";

// mch02 shares by hand: its boss looks at who gets what, sends it, and lets the merchant have the rest.
test.use({ login: "mch02" });

test("a payment is shared by hand to the cent, and what is left goes to the merchant", async ({ page }) => {
  test.slow();
  const question = page.getByRole("dialog", { name: "提示" });
  const token = await sharedToken("mch02");
  const list = await api<{ items: { id: string; shareNo: string }[] }>(token, "GET", "/api/profit-sharing/shares?status=0");
  const { id, shareNo } = list.data.items.at(-1)!;
  // The channel shares at the earliest a minute after the payment; the demo's are a little older.
  const preview = async () =>
    (await api<{ refusal: string | null; totalCents: number }>(token, "GET", `/api/profit-sharing/share-preview?id=${id}`)).data;
  await expect.poll(async () => (await preview()).refusal, { timeout: 90_000, intervals: [3_000] }).toBeNull();
  const amount = `¥${((await preview()).totalCents / 100).toFixed(2)}`;
  await page.goto(`/#/dataCentre/sharing?keyword=${shareNo}`);
  await rowOf(page, shareNo).getByRole("button", { name: "分账", exact: true }).click();
  const drawer = page.getByRole("dialog", { name: "分账", exact: true });
  await expect(drawer).toContainText("品牌方");
  await drawer.getByRole("button", { name: `确认分账 ${amount}` }).click();
  await question.getByRole("button", { name: `确认分账 ${amount}` }).click();
  await expect(rowOf(page, shareNo)).toContainText("已完成", { timeout: 60_000 });
  // One of the two does not get its part: it is asked for once more by a share of its own, and what the other got stands.
  await expect(rowOf(page, shareNo)).toContainText("未到账");
  await rowOf(page, shareNo).getByRole("button", { name: "补分" }).click();
  await question.getByRole("button", { name: /^补分 ¥/ }).click();
  await expect(rowOf(page, shareNo)).toContainText("已补分");
  await rowOf(page, shareNo).getByRole("button", { name: shareNo, exact: true }).click();
  const details = page.getByRole("dialog", { name: `分账 ${shareNo}` });
  await expect(details).toContainText("已到账");
  await expect(details).toContainText(/未到账，已由 S\d+ 补分/);
  const again = async () =>
    (await api<{ items: { status: number }[] }>(token, "GET", "/api/profit-sharing/shares?status=1&pageSize=10")).data.items.length;
  await expect.poll(again, { timeout: 60_000 }).toBe(0);
  await details.getByRole("button", { name: "完结" }).click();
  await question.getByRole("button", { name: "完结分账" }).click();
  await expect(page.getByText("已提交完结")).toBeVisible();
});
