import type { Page } from "@playwright/test";
import { clean } from "./a11y/look.ts";
import { expect, sharedToken, signedIn, test } from "./journey.ts";
import { anotherToken, office } from "./office.ts";
import { api, BASE_URL, PORT } from "./world.ts";

// A merchant makes a group note, another approves it, WeChat sends it and tells how it ended, and a follower opens its link.
test.describe.configure({ timeout: 180_000 });
test.use({ login: "mch01" });

const simulator = async <T>(path: string, body: object): Promise<T> =>
  (await (await fetch(`http://127.0.0.1:${PORT + 3}/${path}`, { method: "POST", body: JSON.stringify(body) })).json()) as T;
/** An account of the shop with three followers. */
async function account(): Promise<{ id: string; name: string; keys: { address: string; appId: string; token: string; aesKey: string } }> {
  const [appId, name] = [`wx${String(Date.now()).padStart(16, "0")}`, `群发号 ${Date.now() % 100_000}`];
  const { id } = await office<{ id: string }>("/api/wx-apps/add", { requestId: crypto.randomUUID(), appId, name, kind: 1 });
  await office("/api/wx-apps/secret", { id, revision: 1, secret: "0123456789abcdef".repeat(2) });
  const token = await sharedToken("mch01");
  const { data } = await api<{ url: string; token: string; aesKey: string }>(token, "GET", `/api/wx-apps/keys?id=${id}`);
  const keys = { address: data.url, appId, token: data.token, aesKey: data.aesKey };
  for (const n of [1, 2, 3])
    await simulator("wechat-fans/raise", { ...keys, openId: `oNote${String(Date.now() * 10 + n).padStart(20, "0")}`, event: "subscribe" });
  return { id, name, keys };
}
const bar = (page: Page) => page.locator(".mass-save");

