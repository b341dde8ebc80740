import { afterEach, beforeEach, expect, test } from "vitest";
import { listen } from "@zhangfang/web/api/testing-http.ts";
import { startSession } from "@zhangfang/web/api/session.ts";
import { setUser } from "@zhangfang/web/api/user.ts";
import { draw } from "@zhangfang/web/testing-render.tsx";
import { GuideList } from "./guides/GuideList.tsx";
import { OtherStoreList } from "./other/OtherStoreList.tsx";
import { WxStoreList } from "./wx/WxStoreList.tsx";

const ID = "01890000-0000-7000-8000-00000000beef";
const other = {
  id: ID,
  platform: "dy",
  platformStoreId: "7001",
  name: "第九页的店",
  merchantId: ID,
  merchantName: "蜀味",
  storeId: null,
  storeName: null,
  state: "waiting",
  isPrimary: false,
  mappedFrom: null,
  address: "",
  suggestedId: null,
  suggestedName: null,
  suggestedWhy: "",
  updatedAt: "2026-07-01T00:00:00.000Z",
};
const atWechat = {
  id: ID,
  number: "0000000009",
  name: "第九页的店",
  city: null,
  address: null,
  wxStoreId: "42",
  status: "rejected",
  message: null,
  syncedAt: null,
  createdAt: "2026-07-01T00:00:00.000Z",
};
const guide = {
  id: ID,
  code: "G-09",
  name: "*娟",
  phone: "*******6612",
  storeId: ID,
  storeName: "第九页的店",
  corpId: "ww1",
  wecomUserId: "lijuan",
  qrCode: "https://a.example/q",
  avatar: "https://a.example/a",
  guideId: null,
  status: "active",
  message: null,
  version: 1,
  createdAt: "2026-07-01T00:00:00.000Z",
  updatedAt: "2026-07-01T00:00:00.000Z",
};
const known: Readonly<Record<string, unknown>> = {
  [`/api/stores/other-stores/${ID}`]: other,
  [`/api/stores/wx/${ID}`]: atWechat,
  [`/api/stores/guides/${ID}`]: guide,
};
let http: Awaited<ReturnType<typeof listen>>;
let page: ReturnType<typeof draw> | undefined;
beforeEach(async () => {
  // The first page has other rows than the one that the address names.
  http = await listen(({ path }) => ({ body: known[path] ?? { items: [], next: null, perState: [], total: { count: 0, more: false } } }));
  startSession("token");
  setUser({ id: "1", login: "a", name: "a", isRoot: true, roles: [], level: "MCH", entityName: "", paths: new Set() });
});
afterEach(async () => {
  page?.end();
  await http.close();
});

test.each([
  ["其他门店", <OtherStoreList key="other" />, `/store/other?state=waiting&panel=edit:${ID}`, "映射 第九页的店"],
  ["微信门店", <WxStoreList key="wx" />, `/store/wx?status=rejected&panel=link:${ID}`, "关联 第九页的店"],
  ["支付即服务", <GuideList key="guides" />, `/store/payIsService?status=failed&panel=edit:${ID}`, "修改服务人员 G-09"],
])("%s: the address opens the drawer of a row that is not on the page", async (_, list, address, title) => {
  location.hash = address;
  page = draw(list);
  const dialog = await page.until(() => document.querySelector("[role=dialog] form")?.closest("[role=dialog]"));
  expect(dialog.textContent).toContain(title);
});

test.each([
  ["微信门店", <WxStoreList key="wx" />, `/store/wx?status=rejected&id=${ID}`, ["第九页的店", "已退回", "0000000009"]],
  ["支付即服务", <GuideList key="guides" />, `/store/payIsService?status=failed&id=${ID}`, ["*娟 G-09", "已登记", "lijuan"]],
])("%s: a row has an address of its own, whatever the filter", async (_, list, address, told) => {
  location.hash = address;
  page = draw(list);
  const dialog = await page.until(() => document.querySelector("[role=dialog] .pairs")?.closest("[role=dialog]"));
  for (const words of told) expect(dialog.textContent).toContain(words);
});
