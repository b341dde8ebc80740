import { clean } from "./a11y/look.ts";
import { expect, sharedToken, test } from "./journey.ts";
import { api, PORT, sell } from "./world.ts";

// A provider's own system: an address with its secret, a payment that is told there, a failure that is sent again, a signature that is checked.
test.describe.configure({ timeout: 180_000 });
test.use({ login: "sp01" });

const RECEIVER = `http://127.0.0.1:${PORT + 3}/push`;
/** Of this run, in a world that saw others. */
const AT = `at=${Date.now()}`;
const NAME = `旅程 ${AT.slice(-6)}`;
interface Heard {
  readonly id: string;
  readonly path: string;
  readonly body: string;
  readonly right: boolean | null;
}
const control = async (body: object): Promise<{ heard: readonly Heard[] }> =>
  (await (await fetch(`${RECEIVER}/_control`, { method: "POST", body: JSON.stringify(body) })).json()) as { heard: Heard[] };

test("an address is made, its secret shown once, and a payment arrives there with a right signature", async ({ page }) => {
  await page.goto("/#/admin/dataPush");
  await expect(page.getByRole("row").filter({ hasText: "旧会员系统" })).toContainText("已停用");
  await clean(page, "数据推送");
  await page.screenshot({ path: ".test/push-index.png" });
  await page.getByRole("button", { name: "新建推送地址" }).first().click();
  const form = page.getByRole("dialog", { name: "新建推送地址" });
  await form.getByLabel("名称").fill(NAME);
  await form.getByLabel("接收地址").fill("https://127.0.0.1/hooks");
  await form.getByLabel("事件").fill("order.paid");
  await page.getByText("order.paid 订单已支付").last().click();
  await form.getByRole("heading", { name: "新建推送地址" }).click();
  await form.getByRole("button", { name: "新建", exact: true }).click();
  await expect(form.getByText("请用域名，不能用 IP 地址")).toBeVisible();
  await form.getByLabel("接收地址").fill(`${RECEIVER}/ok?${AT}`);
  await clean(page, "新建推送地址", ".drawer");
  await form.getByRole("button", { name: "新建", exact: true }).click();
  const key = page.getByRole("dialog", { name: `「${NAME}」的密钥` });
  await key.getByRole("button", { name: "显示密钥" }).click();
  const secret = (await key.getByText(/^whsec_/).textContent())!;
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  await clean(page, "密钥", ".drawer");
  await key.getByRole("button", { name: "记好了" }).click();

  await control({ secrets: [secret] });
  const { orderNo } = await sell(1_234);
  await expect
    .poll(async () => (await control({})).heard.find(({ path, body }) => path.includes(AT) && body.includes(orderNo))?.right, {
      timeout: 30_000,
    })
    .toBe(true);

  await page.getByRole("row").filter({ hasText: NAME }).getByRole("link", { name: "推送记录" }).click();
  const pane = page.getByRole("region", { name: "推送详情" });
  // Others sell to the same provider, so the newest push may be theirs.
  await page.getByPlaceholder("单号 / webhook-id").fill(orderNo);
  await page.getByPlaceholder("单号 / webhook-id").press("Enter");
  await expect(pane.getByLabel("请求原文")).toContainText(`"order_no":"${orderNo}"`);
  await expect(pane.getByRole("heading", { name: "order.paid" })).toBeVisible();
  await expect(pane).toContainText("成功");
  await clean(page, "推送记录", ".view");
  await page.screenshot({ path: ".test/push-list.png" });
  // R sends it again, under the same id; the page that is opened again is the same.
  // A letter is a key only where nobody types.
  await page.getByRole("heading", { name: "推送记录", level: 1 }).click();
  await page.keyboard.press("r");
  await page.getByRole("button", { name: "重放", exact: true }).click();
  await expect(pane).toContainText("重放成功", { timeout: 30_000 });
  const { heard } = await control({});
  const same = heard.filter(({ path, body }) => path.includes(AT) && body.includes(orderNo));
  expect([same.length, new Set(same.map(({ id }) => id)).size, new Set(same.map(({ body }) => body)).size]).toEqual([2, 1, 1]);

  // 贴一条进来验: as it came, and with a line break too many.
  const headers = (await pane.getByLabel("请求原文").textContent())!.split("\n\n")[0]!;
  await pane.getByRole("button", { name: "示例代码，贴一条进来验" }).click();
  const check = page.getByRole("dialog", { name: `验「${NAME}」的签名` });
  await check.getByLabel("请求头").fill(headers);
  await check.getByLabel("正文").fill(same[0]!.body);
  await check.getByRole("button", { name: "验签" }).click();
  await expect(check.getByText(/^签名正确/)).toBeVisible();
  await check.getByLabel("正文").fill(`${same[0]!.body}\n`);
  await check.getByRole("button", { name: "验签" }).click();
  await expect(check.getByText(/多了空格或换行/)).toBeVisible();
  await clean(page, "验签", ".drawer");
});

