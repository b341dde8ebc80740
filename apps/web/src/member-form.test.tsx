import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

// The members' own page as the browser loads it: what the merchant's card asks of who joins, and what the server says at each field.
const PUBLIC = join(import.meta.dirname, "../public");
const code = readFileSync(join(PUBLIC, "member.js"), "utf8");
const [, body = ""] = /<body>([\s\S]*)<\/body>/.exec(readFileSync(join(PUBLIC, "member.html"), "utf8")) ?? [];
const STORE = "01a1f71c-7600-7000-8000-0123456789ab";
const page = {
  merchantName: "蜀味川菜",
  card: null,
  closed: null,
  asks: { mobile: 2, name: 2, birthday: 0, email: 2, sex: 1, income: 0 },
  consent: { version: 1, text: "同意", guardian: "监护人同意" },
  phone: "",
};

test("asks what the card asks, sends it as it is, and says at each field what is missing, with the phone proved once", async () => {
  document.body.innerHTML = body;
  const asked: { url: string; body: Record<string, unknown> | undefined }[] = [];
  const lacks = { name: "请填写姓名", email: "请填写邮箱" };
  const fetch = (url: string, given: { body?: string }) => {
    asked.push({ url, body: given.body === undefined ? undefined : (JSON.parse(given.body) as Record<string, unknown>) });
    const path = /\/api\/customer\/one\/([\w-]+)/.exec(url)?.[1];
    const answer = path === "page" ? page : path === "join" ? { signedIn: false, joined: false, proved: "sealed", lacks } : {};
    const ok = path === "page" || path === "join";
    return Promise.resolve({ ok, status: ok ? 200 : 401, json: () => Promise.resolve(answer) });
  };
  const location = { pathname: "/m/one", search: `?s=${STORE}`, hash: "#code" };
  // eslint-disable-next-line no-new-func, typescript/no-implied-eval -- the page's own script, with an address of its own
  new Function("location", "history", "navigator", "fetch", "addEventListener", "scrollTo", code)(
    location,
    { replaceState: () => undefined },
    { userAgent: "" },
    fetch,
    () => undefined,
    () => undefined,
  );
  const labelled = (text: string): HTMLInputElement | HTMLSelectElement | undefined => {
    const label = [...document.querySelectorAll("label")].find((one) => one.textContent === text);
    return (label && document.querySelector(`#${label.htmlFor}`)) ?? undefined;
  };
  await expect.poll(() => labelled("姓名")).toBeDefined();
  expect(asked.find(({ url }) => url.includes("/page?"))?.url).toContain(`store=${STORE}`);
  expect([labelled("邮箱"), labelled("性别（选填）")].map((one) => one?.tagName)).toEqual(["INPUT", "SELECT"]);
  expect([labelled("生日"), labelled("收入"), labelled("身份证号")]).toEqual([undefined, undefined, undefined]);

  labelled("手机号")!.value = "13800001234";
  labelled("短信验证码")!.value = "123456";
  // Nobody is a man who has not said so.
  expect(labelled("性别（选填）")!.value).toBe("");
  labelled("性别（选填）")!.value = "2";
  document.querySelector<HTMLInputElement>("label.check input")!.click();
  const press = () => [...document.querySelectorAll("button")].find((one) => one.textContent === "加入或登录")!.click();
  press();
  await expect.poll(() => document.body.textContent).toContain("请填写邮箱");
  const joins = () => asked.filter(({ url }) => url.includes("/join?")).map((one) => one.body);
  expect(joins()).toMatchObject([{ phone: "13800001234", sms: "123456", sex: 2, store: STORE }]);
  expect([labelled("姓名")?.getAttribute("aria-invalid"), labelled("邮箱")?.getAttribute("aria-invalid")]).toEqual(["true", "true"]);
  labelled("姓名")!.value = "高远";
  labelled("邮箱")!.value = "gao@example.com";
  await expect.poll(() => document.querySelector("#main")?.getAttribute("aria-busy")).toBe("false");
  press();
  await expect.poll(() => joins().length).toBe(2);
  expect(joins()[1]).toMatchObject({ proved: "sealed", name: "高远", email: "gao@example.com" });
  expect(joins()[1]).not.toHaveProperty("sms");
});
