import { expect, test } from "../journey.ts";
import { clean, lookAtLists } from "./look.ts";

// They change nothing: all workers take from it.
test.describe.configure({ mode: "parallel", timeout: 240_000 });
test.use({ contextOptions: { reducedMotion: "reduce" } });

lookAtLists([
  ["账号管理", "sp01", "/account/account", /api\/users\/list/],
  ["子账号", "mch01", "/bypass/bypass", /api\/staff/],
  ["权限管理", "mch01", "/jurisdiction/permission", /api\/positions/],
  ["操作日志", "sp01", "/jurisdiction/audit", /api\/audit/],
]);

test("the login, by password and by code, and a link that is used up", async ({ page }) => {
  await page.goto("/#/login");
  await page.getByRole("button", { name: "登录", exact: true }).click();
  await expect(page.getByRole("alert")).toHaveText("请输入用户名");
  await clean(page, "the password");
  await page.getByRole("tab", { name: "扫码登录" }).click();
  await expect(page.getByRole("img", { name: /二维码/ })).toBeVisible();
  await clean(page, "the code");
  await page.goto("/#/autoLogin?requestId=used-up");
  await expect(page.getByText("登录凭证无效或已使用")).toBeVisible();
  await clean(page, "a link");
});
