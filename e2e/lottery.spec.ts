import type { Browser, Page } from "@playwright/test";
import { clean } from "./a11y/look.ts";
import { expect, sharedToken, signedIn, test } from "./journey.ts";
import { aPhone, fits, join } from "./phone.ts";
import { api, BASE_URL } from "./world.ts";

// A merchant makes a lottery, another person lets it run, a customer draws on a phone, and anybody rechecks it in a browser.
test.describe.configure({ timeout: 240_000 });
test.use({ login: "mch01" });

const question = (page: Page) => page.getByRole("dialog", { name: "提示" });
async function office<T>(path: string, body: object): Promise<T> {
  const { status, data } = await api<T>(await sharedToken("mch01"), "POST", path, body);
  expect(status, JSON.stringify(data)).toBe(200);
  return data;
}
/** Somebody else of the same merchant, who approves lotteries: their session. */
async function anotherToken(): Promise<string> {
  const login = `lottery${Date.now() % 1_000_000}.mch01`;
  const { id: positionId } = await office<{ id: string }>("/api/positions/add", {
    requestId: crypto.randomUUID(),
    name: `摇一摇审核员 ${login}`,
    items: ["/activity/shake", "/activity/shake/details", "/activity/shake/audit"],
  });
  const { password } = await office<{ password: string }>("/api/users/add", { login, firstName: "审核小李", level: "MCH", positionId });
  const { data } = await api<{ id_token: string }>(undefined, "POST", "/api/authenticateNew", {
    username: login,
    password,
    newPassword: "Kontor#2026",
  });
  return data.id_token;
}
const pageOf = (browser: Browser, token: string): Promise<Page> =>
  browser
    .newContext({
      locale: "zh-CN",
      timezoneId: "Asia/Shanghai",
      viewport: { width: 1440, height: 900 },
      baseURL: BASE_URL,
      storageState: signedIn(token),
    })
    .then((context) => context.newPage());
async function memberPage(): Promise<string> {
  const { data } = await api<{ merchants: { id: string } }[]>(
    await sharedToken("mch01"),
    "GET",
    "/newokpayorderservice/api/stores/list?keyword=&type=all",
  );
  return `/m/${data[0]!.merchants.id}`;
}
/** Works 公示 out and waits for what it says. */
async function recheck(page: Page): Promise<void> {
  await page.getByRole("button", { name: "重算检查" }).click();
  await expect(page.getByRole("region", { name: "检查" }).getByRole("listitem").first()).toBeVisible();
}

