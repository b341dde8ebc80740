import { expect, type Browser, type Page } from "@playwright/test";
import { clean } from "./a11y/look.ts";
import { BASE_URL, PORT } from "./world.ts";

// A customer on a phone: what is sent to it is read where the simulator keeps it, and what is paid is paid there.
/** Somebody new. The simulator sends nothing to some numbers that end in 0001 to 0003. */
export const newPhone = (): string => `136${String(Math.floor(Math.random() * 9_000_000) + 1_000_000)}9`;
/** The newest code that went to a phone. */
async function codeTo(phone: string): Promise<string> {
  for (let tries = 0; tries < 50; tries++) {
    const { messages } = (await (await fetch(`http://127.0.0.1:${PORT + 3}/sms/outbox`)).json()) as {
      messages: { phone: string; text: string }[];
    };
    const found = messages.find((one) => one.phone === phone);
    if (found) return /\d{6}/.exec(found.text)![0];
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error("no SMS came");
}
/** A customer's browser. */
export const aPhone = async (browser: Browser, more: object = {}): Promise<Page> =>
  (await browser.newContext({ viewport: { width: 390, height: 844 }, locale: "zh-CN", baseURL: BASE_URL, ...more })).newPage();
/** Joins as somebody new, at a page or where the phone is. @returns the number */
export async function join(phone: Page, path: string, name: string): Promise<string> {
  const number = newPhone();
  if (path !== "") await phone.goto(path);
  await phone.getByLabel("手机号", { exact: true }).fill(number);
  await phone.getByRole("button", { name: "获取验证码" }).click();
  await expect(phone.getByRole("status")).toContainText("验证码已发到手机");
  await phone.getByLabel("短信验证码", { exact: true }).fill(await codeTo(number));
  await phone.getByLabel(/^姓名/).fill(name);
  await phone.getByRole("checkbox", { name: /同意商户/ }).check();
  await phone.getByRole("button", { name: "加入或登录" }).click();
  if (path !== "" && !path.includes("back=")) await expect(phone.locator(".digits")).toBeVisible();
  return number;
}
/** A further code to who is signed in; one a minute goes out. */
export async function codeOnceMore(phone: Page, number: string): Promise<string> {
  const before = await codeTo(number);
  await expect(async () => {
    await phone.getByRole("button", { name: "获取验证码" }).click();
    await expect(phone.getByRole("status")).toContainText("验证码已发到手机", { timeout: 1_500 });
  }).toPass({ timeout: 90_000, intervals: [3_000] });
  await expect.poll(() => codeTo(number)).not.toBe(before);
  return codeTo(number);
}
/** One of the tabs at the bottom of the member page. */
export const tab = (phone: Page, name: string) => phone.getByRole("navigation", { name: "会员" }).getByRole("button", { name });
/** Nothing hangs over, nothing is smaller than a thumb. */
export async function fits(phone: Page, what: string): Promise<void> {
  const found = await phone.evaluate(() => ({
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    small: [...document.querySelectorAll<HTMLElement>("button, a, input:not([type=checkbox], [type=radio]), label.check, label.pick")]
      .filter((one) => one.getBoundingClientRect().height > 1 && one.getBoundingClientRect().height < 44)
      .map((one) => one.textContent),
  }));
  expect(found, what).toEqual({ wide: 0, small: [] });
  await clean(phone, what);
}
