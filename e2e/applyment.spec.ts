import type { Page, Route } from "@playwright/test";
import { clean } from "./a11y/look.ts";
import { expect, sharedToken, test } from "./journey.ts";
import { newPicture } from "./picture.ts";
import { mayAskAgain } from "./rounds.ts";
import { api, payCent, simulator, standsAt } from "./world.ts";

// A provider fills in a new merchant's papers from the first field, hands them in, finds a rejection at its fields, puts it right and
// sends it again under the same number, until the merchant's first cent is paid. Somebody else writes in the same papers meanwhile.
test.describe.configure({ timeout: 240_000 });
test.use({ login: "sp01" });

const NAME = `进件小馆${Date.now() % 100_000}`;
const view = (page: Page) => page.locator(".view:visible");
const question = (page: Page) => page.getByRole("dialog", { name: "提示" });
const field = (page: Page, path: string) => view(page).locator(`[data-path="${path}"]`);
const said = (page: Page, path: string) => field(page, path).locator(".dossier-says");

async function post<T = Record<string, unknown>>(login: string, path: string, body: object): Promise<{ status: number; data: T }> {
  return api<T>(await sharedToken(login), "POST", `/api/${path}`, body);
}
async function read<T>(path: string): Promise<T> {
  return (await api<T>(await sharedToken("sp01"), "GET", `/api/${path}`)).data;
}
/** A merchant that has no papers yet. */
async function newMerchant(): Promise<string> {
  return (await newOwner()).id;
}
/** The same, with whom it signs in as. */
async function newOwner(): Promise<{ id: string; login: string; password: string }> {
  const login = `filing${Date.now() % 1_000_000}`;
  const { status, data } = await post<{ id: string; password: string }>("sp01", "organisation/merchants/add", {
    requestId: crypto.randomUUID(),
    name: `成都市锦江区${NAME}`,
    shortName: NAME,
    trade: "餐饮",
    province: "四川省",
    city: "成都市",
    address: "春熙路 1 号",
    contactName: "王小明",
    contactPhone: "13800009021",
    login,
  });
  expect(status, JSON.stringify(data)).toBe(200);
  return { ...data, login };
}
const fill = (page: Page, path: string, text: string) => field(page, path).locator("input:not([type=checkbox])").fill(text);
const pick = (page: Page, path: string, label: string) => field(page, path).locator("select").first().selectOption({ label });
async function photo(page: Page, path: string): Promise<void> {
  await field(page, path)
    .locator("input[type=file]")
    .setInputFiles({ name: "paper.png", mimeType: "image/png", buffer: newPicture(1_600, 1_000) });
  await expect(field(page, path).getByText("已上传").last()).toBeVisible();
}
const kept = (page: Page) => expect(view(page).getByText(/已自动保存/)).toBeVisible();