test("what fails is told with its next minute, a gone address that refuses a test stays off, and a phone shows the same", async ({
  page,
}) => {
  const token = await sharedToken("sp01");
  const { data } = await api<{ items: { id: string; name: string }[] }>(token, "GET", "/api/push/endpoints?pageSize=100");
  const idOf = (name: string) => data.items.find((one) => one.name === name)!.id;
  await page.goto(`/#/admin/dataPush/list?endpointId=${idOf("数据仓库")}`);
  await expect(page.getByText(/起一直失败。连续失败到 .* 会自动停用，并通知你/)).toBeVisible();
  const pane = page.getByRole("region", { name: "推送详情" });
  await expect(pane).toContainText("503，");
  await expect(pane.getByLabel("回答")).toContainText("upstream connect error");
  await expect(pane.getByRole("list", { name: "每次尝试" })).toContainText("共 10 次");
  await clean(page, "等重试", ".view");
  await page.screenshot({ path: ".test/push-failing.png" });
  const first = await pane.getByLabel("请求原文").textContent();
  await page.keyboard.press("j");
  await expect(pane.getByLabel("请求原文")).not.toHaveText(first!);
  await page.reload();
  await expect(pane.getByLabel("请求原文")).not.toHaveText(first!);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/#/admin/dataPush/list?endpointId=${idOf("旧会员系统")}`);
  await expect(page.getByText(/已停用：对方回答 410/)).toBeVisible();
  await page
    .getByRole("button", { name: /order\.paid/ })
    .first()
    .click();
  await expect(pane).toContainText("已放弃");
  await page.getByRole("button", { name: "返回列表" }).click();
  await clean(page, "推送记录 on a phone", ".view");
  await page.screenshot({ path: ".test/push-phone.png", fullPage: true });
  await page.getByRole("button", { name: "发测试事件" }).click();
  await expect(pane.getByRole("heading", { name: "push.test" })).toBeVisible();
  await expect(pane).toContainText("已放弃", { timeout: 30_000 });
  await page.screenshot({ path: ".test/push-phone-one.png", fullPage: true });
  await page.getByRole("button", { name: "返回列表" }).click();
  await expect(page.getByRole("region", { name: "推送记录" }).getByText(/已停用：对方回答 410/)).toBeVisible();
});

test("an address that fails is switched off, put right and brought back by a test, and what it missed is sent again", async ({ page }) => {
  const token = await sharedToken("sp01");
  const post = async <T>(path: string, body: object): Promise<T> => {
    const { status, data } = await api<T>(token, "POST", `/api/push/endpoints/${path}`, body);
    expect(status, JSON.stringify(data)).toBe(200);
    return data;
  };
  const name = `修好 ${AT.slice(-6)}`;
  const at = (path: string): string => `${RECEIVER}/${path}?mend=${AT.slice(-6)}`;
  const { id } = await post<{ id: string }>("add", { requestId: crypto.randomUUID(), name, url: at("failing"), events: ["order.paid"] });
  await control({ secrets: [(await post<{ secret: string }>("secret", { id })).secret] });
  const { orderNo } = await sell(4_321);

  // It answers 503, and is tried again by itself.
  await page.goto(`/#/admin/dataPush/list?endpointId=${id}&keyword=${orderNo}`);
  const pane = page.getByRole("region", { name: "推送详情" });
  await expect(pane.getByRole("list", { name: "每次尝试" })).toContainText("503，", { timeout: 30_000 });

  const edit = async (path: string): Promise<void> => {
    await page.goto(`/#/admin/dataPush?panel=edit:${id}`);
    const form = page.getByRole("dialog", { name: `修改 ${name}` });
    await form.getByLabel("接收地址").fill(at(path));
    await form.getByRole("button", { name: "保存" }).click();
    // What waits goes to the new address too, which is asked first.
    const asked = page.getByRole("dialog", { name: "提示" }).getByRole("button", { name: "保存" });
    await expect(async () => {
      if (await asked.isVisible()) await asked.click();
      await expect(form).toBeHidden({ timeout: 500 });
    }).toPass();
  };
  // Then it answers 410: no more of it is asked.
  await edit("gone");
  const row = page.getByRole("row").filter({ hasText: name });
  await sell(4_322);
  const state = async () => (await api<{ state: string }>(token, "GET", `/api/push/endpoints/one?id=${id}`)).data.state;
  await expect.poll(state, { timeout: 60_000 }).toBe("disabled");
  await page.reload();
  await expect(row).toContainText("已停用");
  await row.getByRole("button", { name }).click();
  const drawer = page.getByRole("dialog", { name: "推送地址" });
  await expect(drawer).toContainText("已停用：对方回答 410，表示不再接收。修好后发一条测试，通过就恢复。");
  await expect(drawer).toContainText(/没推到的 \d+ 条留着，恢复后可以重放/);

  await edit("ok");
  await row.getByRole("button", { name }).click();
  await drawer.getByRole("button", { name: "发测试事件" }).click();
  await expect(pane.getByRole("heading", { name: "push.test" })).toBeVisible();
  await expect(pane).toContainText("成功", { timeout: 30_000 });
  await expect.poll(state).toBe("active");

  // What it missed, the same bytes under the same id.
  await page.goto(`/#/admin/dataPush/list?endpointId=${id}&keyword=${orderNo}`);
  await expect(pane).toContainText("已放弃");
  await pane.getByRole("button", { name: "重放这一条" }).click();
  await page.getByRole("dialog", { name: "提示" }).getByRole("button", { name: "重放", exact: true }).click();
  await expect(pane).toContainText("重放成功", { timeout: 30_000 });
  const told = (await control({})).heard.filter(({ path, body }) => path.includes(`mend=${AT.slice(-6)}`) && body.includes(orderNo));
  expect(told.at(-1)).toMatchObject({ path: expect.stringContaining("/push/ok?"), right: true });
  expect([told.length > 1, new Set(told.map((one) => `${one.id} ${one.body}`)).size]).toEqual([true, 1]);
});

test.describe("the platform", () => {
  test.use({ login: "admin" });
  test("sees every provider's addresses and makes none", async ({ page }) => {
    await page.goto("/#/admin/dataPush");
    await expect(page.getByRole("row").filter({ hasText: "总部 ERP" })).toContainText("禾木");
    await expect(page.getByRole("button", { name: "新建推送地址" })).toHaveCount(0);
  });
});
