import { afterEach, beforeEach, expect, test } from "vitest";
import { answers } from "@zhangfang/web/api/cache.ts";
import { listen } from "@zhangfang/web/api/testing-http.ts";
import { draw } from "@zhangfang/web/testing-render.tsx";
import { FillPage } from "./FillPage.tsx";

const values = { "store.name": "蜀味川菜", "business.shortName": "小店", "business.phone": "02899998888" };
const link = {
  paths: ["business.shortName", "business.phone", "store.name", "store.address", "store.entrance"],
  values,
  versions: { "store.name": 1, "business.shortName": 2, "business.phone": 1 },
  findings: [
    { path: "store.address", severity: "error", text: "请填写门店地址" },
    { path: "store.entrance", severity: "error", text: "请上传门头照片" },
  ],
  rejected: [
    { path: "business.shortName", reason: "简称与执照不符", untouched: true },
    { path: "business.phone", reason: "电话打不通", untouched: false },
  ],
  brandName: "锦城商务",
  merchantName: "蜀味川菜",
  steps: [3],
  micro: false,
  until: "2026-12-01T00:00:00.000Z",
  closed: null,
  regions: [],
};
let http: Awaited<ReturnType<typeof listen>>;
let page: ReturnType<typeof draw>;
beforeEach(async () => {
  http = await listen(() => ({ body: link }));
  Element.prototype.scrollIntoView = () => undefined;
});
afterEach(async () => {
  await page.until(() => answers().isFetching() === 0);
  page.end();
  await http.close();
});

test("who is asked again after a rejection reads why at the field, and is led from gap to gap", async () => {
  page = draw(<FillPage token="one" />);
  const row = (path: string) => page.box.querySelector<HTMLElement>(`[data-path="${path}"]`);
  const short = await page.until(() => row("business.shortName"));
  expect(short.textContent).toContain("微信支付：简称与执照不符");
  expect(short.className).toContain("field-wrong");
  expect(row("business.phone")!.textContent).toContain("已改。微信支付驳回过：电话打不通");
  expect(row("business.phone")!.className).not.toContain("field-wrong");
  expect(page.box.textContent).toContain("微信支付驳回了 2 栏");
  expect(page.box.textContent).toContain("图片在开户办完 180 天后销毁");
  expect(page.box.querySelector("[role=status]")!.textContent).toContain("还有 3 处要填或要改");
  const next = [...page.box.querySelectorAll("button")].find(({ textContent }) => textContent === "下一处")!;
  const here = () => document.activeElement?.closest<HTMLElement>("[data-path]")?.dataset["path"];
  const visited: (string | undefined)[] = [];
  for (let times = 0; times < 4; times++) {
    next.click();
    visited.push(here());
  }
  expect(visited).toEqual(["business.shortName", "store.address", "store.entrance", "business.shortName"]);
  // Nothing was said of an empty field before somebody was led there.
  await page.until(() => row("store.address")!.textContent?.includes("请填写门店地址"));
});