async function fillAdmin(page: Page): Promise<void> {
  await field(page, "contact.type").getByLabel("经营者或法人").check();
  await fill(page, "contact.name", "王小明");
  await fill(page, "contact.phone", "1380000902");
  await fill(page, "contact.mail", "wang@example.com");
  // What is wrong is said at its field as soon as somebody leaves it, and masked as soon as it is kept.
  await expect(said(page, "contact.phone")).toContainText("现在 10 位");
  await field(page, "contact.phone").getByRole("button", { name: "重填联系手机" }).click();
  await fill(page, "contact.phone", "13800009021");
  await page.keyboard.press("Control+s");
  await kept(page);
  await expect(field(page, "contact.name").locator("input")).toHaveValue("王*明");
  await expect(field(page, "contact.phone").locator("input")).toHaveValue("138****9021");
}
async function fillSubject(page: Page): Promise<void> {
  await page.keyboard.press("Alt+2");
  await expect(page).toHaveURL(/step=2/);
  await pick(page, "subject.type", "个体户");
  await photo(page, "licence.picture");
  await fill(page, "licence.number", "92510104ma6cghjk23");
  await fill(page, "licence.name", `成都市锦江区${NAME}`);
  await fill(page, "licence.person", "王小明");
  await fill(page, "licence.begin", "2021-04-02");
  await field(page, "licence.end").getByLabel("长期").check();
  await pick(page, "legal.idType", "中国大陆居民身份证");
  await photo(page, "legal.idFront");
  await photo(page, "legal.idBack");
  await fill(page, "legal.name", "王小明");
  await fill(page, "legal.idNumber", "51010419850612343");
  await field(page, "legal.begin").locator("input").fill("2021-06-30");
  await expect(said(page, "legal.idNumber")).toContainText("17 位，少 1 位");
  await fill(page, "legal.end", "2041-06-30");
}
async function fillBusiness(page: Page): Promise<void> {
  await page.keyboard.press("Alt+3");
  await fill(page, "business.shortName", "驳回小馆");
  await fill(page, "business.phone", "028-87654321");
  await field(page, "business.scenes").getByLabel("线下场所").check();
  await fill(page, "store.name", NAME);
  await pick(page, "store.area", "四川省");
  await field(page, "store.area").locator("select").nth(1).selectOption({ label: "成都市" });
  await fill(page, "store.address", "春熙路 1 号");
  await photo(page, "store.entrance");
  await photo(page, "store.indoor");
}
/** A branch of a bank that WeChat Pay does not know by itself, from its own lists. */
async function pickBranch(page: Page): Promise<void> {
  const branches = view(page).getByRole("region", { name: "选开户支行" });
  await branches.getByRole("searchbox", { name: "银行名称里的字" }).fill("农村");
  await branches.getByRole("button", { name: "选这家：成都农村商业银行", exact: true }).click();
  await branches.getByRole("searchbox", { name: "支行名称里的字" }).fill("青羊 第40");
  // The bank's own button has the same beginning: the branch's by its full name.
  const branch = branches.getByRole("button", { name: "选这家：成都农村商业银行成都市青羊第40支行", exact: true });
  await expect(branch).toBeVisible();
  await branches.screenshot({ path: ".test/applyment-branch.png" });
  await branch.click();
  await expect(field(page, "account.branchName").locator("input")).toHaveValue("成都农村商业银行成都市青羊第40支行");
  await expect(field(page, "account.branchId").locator("input")).toHaveValue(/^\d{12}$/);
}
async function fillAccount(page: Page): Promise<void> {
  await page.keyboard.press("Alt+4");
  await view(page).getByRole("button", { name: "用 719 餐饮" }).click();
  await page.keyboard.press("Alt+5");
  await field(page, "account.type").getByLabel("经营者个人银行卡").check();
  await fill(page, "account.name", "王小明");
  await pick(page, "account.bank", "其他银行");
  await pick(page, "account.area", "四川省");
  await field(page, "account.area").locator("select").nth(1).selectOption({ label: "成都市" });
  await pickBranch(page);
  await fill(page, "account.number", "6222021234567890128");
  await page.keyboard.press("Control+s");
}
interface Standing {
  readonly state: string;
  readonly code: string;
  readonly rounds: number;
  readonly sending: boolean;
}
/** Waits until WeChat Pay has looked at the application, asks it, and waits until it stands there. */
async function until(id: string, state: string): Promise<Standing> {
  const one = (): Promise<Standing> => read(`applyments/one?id=${id}`);
  await expect.poll(async () => (await one()).sending, { timeout: 60_000 }).toBe(false);
  const { code } = await one();
  await expect.poll(() => standsAt(code)).not.toBe("AUDITING");
  await mayAskAgain(id);
  expect((await post("sp01", "applyments/ask", { id })).status).toBe(200);
  await expect.poll(async () => (await one()).state).toBe(state);
  return one();
}

/** The merchant opens its first store and takes a cent there. */
async function takeCent(login: string, password: string): Promise<void> {
  const { data } = await api<{ id_token: string }>(undefined, "POST", "/api/authenticateNew", {
    username: login,
    password,
    newPassword: "Kontor#2026",
  });
  const store = await api<{ id: string }>(data.id_token, "POST", "/api/stores/add", {
    requestId: crypto.randomUUID(),
    name: `${NAME}春熙店`,
    shortName: "春熙店",
  });
  expect(store.status, JSON.stringify(store.data)).toBe(200);
  await payCent(data.id_token, store.data.id);
}

