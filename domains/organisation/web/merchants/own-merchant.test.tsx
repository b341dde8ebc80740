import { afterEach, beforeEach, expect, test } from "vitest";
import { answers } from "@zhangfang/web/api/cache.ts";
import { startSession } from "@zhangfang/web/api/session.ts";
import { listen } from "@zhangfang/web/api/testing-http.ts";
import { setUser } from "@zhangfang/web/api/user.ts";
import { useList } from "@zhangfang/web/list/use-list.ts";
import { draw } from "@zhangfang/web/testing-render.tsx";
import { listMerchantRows } from "../../contract/index.ts";
import { MerchantDetail } from "./MerchantDetail.tsx";
import { MerchantProfile } from "./MerchantProfile.tsx";

const ID = "01890000-0000-7000-8000-00000000000a";
const PIXEL = "data:image/png;base64,iVBORw0KGgo=";
const PROFILE = {
  id: ID,
  number: "9900000001",
  name: "蜀味川菜有限公司",
  shortName: "蜀味川菜",
  trade: "餐饮",
  province: "四川",
  city: "成都",
  address: null,
  contactName: "陆羽",
  contactPhone: "139****5678",
  servicePhone: null,
  licenceNo: "91330100MA27XXXX1X",
  legalPerson: "陆*",
  logoUrl: null,
  settleBank: null,
  settleHolder: null,
  settleTail: null,
  channels: [
    { name: "wechat", channel: 0, number: "1900000001", state: "active" },
    { name: "alipay", channel: 0, number: "2088000000000001", state: "disabled" },
    { name: "acquirer", channel: 1, number: "88001", state: "active" },
  ],
  feeRate: 38,
  state: "active",
  openedAt: "2026-01-01T00:00:00Z",
  version: 1,
  serviceProviderName: "禾木",
  missing: [],
  reminder: null,
};
let http: Awaited<ReturnType<typeof listen>>;
let page: ReturnType<typeof draw>;
let merchant: object;
beforeEach(async () => {
  merchant = {};
  startSession("token");
  http = await listen(({ path }) => {
    if (path.endsWith("/merchant-profile")) return { body: PROFILE };
    if (path.endsWith("/pictures")) return { body: { logo: PIXEL, licence: PIXEL } };
    if (path === `/api/organisation/merchants/${ID}`) return { body: merchant };
    return { body: { items: [], next: null, total: { count: 0, more: false } } };
  });
});
afterEach(async () => {
  page.end();
  answers().clear();
  await http.close();
});
const signIn = (level: "SP" | "MCH", paths: readonly string[]): void =>
  setUser({ id: "1", login: "a", name: "a", isRoot: true, roles: [], level, entityName: "", paths: new Set(paths) });

test("a merchant sees its own sign, its licence and every channel with its number and whether it is on", async () => {
  signIn("MCH", ["/merchants/info"]);
  page = draw(<MerchantProfile />);
  await page.until(() => page.box.querySelectorAll("img").length === 2);
  expect([...page.box.querySelectorAll("img")].map(({ alt }) => alt)).toEqual(["标志", "营业执照"]);
  const channels = [...page.box.querySelectorAll(".group")].find((one) => one.querySelector("h2")?.textContent === "支付通道")!;
  expect([...channels.querySelectorAll("dl > div")].map(({ textContent }) => textContent?.replaceAll(/\s+/g, " "))).toEqual([
    "微信支付1900000001 启用",
    "支付宝2088000000000001 停用",
    "富友88001 启用",
  ]);
});

function Details() {
  return <MerchantDetail list={useList(listMerchantRows)} onEdit={() => {}} />;
}
const WAYS: readonly (readonly [paths: readonly string[], ways: readonly string[]])[] = [
  [
    ["/merchants/v3Secret/set", "/applyment/form/edit"],
    [`#/merchants/v3Secret?merchantId=${ID}`, `#/applyment/form?merchantId=${ID}`],
  ],
  [["/applyment/form/edit"], [`#/applyment/form?merchantId=${ID}`]],
  [[], []],
];
test.each(WAYS)("a merchant without a channel: who holds %j goes on to %j", async (paths, ways) => {
  const counts = { accountCount: 0, sessionCount: 0, storeCount: 0, deviceCount: 0, accounts: [] };
  merchant = { ...PROFILE, ...counts, channels: [], agentName: null, teamName: null, salesmanName: null };
  signIn("SP", paths);
  location.hash = `#/merchants/merchants?channel=no&state=active&id=${ID}`;
  page = draw(<Details />);
  const drawer = await page.until(() => [...document.querySelectorAll(".drawer")].find((one) => one.textContent?.includes("9900000001")));
  expect([...drawer.querySelectorAll("dd a")].map((one) => one.getAttribute("href"))).toEqual(ways);
});
