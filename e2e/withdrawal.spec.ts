import { clean } from "./a11y/look.ts";
import { expect, test } from "./journey.ts";
import { api, PASSWORD, simulator, tokenOf } from "./world.ts";

// An agent asks for money, its provider approves, the payee confirms in WeChat: the figures on both sides agree.
test.use({ login: "agent01" });

interface Own {
  readonly balanceCents: number;
  readonly frozenCents: number;
  readonly paidCents: number;
}

test("an agent withdraws, its provider approves, and the money has left once", async ({ page }) => {
  test.setTimeout(240_000);
  const agent = await tokenOf("agent01");
  const own = async (): Promise<Own> => {
    const { balanceCents, frozenCents, paidCents } = (await api<Own>(agent, "GET", "/api/commissions/own")).data;
    return { balanceCents, frozenCents, paidCents };
  };
  // Another journey freezes and gives back meanwhile: what is owed, frozen or not, and what was paid.
  const sums = async (): Promise<[owed: number, paid: number]> => {
    const { balanceCents, frozenCents, paidCents } = await own();
    return [balanceCents + frozenCents, paidCents];
  };
  const [owed, paid] = await sums();
  await page.goto("/#/dataCentre/shareProfit/own");
  await page.getByRole("link", { name: "申请提现" }).click();
  const form = page.getByRole("dialog", { name: "申请提现" });
  await form.getByLabel("提现金额").fill("1.00");
  await form.getByLabel("登录密码").fill(PASSWORD);
  await clean(page, "申请提现", ".drawer");
  await form.getByRole("button", { name: "提现 ¥1.00" }).click();
  await page.getByRole("dialog", { name: "提示" }).getByRole("button", { name: "提现 ¥1.00" }).click();
  const detail = page.getByRole("dialog", { name: /^提现 W/ });
  await expect(detail.getByText("等待审核")).toBeVisible();
  const number = (await detail.getByRole("heading").first().innerText()).replace("提现 ", "").trim();
  expect(await sums()).toEqual([owed, paid]);

  const boss = await tokenOf("sp01");
  const { data } = await api<{ items: { id: string }[] }>(boss, "GET", `/api/commissions/withdrawals?keyword=${number}`);
  const { id } = data.items[0]!;
  expect(
    (await api(boss, "POST", "/api/commissions/withdrawals/decide", { requestId: crypto.randomUUID(), id, decision: "approve" })).status,
  ).toBe(200);
  // What nobody heard of the first try is asked about within a minute and a quarter, and sent then.
  await expect
    .poll(
      () =>
        simulator("_control/transfer", { outBillNo: number }).then(
          () => true,
          () => false,
        ),
      { timeout: 100_000 },
    )
    .toBe(true);
  await expect.poll(sums, { timeout: 30_000 }).toEqual([owed - 100, paid + 99]);
  await page.reload();
  await expect(
    page
      .getByRole("dialog", { name: `提现 ${number}` })
      .getByText("已到账")
      .first(),
  ).toBeVisible();
});

test("inside WeChat the payee's page shows itself to the bridge and opens the confirmation; what became of it the channel says", async ({
  browser,
}) => {
  const boss = await tokenOf("sp01");
  const { data } = await api<{ items: { id: string; withdrawalNo: string; channelState: string | null }[] }>(
    boss,
    "GET",
    "/api/commissions/withdrawals?status=2",
  );
  const { id, withdrawalNo } = data.items.find(({ channelState }) => channelState === "WAIT_USER_CONFIRM")!;
  const { confirm } = (await api<{ confirm: { url: string } }>(boss, "GET", `/api/commissions/withdrawals/${id}`)).data;
  const phone = await browser.newContext({
    viewport: { width: 390, height: 800 },
    userAgent: "Mozilla/5.0 (iPhone) MicroMessenger/8.0.50",
  });
  const page = await phone.newPage();
  await page.addInitScript(`window.calls = []; window.WeixinJSBridge = {
    invoke: (name, given, done) => { window.calls.push([name, given]); done({ err_msg: name + ":ok" }); } };`);
  await page.goto(confirm.url);
  await page.getByRole("button", { name: "确认收款" }).click();
  await expect
    .poll(() => page.evaluate("window.calls"))
    .toEqual([
      ["preVerifyJSAPI", expect.objectContaining({ verifyJsApiList: ["requestMerchantTransfer"] })],
      ["requestMerchantTransfer", { mchId: "1900000208", appId: "wx8888888888888888", package: expect.stringMatching(/^sim_/) }],
    ]);
  await expect(page.getByText("正在等待确认")).toBeVisible();
  await simulator("_control/transfer", { outBillNo: withdrawalNo });
  await expect(page.getByText("已到账微信零钱")).toBeVisible();
  await phone.close();
});