test("from the first field to a rejection that stands at its fields, again under the same number, and to the first cent", async ({
  page,
}) => {
  const { id: merchantId, login, password } = await newOwner();
  await page.goto("/#/applyment/form");
  await view(page).getByRole("combobox", { name: "商户" }).fill(NAME);
  await page.locator(".ant-select-item-option").filter({ hasText: NAME }).click();
  await expect(page.getByRole("heading", { level: 1, name: NAME })).toBeVisible();
  await expect(view(page).getByRole("button", { name: "提交审核" })).toBeDisabled();
  await clean(page, "an empty form", ".view");
  await fillAdmin(page);
  await fillSubject(page);
  await fillBusiness(page);
  await fillAccount(page);

  // The doctor leads to what is left.
  const doctor = page.getByRole("complementary", { name: "体检" });
  await expect(doctor).toContainText("1 处错误不能提交");
  await clean(page, "the account", ".view");
  await page.keyboard.press("F8");
  await expect(page).toHaveURL(/step=2/);
  await field(page, "legal.idNumber").getByRole("button", { name: "重填证件号码" }).click();
  await fill(page, "legal.idNumber", "510104198506123436");
  await page.keyboard.press("Tab");
  await expect(field(page, "legal.idNumber").locator("input")).toHaveValue("****3436");
  await expect(doctor).toContainText("没有错误，可以提交");
  await kept(page);

  // A picture is seen by an address that ends within a minute.
  await page.reload();
  await field(page, "licence.picture").getByRole("button", { name: "查看营业执照照片" }).click();
  await expect(page.getByRole("dialog", { name: "营业执照照片" }).getByRole("img")).toHaveAttribute("src", /api\/applyments\/file\//);
  await page.keyboard.press("Escape");

  await view(page).getByRole("button", { name: "提交审核" }).click();
  await expect(question(page)).toContainText(
    `把「${NAME}」的开户资料提交给微信支付？主体：个体户「成都市锦江区${NAME}」；结算到：成都农村商业银行成都市青羊第40支行 ****0128（王*明）`,
  );
  // Another account, saved while the question stands open, is not the one that was confirmed: it is asked anew.
  const { versions } = await read<{ versions: Record<string, number> }>(`applyments/dossier?merchantId=${merchantId}`);
  const other = await post("sp01", "applyments/dossier/save", {
    merchantId,
    changes: [{ path: "account.number", value: "6212264402009182738", version: versions["account.number"] }],
  });
  expect(other.status).toBe(200);
  await question(page).getByRole("button", { name: "提交审核" }).click();
  await expect(question(page)).toContainText("资料刚被他人改过，请再看一遍。");
  await expect(question(page)).toContainText("结算到：成都农村商业银行成都市青羊第40支行 ****2738（王*明）");
  expect((await read<{ items: unknown[] }>(`applyments?merchantId=${merchantId}`)).items).toEqual([]);
  await question(page).getByRole("button", { name: "提交审核" }).click();
  await expect(page.getByText("已提交，微信支付审核要 1 到 3 个工作日")).toBeVisible();
  const { items } = await read<{ items: { id: string }[] }>(`applyments?merchantId=${merchantId}`);
  const { id } = items[0]!;
  await page.goto(`/#/applyment/form?merchantId=${merchantId}&step=2`);
  await expect(view(page).getByText(/有结果前资料不能改/)).toBeVisible();
  await expect(field(page, "licence.name").locator("input")).toHaveAttribute("readonly", "");

  const first = await until(id, "REJECTED");
  await page.reload();
  await expect(view(page).getByText(/驳回 2 处，都已标在对应的栏里/)).toBeVisible();
  await expect(said(page, "legal.idFront")).toContainText("微信支付：身份证人像面反光");
  await expect(field(page, "licence.name").locator("input")).toHaveAttribute("readonly", "");
  await clean(page, "rejected", ".view");
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await view(page).evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  await clean(page, "rejected, on a phone", ".view");
  await page.setViewportSize({ width: 1440, height: 900 });
  await photo(page, "legal.idFront");
  await expect(said(page, "legal.idFront")).toContainText("已改");
  await page.keyboard.press("F8");
  await expect(page).toHaveURL(/step=3/);
  await expect(said(page, "business.shortName")).toContainText("微信支付：商户简称不能只写行业词");
  await fill(page, "business.shortName", `${NAME}川菜`);
  await page.keyboard.press("Control+s");
  await expect(said(page, "business.shortName")).toContainText("已改");
  await expect(field(page, "business.phone").locator("input")).toHaveAttribute("readonly", "");
  await view(page).getByRole("button", { name: "解锁其他字段" }).click();
  await expect(field(page, "business.phone").locator("input")).not.toHaveAttribute("readonly");
  await view(page).getByRole("button", { name: "提交审核" }).click();
  await question(page).getByRole("button", { name: "提交审核" }).click();
  await expect(page.getByText("已提交，微信支付审核要 1 到 3 个工作日")).toBeVisible();
  const again = await until(id, "TO_BE_SIGNED");
  expect([again.code, again.rounds]).toEqual([first.code, 2]);

  // Signed on the phone: the number that was granted stands in the settings, and is proved by a cent.
  await simulator("_control/applyment", { code: again.code, act: "sign" });
  await expect.poll(() => standsAt(again.code)).toBe("FINISHED");
  await until(id, "FINISHED");
  await page.goto(`/#/applyment/info?id=${id}`);
  const after = page.getByRole("region", { name: "开通以后" });
  await expect(after).toContainText("已写入通道设置：子商户号");
  await after.getByRole("button", { name: "向通道验证" }).click();
  await expect(after).toContainText("验证通过");
  await takeCent(login, password);
  await page.reload();
  await expect(after).toContainText("收到第一笔 ¥0.01", { timeout: 30_000 });
});

test("two people in one dossier, a picture that breaks, and what was typed when the page was left", async ({ page }) => {
  const merchantId = await newMerchant();
  await page.goto(`/#/applyment/form?merchantId=${merchantId}&step=3`);
  await fill(page, "business.phone", "028-87654321");
  await kept(page);
  // Somebody else writes before this one is kept.
  const another = async (route: Route): Promise<void> => {
    const { status } = await post("agent01", "applyments/dossier/save", {
      merchantId,
      changes: [{ path: "business.shortName", value: "别人写的店名", version: 0 }],
    });
    // An agent may not see a merchant that is not its own: then the provider's other window writes.
    if (status !== 200)
      await post("sp01", "applyments/dossier/save", {
        merchantId,
        changes: [{ path: "business.shortName", value: "别人写的店名", version: 0 }],
      });
    await route.continue();
  };
  await page.route("**/api/applyments/dossier/save*", another, { times: 1 });
  await fill(page, "business.shortName", "我写的店名");
  await expect(said(page, "business.shortName")).toContainText("刚写了「别人写的店名」，你写的还没有保存");
  await expect(field(page, "business.shortName").locator("input")).toHaveValue("我写的店名");
  await clean(page, "a conflict", ".view");
  await field(page, "business.shortName").getByRole("button", { name: "用我写的" }).click();
  await kept(page);
  await expect
    .poll(
      async () =>
        (await read<{ values: Record<string, string> }>(`applyments/dossier?merchantId=${merchantId}`)).values["business.shortName"],
    )
    .toBe("我写的店名");

  // An upload that breaks keeps its picture.
  await field(page, "business.scenes").getByLabel("线下场所").check();
  await page.route("**/api/applyments/files/add*", (route) => route.abort());
  const entrance = field(page, "store.entrance");
  await entrance.locator("input[type=file]").setInputFiles({ name: "door.png", mimeType: "image/png", buffer: newPicture(1_600, 1_000) });
  await expect(entrance.getByRole("button", { name: "重传 door.png" })).toBeVisible();
  await expect(entrance).toContainText("没有传上去，图片还在这里");
  await clean(page, "a picture that broke", ".view");
  await page.unroute("**/api/applyments/files/add*");
  await entrance.getByRole("button", { name: "重传 door.png" }).click();
  await expect(entrance.getByText("已上传")).toBeVisible();

  // What was typed a moment before the page is left is kept.
  await fill(page, "store.name", "离开前写的店");
  await page.goto("/#/applyment/form");
  await expect
    .poll(async () => (await read<{ values: Record<string, string> }>(`applyments/dossier?merchantId=${merchantId}`)).values["store.name"])
    .toBe("离开前写的店");
  await expect(
    view(page)
      .getByRole("link", { name: NAME })
      .or(view(page).getByRole("button", { name: NAME }))
      .first(),
  ).toBeVisible();
});

test("a page that is closed without a word at several places has what was typed a second before", async ({ page, context }) => {
  const merchantId = await newMerchant();
  const at = (step: number): string => `/#/applyment/form?merchantId=${merchantId}&step=${step}`;
  await page.goto(at(2));
  await pick(page, "subject.type", "个体户");
  await page.keyboard.press("Alt+3");
  await field(page, "business.scenes").getByLabel("线下场所").check();
  await kept(page);
  await page.close();
  const places = [
    [3, "business.shortName", "关页前的店名"],
    [3, "business.phone", "028-87654321"],
    [3, "store.name", "关页前的门店"],
    [3, "store.address", "春熙路 1 号"],
    [2, "licence.name", "成都市锦江区关页小馆"],
    [2, "licence.begin", "2021-04-02"],
  ] as const;
  for (const [step, path, text] of places) {
    const typing = await context.newPage();
    await typing.goto(at(step));
    const arrived = typing.waitForResponse((one) => one.url().includes("dossier/save") && (one.request().postData() ?? "").includes(text));
    await fill(typing, path, text);
    await arrived;
    // One letter more, and the page is gone without being asked.
    if (path !== "licence.begin") await field(typing, path).locator("input").pressSequentially("9");
    await typing.close({ runBeforeUnload: false });
    const again = await context.newPage();
    await again.goto(at(step));
    await expect(field(again, path).locator("input:not([type=checkbox])"), path).toHaveValue(new RegExp(`^${text}9?$`));
    await again.close();
  }
});