test("a note goes out by another's yes, its result and clicks come back, and its copy is paused and goes on", async ({ page, browser }) => {
  const { name, keys } = await account();
  // The page asks every thirty seconds.
  await page.clock.install();
  await page.goto("/#/wxCRM/groupNote");
  await page.getByRole("button", { name: "新建群发" }).first().click();
  await expect(page.getByRole("heading", { name: "新建群发" })).toBeVisible();
  await expect(bar(page)).toContainText("还差封面");
  await page.getByText("加条件").click();
  await page.getByLabel("公众号", { exact: true }).click();
  await page.locator(".ant-select-item-option").filter({ hasText: name }).click();
  await page.getByLabel("文字", { exact: true }).check();
  const title = `老友回来 ${Date.now() % 100_000}`;
  await page.getByLabel("群发名称").fill(title);
  await page.getByRole("textbox", { name: "文字" }).fill("红汤给你热着，转发有礼");
  await expect(page.getByText("像是诱导分享")).toBeVisible();
  await page.getByRole("textbox", { name: "文字" }).fill("好久没见，红汤给你热着");
  await page.getByLabel("链接", { exact: true }).click();
  await page.locator(".ant-select-item-option").filter({ hasText: "领券中心" }).click();
  await expect(page.getByRole("row", { name: /^4 条 3 / })).toContainText("会发");
  await clean(page, "新建群发", ".mass-new");
  await page.getByRole("button", { name: "存草稿" }).click();
  await expect(page).toHaveURL(/detail\?id=/);
  // Ctrl P shows it on one's own phone.
  await expect(page.getByRole("heading", { name: title })).toBeVisible();
  await page.keyboard.press("Control+p");
  const preview = page.getByRole("dialog", { name: "预览到我的微信" });
  await preview.getByLabel("微信号").fill("shopkeeper");
  await preview.getByRole("button", { name: "发给我" }).click();
  await expect(page.getByText("已发到微信，请看手机")).toBeVisible();
  await page.getByRole("button", { name: "提交审核 · 3 人" }).click();
  await expect(page.getByText("要由另一人审核")).toBeVisible();
  await expect(page.getByRole("button", { name: "审核通过" })).toHaveCount(0);

  const id = new URL(page.url().replace("#/", "")).searchParams.get("id")!;
  const auditor = await anotherToken(["/wxCRM/groupNote", "/wxCRM/groupNote/detail", "/wxCRM/groupNote/audit"]);
  const theirs = await browser.newContext({ storageState: signedIn(auditor) });
  const other = await theirs.newPage();
  await other.goto(`${BASE_URL}/#/wxCRM/groupNote/detail?id=${id}`);
  await other.getByRole("button", { name: "审核通过" }).click();
  await other.getByRole("dialog", { name: "提示" }).getByRole("button", { name: "审核通过" }).click();
  await expect(other.getByText("已通过")).toBeVisible();
  await theirs.close();
  const state = async () => (await api<{ state: string }>(auditor, "GET", `/api/group-notes/one?id=${id}`)).data.state;
  await expect.poll(state, { timeout: 60_000 }).toBe("confirming");
  await page.clock.fastForward(31_000);
  await expect(page.locator(".detail-screen:visible").getByText("待管理员确认").first()).toBeVisible();
  await clean(page, "群发详情", ".detail-screen");
  const { messages } = await simulator<{ messages: { msgId: string; people: number; body: { text: { content: string } } }[] }>(
    "wechat-mass",
    keys,
  );
  expect(messages).toMatchObject([{ people: 3 }]);
  const link = /href="([^"]+)"/.exec(messages[0]!.body.text.content)![1]!;
  expect(await simulator("wechat-mass/finish", { ...keys, msgId: messages[0]!.msgId, status: "send success", filtered: 1 })).toEqual({
    status: 200,
  });
  const opened = await fetch(`${BASE_URL}${new URL(link).pathname}`, { redirect: "manual" });
  expect([opened.status, opened.headers.get("location")]).toEqual([302, expect.stringMatching(/\/m\/[0-9a-f-]+#centre$/)]);
  expect((await fetch(`${BASE_URL}/g/nothing?to=https://evil.example`, { redirect: "manual" })).status).toBe(404);
  await page.reload();
  await expect(page.locator(".detail-screen:visible")).toContainText("2 人");
  await expect(page.locator(".detail-screen:visible")).toContainText("1 次（同一个人点几次算几次）");
  await page.goto("/#/wxCRM/groupNote");
  const row = page.getByRole("row").filter({ hasText: title });
  await expect(row).toContainText("已发送");
  await row.getByRole("button", { name: title }).click();
  await page.getByRole("button", { name: "复制", exact: true }).click();
  await expect(page.getByRole("heading", { name: `${title} 副本` })).toBeVisible();

  // WeChat wants its copy to be asked for again a minute later: there is time to pause it.
  await page.getByRole("button", { name: "提交审核 · 3 人" }).click();
  await expect(page.getByText("要由另一人审核")).toBeVisible();
  await simulator("wechat-api/_control", { appId: keys.appId, fault: 45_066, path: "message/mass/send" });
  const copy = { id: new URL(page.url().replace("#/", "")).searchParams.get("id")!, revision: 1, approve: true };
  expect((await api(auditor, "POST", "/api/group-notes/decide", copy)).status).toBe(200);
  await expect
    .poll(async () => (await api<{ state: string }>(auditor, "GET", `/api/group-notes/one?id=${copy.id}`)).data.state)
    .toBe("sending");
  await page.reload();
  await page.getByRole("button", { name: "暂停" }).click();
  await expect(page.getByText("已暂停：没发的先不发，已交给微信的停不下来")).toBeVisible();
  await page.getByRole("button", { name: "继续" }).click();
  await expect(page.getByRole("button", { name: "暂停" })).toBeVisible();
});

test("a menu is made beside the phone and published, and says what changes", async ({ page }) => {
  const { id } = await account();
  await page.goto(`/#/wxCRM/app?panel=menu:${id}`);
  const drawer = page.getByRole("dialog", { name: /^自定义菜单/ });
  await drawer.getByRole("button", { name: "＋ 菜单" }).click();
  await drawer.getByLabel("菜单名字", { exact: true }).fill("会员");
  await drawer.getByRole("button", { name: "＋ 子菜单" }).click();
  await drawer.getByLabel("子菜单名字").fill("营业时间");
  await drawer.getByLabel("回复文字", { exact: true }).check();
  await expect(drawer.getByText("请填写回复的文字")).toBeVisible();
  await expect(drawer.getByRole("button", { name: "发布" })).toBeDisabled();
  await drawer.getByLabel("回复的文字").fill("每天 10:00 到 22:00");
  // Arrows walk from the sub button down to its top one.
  await drawer.locator('[data-place="0:0"]').focus();
  await page.keyboard.press("ArrowDown");
  await expect(drawer.locator('[data-place="0:"]')).toHaveAttribute("aria-pressed", "true");
  await drawer.getByRole("button", { name: "发布" }).click();
  await page.getByRole("dialog", { name: "提示" }).getByRole("button", { name: "发布" }).click();
  await expect(page.getByText("已发布").first()).toBeVisible();
  await expect(drawer.locator(".wxmenu-diff li")).toHaveText([/会员 › 营业时间/]);
  await clean(page, "自定义菜单", ".drawer");
  await drawer.locator('[data-place="0:"]').click();
  await drawer.getByLabel("菜单名字", { exact: true }).fill("服务");
  await expect(drawer.locator('.wxmenu-diff [data-mark="gone"]')).toContainText("会员 › 营业时间");
  await expect(drawer.locator('.wxmenu-diff [data-mark="new"]')).toContainText("服务 › 营业时间");
});
