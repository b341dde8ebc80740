import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Page } from "@playwright/test";
import { clean } from "./a11y/look.ts";
import { expect, sharedToken, signedIn, test } from "./journey.ts";
import { anotherToken, office } from "./office.ts";
import { aPhone, join } from "./phone.ts";
import { api, PORT } from "./world.ts";

// A provider connects its 第三方平台; a merchant authorises its account there by scanning, makes a store's code, a follower scans it and gets the
// 粉丝券; the authorisation is taken back at WeChat's, told on the screen, and given anew.
test.describe.configure({ timeout: 240_000 });
test.use({ login: "mch01" });

const COMPONENT = `wxc${String(Date.now()).padStart(15, "0")}`;
const SECRET = "0123456789abcdef".repeat(2);
const wechat = async <T>(path: string, body: object): Promise<T> =>
  (await (await fetch(`http://127.0.0.1:${PORT + 3}/${path}`, { method: "POST", body: JSON.stringify(body) })).json()) as T;
const shown = async (page: Page, name: string): Promise<string> =>
  (await page.getByRole("dialog").locator("dt", { hasText: name }).locator("xpath=following-sibling::dd[1]").innerText()).trim();

/** The provider's side: another component takes the place of the demo's, and its papers are carried to WeChat, which sends a ticket. */
async function connect(page: Page): Promise<void> {
  await page.goto("/#/wxCRM/app");
  await page.getByRole("button", { name: "第三方平台" }).click();
  const form = page.getByRole("dialog", { name: "第三方平台" });
  await form.getByRole("textbox", { name: "AppID" }).fill(COMPONENT);
  await form.getByLabel("AppSecret").fill(SECRET);
  await form.getByRole("button", { name: "保存" }).click();
  await page.getByRole("dialog", { name: "提示" }).getByRole("button", { name: "更换" }).click();
  await expect(page.getByText("已保存")).toBeVisible();
  // Tickets were the old one's.
  await expect(form).toContainText("还没有收到");
  await clean(page, "第三方平台", ".drawer");
  const told = await wechat<{ told: number }>("wechat-component", {
    act: "set",
    appId: COMPONENT,
    secret: SECRET,
    eventUrl: await shown(page, "授权事件接收 URL"),
    messageUrl: await shown(page, "消息与事件接收 URL"),
    token: await shown(page, "消息校验 Token"),
    aesKey: await shown(page, "消息加解密 Key"),
  });
  expect(told).toEqual({ told: 200 });
  await form.getByRole("button", { name: "测试" }).click();
  await expect(page.getByText("连上了，可以请商户授权")).toBeVisible();
}