test("a lottery is made, approved by somebody else, drawn on a phone, and its goods go over the counter", async ({ page, browser }) => {
  const auditor = await anotherToken();
  const name = `摇一摇 ${String(Date.now()).slice(-6)}`;
  await page.goto("/#/activity/shake");
  await page.getByRole("button", { name: "新建摇一摇" }).first().click();
  const form = page.getByRole("dialog", { name: "新建摇一摇" });
  await form.getByRole("button", { name: "提交审核", exact: true }).click();
  await expect(form.getByText("请填写活动名称")).toBeVisible();
  await clean(page, "what is missing", ".drawer");
  await form.getByLabel("活动名称").fill(name);
  await form.getByLabel("奖品名").fill("酸梅汤一壶");
  await form.getByLabel("是什么").click();
  await page.locator(".ant-select-item-option").filter({ hasText: "实物" }).click();
  await form.getByLabel("市场价").fill("18");
  await form.getByLabel("数量").fill("50");
  await form.getByLabel("机会（%）").fill("100");
  await form.getByLabel("主办方联系电话").fill("02886001234");
  const said = form.getByRole("region", { name: "规则和成本" });
  await expect(said).toContainText("员工名单还没确认");
  await form.getByText("员工都在名单里，名单外没有员工").click();
  await expect(said).toContainText("员工不能摇，名单已确认");
  await expect(said).toContainText("机会 100 %，共 50 份");
  await clean(page, "the form", ".drawer");
  await form.getByRole("button", { name: "提交审核 · 最多 900.00 元" }).click();
  await expect(page.getByText("要由另一人审核")).toBeVisible();
  const id = /id=([\w-]+)/.exec(page.url())![1]!;

  const other = await pageOf(browser, auditor);
  await other.goto(`/#/activity/shake/details?id=${id}`);
  await other.getByRole("button", { name: "审核", exact: true }).click();
  const drawer = other.getByRole("dialog", { name: `审核摇一摇 ${name}` });
  await drawer.getByLabel("通过，规则现在就公示").check();
  await drawer.getByRole("button", { name: "通过 · 最多 900.00 元" }).click();
  await expect(question(other)).toContainText("公布后只能加奖");
  await question(other).getByRole("button", { name: "通过" }).click();
  await expect(other.getByText(`已通过「${name}」`)).toBeVisible();
  await other.context().close();

  const phone = await aPhone(browser);
  await join(phone, await memberPage(), "苏晚晴");
  await phone.getByRole("button", { name: /^活动/ }).click();
  await phone.getByRole("button", { name: new RegExp(name) }).click();
  await expect(phone.getByRole("main")).toContainText("100 %");
  await fits(phone, "a lottery");
  await phone.getByRole("button", { name: "摇一次 · 今天还有 3 次" }).click();
  await expect(phone.getByRole("heading", { name: "摇中了 酸梅汤一壶" })).toBeVisible();
  await fits(phone, "what was drawn");
  const told = await phone.getByRole("region", { name: "我的奖品" }).textContent();
  const code = /兑奖码 ([\d ]+)/.exec(told!)![1]!.replaceAll(" ", "").slice(0, 10);
  await phone.getByRole("link", { name: "公示：每一次都能重算" }).click();
  await recheck(phone);
  const checks = phone.getByRole("region", { name: "检查" });
  await expect(checks).toContainText("都对得上：1 次");
  await expect(checks).toContainText("1 次的种子还没公布");
  await fits(phone, "公示");
  await phone.context().close();

  await page.reload();
  await page.getByRole("button", { name: "兑奖", exact: true }).click();
  const hand = page.getByRole("dialog", { name: "兑奖" });
  await hand.getByLabel("兑奖码").fill("123");
  await hand.getByRole("button", { name: "查奖品" }).click();
  await expect(hand.getByText("兑奖码是 10 位数字").last()).toBeVisible();
  await hand.getByLabel("兑奖码").fill(code);
  await hand.getByRole("button", { name: "查奖品" }).click();
  await hand.getByLabel("在哪家门店兑").click();
  await page.locator(".ant-select-item-option").first().click();
  await clean(page, "what is handed over", ".drawer");
  await hand.getByRole("button", { name: "兑 酸梅汤一壶" }).click();
  await question(page).getByRole("button", { name: "给了，确认兑奖" }).click();
  await expect(page.getByText("已兑 酸梅汤一壶")).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "中奖" })).toContainText("已发");
  await clean(page, "the details");
});

test("the finished lottery rechecks whole in the browser, and what was touched is found", async ({ page }) => {
  // The demo makes it while its first screens can be seen already.
  const ask = async () => {
    const path = "/api/lotteries?state=STOPED&pageSize=100";
    const { data } = await api<{ items: { id: string; draws: number }[] }>(await sharedToken("mch01"), "GET", path);
    return data.items.find(({ draws }) => draws > 100);
  };
  await expect.poll(ask, { timeout: 200_000 }).toBeDefined();
  const done = await ask();
  await page.goto(`/lottery/${done!.id}`);
  // Asked too often it waits as long as it is told; what is drawn after the head was read is left out.
  let asked = 0;
  await page.route(/lottery-proof\/[\w-]+\/draws\?after=\d+$/, async (route) => {
    if (asked++ === 0)
      return route.fulfill({ status: 429, headers: { "retry-after": "1" }, json: { message: "操作过于频繁，请稍后再试" } });
    const answer = await route.fetch();
    const { items } = (await answer.json()) as { items: { no: number }[] };
    const last = items.at(-1)!;
    return route.fulfill({ response: answer, json: { items: [...items, { ...last, no: last.no + 1 }], more: true } });
  });
  await recheck(page);
  expect(asked).toBe(2);
  await page.unrouteAll();
  const checks = page.getByRole("region", { name: "检查" });
  await expect(checks).toContainText(`都对得上：${done!.draws} 次`);
  await expect(checks).toContainText(`公布了种子的 ${done!.draws} 次，结果都重算得出来`);
  await clean(page, "公示 of a lottery that is over");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "下载全部记录" }).click();
  expect((await download).suggestedFilename()).toBe(`lottery-${done!.id}.json`);

  for (const [touch, found] of [
    [(body: { items: { roll: number }[] }) => (body.items[4]!.roll = (body.items[4]!.roll + 1) % 1_000_000), "第 5 次起对不上：结果和种子"],
    [(body: { items: unknown[] }) => body.items.splice(6, 1), "第 8 次起对不上：记录被改过"],
  ] as const) {
    await page.route(/lottery-proof\/[\w-]+\/draws/, async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { items: { roll: number }[] };
      if (body.items.length > 60) touch(body);
      await route.fulfill({ response: answer, json: body });
    });
    await page.getByRole("button", { name: "重算检查" }).click();
    await expect(checks).toContainText(found);
    await page.unrouteAll();
  }
});