test("an account is authorised by scanning, brings a follower their coupon, is taken back and given anew", async ({ page, browser }) => {
  const auditor = await anotherToken();
  const provider = await browser.newContext({ storageState: signedIn(await sharedToken("sp01")) });
  await connect(await provider.newPage());
  await provider.close();

  // To WeChat's page and back.
  await page.goto("/#/wxCRM/app");
  await page.getByRole("button", { name: "扫码授权" }).click();
  await expect(page.getByRole("heading", { name: "公众平台账号授权" })).toBeVisible();
  const appId = `wx${String(Date.now()).padStart(16, "0")}`;
  await page.getByLabel("公众号 AppID").fill(appId);
  const name = `蜀味川菜 ${appId.slice(-4)}`;
  await page.getByLabel("公众号名称").fill(name);
  await page.getByLabel("自定义菜单").uncheck();
  await page.getByRole("button", { name: "授权", exact: true }).click();
  const drawer = page.getByRole("dialog", { name: "公众号", exact: true });
  await expect(drawer).toContainText("已授权给服务商的第三方平台");
  await expect(drawer).toContainText("自定义菜单：不能改自定义菜单");
  await expect(drawer).not.toContainText("AppSecret");
  await clean(page, "an authorised account", ".drawer");
  const row = page.getByRole("row").filter({ hasText: appId });
  await expect(row).toContainText("已授权");
  const id = new URL(page.url().replace("#/", "")).searchParams.get("id")!;

  // A store's code by the tokens of the authorisation.
  const { data: stores } = await api<{ id: string }[]>(
    await sharedToken("mch01"),
    "GET",
    "/newokpayorderservice/api/stores/list?keyword=&type=all",
  );
  await office("/api/wx-fans/channels/add", { requestId: crypto.randomUUID(), appRow: id, kind: "store", storeIds: [stores[0]!.id] });
  const code = async () => {
    const { data } = await api<{ items: { url: string | null }[] }>(
      await sharedToken("mch01"),
      "GET",
      `/api/wx-fans/channels?appRow=${id}`,
    );
    return data.items[0]?.url ?? null;
  };
  await expect.poll(code, { timeout: 30_000 }).toContain("http://weixin.qq.com/q/");

  const gift = `授权有礼 ${appId.slice(-6)}`;
  const today = shanghaiDay(Date.now());
  const { id: activity } = await office<{ id: string }>("/api/activities/add", {
    requestId: crypto.randomUUID(),
    kind: "fans",
    name: gift,
    firstDay: today,
    lastDay: addDays(today, 29),
    terms: { gift: { points: 66 }, places: 100 },
  });
  expect((await api(auditor, "POST", "/api/activities/decide", { id: activity, version: 1, approve: true })).status).toBe(200);
  // WeChat's times are whole seconds.
  const second = Math.floor(Date.now() / 1_000);
  await expect.poll(() => Math.floor(Date.now() / 1_000)).toBeGreaterThan(second);
  const keys = await wechat<object>("wechat-component", { act: "keys", appId: COMPONENT, authorizer: appId });
  const openId = `oFan${String(Date.now()).padStart(22, "0")}`;
  const { reply } = await wechat<{ reply: string }>("wechat-fans/raise", { ...keys, openId, event: "scan", scan: await code() });
  expect(reply).toContain(`「${gift}」送 66 积分，点这里领取`);
  const link = new URL(/http:\S+/.exec(reply)![0]);
  const phone = await aPhone(browser);
  await phone.goto(link.pathname + link.hash);
  await expect(phone.getByText("登录或加入会员，就能领取")).toBeVisible();
  await join(phone, "", "关小权");
  await expect(phone.getByRole("main")).toContainText(gift);
  await phone.context().close();

  // Taken back at WeChat's: told, and what needs it says why.
  expect(await wechat("wechat-component", { act: "unauthorise", appId: COMPONENT, authorizer: appId })).toEqual({ told: 200 });
  await page.reload();
  await expect(drawer).toContainText("已取消授权：不收消息");
  await clean(page, "an account that is authorised no more", ".drawer");
  const stopped = await api<{ message: string }>(await sharedToken("mch01"), "POST", "/api/wx-fans/sync", { id });
  expect([stopped.status, stopped.data.message]).toEqual([409, "公众号已取消授权，请到 微信应用 重新授权"]);
  await drawer.getByRole("button", { name: "重新授权" }).click();
  await expect(page.getByRole("heading", { name: "公众平台账号授权" })).toBeVisible();
  await expect(page.getByText(`公众号 ${appId}`)).toBeVisible();
  await page.getByRole("button", { name: "授权", exact: true }).click();
  await expect(drawer).toContainText("已授权给服务商的第三方平台");
  await expect(drawer).not.toContainText("没有授权：");

  // WeChat's page came back in browsers that are not of who set out: one without anybody, one of a colleague. Neither takes it.
  const { data: begun } = await api<{ url: string }>(await sharedToken("mch01"), "POST", "/api/wx-apps/authorise", { id });
  const wayBack = new URL(new URL(begun.url).searchParams.get("redirect_uri")!).pathname;
  const { code: granted } = await wechat<{ code: string }>("wechat-component", {
    act: "authorise",
    appId: COMPONENT,
    authorizer: appId,
    silent: true,
  });
  const back = `${wayBack}?auth_code=${encodeURIComponent(granted)}`;
  const elsewhere = await (await browser.newContext({ storageState: { cookies: [], origins: [] } })).newPage();
  await elsewhere.goto(back);
  await expect(elsewhere.getByRole("note")).toContainText("公众号授权还没有完成：这个浏览器没有登录");
  await expect(elsewhere.getByRole("button", { name: "复制地址" })).toBeVisible();
  await clean(elsewhere, "an authorisation in a browser without anybody", ".login-sheet");
  await elsewhere.context().close();
  const colleague = await (
    await browser.newContext({ storageState: signedIn(await anotherToken(["/wxCRM/app", "/wxCRM/app/edit"])) })
  ).newPage();
  await colleague.goto(back);
  await expect(colleague.getByRole("dialog", { name: "公众号授权" })).toContainText("发起的，还没有完成：请对方登录后打开这个地址");
  await colleague.context().close();
  // The browser of who set out; a tab of its own, for one that is loaded so often is signed out.
  const own = await (await browser.newContext({ storageState: signedIn(await sharedToken("mch01")) })).newPage();
  await own.goto(back);
  const shownAgain = own.getByRole("dialog", { name: "公众号", exact: true });
  await expect(shownAgain).toContainText("已授权给服务商的第三方平台");

  // Taken back here.
  await shownAgain.getByRole("button", { name: "取消授权" }).click();
  await own.getByRole("dialog", { name: "提示" }).getByRole("button", { name: "取消授权" }).click();
  await expect(shownAgain).toContainText("已取消授权：不收消息");
  await expect(own.getByRole("row").filter({ hasText: appId })).toContainText("已取消授权");
  await own.context().close();
  expect(await wechat("wechat-fans/raise", { ...keys, openId, event: "subscribe" })).toMatchObject({ status: 401 });
});
